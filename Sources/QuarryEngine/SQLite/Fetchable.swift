/// A type that the rows of a statement can be fetched as: a ``Row``, a value of the first column, or a ``FetchableRecord``.
///
/// ```swift
/// let rows = try Row.fetchAll(db, sql: "SELECT name, score FROM player")
/// let names = try String.fetchAll(db, sql: "SELECT name FROM player")
/// let players = try Player.fetchAll(db, sql: "SELECT * FROM player")
/// ```
public protocol Fetchable {
  /// The cursor over the results: a ``RowCursor``, a ``ValueCursor`` or a ``RecordCursor``.
  associatedtype FetchCursor: Cursor where FetchCursor.Element == Self

  /// Fetches the results of a statement, one at a time.
  ///
  /// ```swift
  /// let players = try Player.fetchCursor(statement, arguments: ["Arthur"])
  /// while let player = try players.next() {
  ///   print(player.name)
  /// }
  /// ```
  ///
  /// Without arguments, the previous arguments are used.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISUSE` if the arguments do not match the statement's parameters.
  static func fetchCursor(_ statement: Statement, arguments: StatementArguments?) throws -> FetchCursor

  /// Fetches the first result of a statement; nil if there is no result, or if it is NULL and the type cannot represent NULL.
  ///
  /// Without arguments, the previous arguments are used.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` if a value does not match its type.
  static func fetchOne(_ statement: Statement, arguments: StatementArguments?) throws -> Self?
}

// MARK: - From a statement

extension Fetchable {
  /// Fetches the results of a statement with its previous arguments, one at a time.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT name FROM player WHERE score > ?")
  /// statement.arguments = [100]
  /// let names = try String.fetchCursor(statement)  // SELECT name FROM player WHERE score > 100
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISUSE` if the arguments do not match the statement's parameters.
  public static func fetchCursor(_ statement: Statement) throws -> FetchCursor {
    try fetchCursor(statement, arguments: nil)
  }

  /// Fetches all results of a statement.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT name FROM player WHERE score > ?")
  /// let names = try String.fetchAll(statement, arguments: [100])  // SELECT name FROM player WHERE score > 100
  /// ```
  ///
  /// Without arguments, the previous arguments are used.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` if a value does not match its type.
  public static func fetchAll(_ statement: Statement, arguments: StatementArguments? = nil) throws -> [Self] {
    try Array(fetchCursor(statement, arguments: arguments))
  }

  /// Fetches the first result of a statement; nil if there is no result.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT * FROM player WHERE id = ?")
  /// let player = try Player.fetchOne(statement, arguments: [1])  // SELECT * FROM player WHERE id = 1
  /// ```
  ///
  /// The statement is reset after that row. Without arguments, the previous arguments are used.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` if a value does not match its type.
  public static func fetchOne(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Self? {
    try fetchCursor(statement, arguments: arguments).nextToKeep()
  }
}

extension Fetchable where Self: Hashable {
  /// Fetches the set of all results of a statement.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT name FROM player WHERE score > ?")
  /// let names = try String.fetchSet(statement, arguments: [100])  // SELECT name FROM player WHERE score > 100
  /// ```
  ///
  /// Without arguments, the previous arguments are used.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` if a value does not match its type.
  public static func fetchSet(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Set<Self> {
    try Set(fetchCursor(statement, arguments: arguments))
  }

  /// Fetches the set of all results of a query.
  ///
  /// ```swift
  /// let names = try String.fetchSet(db, sql: "SELECT name FROM player")
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` if a value does not match its type.
  public static func fetchSet(_ db: Database, sql: String, arguments: StatementArguments = StatementArguments()) throws -> Set<Self> {
    try fetchSet(db.makeStatement(sql: sql), arguments: arguments)
  }
}

// MARK: - From SQL

extension Fetchable {
  /// Fetches the results of a query, one at a time.
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

  /// Fetches all results of a query.
  ///
  /// ```swift
  /// let names = try String.fetchAll(db, sql: "SELECT name FROM player")
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` if a value does not match its type.
  public static func fetchAll(_ db: Database, sql: String, arguments: StatementArguments = StatementArguments()) throws -> [Self] {
    try fetchAll(db.makeStatement(sql: sql), arguments: arguments)
  }

  /// Fetches the first result of a query; nil if there is no result.
  ///
  /// ```swift
  /// let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM player")
  /// ```
  ///
  /// NULL is also fetched as nil if the type cannot represent NULL.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` if a value does not match its type.
  public static func fetchOne(_ db: Database, sql: String, arguments: StatementArguments = StatementArguments()) throws -> Self? {
    try fetchOne(db.makeStatement(sql: sql), arguments: arguments)
  }
}

// MARK: - Fetchable types

extension Row: Fetchable {
  /// Fetches the rows of a statement as views that are valid until the next row is requested.
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
  /// Fetches the values of the first column of a statement's rows.
  ///
  /// ```swift
  /// let names = try String.fetchCursor(statement, arguments: [100])
  /// ```
  public static func fetchCursor(_ statement: Statement, arguments: StatementArguments?) throws -> ValueCursor<Self> {
    ValueCursor(try RowCursor(statement, arguments: arguments))
  }

  /// Fetches the value in the first column of the first row; nil if there is no row, or if it is NULL and the type cannot represent NULL.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT max(score) FROM player WHERE name = ?")
  /// let best = try Int.fetchOne(statement, arguments: ["Arthur"])  // SELECT max(score) FROM player WHERE name = 'Arthur'
  /// ```
  ///
  /// An optional type distinguishes the two, and so does ``DatabaseValue``:
  ///
  /// ```swift
  /// try Int?.fetchOne(db, sql: "SELECT NULL")           // .some(nil)
  /// try Int?.fetchOne(db, sql: "SELECT 1 WHERE 0")      // nil
  /// try DatabaseValue.fetchOne(db, sql: "SELECT NULL")  // .null
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` if the value does not match the type.
  public static func fetchOne(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Self? {
    let rows = try RowCursor(statement, arguments: arguments)
    guard try rows.advance() else { return nil }
    return try statement.isColumnNull(at: 0) ? fromDatabaseValue(.null) : decode(from: statement, at: 0)
  }
}

/// A type whose values are created from rows.
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
  /// Creates a value from a row, which is valid only during the call; ``Row/copy()`` returns a permanent copy.
  ///
  /// - Throws: The errors of reading the columns, such as `SQLITE_MISMATCH`, or an error of the type's own.
  init(row: Row) throws
}

extension FetchableRecord {
  /// Fetches the rows of a statement as records.
  ///
  /// ```swift
  /// let players = try Player.fetchCursor(statement, arguments: [100])
  /// ```
  public static func fetchCursor(_ statement: Statement, arguments: StatementArguments?) throws -> RecordCursor<Self> {
    RecordCursor(try RowCursor(statement, arguments: arguments))
  }
}
