/// Whether a row of a full-text table has words: `MATCH`.
///
/// ```swift
/// Note.where { FullTextMatch($0.title, "green day") }
/// // SELECT * FROM notes WHERE (title MATCH 'green day')
/// ```
///
/// SQLite takes it only as a term that AND joins at the top of a WHERE.
public struct FullTextMatch: QueryExpression {
  public typealias QueryValue = Bool
  public typealias Output = Bool?

  let column: any QueryExpression
  let words: any QueryExpression<String>

  /// Matches rows whose column has words; all columns are meant by the hidden one that has the table's name.
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
