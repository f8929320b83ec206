import Foundation

/// What is measured: a time or a number of bytes.
struct Amount: Comparable, Sendable {
  enum Unit: Sendable {
    case seconds
    case bytes
  }

  var value: Double
  let unit: Unit

  static func seconds(_ value: Double) -> Amount { Amount(value: value, unit: .seconds) }
  static func milliseconds(_ value: Double) -> Amount { .seconds(value / 1e3) }
  static func bytes(_ value: Double) -> Amount { Amount(value: value, unit: .bytes) }
  static func mebibytes(_ value: Double) -> Amount { .bytes(value * 1_048_576) }

  static func < (first: Amount, second: Amount) -> Bool { first.value < second.value }
  static func / (first: Amount, second: Amount) -> Double { first.value / second.value }
  static func / (amount: Amount, count: Int) -> Amount { Amount(value: amount.value / Double(count), unit: amount.unit) }
  static func * (amount: Amount, factor: Double) -> Amount { Amount(value: amount.value * factor, unit: amount.unit) }
  static func + (first: Amount, second: Amount) -> Amount { Amount(value: first.value + second.value, unit: first.unit) }

  /// The amount in the unit that people would take: `345 ms`, `41 MiB`.
  var text: String {
    let scales: [(Double, String)] =
      switch unit {
      case .seconds: [(1e-3, "ms"), (1e-6, "µs")]
      case .bytes: [(1_048_576, "MiB"), (1024, "KiB"), (1, "B")]
      }
    let (scale, name) = scales.first { value >= $0.0 } ?? scales[scales.count - 1]
    let number = value / scale
    let digits = number < 9.95 && name != "B" ? 1 : 0
    return "\(number.formatted(.number.precision(.fractionLength(digits)).grouping(.never))) \(name)"
  }
}

extension Amount {
  /// The amount that so large a part of some is not above, such as 0.99; the greatest of few.
  static func percentile(_ part: Double, of amounts: [Amount]) -> Amount {
    let sorted = amounts.sorted()
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
  }
}
