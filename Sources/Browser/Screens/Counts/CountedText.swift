import QuarryEngine
import QuarryFiles
package import QuarryRows
import Terminal

/// A value of a column as lists of values show it: what could be taken for something else is in quotes.
package struct CountedText: Hashable, Sendable {
  package var text: String
  var role: Role
  var isRightAligned = false

  /// The characters of a text that are taken at most; a line has no room for more.
  private static let longest = 300

  /// - Parameter dates: How dates are stored in the column; nil where its values are none.
  package init(_ value: CountedValue, dates: DateStorage? = nil, glyphs: Glyphs) {
    switch value {
    case .value(let value): self = CountedText(value, glyphs: glyphs)
    case .rawText(let bytes): (text, role) = (Self.hexadecimal(bytes, glyphs), .textValue)
    case .bin(let bin): (text, role) = (bin.words(dates: dates, glyphs: glyphs), .number)
    }
  }

  init(_ value: DatabaseValue, glyphs: Glyphs) {
    switch value {
    case .null: (text, role) = (glyphs == .ascii ? glyphs.null : "\(glyphs.null) NULL", .null)
    case .integer(let number): (text, role, isRightAligned) = (String(number), .number, true)
    case .real(let number): (text, role, isRightAligned) = (RealText.shortest(number), .number, true)
    case .text(let whole):
      let beginning = String(whole.prefix(Self.longest))
      let isCut = beginning.utf8.count < whole.utf8.count
      text = (Self.isMistakable(beginning) ? "'\(beginning)'" : beginning) + (isCut ? glyphs.ellipsis : "")
      role = .textValue
    case .blob(let bytes): (text, role) = (Self.hexadecimal(bytes, glyphs), .blob)
    }
  }

  private static func hexadecimal(_ bytes: [UInt8], _ glyphs: Glyphs) -> String {
    let digits = bytes.prefix(16).hexadecimal() + (bytes.count > 16 ? glyphs.ellipsis : "")
    return "x'\(digits)' \(BlobKind.size(bytes.count))"
  }

  /// Returns whether a text could be mistaken for a number, for NULL, for an empty text, or for a text without spaces at its ends.
  private static func isMistakable(_ text: String) -> Bool {
    guard let first = text.first, let last = text.last else { return true }
    if first.isWhitespace || last.isWhitespace || text.lowercased() == "null" || first == "∅" { return true }
    return (first.isASCII && first.isNumber || "+-.".contains(first)) && Double(text) != nil
  }

  /// Returns a value as it is copied: a text as it stands, NULL as nothing, the range of a bin in words.
  static func plain(_ value: CountedValue) -> String {
    switch value {
    case .value(let value): value.parameterText
    case .rawText(let bytes): String(decoding: bytes, as: UTF8.self)
    case .bin(let bin): bin.words(dates: nil, glyphs: .ascii)
    }
  }
}

extension ValueBin {
  /// Returns the range in readable form: `1997`, `1997-03`, `10 to < 20`, `10,000 to < 20,000`.
  ///
  /// - Parameter dates: How dates are stored in the column; nil if its values are not dates.
  func words(dates: DateStorage?, glyphs: Glyphs) -> String {
    if let dates, let first = dates.text(of: lower), let last = dates.text(of: upper) {
      return Self.period(from: first, to: last) ?? "\(Self.short(first)) to \(includesUpper ? "" : "< ")\(Self.short(last))"
    }
    let (first, last) = (Self.bound(lower, glyphs), Self.bound(upper, glyphs))
    return "\(first) to \(includesUpper ? "" : "< ")\(last)"
  }

  /// Returns the beginning of the range for a narrow place: `1997`, `10`.
  func start(dates: DateStorage?, glyphs: Glyphs) -> String {
    guard let dates, let first = dates.text(of: lower) else { return Self.bound(lower, glyphs) }
    return Self.short(first)
  }

  /// Returns the end of the range for a narrow place.
  func end(dates: DateStorage?, glyphs: Glyphs) -> String {
    guard let dates, let last = dates.text(of: upper) else { return Self.bound(upper, glyphs) }
    return Self.short(last)
  }

  /// Returns a bound; numbers of four digits, such as years, stay as they are.
  private static func bound(_ value: DatabaseValue, _ glyphs: Glyphs) -> String {
    switch value {
    case .integer(let number) where number.magnitude >= 10_000: Plural.grouped(Int(number))
    case .real(let number) where number.magnitude >= 10_000: ChartNumber.text(number)
    case .null, .integer, .real, .text, .blob: CountedText(value, glyphs: glyphs).text
    }
  }

  /// Returns a date without a time of 0:00.
  private static func short(_ date: String) -> String {
    date.count > 10 && date.dropFirst(10).allSatisfy { " T0:.Z".contains($0) } ? String(date.prefix(10)) : date
  }

  /// Returns the day, month or year that a range of dates covers; nil if the range is not exactly one of these.
  private static func period(from first: String, to last: String) -> String? {
    let (start, end) = (short(first), short(last))
    let (from, to) = (start.split(separator: "-").compactMap { Int($0) }, end.split(separator: "-").compactMap { Int($0) })
    guard from.count == 3, to.count == 3, start.count == 10, end.count == 10 else { return nil }
    if from[1...] == [1, 1], to[1...] == [1, 1], to[0] == from[0] + 1 { return String(start.prefix(4)) }
    if from[2] == 1, to[2] == 1, to[0] * 12 + to[1] == from[0] * 12 + from[1] + 1 { return String(start.prefix(7)) }
    return from[...1] == to[...1] && to[2] == from[2] + 1 ? start : nil
  }
}
