#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A time of the Gregorian calendar in UTC, as dates are stored, in milliseconds since 1970.
struct CivilTime {
  private let milliseconds: Int

  static let day = 86_400_000
  private static let years = (days(0, 1, 1) * day)..<(days(10_000, 1, 1) * day)

  /// The time of `date` to the nearest millisecond; nil outside of the years 0 to 9999.
  init?(_ date: Date) {
    let exact = (date.timeIntervalSince1970 * 1000).rounded()
    guard let milliseconds = Int(exactly: exact), Self.years.contains(milliseconds) else { return nil }
    self.milliseconds = milliseconds
  }

  init(milliseconds: Int) {
    self.milliseconds = milliseconds
  }

  var year: Int { Self.civil(Int((Double(milliseconds) / Double(Self.day)).rounded(.down))).year }

  var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

  /// `yyyy-MM-dd HH:mm:ss.SSS`.
  var text: String {
    let days = (Double(milliseconds) / Double(Self.day)).rounded(.down)
    let time = milliseconds - Int(days) * Self.day
    let (year, month, day) = Self.civil(Int(days))
    return Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2)
      + " " + Self.padded(time / 3_600_000, 2) + ":" + Self.padded(time / 60_000 % 60, 2)
      + ":" + Self.padded(time / 1000 % 60, 2) + "." + Self.padded(time % 1000, 3)
  }

  /// Reads `yyyy-MM-dd`, which a time `HH:mm`, `HH:mm:ss` or `HH:mm:ss.SSS` may follow; nil for anything else.
  init?(_ text: String) {
    var digits = Substring(text).utf8
    guard
      let year = Self.number(&digits, 4), Self.skip(&digits, "-"), let month = Self.number(&digits, 2), Self.skip(&digits, "-"),
      let day = Self.number(&digits, 2)
    else { return nil }
    let days = Self.days(year, month, day)
    // A month or day that does not exist comes back as another.
    guard Self.civil(days) == (year, month, day), let time = Self.time(&digits), digits.isEmpty else { return nil }
    milliseconds = days * Self.day + time
  }

  private static func time(_ digits: inout Substring.UTF8View) -> Int? {
    if digits.isEmpty { return 0 }
    guard
      skip(&digits, " ") || skip(&digits, "T"), let hour = number(&digits, 2), skip(&digits, ":"),
      let minute = number(&digits, 2)
    else { return nil }
    let seconds = skip(&digits, ":") ? number(&digits, 2) : 0
    let fraction = skip(&digits, ".") ? number(&digits, 3) : 0
    guard let seconds, let fraction, hour < 24, minute < 60, seconds < 60 else { return nil }
    return ((hour * 60 + minute) * 60 + seconds) * 1000 + fraction
  }

  private static func number(_ digits: inout Substring.UTF8View, _ count: Int) -> Int? {
    let text = digits.prefix(count)
    guard text.count == count, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    digits = digits.dropFirst(count)
    return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func skip(_ digits: inout Substring.UTF8View, _ character: Unicode.Scalar) -> Bool {
    guard let first = digits.first, UInt32(first) == character.value else { return false }
    digits = digits.dropFirst()
    return true
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// The days from 1970-01-01 to a date; see <https://howardhinnant.github.io/date_algorithms.html>.
  static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
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
