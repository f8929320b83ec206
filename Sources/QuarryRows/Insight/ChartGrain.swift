internal import Libc
internal import QuarryEngine

/// How fine the values along an axis are told apart: values within one step of a grain lie in one bin.
package enum ChartGrain: Hashable, Sendable {
  /// Each value by itself.
  case exact
  /// Steps of 10 to a power.
  case decimal(Int)
  /// Steps of the calendar, in UTC, of values that are milliseconds since 1970.
  case time(ChartTimeUnit)

  /// Returns where the step begins that a value lies in.
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

  /// The width of a step of numbers; 0 where each value stands by itself.
  package var step: Double {
    switch self {
    case .exact: 0
    case .decimal(let power): pow(10, Double(power))
    case .time(let unit): unit.length
    }
  }

  /// Rounds down, but up where only the rounding of a product or quotient keeps it from a whole number.
  private static func floor(_ value: Double) -> Double {
    let nearest = value.rounded()
    return abs(value - nearest) <= 1e-12 * max(1, abs(nearest)) ? nearest : value.rounded(.down)
  }

  /// Returns the next coarser grain that keeps about `limit` steps at most apart in a range.
  ///
  /// - Parameter isTime: Whether the values are times.
  func coarser(for range: ClosedRange<Double>, limit: Int, isTime: Bool) -> ChartGrain {
    if isTime {
      guard case .time(let unit) = self else { return .time(.second) }
      return .time(ChartTimeUnit.nested.first { $0 > unit } ?? .year)
    }
    // Halves, since the difference of the greatest and the least of all doubles is infinite.
    let span = range.upperBound / 2 - range.lowerBound / 2
    let fitting = Int(log10(max(span / Double(limit), .leastNormalMagnitude) * 2).rounded(.up))
    guard case .decimal(let power) = self else { return .decimal(max(fitting, -300)) }
    return .decimal(max(fitting, power + 1))
  }
}

/// A unit of the calendar.
package enum ChartTimeUnit: Hashable, Comparable, Sendable, CaseIterable {
  case second, minute, hour, day, week, month, quarter, year

  /// Those of which each is made of whole ones of the unit before.
  static let nested: [ChartTimeUnit] = [.second, .minute, .hour, .day, .month, .year]

  /// The unit's name.
  package var name: String { "\(self)" }

  /// About how long it is, in milliseconds.
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

  /// Returns where the unit begins that a time lies in, both in milliseconds since 1970; weeks begin on Monday.
  package func start(of time: Double) -> Double { adding(0, to: time) }

  /// Returns where the unit begins that comes `count` after the one that a time lies in.
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

  /// Returns a time as this unit is written: `1997`, `1997 Q3`, `1997-08`, `1997-08-31`, `1997-08-31 12:30`.
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
