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
