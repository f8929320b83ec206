internal import Libc
import QuarryEngine

/// Numbers as a chart writes them.
package enum ChartNumber {
  /// Returns a number with its digits in groups: `1,265,793.04`.
  ///
  /// - Parameter digits: How many digits count at most; whole numbers are written whole up to 15 digits.
  package static func text(_ value: Double, digits: Int = 15) -> String {
    guard value.isFinite else { return value.isNaN ? "-" : value < 0 ? "-∞" : "∞" }
    let size = abs(value)
    guard size < 1e15 else { return scientific(value) }
    if value == value.rounded() { return Plural.grouped(Int(value)) }
    guard size >= 1e-4 else { return scientific(value) }
    let whole = max(1, Int(log10(max(size, 1)).rounded(.down)) + 1)
    // The zeros before the first nonzero digit of a number below 1 do not count.
    let zeros = size < 1 ? Int(-log10(size).rounded(.down)) - 1 : 0
    return grouped(decimal(value, max(0, digits - whole + max(0, zeros))))
  }

  /// Returns a number with so many decimals, without zeros at its end.
  static func decimal(_ value: Double, _ decimals: Int) -> String {
    let decimals = min(max(0, decimals), 18)
    let text = fixed(value, decimals)
    guard text.contains(".") else { return text }
    let trimmed = text.reversed().drop { $0 == "0" }
    return String((trimmed.first == "." ? trimmed.dropFirst() : trimmed).reversed())
  }

  /// Returns a number with exactly so many decimals.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    let scale = pow(10, Double(decimals))
    let scaled = (abs(value) * scale).rounded()
    guard scaled < 9e15 else { return scientific(value) }
    let digits = String(Int(scaled))
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let sign = value < 0 && scaled > 0 ? "-" : ""
    return sign + padded.dropLast(decimals) + (decimals > 0 ? "." + padded.suffix(decimals) : "")
  }

  /// Returns a number as digits and a power of 10: `1.5e+18`.
  static func scientific(_ value: Double) -> String {
    guard value != 0, value.isFinite else { return "0" }
    var power = Int(log10(abs(value)).rounded(.down))
    var mantissa = power < -300 ? value * 1e300 / pow(10, Double(power + 300)) : value / pow(10, Double(power))
    if abs(mantissa) >= 9.9995 { (mantissa, power) = (mantissa / 10, power + 1) }
    return "\(decimal(mantissa, 3))e\(power < 0 ? "-" : "+")\(abs(power))"
  }

  private static func grouped(_ text: String) -> String {
    let parts = text.split(separator: ".", maxSplits: 1)
    guard let first = parts.first, let whole = Int(first) else { return text }
    // Int has no -0.
    let sign = first.hasPrefix("-") && whole == 0 ? "-" : ""
    return sign + Plural.grouped(whole) + (parts.count > 1 ? "." + parts[1] : "")
  }
}

/// The unit in which the labels of an axis are written: `1.5 M`.
struct ChartMagnitude: Hashable, Sendable {
  private let factor: Double
  private let suffix: String
  private let decimals: Int
  private let isScientific: Bool

  /// Chooses the unit for labels a step apart, the greatest of which is `size`.
  init(size: Double, step: Double) {
    let units: [(Double, String)] = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")]
    // Numbers of four digits, such as years, stay as they are.
    let unit = size >= 1e4 ? units.first { size >= $0.0 } : nil
    factor = unit?.0 ?? 1
    suffix = unit?.1 ?? ""
    isScientific = size >= 1e15 || (size > 0 && size < 1e-3)
    let power = log10(min(max(step / factor, .leastNormalMagnitude), .greatestFiniteMagnitude)) - 1e-9
    let leading = step / factor / pow(10, (power + 2e-9).rounded(.down))
    decimals = max(0, Int(-(power + 2e-9).rounded(.down)) + (abs(leading - 2.5) < 0.01 ? 1 : 0))
  }

  func text(_ value: Double) -> String {
    if value == 0 { return "0" }
    return isScientific ? ChartNumber.scientific(value) : ChartNumber.fixed(value / factor, decimals) + suffix
  }
}
