public import QuarryEngine

/// The type of a parameter's text.
public enum ParameterType: String, CaseIterable, Codable, Hashable, Sendable {
  /// The storage classes, and two kinds of text: a date in one of SQLite's formats, and JSON.
  case null, integer, real, text, blob, date, json

  /// Returns the value of a text.
  ///
  ///     try ParameterType.integer.value(of: "42")     // 42
  ///     try ParameterType.text.value(of: "007")       // '007'
  ///     try ParameterType.blob.value(of: "00ff")      // x'00ff'
  ///     try ParameterType.date.value(of: "2024-02-29") // '2024-02-29'
  ///
  /// - Throws: ``ParameterError`` with the expected type.
  public func value(of text: String) throws(ParameterError) -> DatabaseValue {
    let trimmed = Self.trimmed(text)
    if self == .date { return .text(try Self.day(trimmed)) }
    if self == .json { try Self.checkJSON(text) }
    let value: DatabaseValue? =
      switch self {
      case .null: trimmed.isEmpty || trimmed.lowercased() == "null" ? .null : nil
      case .integer: Int64(trimmed).map(DatabaseValue.integer)
      case .real: Self.real(trimmed).map(DatabaseValue.real)
      case .text: .text(text)
      case .blob: Self.bytes(trimmed).map(DatabaseValue.blob)
      case .date: nil
      case .json: .text(text)
      }
    guard let value else { throw ParameterError(text: text, expected: expectation(of: trimmed)) }
    return value
  }

  /// Returns the value of a text of unknown type: an integer or a real if it is written as one, otherwise the text; never NULL.
  ///
  ///     ParameterType.guessedValue(of: "42")    // 42
  ///     ParameterType.guessedValue(of: "042")   // '042'
  ///     ParameterType.guessedValue(of: "1.50")  // 1.5
  public static func guessedValue(of text: String) -> DatabaseValue {
    if let number = Int64(text), String(number) == text { return .integer(number) }
    let hasFraction = text.utf8.contains { [0x2E, 0x45, 0x65].contains($0) }
    if hasFraction, let number = real(text), number.isFinite { return .real(number) }
    return .text(text)
  }

  /// Returns a date as written, which must include at least the day.
  ///
  /// SQLite compares it as a text, and a year alone would be compared as a number in a date column.
  private static func day(_ text: String) throws(ParameterError) -> String {
    do throws(DateFault) {
      let date = try WrittenDate(text)
      if date.precision >= .day { return text }
      let days = date.precision == .year ? text + "-01-01" : text + "-01"
      let sentence = "“\(text)” is a \(date.precision == .year ? "year" : "month") without a day."
      throw DateFault(isImpossible: false, sentence: sentence, suggestions: [days])
    } catch {
      let reason = error.isImpossible ? "“\(text)”: \(error.sentence)" : error.sentence
      throw ParameterError(text: text, expected: ParameterType.date.expectation(of: text), reason: reason, suggestions: error.suggestions)
    }
  }

  private static func checkJSON(_ text: String) throws(ParameterError) {
    guard let fault = JSONScanner.fault(in: text) else { return }
    let rest = String(decoding: text.utf8.dropFirst(fault), as: UTF8.self)
    let reason =
      if let character = rest.first {
        "“\(character)” at character \(text.count - rest.count + 1) is not valid JSON."
      } else {
        text.utf8.isEmpty ? "Empty text is not JSON." : "The JSON ends too early."
      }
    let list = "[\(text)]"
    let suggestions = rest.isEmpty || JSONScanner.fault(in: list) != nil ? [] : [list]
    throw ParameterError(text: text, expected: ParameterType.json.expectation(of: text), reason: reason, suggestions: suggestions)
  }

  /// Returns the expected input, with the bounds of integers only for an integer that exceeds them.
  private func expectation(of text: String) -> String {
    switch self {
    case .null: "nothing or null"
    case .integer where Self.real(text).map { $0.rounded() == $0 } ?? false:
      "an integer from -9223372036854775808 to 9223372036854775807"
    case .integer: "an integer such as 42"
    case .real: "a number such as 1.5 or 2e-3"
    case .text: "text"
    case .blob: "bytes in hexadecimal such as 00ff"
    case .date: "a date such as 2024-01-31 or 2024-01-31 12:30"
    case .json: "JSON such as [1, 2] or {\"a\": 1}"
    }
  }

  /// Returns the text without leading and trailing white space.
  private static func trimmed(_ text: String) -> String {
    guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(text[...last].drop(while: \.isWhitespace))
  }

  private static func real(_ text: String) -> Double? {
    let isNumeral = text.utf8.allSatisfy { (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }
    return isNumeral ? Double(text) : nil
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.lowercased().hasPrefix("x'") && text.hasSuffix("'") ? text.dropFirst(2).dropLast() : text[...]
    let values = digits.compactMap(\.hexDigitValue)
    guard values.count == digits.count, values.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}

/// The error of a text that is not a value of the required type.
public struct ParameterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text.
  public var text: String
  /// The expected input: `an integer such as 42`.
  public var expected: String
  /// The error in the text, as a sentence; nil if ``expected`` suffices.
  public var reason: String?
  /// Texts that were probably intended, the most likely first.
  public var suggestions: [String] = []

  /// The error or the expected input, with the text.
  public var description: String {
    if let reason { return suggestions.isEmpty ? reason : "\(reason) Did you mean \(suggestions.joined(separator: " or "))?" }
    let shown = text.count > 40 ? text.prefix(40) + "…" : text[...]
    return "“\(shown)” is not valid here: expected \(expected)"
  }
}

extension ExpressionType {
  /// The type as which the text of a parameter of this type is parsed; nil if the text determines it.
  public var parameterType: ParameterType? {
    switch self {
    case .integer, .boolean: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    case .date, .numeric, .any, .null: nil
    }
  }
}
