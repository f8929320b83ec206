/// What the rows of a statement can be fetched as: a ``Row``, a value of the first column, or a ``FetchableRecord``.
public protocol Fetchable {
  associatedtype FetchCursor: Cursor where FetchCursor.Element == Self

  /// What a statement yields, one at a time.
  ///
  /// ```swift
  /// let players = try Player.fetchCursor(statement, arguments: ["Arthur"])
  /// while let player = try players.next() {
  ///   print(player.name)
  /// }
  /// ```
  ///
  /// Without arguments, those that were set last stay.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISUSE` where the arguments are not those that the statement expects.
  static func fetchCursor(_ statement: Statement, arguments: StatementArguments?) throws -> FetchCursor
}

// MARK: - From a statement

extension Fetchable {
  /// What a statement yields with the arguments that were set last, one at a time.
  ///
  /// - Throws: ``DatabaseError``.
  public static func fetchCursor(_ statement: Statement) throws -> FetchCursor {
    try fetchCursor(statement, arguments: nil)
  }

  /// All that a statement yields.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchAll(_ statement: Statement, arguments: StatementArguments? = nil) throws -> [Self] {
    try Array(fetchCursor(statement, arguments: arguments))
  }

  /// The first that a statement yields; nil where it yields nothing.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchOne(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Self? {
    try fetchCursor(statement, arguments: arguments).nextToKeep()
  }
}

extension Fetchable where Self: Hashable {
  /// The set of all that a statement yields.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchSet(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Set<Self> {
    try Set(fetchCursor(statement, arguments: arguments))
  }

  /// The set of all that a query yields.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchSet(_ db: Database, sql: String, arguments: StatementArguments = StatementArguments()) throws -> Set<Self> {
    try fetchSet(db.makeStatement(sql: sql), arguments: arguments)
  }
}

// MARK: - From SQL

extension Fetchable {
  /// What a query yields, one at a time.
  ///
  /// ```swift
  /// let rows = try Row.fetchCursor(db, sql: "SELECT * FROM player WHERE score > ?", arguments: [100])
  /// // SELECT * FROM player WHERE score > 100
  /// ```
  ///
  /// - Throws: ``DatabaseError``.
  public static func fetchCursor(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> FetchCursor {
    try fetchCursor(db.makeStatement(sql: sql), arguments: arguments)
  }

  /// All that a query yields.
  ///
  /// ```swift
  /// let names = try String.fetchAll(db, sql: "SELECT name FROM player")
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchAll(_ db: Database, sql: String, arguments: StatementArguments = StatementArguments()) throws -> [Self] {
    try fetchAll(db.makeStatement(sql: sql), arguments: arguments)
  }

  /// The first that a query yields; nil where it yields nothing.
  ///
  /// ```swift
  /// let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM player")
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchOne(_ db: Database, sql: String, arguments: StatementArguments = StatementArguments()) throws -> Self? {
    try fetchOne(db.makeStatement(sql: sql), arguments: arguments)
  }
}

// MARK: - What can be fetched

extension Row: Fetchable {
  /// The rows that a statement yields, as views that are good until the next one is asked for.
  public static func fetchCursor(_ statement: Statement, arguments: StatementArguments?) throws -> RowCursor {
    try RowCursor(statement, arguments: arguments)
  }
}

extension DatabaseValueConvertible {
  /// The values in the first column of what a statement yields.
  public static func fetchCursor(_ statement: Statement, arguments: StatementArguments?) throws -> ValueCursor<Self> {
    ValueCursor(try RowCursor(statement, arguments: arguments))
  }

  /// The value in the first column of the first row; nil where there is no row, or the value is NULL.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where the value does not fit the type.
  public static func fetchOne(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Self? {
    try Optional<Self>.fetchCursor(statement, arguments: arguments).next() ?? nil
  }

  /// The value in the first column of the first row of a query; nil where there is no row, or the value is NULL.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where the value does not fit the type.
  public static func fetchOne(_ db: Database, sql: String, arguments: StatementArguments = StatementArguments()) throws -> Self? {
    try fetchOne(db.makeStatement(sql: sql), arguments: arguments)
  }
}

/// A type whose values are made of rows.
///
/// ```swift
/// struct Player: FetchableRecord {
///   let name: String
///   let score: Int?
///
///   init(row: Row) throws {
///     name = try row["name"]
///     score = try row["score"]
///   }
/// }
///
/// let players = try Player.fetchAll(db, sql: "SELECT * FROM player")
/// ```
public protocol FetchableRecord: Fetchable {
  /// Creates a value from a row, which is good for the time of the call only: ``Row/copy()`` makes one that can be kept.
  init(row: Row) throws
}

extension FetchableRecord {
  /// The records that a statement yields.
  public static func fetchCursor(_ statement: Statement, arguments: StatementArguments?) throws -> RecordCursor<Self> {
    RecordCursor(try RowCursor(statement, arguments: arguments))
  }
}
