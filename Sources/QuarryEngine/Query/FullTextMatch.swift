/// Whether a row of a full-text table contains words: `MATCH`.
///
/// ```swift
/// Note.where { FullTextMatch($0.title, "green day") }
/// // SELECT * FROM notes WHERE (title MATCH 'green day')
/// ```
///
/// SQLite allows it only as a term joined by AND at the top of a WHERE clause.
public struct FullTextMatch: QueryExpression {
  public typealias QueryValue = Bool
  public typealias Output = Bool?

  package let column: any QueryExpression
  package let words: any QueryExpression<String>

  /// Creates a match of rows whose column contains words; the hidden column with the table's name represents all columns.
  public init<Operand: QueryOutput>(_ column: Column<Operand>, _ words: String) {
    self.init(column: column, words: Constant(words))
  }

  package init(column: any QueryExpression, words: any QueryExpression<String>) {
    self.column = column
    self.words = words
  }

  public var parenthesization: Parenthesization { .own }

  public func write(to sql: inout SQLWriter) {
    sql.append(column, " MATCH ", words)
  }
}
