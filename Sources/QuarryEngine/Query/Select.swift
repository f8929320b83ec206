/// A typed SELECT that renders to SQL, and returns an `Element` for each row when it is fetched.
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
/// A query of one column is also an expression, a scalar subquery: `Reminder.where { $0.id == Reminder.select { $0.id.max() } }`.
///
/// `Sources` is the columns of one source, or a tuple of the columns of several sources, which closures destructure: `{ $0.listID == $1.id
/// }`. It is not a parameter pack, because the compiler needs exponential time for closures with one.
public struct Select<Element, Sources: Sendable>: Sendable {
  var statement: SelectStatement
  let sources: Sources
  /// Decodes a row, with the index of the first column of each selected term.
  let decode: @Sendable (Row, [Int]) throws -> Element

  init(_ statement: SelectStatement, sources: Sources, decode: @escaping @Sendable (Row, [Int]) throws -> Element) {
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
  public static func all() -> Select<Row, TableColumns<Self>> {
    self.as(tableName)
  }

  /// Returns a query of all rows of the table under another name, needed if the table occurs again in a join or a subquery.
  ///
  /// ```swift
  /// Reminder.as("r").where { r in Reminder.where { $0.priority > r.priority }.exists() }
  /// // SELECT * FROM reminders AS r WHERE EXISTS (SELECT * FROM reminders WHERE (priority > r.priority))
  /// ```
  public static func `as`(_ alias: String) -> Select<Row, TableColumns<Self>> {
    let source = VisibleSource(name: alias, id: SourceID())
    let statement = SelectStatement(result: .everything, sources: [.init(origin: .table(tableName), shown: source)])
    return Select(statement, sources: TableColumns(source: source)) { row, _ in try row.copy() }
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
  public static func select<Term: SelectTerm>(_ term: (TableColumns<Self>) -> Term) -> Select<Term.Output, TableColumns<Self>> {
    let rows: Select<Row, TableColumns<Self>> = all()
    return rows.select(term)
  }

  /// Returns a query of some columns, or expressions, of all rows.
  ///
  /// ```swift
  /// Reminder.select { ($0.id, $0.title) }
  /// // SELECT id, title FROM reminders
  /// ```
  public static func select<Term: SelectTerm, each Further: SelectTerm>(
    _ terms: (TableColumns<Self>) -> (Term, repeat each Further)
  ) -> Select<(Term.Output, repeat (each Further).Output), TableColumns<Self>> {
    let rows: Select<Row, TableColumns<Self>> = all()
    return rows.select(terms)
  }
}
