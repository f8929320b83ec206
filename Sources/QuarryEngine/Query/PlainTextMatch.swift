/// Whether a text contains or ends with another, ignoring ASCII case, with functions that compare whole texts in every version of SQLite.
///
///     (typeof(name) <> 'blob' AND instr(lower(name), 'love') > 0)
///     (typeof(name) <> 'blob' AND substr(CAST(lower(name) AS BLOB), -length(CAST('love' AS BLOB))) = CAST('love' AS BLOB))
///
/// As with LIKE, no blob matches. LIKE is faster, but ends a text at its first NUL unless the connection has a replacement for it.
struct PlainTextMatch: QueryExpression {
  typealias QueryValue = Bool
  typealias Output = Bool?

  private let text: any QueryExpression<String>
  private let part: Constant<String>
  private let isAtEnd: Bool
  private let isNegated: Bool

  /// Returns nil if LIKE gives the same result: at the beginning of a text.
  init?(_ text: any QueryExpression<String>, has part: String, at position: MatchPosition, isNegated: Bool) {
    guard position != .start else { return nil }
    self.text = text
    self.part = Constant(part.asciiLowercased)
    // Any text ends with an empty text, which has no last byte.
    isAtEnd = position == .end && !part.isEmpty
    self.isNegated = isNegated
  }

  var parenthesization: Parenthesization { .own }

  func write(to sql: inout SQLWriter) {
    sql.append("(typeof(")
    sql.append(text)
    sql.append(isNegated ? ") = 'blob' OR " : ") <> 'blob' AND ")
    sql.append(isAtEnd ? "substr(CAST(lower(" : "instr(lower(")
    sql.append(text)
    sql.append(isAtEnd ? ") AS BLOB), -length(CAST(" : "), ")
    sql.append(part)
    if isAtEnd {
      sql.append(isNegated ? " AS BLOB))) <> CAST(" : " AS BLOB))) = CAST(")
      sql.append(part)
      sql.append(" AS BLOB))")
    } else {
      sql.append(isNegated ? ") = 0)" : ") > 0)")
    }
  }
}
