internal import Libc
internal import QuarryEngine

/// The resolution of an axis: values within one step of a grain share a bin.
package enum ChartGrain: Hashable, Sendable {
  /// A separate bin for each value.
  case exact
  /// Steps of a power of 10.
  case decimal(Int)
  /// Calendar steps in UTC, for values in milliseconds since 1970.
  case time(ChartTimeUnit)

  /// Returns the start of the step that contains a value.
  ///
  /// ```swift
  /// ChartGrain.decimal(-1).start(of: 0.37)  // 0.3
  /// ```
  package func start(of value: Double) -> Double {
    switch self {
    case .exact: return value
    case .decimal(let power):
      let step = pow(10, Double(abs(power)))
      return power < 0 ? Self.floor(value * step) / step : Self.floor(value / step) * step
    case .time(let unit): return unit.start(of: value)
    }
  }

  /// The width of a numeric step; 0 if each value has its own bin.
  package var step: Double {
    switch self {
    case .exact: 0
    case .decimal(let power): pow(10, Double(power))
    case .time(let unit): unit.length
    }
  }

  /// Rounds down, but up if only a rounding error of a product or quotient separates the value from a whole number.
  private static func floor(_ value: Double) -> Double {
    let nearest = value.rounded()
    return abs(value - nearest) <= 1e-12 * max(1, abs(nearest)) ? nearest : value.rounded(.down)
  }

  /// Returns the next coarser grain with at most about `limit` steps in a range.
  ///
  /// - Parameter isTime: Whether the values are times.
  func coarser(for range: ClosedRange<Double>, limit: Int, isTime: Bool) -> ChartGrain {
    if isTime {
      guard case .time(let unit) = self else { return .time(.second) }
      return .time(ChartTimeUnit.nested.first { $0 > unit } ?? .year)
    }
    // Halves, because the difference between the maximum and the minimum double is infinite.
    let span = range.upperBound / 2 - range.lowerBound / 2
    let fitting = Int(log10(max(span / Double(limit), .leastNormalMagnitude) * 2).rounded(.up))
    guard case .decimal(let power) = self else { return .decimal(max(fitting, -300)) }
    return .decimal(max(fitting, power + 1))
  }
}

/// A calendar unit.
package enum ChartTimeUnit: Hashable, Comparable, Sendable, CaseIterable {
  case second, minute, hour, day, week, month, quarter, year

  /// The units each of which consists of whole preceding units.
  static let nested: [ChartTimeUnit] = [.second, .minute, .hour, .day, .month, .year]

  /// The name of the unit.
  package var name: String { "\(self)" }

  /// The approximate duration of the unit, in milliseconds.
  package var length: Double {
    switch self {
    case .second: 1000
    case .minute: 60_000
    case .hour: 3_600_000
    case .day: 86_400_000
    case .week: 7 * 86_400_000
    case .month: 30.4375 * 86_400_000
    case .quarter: 91.3125 * 86_400_000
    case .year: 365.25 * 86_400_000
    }
  }

  /// Returns the start of the unit that contains a time, both in milliseconds since 1970; weeks begin on Monday.
  package func start(of time: Double) -> Double { adding(0, to: time) }

  /// Returns the start of the unit that is `count` units after the one that contains a time.
  package func adding(_ count: Int, to time: Double) -> Double {
    let step = step
    return Double(step.start(of: step.index(of: Int(time.rounded(.down))) + count))
  }

  private var step: CalendarStep {
    switch self {
    case .second: .seconds(1)
    case .minute: .seconds(60)
    case .hour: .hours(1)
    case .day: .days(1)
    case .week: .days(7)
    case .month: .months(1)
    case .quarter: .months(3)
    case .year: .years(1)
    }
  }

  /// Returns a time in the format of this unit: `1997`, `1997 Q3`, `1997-08`, `1997-08-31`, `1997-08-31 12:30`.
  package func text(of time: Double) -> String {
    let written = CivilTime(milliseconds: Int(time)).text
    switch self {
    case .year: return String(written.dropLast(19))
    case .quarter:
      let month = CivilTime.civil(Int((time / Double(CivilTime.day)).rounded(.down))).month
      return "\(written.dropLast(19)) Q\((month + 2) / 3)"
    case .month: return String(written.dropLast(16))
    case .week, .day: return String(written.dropLast(13))
    case .hour, .minute: return String(written.dropLast(7))
    case .second: return String(written.dropLast(4))
    }
  }
}
