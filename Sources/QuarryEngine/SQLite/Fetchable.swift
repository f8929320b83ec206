/// What the rows of a statement can be fetched as: a ``Row``, a value of the first column, or a ``FetchableRecord``.
///
/// ```swift
/// let rows = try Row.fetchAll(db, sql: "SELECT name, score FROM player")
/// let names = try String.fetchAll(db, sql: "SELECT name FROM player")
/// let players = try Player.fetchAll(db, sql: "SELECT * FROM player")
/// ```
public protocol Fetchable {
  /// What is yielded one at a time: a ``RowCursor``, a ``ValueCursor`` or a ``RecordCursor``.
  associatedtype FetchCursor: Cursor where FetchCursor.Element == Self

  /// Fetches what a statement yields, one at a time.
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

  /// Fetches the first that a statement yields; nil where it yields nothing, and where that is NULL for a value that has none for it.
  ///
  /// Without arguments, those that were set last stay.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  static func fetchOne(_ statement: Statement, arguments: StatementArguments?) throws -> Self?
}

// MARK: - From a statement

extension Fetchable {
  /// Fetches what a statement yields with the arguments that were set last, one at a time.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT name FROM player WHERE score > ?")
  /// statement.arguments = [100]
  /// let names = try String.fetchCursor(statement)  // SELECT name FROM player WHERE score > 100
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISUSE` where the arguments are not those that the statement expects.
  public static func fetchCursor(_ statement: Statement) throws -> FetchCursor {
    try fetchCursor(statement, arguments: nil)
  }

  /// Fetches all that a statement yields.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT name FROM player WHERE score > ?")
  /// let names = try String.fetchAll(statement, arguments: [100])  // SELECT name FROM player WHERE score > 100
  /// ```
  ///
  /// Without arguments, those that were set last stay.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchAll(_ statement: Statement, arguments: StatementArguments? = nil) throws -> [Self] {
    try Array(fetchCursor(statement, arguments: arguments))
  }

  /// Fetches the first that a statement yields; nil where it yields nothing.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT * FROM player WHERE id = ?")
  /// let player = try Player.fetchOne(statement, arguments: [1])  // SELECT * FROM player WHERE id = 1
  /// ```
  ///
  /// The run ends with that row. Without arguments, those that were set last stay.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchOne(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Self? {
    try fetchCursor(statement, arguments: arguments).nextToKeep()
  }
}

extension Fetchable where Self: Hashable {
  /// Fetches the set of all that a statement yields.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT name FROM player WHERE score > ?")
  /// let names = try String.fetchSet(statement, arguments: [100])  // SELECT name FROM player WHERE score > 100
  /// ```
  ///
  /// Without arguments, those that were set last stay.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchSet(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Set<Self> {
    try Set(fetchCursor(statement, arguments: arguments))
  }

  /// Fetches the set of all that a query yields.
  ///
  /// ```swift
  /// let names = try String.fetchSet(db, sql: "SELECT name FROM player")
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchSet(_ db: Database, sql: String, arguments: StatementArguments = StatementArguments()) throws -> Set<Self> {
    try fetchSet(db.makeStatement(sql: sql), arguments: arguments)
  }
}

// MARK: - From SQL

extension Fetchable {
  /// Fetches what a query yields, one at a time.
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

  /// Fetches all that a query yields.
  ///
  /// ```swift
  /// let names = try String.fetchAll(db, sql: "SELECT name FROM player")
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchAll(_ db: Database, sql: String, arguments: StatementArguments = StatementArguments()) throws -> [Self] {
    try fetchAll(db.makeStatement(sql: sql), arguments: arguments)
  }

  /// Fetches the first that a query yields; nil where it yields nothing.
  ///
  /// ```swift
  /// let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM player")
  /// ```
  ///
  /// A value is nil for NULL, too, where its type has no value of its own for it.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchOne(_ db: Database, sql: String, arguments: StatementArguments = StatementArguments()) throws -> Self? {
    try fetchOne(db.makeStatement(sql: sql), arguments: arguments)
  }
}

// MARK: - What can be fetched

extension Row: Fetchable {
  /// Fetches the rows that a statement yields, as views that are good until the next one is asked for.
  ///
  /// ```swift
  /// let rows = try Row.fetchCursor(statement, arguments: [100])
  /// while let row = try rows.next() {
  ///   let name: String = try row["name"]
  /// }
  /// ```
  public static func fetchCursor(_ statement: Statement, arguments: StatementArguments?) throws -> RowCursor {
    try RowCursor(statement, arguments: arguments)
  }
}

extension DatabaseValueConvertible {
  /// Fetches the values in the first column of what a statement yields.
  ///
  /// ```swift
  /// let names = try String.fetchCursor(statement, arguments: [100])
  /// ```
  public static func fetchCursor(_ statement: Statement, arguments: StatementArguments?) throws -> ValueCursor<Self> {
    ValueCursor(try RowCursor(statement, arguments: arguments))
  }

  /// Fetches the value in the first column of the first row; nil where there is no row, and for NULL where the type has no value of its own
  /// for it.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT max(score) FROM player WHERE name = ?")
  /// let best = try Int.fetchOne(statement, arguments: ["Arthur"])  // SELECT max(score) FROM player WHERE name = 'Arthur'
  /// ```
  ///
  /// An optional tells the two apart, and so does ``DatabaseValue``:
  ///
  /// ```swift
  /// try Int?.fetchOne(db, sql: "SELECT NULL")           // .some(nil)
  /// try Int?.fetchOne(db, sql: "SELECT 1 WHERE 0")      // nil
  /// try DatabaseValue.fetchOne(db, sql: "SELECT NULL")  // .null
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where the value does not fit the type.
  public static func fetchOne(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Self? {
    let rows = try RowCursor(statement, arguments: arguments)
    guard try rows.advance() else { return nil }
    return try statement.isColumnNull(at: 0) ? fromDatabaseValue(.null) : decode(from: statement, at: 0)
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
  ///
  /// - Throws: What reading the columns throws, such as `SQLITE_MISMATCH`, or an error of the type's own.
  init(row: Row) throws
}

extension FetchableRecord {
  /// Fetches the records that a statement yields.
  ///
  /// ```swift
  /// let players = try Player.fetchCursor(statement, arguments: [100])
  /// ```
  public static func fetchCursor(_ statement: Statement, arguments: StatementArguments?) throws -> RecordCursor<Self> {
    RecordCursor(try RowCursor(statement, arguments: arguments))
  }
}
