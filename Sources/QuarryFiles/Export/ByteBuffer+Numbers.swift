extension ByteBuffer {
  /// Appends an integer in decimal.
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
    var power: UInt64 = 10
    while value >= power {
      count += 1
      let (next, overflows) = power.multipliedReportingOverflow(by: 10)
      if overflows { break }
      power = next
    }
    return count
  }

  /// Appends a real so that it reads back the same, in the notation of the sqlite3 shell (`1.0`, `0.25`, `1.0e+15`) with the fewest digits.
  ///
  /// Infinities are `9e999` and `-9e999`.
  mutating func append(real value: Double) {
    if value.sign == .minus { append(UInt8(ascii: "-")) }
    let magnitude = value.magnitude
    if magnitude.isInfinite {
      append("9e999")
    } else if !append(shortReal: magnitude) {
      RealDigits(magnitude).write(into: &self)
    }
  }

  /// Appends a real that is a whole number of ten-thousandths with at most 15 digits, like most stored reals.
  ///
  /// Returns whether the real was appended.
  ///
  /// Only one decimal with at most 15 digits reads back as a given real. Since dividing by 10,000 rounds correctly, it is this one.
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

/// The fewest decimal digits that read back as a real, with the position of its point.
private struct RealDigits {
  /// The digits as a number, without trailing zeros.
  private var digits: UInt64 = 0
  private var count = 0
  /// The power of ten of the first digit.
  private var exponent = 0

  /// Parses the digits of Swift's own description, which are the fewest: `0.00037`, `1234.5`, `1.5e-07`.
  init(_ magnitude: Double) {
    var description = magnitude.description
    description.withUTF8 { read($0) }
    while count > 1, digits.isMultiple(of: 10) {
      digits /= 10
      count -= 1
    }
  }

  private mutating func read(_ text: UnsafeBufferPointer<UInt8>) {
    // The number of digits before the point, or of zeros after it before the first digit.
    var (whole, zeros, isFraction) = (0, 0, false)
    let end = text.firstIndex(of: UInt8(ascii: "e")) ?? text.count
    for byte in text[..<end] {
      switch byte {
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "0") where count == 0: if isFraction { zeros += 1 }
      default:
        digits = digits * 10 + UInt64(byte - UInt8(ascii: "0"))
        count += 1
        if !isFraction { whole += 1 }
      }
    }
    let power = end < text.count ? Int(String(decoding: text[(end + 1)...], as: UTF8.self)) ?? 0 : 0
    exponent = power + (whole > 0 ? whole - 1 : -zeros - 1)
  }

  func write(into out: inout ByteBuffer) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(count, 1)) { places in
      var rest = digits
      for index in (0..<count).reversed() {
        places[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      write(UnsafeBufferPointer(rebasing: places[..<count]), into: &out)
    }
  }

  private func write(_ places: UnsafeBufferPointer<UInt8>, into out: inout ByteBuffer) {
    switch exponent {
    case -4..<0:
      out.append("0.")
      for _ in exponent + 1..<0 { out.append(UInt8(ascii: "0")) }
      Self.write(places, from: 0, to: places.count, into: &out)
    case 0..<15:
      Self.write(places, from: 0, to: exponent + 1, into: &out)
      Self.writeFraction(places, from: exponent + 1, into: &out)
    default:
      Self.write(places, from: 0, to: 1, into: &out)
      Self.writeFraction(places, from: 1, into: &out)
      writeExponent(into: &out)
    }
  }

  /// Writes the digits of a range of places, with zeros after the last digit.
  private static func write(_ places: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int, into out: inout ByteBuffer) {
    for index in start..<end { out.append(index < places.count ? places[index] : UInt8(ascii: "0")) }
  }

  private static func writeFraction(_ places: UnsafeBufferPointer<UInt8>, from start: Int, into out: inout ByteBuffer) {
    out.append(UInt8(ascii: "."))
    write(places, from: start, to: max(places.count, start + 1), into: &out)
  }

  private func writeExponent(into out: inout ByteBuffer) {
    out.append(exponent < 0 ? "e-" : "e+")
    if exponent.magnitude < 10 { out.append(UInt8(ascii: "0")) }
    out.append(decimal: Int64(exponent.magnitude))
  }
}
