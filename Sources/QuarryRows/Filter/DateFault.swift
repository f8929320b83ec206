internal import QuarryEngine

/// The error of a text that is not a date, with the dates probably intended.
public struct DateFault: Error, Hashable, Sendable {
  /// Whether the text has the format of a date, but the day or time does not exist.
  public var isImpossible: Bool
  /// The description, as a sentence.
  public var sentence: String
  /// Dates that were probably intended, the most likely first.
  public var suggestions: [String]

  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
  ]

  static func unreadable(_ text: String) -> DateFault {
    let shown = text.count > 40 ? text.prefix(40) + "…" : text[...]
    let subject = text.isEmpty ? "Empty text" : "“\(shown)”"
    return DateFault(
      isImpossible: false, sentence: "\(subject) is not a date. Write a date as 1997-01-31.", suggestions: suggestions(for: text))
  }

  static func noSuchMonth(_ month: Int, _ text: String) -> DateFault {
    let groups = digitGroups(text)
    let isSwapped = groups.count >= 3 && (1...12).contains(groups[2].value)
    return DateFault(
      isImpossible: true, sentence: "There is no month \(month): months go from 01 to 12.",
      suggestions: isSwapped ? [date(groups[0].value, groups[2].value, month)].compactMap(\.self) : [])
  }

  static func noSuchDay(_ sentence: String, nearest: Int, _ text: String) -> DateFault {
    let written = Array(text.utf8)
    let mended = written[..<8] + Array(nearest.zeroPadded(to: 2).utf8) + written[10...]
    return DateFault(isImpossible: true, sentence: sentence, suggestions: [String(decoding: mended, as: UTF8.self)])
  }

  static let noSuchTime = DateFault(
    isImpossible: true, sentence: "There is no such time of day: times go from 00:00:00 to 23:59:59.", suggestions: [])
}

extension DateFault: CustomStringConvertible {
  /// The sentence.
  public var description: String { sentence }
}

// MARK: - Probable dates

extension DateFault {
  /// Returns the possible dates of a text in another format, the most likely first; day and month may be in either order.
  ///
  ///     DateFault.suggestions(for: "31.12.1997")  // ["1997-12-31"]
  ///     DateFault.suggestions(for: "01/02/1997")  // ["1997-01-02", "1997-02-01"]
  ///     DateFault.suggestions(for: "Dec 31, 1997") // ["1997-12-31"]
  static func suggestions(for text: String) -> [String] {
    guard text.utf8.count <= 40 else { return [] }
    let groups = digitGroups(text)
    if let month = namedMonth(text) { return withNamedMonth(month, groups) }
    guard isDigitsAndSeparators(text) else { return [] }
    switch groups.count {
    case 1 where groups[0].count == 8:
      let number = groups[0].value
      return [date(number / 10_000, number / 100 % 100, number % 100)].compactMap(\.self)
    case 2: return [month(groups[0], groups[1]) ?? month(groups[1], groups[0])].compactMap(\.self)
    case 3...: return days(groups, isDayFirst: text.contains(".")).map { $0 + time(groups) }
    default: return []
    }
  }

  private typealias Digits = (value: Int, count: Int)

  private static func digitGroups(_ text: String) -> [Digits] {
    text.utf8.split { !$0.isASCIIDigit }.filter { $0.count <= 9 }.map { group in
      (group.reduce(0) { $0 * 10 + Int($1 - 0x30) }, group.count)
    }
  }

  private static func isDigitsAndSeparators(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0.isASCIIDigit || $0.isSQLBlank || "./-:,T".utf8.contains($0) }
  }

  private static func days(_ groups: [Digits], isDayFirst: Bool) -> [String] {
    let (first, second, third) = (groups[0], groups[1], groups[2])
    if first.count == 4 { return [date(first.value, second.value, third.value)].compactMap(\.self) }
    guard first.count <= 2, second.count <= 2, third.count == 4 || third.count == 2 else { return [] }
    let year = third.count == 4 ? third.value : third.value + (third.value < 70 ? 2000 : 1900)
    let (monthFirst, dayFirst) = (date(year, first.value, second.value), date(year, second.value, first.value))
    let found = (isDayFirst ? [dayFirst, monthFirst] : [monthFirst, dayFirst]).compactMap(\.self)
    return found.count == 2 && found[0] == found[1] ? [found[0]] : found
  }

  private static func time(_ groups: [Digits]) -> String {
    let parts = groups.dropFirst(3).prefix(3).map { $0.value.zeroPadded(to: 2) }
    return parts.count >= 2 ? " " + parts.joined(separator: ":") : ""
  }

  private static func month(_ year: Digits, _ month: Digits) -> String? {
    guard year.count == 4, month.count <= 2, (1...12).contains(month.value) else { return nil }
    return year.value.zeroPadded(to: 4) + "-" + month.value.zeroPadded(to: 2)
  }

  private static func date(_ year: Int, _ month: Int, _ day: Int) -> String? {
    guard (0...9999).contains(year), (1...12).contains(month), (1...WrittenDate.length(ofMonth: month, year)).contains(day) else {
      return nil
    }
    return "\(year.zeroPadded(to: 4))-\(month.zeroPadded(to: 2))-\(day.zeroPadded(to: 2))"
  }

  /// Returns the number of the month named by the only word of a text, with three letters or more.
  private static func namedMonth(_ text: String) -> Int? {
    let words = text.lowercased().utf8.split { $0 &- 0x61 >= 26 }.filter { $0.count > 2 }
    guard words.count == 1, let word = words.first.map({ String(decoding: $0, as: UTF8.self) }) else { return nil }
    return months.firstIndex { $0.lowercased().hasPrefix(word) }.map { $0 + 1 }
  }

  private static func withNamedMonth(_ month: Int, _ groups: [Digits]) -> [String] {
    guard let year = groups.first(where: { $0.count == 4 }) else { return [] }
    guard groups.count > 1 else { return [self.month(year, (month, 2))].compactMap(\.self) }
    guard groups.count == 2, let day = groups.first(where: { $0.count <= 2 }) else { return [] }
    return [date(year.value, month, day.value)].compactMap(\.self)
  }
}
