internal import QuarryEngine

/// A token of filter text, by its place in the UTF-8.
struct FilterToken: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case word
    case keyword(FilterKeyword)
    /// A name between double quotes, which is a text where there is no such column.
    case quotedName
    /// A name between brackets or backquotes.
    case bracketedName
    case text, blob, integer, hexadecimal, real, date, parameter
    /// A number with letters after it: fit for nothing but a text to be looked for.
    case mixed
    case symbol(FilterSymbol)
    /// What the lexer has reported already.
    case fault
    case end
  }

  var kind: Kind
  var start: Int
  var end: Int

  var range: Range<Int> { start..<end }

  /// Whether it may stand in a text without quotes after `~`, or in a filter of words.
  var isWordLike: Bool {
    switch kind {
    case .word, .integer, .hexadecimal, .real, .date, .mixed: true
    case .keyword(let keyword): keyword != .and && keyword != .or
    default: false
    }
  }
}

/// A word that a column must be quoted to be named by.
enum FilterKeyword: String, Hashable, Sendable, CaseIterable {
  case and, or, not, `is`, `in`, between, like, glob, match, escape, collate, cast, `as`, null, isnull, notnull, `true`, `false`

  /// Reads the keyword that these bytes spell in any case.
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
  /// Between a column and a key, or two keys.
  case point = "."
}

extension FilterToken {
  /// Returns its name or text without the quotes.
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

/// What other languages write where a filter has something else.
enum ForeignSpelling {
  /// Operators that are spelled out as people say them.
  static let operators = [
    "contains": "~", "has": "~", "includes": "~", "starts": "^=", "startswith": "^=", "begins": "^=", "ends": "$=", "endswith": "$=",
    "equals": "=", "eq": "=", "ne": "!=", "gt": ">", "lt": "<", "ge": ">=", "le": "<=", "regexp": "=~", "matches": "=~", "xor": "!=",
    "≥": ">=", "≤": "<=", "≠": "!=",
  ]

  /// Units behind numbers.
  static let units: Set<String> = [
    "ms", "s", "sec", "secs", "second", "seconds", "m", "min", "mins", "minute", "minutes", "h", "hour", "hours", "d", "day", "days",
    "week", "weeks", "month", "months", "year", "years", "b", "byte", "bytes", "kb", "mb", "gb", "kib", "mib", "gib", "k",
    "g", "kg", "mm", "cm", "km", "usd", "eur",
  ]
}
