/// A reader of the parts of a written time, one after the other; after a missing part, the rest is undefined.
package struct TimeReader {
  private var bytes: Substring.UTF8View
  /// The number of digits in the fraction of the last time.
  private(set) var fractionDigits = 0

  package init(_ text: String) {
    bytes = Substring(text).utf8
  }

  package var isAtEnd: Bool { bytes.isEmpty }

  /// Reads `yyyy-MM-dd`, in milliseconds since 1970; nil, without reading anything, if there is no valid day.
  mutating func day(isNegative: Bool = false) -> Int? {
    let start = bytes
    if let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2) {
      let days = CivilTime.days(isNegative ? -year : year, month, day)
      // A month or day that does not exist is converted to another one.
      if CivilTime.civil(days) == (isNegative ? -year : year, month, day) { return days * CivilTime.day }
    }
    bytes = start
    return nil
  }

  /// Reads `HH:mm` or `HH:mm:ss`, optionally with a fraction, in milliseconds.
  mutating func time() -> Int? {
    guard let hour = number(2), skip(":"), let minute = number(2) else { return nil }
    let hasSeconds = skip(":")
    let seconds = hasSeconds ? number(2) : 0
    let fraction = hasSeconds && skip(".") ? fraction() : 0
    guard let seconds, let fraction, hour < 24, minute < 60, seconds < 60 else { return nil }
    return ((hour * 60 + minute) * 60 + seconds) * 1000 + fraction
  }

  /// Reads `Z` or an offset such as `+02:00`, and the whitespace around it, in milliseconds; 0 at the end of the text.
  mutating func offset() -> Int? {
    skipSpaces()
    if isAtEnd { return 0 }
    if skip("Z") || skip("z") {
      skipSpaces()
      return 0
    }
    let isWest = skip("-")
    guard isWest || skip("+"), let hours = number(2), skip(":"), let minutes = number(2), hours <= 14, minutes < 60 else { return nil }
    skipSpaces()
    return (isWest ? -1 : 1) * (hours * 60 + minutes) * 60_000
  }

  /// Reads a decimal number, optionally surrounded by whitespace; nil for any other text.
  static func number(_ text: String) -> Double? {
    let bytes = Array(text.utf8.drop(while: \.isSQLBlank))
    let digits = bytes.prefix((bytes.lastIndex { !$0.isSQLBlank } ?? -1) + 1)
    guard digits.contains(where: \.isASCIIDigit), digits.allSatisfy({ $0.isASCIIDigit || "+-.eE".utf8.contains($0) }) else { return nil }
    return Double(String(decoding: digits, as: UTF8.self))
  }

  @discardableResult
  package mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let first = bytes.first, UInt32(first) == character.value else { return false }
    bytes = bytes.dropFirst()
    return true
  }

  /// Skips the characters that SQLite allows between a date and a time.
  mutating func skipSpacesAndT() {
    bytes = bytes.drop { $0.isSQLBlank || $0 == UInt8(ascii: "T") }
  }

  private mutating func skipSpaces() {
    bytes = bytes.drop(while: \.isSQLBlank)
  }

  /// Reads a number of `count` digits; nil, without reading anything, if there are fewer digits.
  package mutating func number(_ count: Int) -> Int? {
    let text = bytes.prefix(count)
    guard text.count == count, text.allSatisfy(\.isASCIIDigit) else { return nil }
    bytes = bytes.dropFirst(count)
    return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Reads all digits that follow.
  package mutating func digits() -> Substring.UTF8View {
    let digits = bytes.prefix(while: \.isASCIIDigit)
    bytes = bytes.dropFirst(digits.count)
    return digits
  }

  /// Reads digits after a decimal point, rounded to milliseconds.
  private mutating func fraction() -> Int? {
    let digits = digits()
    fractionDigits = digits.count
    return Double("0." + String(decoding: digits, as: UTF8.self)).flatMap { digits.isEmpty ? nil : Int(($0 * 1000).rounded()) }
  }
}
