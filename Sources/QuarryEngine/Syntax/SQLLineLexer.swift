/// Tells the pieces of SQL line by line, so that a change of one line asks for that line alone.
package enum SQLLineLexer {
  /// Returns the pieces of a line without the blanks between them, and where the next line begins.
  ///
  /// ```swift
  /// let (spans, end) = SQLLineLexer.spans(of: "SELECT 1 /* one", from: .plain)
  /// spans.map(\.kind)   // [.keyword, .number, .comment]
  /// end                 // .comment
  /// ```
  ///
  /// It takes time in proportion to the line's length.
  ///
  /// - Parameter line: a line without its end.
  /// - Parameter state: the `end` of the line before; ``SQLLineState/plain`` for the first.
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

  /// Returns where the line after a line begins.
  ///
  /// It is ``spans(of:from:)`` without the pieces, which most lines of a long text are never asked for.
  ///
  /// - Parameters:
  ///   - line: a line without its end.
  ///   - state: the end of the line before.
  package static func end(of line: String, from state: SQLLineState) -> SQLLineState {
    // A line that opens nothing is most often a whole one.
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

  /// Returns whether a byte can begin what goes on in the next line: a quote or a comment.
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
  /// Returns the rest of what an earlier line opened; nil where that is nothing.
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
  /// Makes the state in which a line ends that leaves something open.
  ///
  /// - Parameter token: the last of its line, which is not closed.
  /// - Parameter state: where that line began, for a token that reaches from its beginning to its end.
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
  /// Makes what a token is to a highlighter.
  ///
  /// - Parameter isMember: whether a dot stands before it, after which a keyword is a name.
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

/// Where the lexing of a line begins: inside something that an earlier line opened, or not.
///
/// ```swift
/// SQLLineLexer.spans(of: "SELECT 'it", from: .plain).end   // .text
/// ```
package enum SQLLineState: Hashable, Sendable {
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
package struct SQLSpan: Hashable, Sendable {
  /// What a piece of SQL is.
  package enum Kind: Hashable, Sendable {
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
  package var kind: Kind
  /// Where it is, in bytes of the line's UTF-8.
  package var range: Range<Int>
}
