/// A text with any number of statements.
///
/// ```swift
/// let script = SQLScript("SELECT 1; SELECT ';'")
/// script.parts.map(script.sql)   // ["SELECT 1;", "SELECT ';'"]
/// ```
package struct SQLScript: Hashable, Sendable {
  /// One statement of a script, given by its range.
  package struct Part: Hashable, Sendable {
    /// Its range in bytes of the script's UTF-8, with its `;` and the comments before it, but without leading and trailing whitespace.
    ///
    /// A comment on the line on which the preceding statement ends belongs to neither, unless this statement begins on the same line.
    package var range: Range<Int>
    /// Whether it ends with a `;`, which only the last statement may lack.
    package var isEnded: Bool

    /// Creates a part.
    package init(range: Range<Int>, isEnded: Bool) {
      self.range = range
      self.isEnded = isEnded
    }
  }

  /// The text as written.
  package let text: String
  /// Its statements in order, without empty ones.
  package let parts: [Part]

  /// Finds the statements of a text by SQLite's rules: a `;` in a text, a quoted name, a comment or the body of a trigger does not end a
  /// statement.
  ///
  /// The time is proportional to the length of the text. The corresponding C function is `sqlite3_complete`.
  package init(_ text: String) {
    self.text = text
    parts = StatementSplitter.parts(of: Array(text.utf8))
  }

  /// Returns the statement at a caret; nil if there are no statements.
  ///
  /// It is the statement that contains the caret, otherwise the one that ends before it on the same line, otherwise the next, otherwise the
  /// last.
  ///
  /// ```swift
  /// let script = SQLScript("SELECT 1;  -- one\n\nSELECT 2")
  /// script.part(at: 14).map(script.sql)   // SELECT 1;
  /// script.part(at: 18).map(script.sql)   // SELECT 2
  /// ```
  ///
  /// - Parameter offset: The position of the caret in bytes of UTF-8.
  package func part(at offset: Int) -> Part? {
    let index = parts.partitionIndex { $0.range.upperBound > offset }
    let next = index < parts.count ? parts[index] : nil
    if let next, next.range.lowerBound <= offset { return next }
    guard index > 0 else { return next }
    let previous = parts[index - 1]
    return next == nil || !hasLineEnd(in: previous.range.upperBound..<offset) ? previous : next
  }

  /// Returns the text of a statement, including its `;` if any.
  ///
  /// ```swift
  /// let script = SQLScript(" SELECT 1 ; ")
  /// script.parts.map(script.sql)   // ["SELECT 1 ;"]
  /// ```
  package func sql(of part: Part) -> String {
    String(decoding: bytes(part.range), as: UTF8.self)
  }

  /// Returns the bytes of a range, clamped to the text.
  package func bytes(_ range: Range<Int>) -> Substring.UTF8View {
    let range = range.clamped(to: 0..<text.utf8.count)
    let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
    return text.utf8[start..<text.utf8.index(start, offsetBy: range.count)]
  }

  private func hasLineEnd(in range: Range<Int>) -> Bool {
    bytes(range).contains(0x0A)
  }
}

extension SQLScript {
  /// Returns the text that ends a statement without a semicolon: a semicolon, after the end of a comment that would contain it.
  ///
  /// ```swift
  /// SQLScript.terminator(of: "SELECT 1")         // ;
  /// SQLScript.terminator(of: "SELECT 1 -- one")  // a line break and ;
  /// SQLScript.terminator(of: "SELECT 1 /* one")  // */;
  /// ```
  package static func terminator(of statement: String) -> String {
    [";", "\n;", "*/;"].first { SQLScript(statement + $0).parts.last?.isEnded == true } ?? ";"
  }

  /// Returns the range of a statement's first word, in bytes of UTF-8, after any comments.
  ///
  /// Returns nil if the text contains only whitespace, comments and semicolons.
  package static func firstWord(of sql: String) -> Range<Int>? {
    var tokenizer = SQLTokenizer(Array(sql.utf8))
    while let token = tokenizer.next() {
      if !token.isSymbol(";") { return token.range }
    }
    return nil
  }
}
