/// A typed SELECT that renders to SQL, and returns an `Output` for each row when it is fetched.
///
/// The closures of the clauses receive the columns of each source: first those of the table itself, then those of joined tables.
///
/// ```swift
/// Reminder.all()
///   .where { !$0.isCompleted }
///   .order { ($0.priority.desc(), $0.title.collate(.nocase).asc()) }
///   .limit(10)
/// // SELECT * FROM reminders WHERE NOT (isCompleted) ORDER BY priority DESC, title COLLATE NOCASE ASC LIMIT 10
/// ```
///
/// `Sources` is the columns of one source, or a tuple of the columns of several sources, which closures destructure: `{ $0.listID == $1.id
/// }`. It is not a parameter pack, because the compiler needs exponential time for closures with one.
public struct Select<Output, Sources: Sendable>: Sendable {
  var statement: SelectStatement
  let sources: Sources
  let decode: @Sendable (Row) throws -> Output

  init(_ statement: SelectStatement, sources: Sources, decode: @escaping @Sendable (Row) throws -> Output) {
    self.statement = statement
    self.sources = sources
    self.decode = decode
  }

  /// The SQL of the statement, with the values to bind.
  ///
  /// ```swift
  /// let query = Reminder.where { $0.priority == 3 }
  /// query.sqlText.sql     // SELECT * FROM reminders WHERE (priority = ?)
  /// query.sqlText.values  // [3]
  /// ```
  public var sqlText: SQLText { statement.sqlText }

  /// The SQL with literals instead of bound values, for display.
  ///
  /// ```swift
  /// Reminder.where { $0.priority == 3 }.queryString
  /// // SELECT * FROM reminders WHERE (priority = 3)
  /// ```
  public var queryString: String { sqlText.queryString }
}

extension Table {
  /// Returns a query of all rows of the table.
  ///
  /// ```swift
  /// Reminder.all()
  /// // SELECT * FROM reminders
  /// ```
  ///
  /// - Parameter alias: The table's name within the query, needed if the table occurs again in a join or a subquery.
  public static func all(as alias: String? = nil) -> Select<Row, TableColumns<Self>> {
    let name = alias ?? tableName
    let statement = SelectStatement(result: .everything, sources: [.init(table: tableName, name: name)])
    return Select(statement, sources: TableColumns(name: name)) { row in try row.copy() }
  }

  /// Returns a query of the rows that match a predicate.
  ///
  /// ```swift
  /// Reminder.where { $0.priority == 3 }
  /// // SELECT * FROM reminders WHERE (priority = 3)
  /// ```
  public static func `where`(_ predicate: (TableColumns<Self>) -> some QueryExpression<Bool>) -> Select<Row, TableColumns<Self>> {
    all().where(predicate)
  }

  /// Returns a query of all rows, sorted by keys.
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
  // Disfavored, so that the compiler never tries it for a tuple, where each additional expression would double the compile time.
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
