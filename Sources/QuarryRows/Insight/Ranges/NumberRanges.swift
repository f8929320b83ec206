package import QuarryEngine

/// The bounds of ranges of numbers.
package enum NumberRanges {
  /// Returns the bounds of at most `limit` ranges of equal rounded width that cover the numbers from one to another; fewer than two bounds
  /// if there are no such ranges.
  ///
  /// ```swift
  /// NumberRanges.bounds(from: .integer(3), to: .integer(38), limit: 8)  // 0, 5, 10, 15, 20, 25, 30, 35, 40
  /// ```
  package static func bounds(from least: DatabaseValue, to greatest: DatabaseValue, limit: Int) -> [DatabaseValue] {
    step(from: least, to: greatest, limit: limit).map { bounds(from: least, to: greatest, step: $0, limit: limit) } ?? []
  }

  /// Returns the smallest rounded width of at most `limit` ranges, whole for integers; nil if there is no such width.
  static func step(from least: DatabaseValue, to greatest: DatabaseValue, limit: Int) -> DecimalStep? {
    switch (least, greatest) {
    case (.integer(let least), .integer(let greatest)):
      var step = DecimalStep(digits: 1, exponent: 0)
      while floor(greatest, step) - floor(least, step) >= Int128(limit) {
        repeat { step = step.next } while step.exponent < 0
      }
      return step
    default: return DecimalStep.covering(least.number ?? .nan, greatest.number ?? .nan, limit: limit)
    }
  }

  /// Returns the bounds of ranges with a width that cover the numbers from one to another.
  static func bounds(from least: DatabaseValue, to greatest: DatabaseValue, step: DecimalStep, limit: Int) -> [DatabaseValue] {
    switch (least, greatest) {
    case (.integer(let least), .integer(let greatest)):
      let (first, last) = (floor(least, step), floor(greatest, step) + 1)
      return (0...Int(last - first)).map { .integer(Int64(clamping: (first + Int128($0)) * step.whole)) }
    default: return reals(least.number ?? .nan, greatest.number ?? .nan, step, limit).map { .real($0) }
    }
  }

  private static func floor(_ number: Int64, _ step: DecimalStep) -> Int128 {
    let (number, step) = (Int128(number), step.whole)
    return number / step - (number % step < 0 ? 1 : 0)
  }

  private static func reals(_ least: Double, _ greatest: Double, _ step: DecimalStep, _ limit: Int) -> [Double] {
    guard least.isFinite, greatest.isFinite else { return [] }
    let (first, last) = (step.index(of: least), step.index(of: greatest))
    // A maximum that is itself a bound belongs to the range that ends with it.
    let end = last > first && step.multiple(last) == greatest && last - first >= Double(limit) ? last : last + 1
    let limit = Double.greatestFiniteMagnitude
    return stride(from: first, through: end, by: 1).map { min(max(step.multiple($0), -limit), limit) }
  }
}

extension DecimalStep {
  /// The width as a whole number; meaningful only if the width is whole.
  fileprivate var whole: Int128 { (0..<max(0, exponent)).reduce(Int128(digits)) { width, _ in width * 10 } }
}

extension DatabaseValue {
  /// The value as a real, if it is a number.
  package var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .null, .text, .blob: nil
    }
  }
}

extension [ValueCount] {
  /// Creates ranges from their bounds, with the number of rows in each.
  ///
  /// - Parameters:
  ///   - greatest: The maximum, which belongs to the last range even if it is its end.
  ///   - count: Returns the number of rows between two bounds; nil for no bound.
  static func bins(
    _ bounds: [DatabaseValue], greatest: DatabaseValue? = nil, _ count: (DatabaseValue, DatabaseValue?) -> Int
  ) -> [ValueCount] {
    guard bounds.count > 1 else { return [] }
    return (0..<bounds.count - 1).map { index in
      let isLast = index == bounds.count - 2
      let includesUpper = isLast && greatest.map { $0.number == bounds[index + 1].number } == true
      let bin = ValueBin(lower: bounds[index], upper: bounds[index + 1], includesUpper: includesUpper)
      return ValueCount(.bin(bin), count(bounds[index], includesUpper ? nil : bounds[index + 1]))
    }
  }

  /// Returns the ranges with adjacent empty ranges combined.
  func foldingEmptyRanges() -> [ValueCount] {
    reduce(into: []) { folded, line in
      guard line.count == 0, let bin = line.value.bin, let last = folded.last, last.count == 0, var wide = last.value.bin else {
        return folded.append(line)
      }
      (wide.upper, wide.includesUpper) = (bin.upper, bin.includesUpper)
      folded[folded.count - 1].value = .bin(wide)
    }
  }

  /// Creates the only range of a single number.
  static func bin(of value: DatabaseValue, _ count: Int) -> [ValueCount] {
    [ValueCount(.bin(ValueBin(lower: value, upper: value, includesUpper: true)), count)]
  }
}
