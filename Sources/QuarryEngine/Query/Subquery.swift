/// The value that a query with one column returns in its first row, or NULL if it returns no row: a scalar subquery.
///
/// ```swift
/// Subquery<Int?>(SelectStatement(selecting: Column<Int>("id").max(), from: "lists"))
/// // (SELECT max(id) FROM lists)
/// ```
///
/// The compiler checks the types of a ``Select``, which is one where an expression is expected; this node is for names and types that are
/// known only at run time.
package struct Subquery<Output: QueryOutput>: QueryExpression {
  package typealias QueryValue = Output.QueryValue

  private let query: SelectStatement

  package init(_ query: SelectStatement) {
    self.query = query
  }

  package var parenthesization: Parenthesization { .own }

  package func write(to sql: inout SQLWriter) {
    sql.append("(")
    query.write(to: &sql)
    sql.append(")")
  }
}

/// A query of one column as an expression: the value of its first row, or NULL if it returns no row.
///
/// ```swift
/// Reminder.where { $0.listID == List.select { $0.id.max() } }
/// // SELECT * FROM reminders WHERE (listID = (SELECT max(id) FROM lists))
/// Reminder.select { reminder in (reminder.title, List.where { $0.id == reminder.listID }.select { $0.title }) }
/// // SELECT title, (SELECT title FROM lists WHERE (id = reminders.listID)) FROM reminders
/// ```
///
/// A closure that uses the columns of an enclosing query names them: `reminder.listID`. If both queries read the same table, one of them needs
/// another name, by ``Table/as(_:)``.
extension Select: OrderingTerm, QueryArgument, SelectTerm, QueryExpression where Element: QueryOutput {
  public typealias QueryValue = Element.QueryValue
  public typealias Output = Element.QueryValue?

  public var parenthesization: Parenthesization { .own }

  public func write(to sql: inout SQLWriter) {
    Subquery<Output>(statement).write(to: &sql)
  }
}

extension Select {
  /// Returns an expression that is true if the query returns any row, for use in another query.
  ///
  /// ```swift
  /// List.where { list in Reminder.where { $0.listID == list.id }.exists() }
  /// // SELECT * FROM lists WHERE EXISTS (SELECT * FROM reminders WHERE (listID = lists.id))
  /// ```
  public func exists() -> Existence {
    Existence(query: statement)
  }
}
