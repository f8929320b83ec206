internal import QuarryEngine

/// A date as entered: a year, a month, a day, or a day with a time.
///
/// ```swift
/// let month = try WrittenDate("1997-12")
/// month.precision        // .month
/// month.start            // 1997-12
/// month.end              // 1998-01, the first text after all dates of the month
/// try WrittenDate("1997-02-30")  // throws: February 1997 has 28 days.
/// try WrittenDate("31.12.1997")  // throws, and suggests 1997-12-31
/// ```
///
/// A time follows the day after a space or `T`, optionally with seconds, a fraction and a time zone, as SQLite's functions accept it.
public struct WrittenDate: Hashable, Sendable {
  /// The precision of a written date.
  public enum Precision: Hashable, Comparable, Sendable {
    case year, month, day, minute, second, fraction
  }

  /// The date as written.
  public let text: String
  /// The precision of the date.
  public let precision: Precision
  private let year: Int
  private let month: Int
  private let day: Int
  /// Milliseconds since midnight UTC, adjusted for the time zone.
  private let time: Int

  /// Parses a date.
  ///
  /// - Throws: ``DateFault`` if the text is not a date, or if the date does not exist.
  public init(_ text: String) throws(DateFault) {
    guard let parts = Parts(text) else { throw .unreadable(text) }
    try Self.check(parts, text)
    self.text = text
    (year, month, day, precision) = (parts.year, parts.month ?? 1, parts.day ?? 1, parts.precision)
    time = ((parts.hour * 60 + parts.minute - parts.zone) * 60 + parts.second) * 1000 + parts.milliseconds
  }

  private static func check(_ parts: Parts, _ text: String) throws(DateFault) {
    guard let month = parts.month else { return }
    guard (1...12).contains(month) else { throw .noSuchMonth(month, text) }
    guard let day = parts.day else { return }
    let length = length(ofMonth: month, parts.year)
    guard (1...length).contains(day) else {
      throw .noSuchDay("\(DateFault.months[month - 1]) \(parts.year) has \(length) days.", nearest: day == 0 ? 1 : length, text)
    }
    guard parts.hour < 24, parts.minute < 60, parts.second < 60, abs(parts.zone) <= 14 * 60 else { throw .noSuchTime }
  }

  static func length(ofMonth month: Int, _ year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  // MARK: As texts

  /// The first text in which a date within this one is stored; for a date with a time, the text as written.
  public var start: String {
    switch precision {
    case .year: year.zeroPadded(to: 4) + "-01"
    case .month, .day, .minute, .second, .fraction: text
    }
  }

  /// The first text after all dates within this one: that of the next year, month or day; nil for a date with a time.
  public var end: String? {
    switch precision {
    // No year sorts after 9999.
    case .year: year == 9999 ? "9999-13" : (year + 1).zeroPadded(to: 4) + "-01"
    case .month where month == 12 && year < 9999: (year + 1).zeroPadded(to: 4) + "-01"
    case .month: year.zeroPadded(to: 4) + "-" + (month + 1).zeroPadded(to: 2)
    case .day: nextDay
    case .minute, .second, .fraction: nil
    }
  }

  private var nextDay: String {
    let isLast = day == Self.length(ofMonth: month, year) && !(year == 9999 && month == 12)
    if !isLast { return "\(year.zeroPadded(to: 4))-\(month.zeroPadded(to: 2))-\((day + 1).zeroPadded(to: 2))" }
    return month == 12 ? "\((year + 1).zeroPadded(to: 4))-01-01" : "\(year.zeroPadded(to: 4))-\((month + 1).zeroPadded(to: 2))-01"
  }

  // MARK: As numbers

  /// The range of milliseconds since 1970 within this date.
  var milliseconds: Range<Int> {
    let start = CivilTime.days(year, month, day) * CivilTime.day + time
    switch precision {
    case .year: return start..<CivilTime.days(year + 1, 1, 1) * CivilTime.day
    case .month: return start..<CivilTime.days(month == 12 ? year + 1 : year, month % 12 + 1, 1) * CivilTime.day
    case .day: return start..<start + CivilTime.day
    case .minute: return start..<start + 60_000
    case .second: return start..<start + 1000
    case .fraction: return start..<start + 1
    }
  }
}

// MARK: - Parsing

/// The numbers of a written date, whether or not the date exists.
private struct Parts {
  var year = 0
  var month: Int?
  var day: Int?
  var (hour, minute, second, milliseconds) = (0, 0, 0, 0)
  /// The offset of the time zone from UTC, in minutes.
  var zone = 0
  var precision = WrittenDate.Precision.year

  /// Parses a date; nil if the text does not have the format of one.
  init?(_ text: String) {
    var reader = TimeReader(text)
    guard let year = reader.number(4) else { return nil }
    self.year = year
    if reader.isAtEnd { return }
    guard reader.skip("-"), let month = reader.number(2) else { return nil }
    (self.month, precision) = (month, .month)
    if reader.isAtEnd { return }
    guard reader.skip("-"), let day = reader.number(2) else { return nil }
    (self.day, precision) = (day, .day)
    if reader.isAtEnd { return }
    guard reader.skip(" ") || reader.skip("T") || reader.skip("t") else { return nil }
    guard readTime(&reader), readZone(&reader), reader.isAtEnd else { return nil }
  }

  private mutating func readTime(_ reader: inout TimeReader) -> Bool {
    guard let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2) else { return false }
    (self.hour, self.minute, precision) = (hour, minute, .minute)
    guard reader.skip(":") else { return true }
    guard let second = reader.number(2) else { return false }
    (self.second, precision) = (second, .second)
    guard reader.skip(".") else { return true }
    let digits = reader.digits()
    precision = .fraction
    milliseconds = (Array(digits.prefix(3)) + [0x30, 0x30, 0x30]).prefix(3).reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return !digits.isEmpty
  }

  private mutating func readZone(_ reader: inout TimeReader) -> Bool {
    if reader.skip("Z") || reader.skip("z") { return true }
    let isAhead = reader.skip("+")
    guard isAhead || reader.skip("-") else { return true }
    guard let hours = reader.number(2), reader.skip(":"), let minutes = reader.number(2) else { return false }
    zone = (hours * 60 + minutes) * (isAhead ? 1 : -1)
    return true
  }
}
