internal import Libc
internal import QuarryEngine

/// Writes reals as SQL that SQLite reads as the same reals.
///
/// The fewest digits that identify a real are not sufficient. SQLite 3.40 reads `6020.505838011582` as the next real, because it rounds
/// twice. Each literal is therefore checked by parsing it as SQLite does, unless no rounding error is possible.
final class RealLiterals {
  private let reader = DecimalReader()

  /// Writes a real: `0.25`, `1.0e+15`, `9e999`.
  ///
  /// If no decimal reads back the same, writes `6838213470232249.0/4503599627370496.0/…`.
  @inline(__always)
  func write(_ value: Double, to out: inout ByteBuffer) {
    if !out.append(thousandths: value) { writeChecked(value, to: &out) }
  }

  /// Writes a value as an SQL literal.
  @inline(__always)
  func write(_ value: BorrowedValue, to out: inout ByteBuffer) {
    switch value {
    case .null: out.append("NULL")
    case .integer(let value): out.append(decimal: value)
    case .real(let value): write(value, to: &out)
    case .text(let bytes): out.append(sqlText: bytes)
    case .blob(let bytes): out.append(blobLiteral: bytes)
    }
  }

  private func writeChecked(_ value: Double, to out: inout ByteBuffer) {
    let start = out.count
    out.append(real: value)
    if value.isInfinite || reads(value, from: start, in: out) { return }
    out.truncate(to: start)
    // The decimal with 18 digits is nearer to the real, and SQLite does not use more digits.
    out.append(Self.longDecimal(value))
    if reads(value, from: start, in: out) { return }
    out.truncate(to: start)
    Self.writeProduct(value, to: &out)
  }

  private func reads(_ value: Double, from start: Int, in out: borrowing ByteBuffer) -> Bool {
    reader.real(of: UnsafeRawBufferPointer(rebasing: out.bytes[start...])) == value
  }

  private static func longDecimal(_ value: Double) -> [UInt8] {
    var bytes = [CChar](repeating: 0, count: 40)
    let count = withVaList([value]) { vsnprintf(&bytes, bytes.count, "%.17e", $0) }
    return bytes.prefix(Int(count)).map { UInt8(bitPattern: $0) }
  }

  /// Writes a real as an integer times powers of two, all of which SQLite reads and multiplies exactly.
  private static func writeProduct(_ value: Double, to out: inout ByteBuffer) {
    let (step, steps) = (4503599627370496.0, 52)
    var exponent = Int(value.exponent) - steps
    let whole = Double(sign: .plus, exponent: -exponent, significand: value)
    out.append(UInt8(ascii: "("))
    out.append(real: whole)
    while exponent != 0 {
      let next = min(steps, abs(exponent))
      out.append(UInt8(ascii: exponent < 0 ? "/" : "*"))
      out.append(real: next == steps ? step : Double(sign: .plus, exponent: next, significand: 1))
      exponent += exponent < 0 ? next : -next
    }
    out.append(UInt8(ascii: ")"))
  }
}
