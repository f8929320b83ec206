internal import Libc

/// A round width of ranges: 1, 2, 2.5 or 5 times a power of ten.
package struct DecimalStep: Hashable, Sendable {
  /// 1, 2, 5 or 25.
  var digits: Int
  /// The exponent of the power of ten.
  var exponent: Int

  package var width: Double { multiple(1) }

  /// Returns the real nearest to a multiple of the width.
  ///
  /// It is the same for steps that are multiples of each other: 2 · 0.5 is 1 · 1.
  func multiple(_ count: Double) -> Double {
    let product = count * Double(digits)
    if (0...22).contains(exponent) { return product * Self.powers[exponent] }
    // Dividing by a power of ten that a real represents exactly rounds once, like parsing a literal.
    if (-22..<0).contains(exponent) { return product / Self.powers[-exponent] }
    return product * pow(10, Double(exponent))
  }

  /// Returns how many times the width fits below a number, which is the index of its range.
  func index(of number: Double) -> Double {
    var index = (number / width).rounded(.down)
    while number < multiple(index) { index -= 1 }
    while number >= multiple(index + 1) { index += 1 }
    return index
  }

  private static let powers = (0...22).map { pow(10, Double($0)) }

  /// The next wider step.
  var next: DecimalStep {
    switch digits {
    case 1: DecimalStep(digits: 2, exponent: exponent)
    case 2: DecimalStep(digits: 25, exponent: exponent - 1)
    case 25: DecimalStep(digits: 5, exponent: exponent + 1)
    default: DecimalStep(digits: 1, exponent: exponent + 1)
    }
  }

  /// Returns the index of the range that begins nearest to a number.
  func nearestIndex(of number: Double) -> Double { (number / width).rounded() }

  /// Returns whether the width is a multiple of another.
  func isMultiple(of other: DecimalStep) -> Bool {
    let count = width / other.width
    return (count - count.rounded()).magnitude < 1e-6 && count >= 0.5
  }

  /// Returns the exponent of the power of ten that does not exceed the magnitude of a number.
  static func exponent(of number: Double) -> Int { Int(log10(number.magnitude).rounded(.down)) }

  /// Returns the smallest step that is not narrower than a width, and whole if required.
  ///
  /// ```swift
  /// DecimalStep.least(notBelow: 0.3, isWhole: false).width  // 0.5
  /// ```
  package static func least(notBelow width: Double, isWhole: Bool) -> DecimalStep {
    var step = DecimalStep(digits: 1, exponent: isWhole ? max(0, exponent(of: width)) : exponent(of: width))
    // A rounding error alone does not make a step too narrow.
    while step.width < width * (1 - 1e-9) || isWhole && step.exponent < 0 { step = step.next }
    return step
  }

  /// Returns the smallest step with which at most `limit` ranges cover the numbers from one to another; nil if reals are too coarse for it.
  static func covering(_ least: Double, _ greatest: Double, limit: Int) -> DecimalStep? {
    let width = (greatest / 2 - least / 2) / Double(limit) * 2
    guard width.isFinite, width > 0 else { return nil }
    var step = DecimalStep(digits: 1, exponent: exponent(of: width) - 1)
    // Beyond 2^53 a real cannot distinguish adjacent whole numbers.
    while max(least.magnitude, greatest.magnitude) / step.width < 0x1p53 {
      let count = step.index(of: greatest) - step.index(of: least) + 1
      if count <= Double(limit) || step.multiple(step.index(of: greatest)) == greatest && count == Double(limit) + 1 { return step }
      step = step.next
    }
    return nil
  }
}
