/// A text of any number of statements, as a person writes them.
///
/// ```swift
/// let script = SQLScript("SELECT 1; SELECT ';'")
/// script.parts.map(script.sql)   // ["SELECT 1;", "SELECT ';'"]
/// ```
package struct SQLScript: Hashable, Sendable {
  /// One statement of a script, by its range.
  package struct Part: Hashable, Sendable {
    /// Its range in bytes of the script's UTF-8: with its `;` and the comments before it, without blanks at its ends.
    ///
    /// A comment on the line on which the statement before ended belongs to neither, unless this one begins on that line too.
    package var range: Range<Int>
    /// Whether it ends with a `;`; false for the last alone.
    package var isEnded: Bool

    /// Makes a part.
    package init(range: Range<Int>, isEnded: Bool) {
      self.range = range
      self.isEnded = isEnded
    }
  }

  /// The text as it is written.
  package let text: String
  /// Its statements in their order, without those that are empty.
  package let parts: [Part]

  /// Finds the statements of a text by SQLite's rules: a `;` in a text, a quoted name, a comment or the body of a trigger ends none.
  ///
  /// It takes time in proportion to the text's length. The corresponding C function is `sqlite3_complete`.
  package init(_ text: String) {
    self.text = text
    parts = StatementSplitter.parts(of: Array(text.utf8))
  }

  /// Returns the statement under a caret: the one on whose bytes it is, else the one that ended before on the same line, else the next,
  /// else the last; nil where there is none at all.
  ///
  /// ```swift
  /// let script = SQLScript("SELECT 1;  -- one\n\nSELECT 2")
  /// script.part(at: 14).map(script.sql)   // SELECT 1;
  /// script.part(at: 18).map(script.sql)   // SELECT 2
  /// ```
  ///
  /// - Parameter offset: the caret's place in bytes of UTF-8.
  package func part(at offset: Int) -> Part? {
    let index = parts.partitionIndex { $0.range.upperBound > offset }
    let next = index < parts.count ? parts[index] : nil
    if let next, next.range.lowerBound <= offset { return next }
    guard index > 0 else { return next }
    let previous = parts[index - 1]
    return next == nil || !hasLineEnd(in: previous.range.upperBound..<offset) ? previous : next
  }

  /// Returns the text of a statement, with its `;` where it has one.
  ///
  /// ```swift
  /// let script = SQLScript(" SELECT 1 ; ")
  /// script.parts.map(script.sql)   // ["SELECT 1 ;"]
  /// ```
  package func sql(of part: Part) -> String {
    String(decoding: bytes(part.range), as: UTF8.self)
  }

  /// Returns the bytes of a range, as far as there are some.
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
  /// Returns what ends a statement that has no semicolon: one, behind the end of a comment that would swallow it.
  ///
  /// ```swift
  /// SQLScript.terminator(of: "SELECT 1")         // ;
  /// SQLScript.terminator(of: "SELECT 1 -- one")  // a line break and ;
  /// SQLScript.terminator(of: "SELECT 1 /* one")  // */;
  /// ```
  package static func terminator(of statement: String) -> String {
    [";", "\n;", "*/;"].first { SQLScript(statement + $0).parts.last?.isEnded == true } ?? ";"
  }

  /// Returns the range of a statement's first word, in bytes of UTF-8: behind the comments before it.
  ///
  /// Nil where there is none.
  package static func firstWord(of sql: String) -> Range<Int>? {
    var tokenizer = SQLTokenizer(Array(sql.utf8))
    while let token = tokenizer.next() {
      if !token.isSymbol(";") { return token.range }
    }
    return nil
  }
}
