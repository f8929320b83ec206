/// Whether a text contains or ends with another, without regard to ASCII case, by functions that look at whole texts in every SQLite.
///
///     (instr(lower(name), 'love') > 0)
///     (substr(CAST(lower(name) AS BLOB), -length(CAST('love' AS BLOB))) = CAST('love' AS BLOB))
///
/// LIKE is faster, and ends a text at its first NUL where a connection has no other function for it.
struct PlainTextMatch: QueryExpression {
  typealias QueryValue = Bool
  typealias Output = Bool?

  private let text: any QueryExpression<String>
  private let part: Constant<String>
  private let isAtEnd: Bool
  private let isNegated: Bool

  /// Nil where LIKE does as well: at the beginning of a text.
  init?(_ text: any QueryExpression<String>, has part: String, at position: MatchPosition, isNegated: Bool) {
    guard position != .start else { return nil }
    self.text = text
    self.part = Constant(part.asciiLowercased)
    // Any text ends with none, and of none there is no last byte.
    isAtEnd = position == .end && !part.isEmpty
    self.isNegated = isNegated
  }

  var parenthesization: Parenthesization { .own }

  func write(to sql: inout SQLWriter) {
    sql.append(isAtEnd ? "(substr(CAST(lower(" : "(instr(lower(")
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
