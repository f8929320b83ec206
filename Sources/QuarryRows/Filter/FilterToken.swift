internal import QuarryEngine

/// A token of a filter text, with its range in the UTF-8.
struct FilterToken: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case word
    case keyword(FilterKeyword)
    /// A name in double quotes, which is a text if there is no such column.
    case quotedName
    /// A name in brackets or backquotes.
    case bracketedName
    case text, blob, integer, hexadecimal, real, date, parameter
    /// A number followed by letters, valid only as a text to search for.
    case mixed
    case symbol(FilterSymbol)
    /// A token whose error the lexer has reported.
    case fault
    case end
  }

  var kind: Kind
  var start: Int
  var end: Int

  var range: Range<Int> { start..<end }

  /// Whether it may occur in an unquoted text after `~`, or in a filter of words.
  var isWordLike: Bool {
    switch kind {
    case .word, .integer, .hexadecimal, .real, .date, .mixed: true
    case .keyword(let keyword): keyword != .and && keyword != .or
    default: false
    }
  }
}

/// A reserved word; a column with this name must be quoted.
enum FilterKeyword: String, Hashable, Sendable, CaseIterable {
  case and, or, not, `is`, `in`, between, like, glob, match, escape, collate, cast, `as`, null, isnull, notnull, `true`, `false`

  /// Creates the keyword spelled by these bytes in any case.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard (2...7).contains(bytes.count), let keyword = Self.byLetters[Self.packed(bytes)] else { return nil }
    self = keyword
  }

  private static let byLetters = Dictionary(uniqueKeysWithValues: allCases.map { (packed(Array($0.rawValue.utf8)[...]), $0) })

  private static func packed(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1 | 0x20) }
  }
}

/// An operator, a parenthesis or a comma.
enum FilterSymbol: String, Hashable, Sendable {
  case leftParenthesis = "("
  case rightParenthesis = ")"
  case comma = ","
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divide = "/"
  case remainder = "%"
  case concatenate = "||"
  case both = "&&"
  case not = "!"
  case equal = "="
  case doubleEqual = "=="
  case different = "<>"
  case unlike = "!="
  case less = "<"
  case atMost = "<="
  case greater = ">"
  case atLeast = ">="
  case contains = "~"
  case lacks = "!~"
  case starts = "^="
  case ends = "$="
  case matches = "=~"
  case json = "->"
  case value = "->>"
  /// The separator between a column and a key, or between two keys.
  case point = "."
}

extension FilterToken {
  /// Returns its name or text without quotes.
  ///
  /// - Parameter bytes: The whole text.
  func name(in bytes: [UInt8]) -> String {
    guard let quote = kind == .word ? nil : bytes[range].first else { return String(decoding: bytes[range], as: UTF8.self) }
    let closing = quote == UInt8(ascii: "[") ? UInt8(ascii: "]") : quote
    var inner = bytes[range].dropFirst()
    if inner.last == closing { inner.removeLast() }
    guard inner.contains(closing) else { return String(decoding: inner, as: UTF8.self) }
    var result: [UInt8] = []
    var isDoubled = false
    for byte in inner {
      isDoubled = byte == closing && !isDoubled
      if !isDoubled { result.append(byte) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the bytes of a blob: `x'00ff'`.
  ///
  /// - Parameter bytes: The whole text.
  func blob(in bytes: [UInt8]) -> [UInt8] {
    let digits = bytes[start + 2..<end - 1].map { $0.isASCIIDigit ? $0 - 0x30 : ($0 | 0x20) - 0x61 + 10 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

/// Spellings of other languages for parts of a filter.
enum ForeignSpelling {
  /// Operators written as words.
  static let operators = [
    "contains": "~", "has": "~", "includes": "~", "starts": "^=", "startswith": "^=", "begins": "^=", "ends": "$=", "endswith": "$=",
    "equals": "=", "eq": "=", "ne": "!=", "gt": ">", "lt": "<", "ge": ">=", "le": "<=", "regexp": "=~", "matches": "=~", "xor": "!=",
    "≥": ">=", "≤": "<=", "≠": "!=",
  ]

  /// Units after numbers.
  static let units: Set<String> = [
    "ms", "s", "sec", "secs", "second", "seconds", "m", "min", "mins", "minute", "minutes", "h", "hour", "hours", "d", "day", "days",
    "week", "weeks", "month", "months", "year", "years", "b", "byte", "bytes", "kb", "mb", "gb", "kib", "mib", "gib", "k",
    "g", "kg", "mm", "cm", "km", "usd", "eur",
  ]
}
