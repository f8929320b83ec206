/// A lexer of SQL lines, so that a changed line can be lexed alone.
package enum SQLLineLexer {
  /// Returns the spans of a line without the whitespace between them, and the state at its end.
  ///
  /// ```swift
  /// let (spans, end) = SQLLineLexer.spans(of: "SELECT 1 /* one", from: .plain)
  /// spans.map(\.kind)   // [.keyword, .number, .comment]
  /// end                 // .comment
  /// ```
  ///
  /// The time is proportional to the length of the line.
  ///
  /// - Parameter line: A line without its line break.
  /// - Parameter state: The `end` of the preceding line; ``SQLLineState/plain`` for the first line.
  package static func spans(of line: String, from state: SQLLineState) -> (spans: [SQLSpan], end: SQLLineState) {
    let bytes = Array(line.utf8)
    var tokenizer = SQLTokenizer(bytes, yieldsComments: true)
    var spans: [SQLSpan] = []
    spans.reserveCapacity(bytes.count / 4)
    var (token, isMember) = (tokenizer.rest(of: state), false)
    var end = state
    while let current = token ?? tokenizer.next() {
      append(current, in: bytes, isMember: isMember, to: &spans)
      end = current.isClosed ? .plain : SQLLineState(open: current, in: bytes, from: state)
      isMember = current.isSymbol(".")
      token = nil
    }
    return (spans, end)
  }

  /// Returns the state at the end of a line.
  ///
  /// It is ``spans(of:from:)`` without the spans, which are never needed for most lines of a long text.
  ///
  /// - Parameters:
  ///   - line: A line without its line break.
  ///   - state: The end of the preceding line.
  package static func end(of line: String, from state: SQLLineState) -> SQLLineState {
    // A line that contains no quote and no comment usually begins and ends outside them.
    if state == .plain, !line.utf8.contains(where: canOpen) { return .plain }
    let bytes = Array(line.utf8)
    var tokenizer = SQLTokenizer(bytes, yieldsComments: true)
    var (token, end) = (tokenizer.rest(of: state), state)
    while let current = token ?? tokenizer.next() {
      end = current.isClosed ? .plain : SQLLineState(open: current, in: bytes, from: state)
      token = nil
    }
    return end
  }

  /// Returns whether a byte can begin a quote or a comment, which may continue on the next line.
  private static func canOpen(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["), UInt8(ascii: "/"): true
    default: false
    }
  }

  private static func append(_ token: SQLToken, in bytes: [UInt8], isMember: Bool, to spans: inout [SQLSpan]) {
    let kind = SQLSpan.Kind(token, in: bytes, isMember: isMember)
    if kind == .symbol, token.range.count > 1 {
      spans += token.range.map { SQLSpan(kind: kind, range: $0..<$0 + 1) }
    } else if !token.range.isEmpty {
      spans.append(SQLSpan(kind: kind, range: token.range))
    }
  }
}

extension SQLTokenizer {
  /// Returns the rest of a token that an earlier line began; nil if it is empty.
  fileprivate mutating func rest(of state: SQLLineState) -> SQLToken? {
    switch state {
    case .plain: nil
    case .text: rest(ofQuoted: .text, by: UInt8(ascii: "'"))
    case .quotedName(let quote): rest(ofQuoted: .quotedName, by: quote)
    case .bracketedName: rest(ofQuoted: .quotedName, by: UInt8(ascii: "]"))
    case .comment: restOfComment()
    }
  }
}

extension SQLLineState {
  /// Creates the state at the end of a line with an unclosed token.
  ///
  /// - Parameter token: The last token of the line, which is not closed.
  /// - Parameter state: The state at the beginning of the line, for a token that spans the whole line.
  fileprivate init(open token: SQLToken, in bytes: [UInt8], from state: SQLLineState) {
    if state != .plain, token.range.lowerBound == 0 {
      self = state
      return
    }
    switch (token.kind, bytes[token.range.lowerBound]) {
    case (.comment, _): self = .comment
    case (.quotedName, UInt8(ascii: "[")): self = .bracketedName
    case (.quotedName, let quote): self = .quotedName(quote: quote)
    default: self = .text
    }
  }
}

extension SQLSpan.Kind {
  /// Creates the kind of a token for highlighting.
  ///
  /// - Parameter isMember: Whether a period precedes the token, after which a keyword is a name.
  fileprivate init(_ token: SQLToken, in bytes: [UInt8], isMember: Bool) {
    switch token.kind {
    case .word: self = !isMember && token.keyword(in: bytes) != nil ? .keyword : .name
    case .quotedName: self = .quotedName
    case .text: self = .text
    case .number: self = .number
    case .blob: self = .blob
    case .symbol: self = .symbol
    case .parameter: self = .parameter
    case .comment: self = .comment
    }
  }
}

/// The state at the beginning of a line: inside a token that an earlier line began, or outside.
///
/// ```swift
/// SQLLineLexer.spans(of: "SELECT 'it", from: .plain).end   // .text
/// ```
package enum SQLLineState: Hashable, Sendable {
  /// Outside of all quotes and comments.
  case plain
  /// In a text in single quotes.
  case text
  /// In a name in double quotes or backquotes, with the ASCII code of that quote.
  case quotedName(quote: UInt8)
  /// In a name in brackets.
  case bracketedName
  /// In a comment that ends with `*/`.
  case comment
}

/// A span of a line of SQL that a highlighter shows in one color.
///
/// ```swift
/// SQLSpan(kind: .keyword, range: 0..<6)   // SELECT at the beginning of a line
/// ```
package struct SQLSpan: Hashable, Sendable {
  /// The kinds of spans.
  package enum Kind: Hashable, Sendable {
    /// One of SQLite's keywords, in any case.
    case keyword
    /// An unquoted name of a table, a column or a function.
    case name
    /// A name in double quotes, backquotes or brackets, including them.
    case quotedName
    /// A text in single quotes, including them.
    case text
    /// A number.
    case number
    /// A blob, as in `x'0aff'`.
    case blob
    /// A comment from `--` to the end of the line, or from `/*` to `*/`, including them.
    case comment
    /// A `?`, `?1`, `:a`, `@a` or `$a`.
    case parameter
    /// One byte of an operator, a parenthesis, a comma or any other symbol.
    case symbol
  }

  /// The kind of the span.
  package var kind: Kind
  /// The range of the span, in bytes of the line's UTF-8.
  package var range: Range<Int>
}
