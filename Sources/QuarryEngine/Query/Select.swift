/// A typed SELECT: an inert value that renders to SQL, and yields an `Output` for each row when it is fetched.
///
/// The clauses' closures take the columns of each source, the table itself first and then those joined.
///
/// ```swift
/// Reminder.all()
///   .where { !$0.isCompleted }
///   .order { ($0.priority.desc(), $0.title.collate(.nocase).asc()) }
///   .limit(10)
/// // SELECT * FROM reminders WHERE NOT (isCompleted) ORDER BY priority DESC, title COLLATE NOCASE ASC LIMIT 10
/// ```
///
/// `Sources` is the columns of the one source, or a tuple of those of several, which closures take apart: `{ $0.listID == $1.id }`. It is
/// no parameter pack, since the compiler needs exponential time for closures that take one.
public struct Select<Output, Sources: Sendable>: Sendable {
  var statement: SelectStatement
  let sources: Sources
  let decode: @Sendable (Row) throws -> Output

  init(_ statement: SelectStatement, sources: Sources, decode: @escaping @Sendable (Row) throws -> Output) {
    self.statement = statement
    self.sources = sources
    self.decode = decode
  }

  /// The statement to run: its text, and the values to bind.
  ///
  /// ```swift
  /// let query = Reminder.where { $0.priority == 3 }
  /// query.sqlText.sql     // SELECT * FROM reminders WHERE (priority = ?)
  /// query.sqlText.values  // [3]
  /// ```
  public var sqlText: SQLText { statement.sqlText }

  /// The statement with literals in the place of its values, to be read.
  ///
  /// ```swift
  /// Reminder.where { $0.priority == 3 }.queryString
  /// // SELECT * FROM reminders WHERE (priority = 3)
  /// ```
  public var queryString: String { sqlText.queryString }
}

extension Table {
  /// Returns a query of all rows, each as the columns of the table.
  ///
  /// ```swift
  /// Reminder.all()
  /// // SELECT * FROM reminders
  /// ```
  ///
  /// - Parameter alias: The table's name within the query, where it meets itself in a join or a sub-query.
  public static func all(as alias: String? = nil) -> Select<Row, TableColumns<Self>> {
    let name = alias ?? tableName
    let statement = SelectStatement(result: .everything, sources: [.init(table: tableName, name: name)])
    return Select(statement, sources: TableColumns(name: name)) { row in try row.copy() }
  }

  /// Returns a query of the rows for which a predicate holds.
  ///
  /// ```swift
  /// Reminder.where { $0.priority == 3 }
  /// // SELECT * FROM reminders WHERE (priority = 3)
  /// ```
  public static func `where`(_ predicate: (TableColumns<Self>) -> some QueryExpression<Bool>) -> Select<Row, TableColumns<Self>> {
    all().where(predicate)
  }

  /// Returns a query of all rows in an order.
  ///
  /// ```swift
  /// Reminder.order { ($0.priority.desc(), $0.title) }
  /// // SELECT * FROM reminders ORDER BY priority DESC, title
  /// ```
  public static func order<Key: OrderingTerm, each Further: OrderingTerm>(
    _ keys: (TableColumns<Self>) -> (Key, repeat each Further)
  ) -> Select<Row, TableColumns<Self>> {
    all().order(keys)
  }

  /// Returns a query of one column, or expression, of all rows.
  ///
  /// ```swift
  /// Reminder.select { $0.id }
  /// // SELECT id FROM reminders
  /// ```
  // Disfavored, so that the compiler never tries it for a tuple: each further expression would double the time that it takes.
  @_disfavoredOverload
  public static func select<Expression: QueryExpression>(
    _ expression: (TableColumns<Self>) -> Expression
  ) -> Select<Expression.Output, TableColumns<Self>> {
    let rows: Select<Row, TableColumns<Self>> = all()
    return rows.select(expression)
  }

  /// Returns a query of some columns, or expressions, of all rows.
  ///
  /// ```swift
  /// Reminder.select { ($0.id, $0.title) }
  /// // SELECT id, title FROM reminders
  /// ```
  public static func select<Expression: QueryExpression, each Further: QueryExpression>(
    _ expressions: (TableColumns<Self>) -> (Expression, repeat each Further)
  ) -> Select<(Expression.Output, repeat (each Further).Output), TableColumns<Self>> {
    let rows: Select<Row, TableColumns<Self>> = all()
    return rows.select(expressions)
  }
}
