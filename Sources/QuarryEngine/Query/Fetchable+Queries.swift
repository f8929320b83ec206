extension Fetchable {
  /// Fetches the results of SQL with values, one at a time.
  ///
  /// ```swift
  /// let rows = try Row.fetchCursor(db, literal: "SELECT * FROM player WHERE score > \(100)")
  /// // SELECT * FROM player WHERE score > 100
  /// ```
  ///
  /// Arguments are assigned to placeholders in the SQL.
  ///
  /// - Throws: ``DatabaseError``.
  public static func fetchCursor(
    _ db: Database, literal: SQLText, arguments: StatementArguments? = nil
  ) throws -> FetchCursor {
    try fetchCursor(db.makeStatement(literal: literal), arguments: arguments)
  }

  /// Fetches all results of SQL with values.
  ///
  /// ```swift
  /// let players = try Player.fetchAll(db, literal: "SELECT * FROM player WHERE name IN \(["Arthur", "Barbara"])")
  /// // SELECT * FROM player WHERE name IN ('Arthur', 'Barbara')
  /// ```
  ///
  /// Arguments are assigned to placeholders in the SQL.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` if a value does not match its type.
  public static func fetchAll(
    _ db: Database, literal: SQLText, arguments: StatementArguments? = nil
  ) throws -> [Self] {
    try fetchAll(db.makeStatement(literal: literal), arguments: arguments)
  }

  /// Fetches the first result of SQL with values; nil if there is no result, or if it is NULL and the type cannot represent NULL.
  ///
  /// ```swift
  /// let player = try Player.fetchOne(db, literal: "SELECT * FROM player WHERE name = \("Arthur")")
  /// // SELECT * FROM player WHERE name = 'Arthur'
  /// ```
  ///
  /// Arguments are assigned to placeholders in the SQL.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` if a value does not match its type.
  public static func fetchOne(
    _ db: Database, literal: SQLText, arguments: StatementArguments? = nil
  ) throws -> Self? {
    try fetchOne(db.makeStatement(literal: literal), arguments: arguments)
  }
}

extension Fetchable where Self: Hashable {
  /// Fetches the set of all results of SQL with values.
  ///
  /// ```swift
  /// let names = try String.fetchSet(db, literal: "SELECT name FROM player WHERE score > \(100)")
  /// // SELECT name FROM player WHERE score > 100
  /// ```
  ///
  /// Arguments are assigned to placeholders in the SQL.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` if a value does not match its type.
  public static func fetchSet(
    _ db: Database, literal: SQLText, arguments: StatementArguments? = nil
  ) throws -> Set<Self> {
    try fetchSet(db.makeStatement(literal: literal), arguments: arguments)
  }
}

// The same results as the query's own functions return, but as another type: rows instead of records, or records of another kind.
extension Fetchable {
  /// Fetches the results of a typed query, one at a time, as this type instead of the query's own.
  ///
  /// ```swift
  /// let rows = try Row.fetchCursor(db, Reminder.where { $0.isCompleted })
  /// // SELECT * FROM reminders WHERE isCompleted
  /// ```
  ///
  /// - Throws: ``DatabaseError``.
  public static func fetchCursor<Output, Sources>(
    _ db: Database, _ query: Select<Output, Sources>
  ) throws -> FetchCursor {
    try fetchCursor(db, literal: query.sqlText)
  }

  /// Fetches all results of a typed query as this type instead of the query's own.
  ///
  /// ```swift
  /// let titles = try String.fetchAll(db, Reminder.select { $0.title })
  /// // SELECT title FROM reminders
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` if a value does not match its type.
  public static func fetchAll<Output, Sources>(_ db: Database, _ query: Select<Output, Sources>) throws -> [Self] {
    try fetchAll(db, literal: query.sqlText)
  }

  /// Fetches the first result of a typed query as this type instead of the query's own.
  ///
  /// Returns nil if there is no result, or if it is NULL and the type cannot represent NULL.
  ///
  /// ```swift
  /// let row = try Row.fetchOne(db, Reminder.order { $0.priority.desc() })
  /// // SELECT * FROM reminders ORDER BY priority DESC
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` if a value does not match its type.
  public static func fetchOne<Output, Sources>(_ db: Database, _ query: Select<Output, Sources>) throws -> Self? {
    try fetchOne(db, literal: query.sqlText)
  }
}

extension Fetchable where Self: Hashable {
  /// Fetches the set of all results of a typed query as this type instead of the query's own.
  ///
  /// ```swift
  /// let priorities = try Int?.fetchSet(db, Reminder.select { $0.priority })
  /// // SELECT priority FROM reminders
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` if a value does not match its type.
  public static func fetchSet<Output, Sources>(_ db: Database, _ query: Select<Output, Sources>) throws -> Set<Self> {
    try fetchSet(db, literal: query.sqlText)
  }
}
