extension Fetchable {
  /// Fetches what SQL with values yields, one at a time.
  ///
  /// ```swift
  /// let rows = try Row.fetchCursor(db, literal: "SELECT * FROM player WHERE score > \(100)")
  /// // SELECT * FROM player WHERE score > 100
  /// ```
  ///
  /// Arguments are for placeholders that are left open.
  ///
  /// - Throws: ``DatabaseError``.
  public static func fetchCursor(
    _ db: Database, literal: SQLText, arguments: StatementArguments? = nil
  ) throws -> FetchCursor {
    try fetchCursor(db.makeStatement(literal: literal), arguments: arguments)
  }

  /// Fetches all that SQL with values yields.
  ///
  /// ```swift
  /// let players = try Player.fetchAll(db, literal: "SELECT * FROM player WHERE name IN \(["Arthur", "Barbara"])")
  /// // SELECT * FROM player WHERE name IN ('Arthur', 'Barbara')
  /// ```
  ///
  /// Arguments are for placeholders that are left open.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchAll(
    _ db: Database, literal: SQLText, arguments: StatementArguments? = nil
  ) throws -> [Self] {
    try fetchAll(db.makeStatement(literal: literal), arguments: arguments)
  }

  /// Fetches the first that SQL with values yields; nil where it yields nothing, and for NULL where a value has none of its own for it.
  ///
  /// ```swift
  /// let player = try Player.fetchOne(db, literal: "SELECT * FROM player WHERE name = \("Arthur")")
  /// // SELECT * FROM player WHERE name = 'Arthur'
  /// ```
  ///
  /// Arguments are for placeholders that are left open.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchOne(
    _ db: Database, literal: SQLText, arguments: StatementArguments? = nil
  ) throws -> Self? {
    try fetchOne(db.makeStatement(literal: literal), arguments: arguments)
  }
}

extension Fetchable where Self: Hashable {
  /// Fetches the set of all that SQL with values yields.
  ///
  /// ```swift
  /// let names = try String.fetchSet(db, literal: "SELECT name FROM player WHERE score > \(100)")
  /// // SELECT name FROM player WHERE score > 100
  /// ```
  ///
  /// Arguments are for placeholders that are left open.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchSet(
    _ db: Database, literal: SQLText, arguments: StatementArguments? = nil
  ) throws -> Set<Self> {
    try fetchSet(db.makeStatement(literal: literal), arguments: arguments)
  }
}

// The same as what the query's own functions yield, but as another type: rows instead of records, or records of another kind.
extension Fetchable {
  /// Fetches what a typed query yields, one at a time, as this type and not as the query's own.
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

  /// Fetches all that a typed query yields, as this type and not as the query's own.
  ///
  /// ```swift
  /// let titles = try String.fetchAll(db, Reminder.select { $0.title })
  /// // SELECT title FROM reminders
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchAll<Output, Sources>(_ db: Database, _ query: Select<Output, Sources>) throws -> [Self] {
    try fetchAll(db, literal: query.sqlText)
  }

  /// Fetches the first that a typed query yields, as this type and not as the query's own; nil where it yields nothing, and for
  /// NULL where a value has none of its own for it.
  ///
  /// ```swift
  /// let row = try Row.fetchOne(db, Reminder.order { $0.priority.desc() })
  /// // SELECT * FROM reminders ORDER BY priority DESC
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchOne<Output, Sources>(_ db: Database, _ query: Select<Output, Sources>) throws -> Self? {
    try fetchOne(db, literal: query.sqlText)
  }
}

extension Fetchable where Self: Hashable {
  /// Fetches the set of all that a typed query yields, as this type and not as the query's own.
  ///
  /// ```swift
  /// let priorities = try Int?.fetchSet(db, Reminder.select { $0.priority })
  /// // SELECT priority FROM reminders
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchSet<Output, Sources>(_ db: Database, _ query: Select<Output, Sources>) throws -> Set<Self> {
    try fetchSet(db, literal: query.sqlText)
  }
}
