/// The value of a written number: `1.10`, `1.1` and `11e-1` are equal.
package struct ExactDecimal: Equatable {
  /// The digits without leading and trailing zeros, or 0 for zero.
  private var digits: UInt64 = 0
  /// The power of ten of the last digit.
  private var exponent = 0
  private var isNegative = false
  /// Whether the number is written with a point or an exponent.
  private var isReal = false

  /// The maximum number of digits of a real's shortest decimal.
  private static let mostDigits = 17
  /// The limit for exponents, which is greater than that of any real.
  ///
  /// Greater exponents are equal to it.
  private static let greatestExponent = 1_000_000_000

  /// Parses a number in JSON notation.
  ///
  /// Returns nil if it has more digits than any real needs.
  private init?(_ bytes: some Collection<UInt8>) {
    // Zeros count only if another digit follows.
    var (count, zeros, scale, isFraction) = (0, 0, 0, false)
    var rest = bytes[...]
    if rest.first == UInt8(ascii: "-") {
      isNegative = true
      rest.removeFirst()
    }
    while let byte = rest.first, byte | 0x20 != UInt8(ascii: "e") {
      rest.removeFirst()
      if byte == UInt8(ascii: ".") {
        (isFraction, isReal) = (true, true)
        continue
      }
      if isFraction { scale += 1 }
      if byte == UInt8(ascii: "0") {
        if count > 0 { zeros += 1 }
        continue
      }
      count += zeros + 1
      if count > Self.mostDigits { return nil }
      for _ in 0..<zeros { digits *= 10 }
      digits = digits * 10 + UInt64(byte &- UInt8(ascii: "0"))
      zeros = 0
    }
    exponent = zeros - scale
    if rest.popFirst() != nil {
      isReal = true
      exponent += Self.exponent(rest)
    }
    if digits == 0 { exponent = 0 }
  }

  private static func exponent(_ text: some Collection<UInt8>) -> Int {
    let magnitude = text.reduce(0) { sum, byte in
      byte >= UInt8(ascii: "0") ? min(sum * 10 + Int(byte - UInt8(ascii: "0")), greatestExponent) : sum
    }
    return text.first == UInt8(ascii: "-") ? -magnitude : magnitude
  }

  /// Returns the real of a JSON number.
  ///
  /// Returns nil if formatting the real results in another number, or if the number is an integer.
  ///
  /// ```swift
  /// real("1.10")    // 1.1
  /// real("9e999")   // infinity, which is exported so
  /// real("1e400")   // nil
  /// real("-0")      // -0.0: no integer is it
  /// ```
  package static func real(_ bytes: UnsafeRawBufferPointer) -> Double? {
    guard let decimal = ExactDecimal(bytes), decimal.isReal || (decimal.digits == 0 && decimal.isNegative) else { return nil }
    if let value = decimal.shortReal { return value }
    if decimal.digits == 9, decimal.exponent == 999 { return decimal.isNegative ? -.infinity : .infinity }
    guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else { return nil }
    return ExactDecimal(Array(RealText.shortest(value).utf8)).map { $0.digits == decimal.digits && $0.exponent == decimal.exponent } == true
      ? value : nil
  }

  private static let powers = (0...22).map { scale in (0..<scale).reduce(1.0) { power, _ in power * 10 } }

  /// The real for at most 15 digits and an exact power of ten.
  ///
  /// It needs one rounding, and no other decimal with so few digits is the same real.
  private var shortReal: Double? {
    guard digits < 1_000_000_000_000_000, Int(exponent.magnitude) < Self.powers.count else { return nil }
    let magnitude = Double(digits)
    let value = exponent < 0 ? magnitude / Self.powers[-exponent] : magnitude * Self.powers[exponent]
    return isNegative ? -value : value
  }
}
