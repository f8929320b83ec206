internal import Essentials

/// A time in the Gregorian calendar in UTC, in milliseconds since 1970, as dates are stored.
package struct CivilTime {
  private let milliseconds: Int

  package static let day = 86_400_000
  /// The Julian day 0.
  private static let first = -210_866_760_000_000
  /// The range of SQLite's date functions.
  private static let range = first..<(days(10_000, 1, 1) * day)

  /// Creates the time of `date` to the nearest millisecond; nil outside the range of SQLite's date functions.
  init?(_ date: Date) {
    let exact = (date.timeIntervalSince1970 * 1000).rounded()
    guard let milliseconds = Int(exactly: exact), Self.range.contains(milliseconds) else { return nil }
    self.milliseconds = milliseconds
  }

  package init(milliseconds: Int) {
    self.milliseconds = milliseconds
  }

  package var year: Int { Self.civil(Int((Double(milliseconds) / Double(Self.day)).rounded(.down))).year }

  /// Milliseconds since 1970.
  package var sinceEpoch: Int { milliseconds }

  var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

  /// `yyyy-MM-dd HH:mm:ss.SSS`, preceded by a minus sign for a year before 0.
  package var text: String {
    let days = (Double(milliseconds) / Double(Self.day)).rounded(.down)
    let time = milliseconds - Int(days) * Self.day
    let (year, month, day) = Self.civil(Int(days))
    return (year < 0 ? "-" : "") + abs(year).zeroPadded(to: 4) + "-" + month.zeroPadded(to: 2) + "-" + day.zeroPadded(to: 2)
      + " " + (time / 3_600_000).zeroPadded(to: 2) + ":" + (time / 60_000 % 60).zeroPadded(to: 2)
      + ":" + (time / 1000 % 60).zeroPadded(to: 2) + "." + (time % 1000).zeroPadded(to: 3)
  }

  /// Parses `yyyy-MM-dd`, optionally followed by a time `HH:mm`, `HH:mm:ss` or `HH:mm:ss.SSS`; nil for any other text.
  package init?(_ text: String) {
    var reader = TimeReader(text)
    guard let day = reader.day() else { return nil }
    if reader.isAtEnd {
      milliseconds = day
      return
    }
    guard reader.skip(" ") || reader.skip("T"), let time = reader.time(), [0, 3].contains(reader.fractionDigits) else { return nil }
    guard reader.isAtEnd else { return nil }
    milliseconds = day + time
  }

  /// Parses any time value of SQLite's date functions except `now`.
  ///
  /// Returns nil for any other text, and for times outside the range of these functions. It also returns nil for a day that does not exist,
  /// and for a Julian day before the year 0. See <https://www.sqlite.org/lang_datefunc.html#time_values>.
  package init?(timeValue text: String) {
    if let days = TimeReader.number(text) {
      self.init(julianDay: days)
      if year < 0 { return nil }
      return
    }
    var reader = TimeReader(text)
    let isNegative = reader.skip("-")
    // 2000-01-01, for a time without a date.
    var day = 10_957 * Self.day
    if let written = reader.day(isNegative: isNegative) {
      day = written
      reader.skipSpacesAndT()
      if reader.isAtEnd {
        self.init(inRange: day)
        return
      }
    } else if isNegative {
      return nil
    }
    guard let time = reader.time(), let offset = reader.offset(), reader.isAtEnd else { return nil }
    self.init(inRange: day + time - offset)
  }

  private init?(inRange milliseconds: Int) {
    guard Self.range.contains(milliseconds) else { return nil }
    self.milliseconds = milliseconds
  }

  /// Creates the time of a Julian day number; nil if SQLite's date functions do not accept it.
  init?(julianDay days: Double) {
    guard (0..<5_373_484.5).contains(days) else { return nil }
    self.init(inRange: Int((days * Double(Self.day)).rounded()) + Self.first)
  }

  /// Returns the number of days from 1970-01-01 to a date; see <https://howardhinnant.github.io/date_algorithms.html>.
  package static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  package static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let days = days + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let civilMonth = month < 10 ? month + 3 : month - 9
    return (yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0), civilMonth, dayOfYear - (153 * month + 2) / 5 + 1)
  }
}
