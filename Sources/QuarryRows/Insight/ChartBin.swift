/// A summary of the numbers in one step of a chart.
package struct ChartBin: Hashable, Sendable {
  /// The number of values.
  package private(set) var count: Int
  package private(set) var least: Double
  package private(set) var greatest: Double
  /// The first and the last value in reading order; for combined bins, in the order of the axis.
  package private(set) var first: Double
  package private(set) var last: Double
  private var rawSum: Double
  /// The rounding error of the sum.
  private var error = 0.0

  /// Creates the bin of one number.
  package init(_ value: Double) {
    (count, least, greatest, first, last, rawSum) = (1, value, value, value, value, value)
  }

  /// The sum; infinite if it exceeds the range of doubles.
  package var sum: Double { rawSum.isFinite ? rawSum + error : rawSum }

  /// Adds a number.
  package mutating func add(_ value: Double) {
    count += 1
    least = min(least, value)
    greatest = max(greatest, value)
    last = value
    addToSum(value)
  }

  /// Adds the numbers of a bin that follows on the axis.
  package mutating func add(_ other: ChartBin) {
    count += other.count
    least = min(least, other.least)
    greatest = max(greatest, other.greatest)
    last = other.last
    addToSum(other.rawSum)
    error += other.error
  }

  /// Adds to the sum like SQLite's `sum`, by the method of Kahan, Babuska and Neumaier.
  private mutating func addToSum(_ value: Double) {
    let total = rawSum + value
    error += abs(rawSum) >= abs(value) ? (rawSum - total) + value : (value - total) + rawSum
    rawSum = total
  }

  /// Returns the aggregate of the bin's numbers.
  package func value(_ aggregate: ChartAggregate) -> Double {
    switch aggregate {
    case .none: last
    case .sum: sum
    case .mean: sum / Double(count)
    case .count: Double(count)
    case .least: least
    case .greatest: greatest
    }
  }
}

/// The aggregation of several rows into one number of a chart.
package enum ChartAggregate: String, Hashable, Sendable, CaseIterable {
  /// No aggregation: each row is drawn separately.
  case none
  case sum, mean, count
  case least = "min"
  case greatest = "max"
}
