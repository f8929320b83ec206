/// Parses a number from a text if formatting the number results in the same text.
///
/// `7`, `-0.25` and `9e999`, which is infinity, are such texts. `007`, `+1`, `1.10`, `1e5`, `-0` and `12345678901234567890` are not.
/// ``RealText`` and the export formats use the same notation.
package enum LosslessNumber {
  /// Returns whether converting an integer to a real changes it.
  ///
  /// The nearest real of 9007199254740993 is 9007199254740992.
  static func isRounded(asReal integer: Int64) -> Bool { Double(exactly: integer) == nil }

  private static let zero = UInt8(ascii: "0")
  private static let minus = UInt8(ascii: "-")
  private static let point = UInt8(ascii: ".")

  /// The number of digits up to which different decimals are different reals.
  private static let exactDigits = 15

  /// Returns the integer that the bytes represent, or nil if they do not represent one in the same notation.
  package static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    let isNegative = bytes.first == minus
    let start = isNegative ? 1 : 0
    let count = bytes.count - start
    guard count > 0, count <= 19, count == 1 ? !isNegative || bytes[start] != zero : bytes[start] != zero else { return nil }
    var magnitude: UInt64 = 0
    for index in start..<bytes.count {
      let digit = bytes[index] &- zero
      guard digit < 10 else { return nil }
      // Nineteen digits always fit.
      magnitude = magnitude &* 10 &+ UInt64(digit)
    }
    guard magnitude > UInt64(Int64.max) else { return isNegative ? -Int64(magnitude) : Int64(magnitude) }
    return isNegative && magnitude == Int64.min.magnitude ? .min : nil
  }

  /// Returns the real that the bytes represent, or nil if they do not represent one in the same notation.
  package static func real(_ bytes: UnsafeRawBufferPointer) -> Double? {
    // The longest is -2.2250738585072014e-308.
    guard bytes.count >= 3, bytes.count <= 24 else { return nil }
    return shortReal(bytes) ?? anyReal(bytes)
  }

  /// The powers of ten that divide a real with few digits.
  ///
  /// Each is exact as a real.
  private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15]

  /// Parses a real with at most 15 digits and no exponent, like most reals.
  ///
  /// It is the only such decimal for the real, and the division rounds correctly.
  private static func shortReal(_ bytes: UnsafeRawBufferPointer) -> Double? {
    let isNegative = bytes.first == minus
    let start = isNegative ? 1 : 0
    var (mantissa, digits, pointIndex): (UInt64, Int, Int?) = (0, 0, nil)
    for index in start..<bytes.count {
      let digit = bytes[index] &- zero
      if digit < 10 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
        digits += 1
      } else if bytes[index] == point, pointIndex == nil {
        pointIndex = index
      } else {
        return nil
      }
    }
    guard let pointIndex, digits <= exactDigits, isWritten(bytes, from: start, point: pointIndex) else { return nil }
    // SQLite stores no sign of a zero.
    guard mantissa > 0 || !isNegative else { return nil }
    let magnitude = Double(mantissa) / powers[bytes.count - pointIndex - 1]
    // A smaller real is written with an exponent.
    guard magnitude >= 1e-4 || mantissa == 0 else { return nil }
    return isNegative ? -magnitude : magnitude
  }

  /// Returns whether the digits around a point are in the notation of a real: no leading zero except a single one, and no trailing zero
  /// except a single one.
  private static func isWritten(_ bytes: UnsafeRawBufferPointer, from start: Int, point: Int) -> Bool {
    let (whole, fraction) = (point - start, bytes.count - point - 1)
    return whole > 0 && fraction > 0 && (whole == 1 || bytes[start] != zero) && (fraction == 1 || bytes[bytes.count - 1] != zero)
  }

  /// Parses any other real, and compares its notation.
  private static func anyReal(_ bytes: UnsafeRawBufferPointer) -> Double? {
    guard let value = Double(String(decoding: bytes, as: UTF8.self)), !value.isNaN, value != 0 else { return nil }
    return RealText.shortest(value).utf8.elementsEqual(bytes) ? value : nil
  }
}
