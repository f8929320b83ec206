extension ByteBuffer {
  /// Writes an integer in decimal.
  mutating func append(decimal value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(decimal: value.magnitude)
  }

  private mutating func append(decimal value: UInt64) {
    let length = Self.digitCount(value)
    let destination = reserve(length)
    var rest = value
    for index in stride(from: length - 1, through: 0, by: -1) {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      destination[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
      rest = quotient
    }
    advance(by: length)
  }

  private static func digitCount(_ value: UInt64) -> Int {
    var count = 1
    var rest = value
    while rest >= 10 {
      rest /= 10
      count += 1
    }
    return count
  }

  /// Writes a real so that it reads back the same: in the shape of the sqlite3 shell (`1.0`, `0.25`, `1.0e+15`), with as many digits
  /// as that takes; infinities are `9e999` and `-9e999`.
  mutating func append(real value: Double) {
    if value.sign == .minus { append(UInt8(ascii: "-")) }
    let magnitude = value.magnitude
    if magnitude.isInfinite {
      append("9e999")
    } else if !append(shortReal: magnitude) {
      RealDigits(magnitude).write(into: &self)
    }
  }

  /// Writes a real that is a whole number of ten-thousandths of at most 15 digits, as most that people store are; returns whether it is
  /// one.
  ///
  /// Of all decimals of at most 15 digits only one reads back as a given real, and dividing by 10,000 rounds correctly, so it is this one.
  private mutating func append(shortReal magnitude: Double) -> Bool {
    let scaled = (magnitude * 10_000).rounded()
    guard scaled < 1e15, scaled / 10_000 == magnitude, scaled > 0 || magnitude == 0 else { return false }
    let (whole, fraction) = UInt64(scaled).quotientAndRemainder(dividingBy: 10_000)
    append(decimal: whole)
    append(UInt8(ascii: "."))
    append(tenThousandths: fraction)
    return true
  }

  private mutating func append(tenThousandths fraction: UInt64) {
    var rest = fraction
    repeat {
      append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest / 1_000))
      rest = rest % 1_000 * 10
    } while rest > 0
  }
}

/// The fewest decimal digits that read back as a real, and where its point stands.
private struct RealDigits {
  private var digits: [UInt8] = []
  /// The power of ten of the first digit.
  private var exponent = 0

  /// Takes the digits from Swift's own description, which are the fewest.
  init(_ magnitude: Double) {
    let parts = magnitude.description.split(separator: "e")
    let mantissa = parts.first.map { Array($0.utf8) } ?? []
    let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.count
    digits = mantissa.filter { $0 != UInt8(ascii: ".") }
    let leadingZeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
    digits.removeFirst(leadingZeros)
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    exponent = point - 1 - leadingZeros + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
  }

  func write(into out: inout ByteBuffer) {
    switch exponent {
    case -4..<0:
      out.append("0.")
      for _ in exponent + 1..<0 { out.append(UInt8(ascii: "0")) }
      out.append(digits)
    case 0..<15:
      write(from: 0, to: exponent + 1, into: &out)
      writeFraction(from: exponent + 1, into: &out)
    default:
      write(from: 0, to: 1, into: &out)
      writeFraction(from: 1, into: &out)
      writeExponent(into: &out)
    }
  }

  /// Writes the digits of these places, zeros where there are no more.
  private func write(from start: Int, to end: Int, into out: inout ByteBuffer) {
    for index in start..<end { out.append(index < digits.count ? digits[index] : UInt8(ascii: "0")) }
  }

  private func writeFraction(from start: Int, into out: inout ByteBuffer) {
    out.append(UInt8(ascii: "."))
    write(from: start, to: max(digits.count, start + 1), into: &out)
  }

  private func writeExponent(into out: inout ByteBuffer) {
    out.append(exponent < 0 ? "e-" : "e+")
    if exponent.magnitude < 10 { out.append(UInt8(ascii: "0")) }
    out.append(decimal: Int64(exponent.magnitude))
  }
}
