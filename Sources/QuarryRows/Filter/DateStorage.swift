package import QuarryEngine

/// The storage formats of dates in a column.
public enum DateStorage: Hashable, Sendable, CaseIterable {
  /// Texts in SQLite's formats.
  case text
  /// Seconds or milliseconds since 1970.
  case seconds, milliseconds
  /// Microseconds or nanoseconds since 1970.
  case microseconds, nanoseconds
  /// Julian days, as returned by SQLite's `julianday`, or days since 1970.
  case julianDays, days
  /// Years.
  case years

  /// Whether the values are numbers.
  public var isNumeric: Bool { self != .text }

  /// Returns the SQL that converts a date returned as a text by an expression to such a number; nil if the values are texts.
  func conversion(of expression: String) -> String? {
    switch self {
    case .seconds: "unixepoch(\(expression))"
    case .milliseconds: "unixepoch(\(expression)) * 1000"
    case .microseconds: "unixepoch(\(expression)) * 1000000"
    case .nanoseconds: "unixepoch(\(expression)) * 1000000000"
    case .julianDays: "julianday(\(expression))"
    case .days: "unixepoch(\(expression)) / 86400"
    case .years: "cast(strftime('%Y', \(expression)) as integer)"
    case .text: nil
    }
  }

  /// The unit of the numbers, for use in a sentence.
  public var phrase: String {
    switch self {
    case .text: "texts"
    case .seconds: "seconds since 1970"
    case .milliseconds: "milliseconds since 1970"
    case .microseconds: "microseconds since 1970"
    case .nanoseconds: "nanoseconds since 1970"
    case .julianDays: "Julian days"
    case .days: "days since 1970"
    case .years: "years"
    }
  }

  /// Returns a stored date as a date and time in UTC: `1997-01-31 12:30:00.000`; nil if it is not a date.
  ///
  /// Texts are returned unchanged, and years without a day.
  package func text(of value: DatabaseValue) -> String? {
    if case .text(let text) = value { return text }
    let number: Double
    switch value {
    case .integer(let integer): number = Double(integer)
    case .real(let real): number = real
    case .null, .text, .blob: return nil
    }
    let milliseconds: Double
    switch self {
    case .text: return nil
    case .years: return String(Int(number.rounded()))
    case .seconds: milliseconds = number * 1_000
    case .milliseconds: milliseconds = number
    case .microseconds: milliseconds = number / 1_000
    case .nanoseconds: milliseconds = number / 1_000_000
    case .days: milliseconds = number * Double(CivilTime.day)
    case .julianDays: milliseconds = (number - 2_440_587.5) * Double(CivilTime.day)
    }
    guard let whole = Int(exactly: milliseconds.rounded()) else { return nil }
    return CivilTime(milliseconds: whole).text
  }

  /// Returns the number that represents a time, exactly if the unit allows it.
  package func number(atMilliseconds milliseconds: Int) -> DatabaseValue {
    switch self {
    case .text: .text(CivilTime(milliseconds: milliseconds).text)
    case .milliseconds: .integer(Int64(milliseconds))
    case .microseconds: Self.product(milliseconds, 1000)
    case .nanoseconds: Self.product(milliseconds, 1_000_000)
    case .seconds: Self.quotient(milliseconds, 1000)
    case .days: Self.quotient(milliseconds, CivilTime.day)
    case .julianDays: .real(2_440_587.5 + Double(milliseconds) / Double(CivilTime.day))
    case .years: .integer(Int64(CivilTime(milliseconds: milliseconds).year))
    }
  }

  private static func product(_ number: Int, _ factor: Int) -> DatabaseValue {
    let (product, isTooGreat) = number.multipliedReportingOverflow(by: factor)
    return isTooGreat ? .real(Double(number) * Double(factor)) : .integer(Int64(product))
  }

  private static func quotient(_ number: Int, _ divisor: Int) -> DatabaseValue {
    number.isMultiple(of: divisor) ? .integer(Int64(number / divisor)) : .real(Double(number) / Double(divisor))
  }
}

extension DateStorage {
  /// Returns the time represented by a number, in milliseconds since 1970; nil if it is not a date between the years 0 and 9999.
  func milliseconds(of number: Double) -> Int? {
    let milliseconds: Double =
      switch self {
      case .text: .nan
      case .seconds: number * 1000
      case .milliseconds: number
      case .microseconds: number / 1000
      case .nanoseconds: number / 1_000_000
      case .julianDays: (number - 2_440_587.5) * Double(CivilTime.day)
      case .days: number * Double(CivilTime.day)
      case .years: (0..<10_000).contains(number) ? Double(CivilTime.days(Int(number), 1, 1)) * Double(CivilTime.day) : .nan
      }
    // The years 0 and 10000.
    guard milliseconds >= -62_167_219_200_000, milliseconds < 253_402_300_800_000 else { return nil }
    return Int(milliseconds.rounded(.down))
  }
}

extension WrittenDate {
  /// Returns the first stored value within this date and the first value after it; nil if the storage format is too coarse.
  ///
  /// A date with a time has no end among texts: it is compared as written.
  func bounds(in storage: DateStorage) -> (start: DatabaseValue, end: DatabaseValue?)? {
    switch storage {
    case .text: return (.text(start), end.map { .text($0) })
    case .years:
      guard precision == .year, case .integer(let year) = storage.number(atMilliseconds: milliseconds.lowerBound) else { return nil }
      return (.integer(year), .integer(year + 1))
    default:
      let range = milliseconds
      return (storage.number(atMilliseconds: range.lowerBound), storage.number(atMilliseconds: range.upperBound))
    }
  }
}
