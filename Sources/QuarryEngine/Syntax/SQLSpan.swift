/// Where the lexing of a line begins: inside something that an earlier line opened, or not.
///
/// ```swift
/// SQLLineLexer.spans(of: "SELECT 'it", from: .plain).end   // .text
/// ```
public enum SQLLineState: Hashable, Sendable {
  /// Outside of all quotes and comments.
  case plain
  /// In a text between single quotes.
  case text
  /// In a name between double quotes or backquotes, by the ASCII of that quote.
  case quotedName(quote: UInt8)
  /// In a name between brackets.
  case bracketedName
  /// In a comment that ends with `*/`.
  case comment
}

/// A piece of a line of SQL, by what it is: what a highlighter paints in one colour.
///
/// ```swift
/// SQLSpan(kind: .keyword, range: 0..<6)   // SELECT at the beginning of a line
/// ```
public struct SQLSpan: Hashable, Sendable {
  /// What a piece of SQL is.
  public enum Kind: Hashable, Sendable {
    /// One of SQLite's keywords, in any case.
    case keyword
    /// A name without quotes: of a table, a column, a function.
    case name
    /// A name between double quotes, backquotes or brackets, with them.
    case quotedName
    /// A text between single quotes, with them.
    case text
    /// A number.
    case number
    /// A blob, as in `x'0aff'`.
    case blob
    /// From `--` to the end of the line, or between `/*` and `*/`, with them.
    case comment
    /// A `?`, `?1`, `:a`, `@a` or `$a`.
    case parameter
    /// One byte of an operator, a parenthesis, a comma and all else.
    case symbol
  }

  /// What it is.
  public var kind: Kind
  /// Where it is, in bytes of the line's UTF-8.
  public var range: Range<Int>

  /// Makes a span.
  public init(kind: Kind, range: Range<Int>) {
    self.kind = kind
    self.range = range
  }
}
