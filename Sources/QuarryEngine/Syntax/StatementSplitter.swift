/// A splitter that finds the ends of the statements in a text, with the states of `sqlite3_complete`.
struct StatementSplitter {
  /// The part of a statement read so far, as far as it determines which `;` ends it.
  private enum State {
    case start, explain, create, other
    /// In CREATE TRIGGER; after a `;` in it; after the END that follows one.
    case trigger, triggerSemicolon, triggerEnd
  }

  private let bytes: [UInt8]
  private var parts: [SQLScript.Part] = []
  private var state = State.start
  /// The beginning of the next part, at its comments or its first token; nil if neither has been read.
  private var start: Int?
  /// The end of the last token or comment, and of the last token.
  private var end = 0
  private var endOfToken = 0
  /// Whether the current position is on the line on which a statement ended.
  private var isOnLineOfEnd = false

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the statements of a text.
  static func parts(of bytes: [UInt8]) -> [SQLScript.Part] {
    var splitter = StatementSplitter(bytes)
    var tokenizer = SQLTokenizer(bytes, yieldsComments: true)
    while let token = tokenizer.next() { splitter.take(token) }
    splitter.close(isEnded: false)
    return splitter.parts
  }

  private mutating func take(_ token: SQLToken) {
    if state == .start { begin(token) }
    end = token.range.upperBound
    if token.kind == .comment { return }
    endOfToken = end
    guard token.isSymbol(";") else {
      state = state(after: token)
      return
    }
    switch state {
    case .trigger, .triggerSemicolon: state = .triggerSemicolon
    default: close(isEnded: true)
    }
  }

  /// Begins the next part with this token, unless its own comments precede it.
  private mutating func begin(_ token: SQLToken) {
    if isOnLineOfEnd, bytes[end..<token.range.lowerBound].contains(0x0A) {
      isOnLineOfEnd = false
      start = nil
    }
    if start == nil { start = token.range.lowerBound }
  }

  private func state(after token: SQLToken) -> State {
    guard state != .other else { return .other }
    switch (state, token.keyword(in: bytes)) {
    case (.start, .create), (.explain, .create), (.create, .temp), (.create, .temporary): return .create
    case (.start, .explain), (.explain, _): return .explain
    case (.triggerSemicolon, .end): return .triggerEnd
    case (.create, .trigger), (.trigger, _), (.triggerSemicolon, _), (.triggerEnd, _): return .trigger
    default: return .other
    }
  }

  /// Ends a part if it contains a token.
  private mutating func close(isEnded: Bool) {
    if let start, state != .start { parts.append(SQLScript.Part(range: start..<endOfToken, isEnded: isEnded)) }
    (state, start, isOnLineOfEnd) = (.start, nil, isEnded)
  }
}

/// A comment from `--` to the end of its line.
package struct StatementComment {
  /// The text without leading and trailing whitespace.
  package var text: String
  /// The line of the comment, from 1.
  package var line: Int
  /// Whether only comments precede it.
  package var isLeading: Bool

  /// Returns the `--` comments of an SQL text; comments between `/*` and `*/` are skipped.
  package static func all(in sql: String) -> [StatementComment] {
    let bytes = Array(sql.utf8)
    var tokenizer = SQLTokenizer(bytes, yieldsComments: true)
    var comments: [StatementComment] = []
    var (line, end, isLeading) = (1, 0, true)
    while let token = tokenizer.next() {
      line += bytes[end..<token.range.lowerBound].count { $0 == 0x0A }
      end = token.range.lowerBound
      if token.kind != .comment {
        isLeading = false
      } else if bytes[end] == UInt8(ascii: "-") {
        comments.append(StatementComment(text: text(bytes[token.range]), line: line, isLeading: isLeading))
      }
    }
    return comments
  }

  private static func text(_ comment: ArraySlice<UInt8>) -> String {
    String(decoding: comment.drop { $0 == UInt8(ascii: "-") }, as: UTF8.self).trimmingBlanks
  }
}

extension StringProtocol {
  /// The text without leading and trailing white space.
  package var trimmingBlanks: String {
    guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(self[...last].drop(while: \.isWhitespace))
  }
}
