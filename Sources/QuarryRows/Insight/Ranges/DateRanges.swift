package import QuarryEngine

/// A width of date ranges.
enum CalendarStep: Hashable, Sendable {
  case seconds(Int)
  case hours(Int)
  case days(Int)
  case months(Int)
  case years(Int)

  /// The steps of ranges, the smallest first.
  static let all: [CalendarStep] =
    [.hours(1), .hours(3), .hours(6), .hours(12), .days(1), .days(7), .months(1), .months(3), .months(6)]
    + [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map { .years($0) }

  /// Returns the index of the range that contains a time in milliseconds since 1970.
  func index(of milliseconds: Int) -> Int {
    switch self {
    case .seconds(let count): return Self.floor(milliseconds, 1000 * count)
    case .hours(let count): return Self.floor(milliseconds, 3_600_000 * count)
    // Weeks begin on Monday, such as 1970-01-05.
    case .days(let count): return Self.floor(milliseconds - (count == 7 ? 4 * CivilTime.day : 0), CivilTime.day * count)
    case .months(let count):
      let date = CivilTime.civil(Self.floor(milliseconds, CivilTime.day))
      return Self.floor(date.year * 12 + date.month - 1, count)
    case .years(let count): return Self.floor(CivilTime.civil(Self.floor(milliseconds, CivilTime.day)).year, count)
    }
  }

  /// Returns the beginning of a range, in milliseconds since 1970.
  func start(of index: Int) -> Int {
    switch self {
    case .seconds(let count): return index * 1000 * count
    case .hours(let count): return index * 3_600_000 * count
    case .days(let count): return index * CivilTime.day * count + (count == 7 ? 4 * CivilTime.day : 0)
    case .months(let count):
      let month = index * count
      return CivilTime.days(Self.floor(month, 12), month - Self.floor(month, 12) * 12 + 1, 1) * CivilTime.day
    case .years(let count): return CivilTime.days(index * count, 1, 1) * CivilTime.day
    }
  }

  static func floor(_ number: Int, _ divisor: Int) -> Int {
    number / divisor - (number % divisor < 0 ? 1 : 0)
  }
}

/// The bounds of date ranges.
package enum DateRanges {
  /// Returns the stored bounds of at most `limit` ranges that cover the dates from one to another.
  ///
  /// - Parameters:
  ///   - least: The first date in milliseconds since 1970.
  ///   - separator: The separator between a day and a time, if dates are texts.
  package static func bounds(
    from least: Int, to greatest: Int, limit: Int, in storage: DateStorage, separator: Character = " "
  ) -> [DatabaseValue] {
    times(from: least, to: greatest, limit: limit).map { stored($0, storage, separator) }
  }

  /// Returns the bounds in milliseconds since 1970.
  static func times(from least: Int, to greatest: Int, limit: Int) -> [Int] {
    let step = CalendarStep.all.first { $0.index(of: greatest) - $0.index(of: least) < limit }
    guard let step else { return [] }
    return (step.index(of: least)...step.index(of: greatest) + 1).map { step.start(of: $0) }
  }

  private static func stored(_ time: Int, _ storage: DateStorage, _ separator: Character) -> DatabaseValue {
    guard storage == .text else { return storage.number(atMilliseconds: time) }
    let text = CivilTime(milliseconds: time).text
    // `2024-05-01` precedes all times of the day, both with a space and with a T.
    return .text(time % CivilTime.day == 0 ? String(text.prefix(10)) : "\(text.prefix(10))\(separator)\(text.dropFirst(11).prefix(5))")
  }
}
