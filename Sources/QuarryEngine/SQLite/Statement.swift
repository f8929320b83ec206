internal import CSQLite

/// A raw SQLite statement, suitable for the SQLite C API.
public typealias SQLiteStatement = OpaquePointer

/// A prepared statement: SQL compiled once, which can run any number of times.
///
/// ```swift
/// let statement = try db.makeStatement(sql: "INSERT INTO player (name, score) VALUES (:name, :score)")
/// try statement.execute(arguments: ["name": "Arthur", "score": 1000])
/// // INSERT INTO player (name, score) VALUES ('Arthur', 1000)
/// ```
///
/// A statement is finalized when it is released. It throws `SQLITE_MISUSE` if it is used after its connection has been closed, or outside
/// an access of its queue. The corresponding C object is `sqlite3_stmt`.
public final class Statement {
  /// Options for preparing a statement.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT * FROM player", options: [.persistent, .noVtab])
  /// ```
  public struct Options: OptionSet, Hashable, Sendable {
    /// The flags of `sqlite3_prepare_v3`.
    public var rawValue: UInt32

    /// Creates options from the flags of `sqlite3_prepare_v3`.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// The statement will be retained and used many times.
    ///
    /// The corresponding C flag is `SQLITE_PREPARE_PERSISTENT`.
    public static let persistent = Options(rawValue: 1)
    /// Rejects a statement that uses a virtual table.
    ///
    /// The corresponding C flag is `SQLITE_PREPARE_NO_VTAB`.
    public static let noVtab = Options(rawValue: 4)
  }

  enum Phase {
    /// Reset: parameters may be bound, and the next step starts a run.
    case ready
    /// The statement has a current row.
    case row
    /// The run has ended, but the statement has not been reset.
    case done
  }

  /// The raw SQLite statement, suitable for the SQLite C API; it must not be used after the database is closed.
  public let sqliteStatement: SQLiteStatement
  /// The SQL without leading and trailing white space and semicolons.
  public let sql: String

  package let database: Database
  // Unchecked: one thread at a time uses the statement, and no code here calls out while it changes one of these. The checks would cost
  // more than reading a column.
  @exclusivity(unchecked) var phase = Phase.ready
  /// The number of steps, by which a row detects whether it is still current.
  @usableFromInline @exclusivity(unchecked) var stepCount = 0
  /// The number of executions and cursors, by which a cursor detects whether the run is still its own.
  @exclusivity(unchecked) var runCount = 0
  /// The number of the access in which the run began.
  @exclusivity(unchecked) var accessNumber = 0
  @exclusivity(unchecked) var binding = ParameterBinding()
  @exclusivity(unchecked) var columns: StatementColumns
  /// The borrowed values of the current row.
  @exclusivity(unchecked) var lent = BorrowedValues()
  var cacheKey: String?
  /// The origin of the copies of this run's rows; nil before the first copy.
  private var origin: RowOrigin?

  init(compiled: OpaquePointer, sql: String, database: Database) {
    sqliteStatement = compiled
    self.sql = sql
    self.database = database
    columns = StatementColumns(compiled)
    binding.parameterCount = Int(sqlite3_bind_parameter_count(compiled))
    database.ownStatements.insert(compiled)
  }

  deinit {
    if !database.lock.isHeldByThisThread {
      database.pendingFinalizations.add(sqliteStatement)
    } else if !database.isClosed {
      database.finalize(sqliteStatement)
    }
    // SQLite reads bound texts until then, but only in a step.
    binding.deallocate()
  }
}

// Explicit non-conformance to Sendable: a statement uses its connection, which only one thread at a time may do.
@available(*, unavailable)
extension Statement: Sendable {}

extension Statement: CustomStringConvertible {
  /// The SQL.
  public var description: String { sql }
}

// MARK: - Information

extension Statement {
  /// Whether the statement makes no direct changes to the content of the database file.
  ///
  /// The corresponding C function is `sqlite3_stmt_readonly`.
  public var isReadonly: Bool { !database.isClosed && sqlite3_stmt_readonly(sqliteStatement) != 0 }

  /// Whether the statement is an EXPLAIN or EXPLAIN QUERY PLAN.
  ///
  /// The corresponding C function is `sqlite3_stmt_isexplain`.
  public var isExplanation: Bool { !database.isClosed && sqlite3_stmt_isexplain(sqliteStatement) != 0 }

  /// Whether the statement is on a row of a run of the current access.
  var isRunning: Bool { phase == .row && accessNumber == database.currentAccess }

  /// The number of columns in the resulting rows; 0 for a statement that returns none.
  ///
  /// The corresponding C function is `sqlite3_column_count`.
  public var columnCount: Int { columns.count }

  /// The names of the columns, from left to right.
  ///
  /// ```swift
  /// try db.makeStatement(sql: "SELECT id, score AS points FROM player").columnNames  // ["id", "points"]
  /// ```
  public var columnNames: [String] { columnLabels.names }

  /// The declared types of the table columns from which the columns come, empty for expressions.
  ///
  /// ```swift
  /// try db.makeStatement(sql: "SELECT id, score + 1 FROM player").declaredColumnTypes  // ["INTEGER", ""]
  /// ```
  ///
  /// The corresponding C function is `sqlite3_column_decltype`.
  public var declaredColumnTypes: [String] {
    guard !database.isClosed else { return [] }
    return (0..<Int32(columnCount)).map { sqlite3_column_decltype(sqliteStatement, $0).map { String(cString: $0) } ?? "" }
  }

  /// The table columns from which the statement's columns come; nil for computed columns.
  ///
  /// ```swift
  /// try db.makeStatement(sql: "SELECT score AS points, score + 1 FROM player").columnOrigins
  /// // [main.player, score], nil
  /// ```
  ///
  /// A column of a view or a subquery has the underlying table column as its origin. The corresponding C functions are
  /// `sqlite3_column_origin_name`, `sqlite3_column_table_name` and `sqlite3_column_database_name`.
  public var columnOrigins: [ColumnOrigin?] {
    guard !database.isClosed else { return [] }
    return (0..<Int32(columnCount)).map { index in
      guard let column = sqlite3_column_origin_name(sqliteStatement, index), let table = sqlite3_column_table_name(sqliteStatement, index),
        let schema = sqlite3_column_database_name(sqliteStatement, index)
      else { return nil }
      let reference = TableReference(database: String(cString: schema), name: String(cString: table))
      return ColumnOrigin(table: reference, column: String(cString: column))
    }
  }

  /// Returns the name of a column, from 0.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT id, score AS points FROM player")
  /// try statement.columnName(at: 1)  // points
  /// ```
  ///
  /// The corresponding C function is `sqlite3_column_name`.
  ///
  /// - Throws: `SQLITE_RANGE` if the column does not exist.
  public func columnName(at index: Int) throws -> String {
    guard columnNames.indices.contains(index) else {
      throw DatabaseError(DatabaseError.SQLITE_RANGE, "there is no column \(index): the statement has \(columnCount)", sql: sql)
    }
    return columnNames[index]
  }

  /// Returns the index of the leftmost column with this name, ignoring case; nil if no column has it.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT id, score AS points FROM player")
  /// statement.index(ofColumn: "Points")  // 1
  /// ```
  public func index(ofColumn name: String) -> Int? { columnLabels.index(of: name) }

  var columnLabels: ColumnLabels {
    columns.labels(of: sqliteStatement, isClosed: database.isClosed)
  }
}

// MARK: - Stepping

extension Statement {
  /// Runs the statement up to its next row; returns false at the end of the run.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT name FROM player")
  /// while try statement.step() {
  ///   print(try statement.columnText(at: 0))
  /// }
  /// try statement.reset()
  /// ```
  ///
  /// Unbound parameters are NULL. The corresponding C function is `sqlite3_step`.
  ///
  /// - Throws: ``DatabaseError``: an error of SQLite, `SQLITE_MISUSE` if the last run has ended and the statement was not reset,
  ///   `SQLITE_ABORT` if the transaction of the access has ended.
  @discardableResult
  public func step() throws -> Bool {
    try database.checkAccess()
    if phase == .row, accessNumber == database.currentAccess { return try advance() }
    try begin()
    return try advance()
  }

  /// Ends the run; bound values are retained.
  ///
  /// ```swift
  /// try statement.bind(41, at: 1)
  /// try statement.step()
  /// try statement.reset()
  /// try statement.step()  // runs again with 41
  /// ```
  ///
  /// The corresponding C function is `sqlite3_reset`.
  ///
  /// - Throws: `SQLITE_MISUSE` outside an access.
  public func reset() throws {
    try database.checkAccess()
    rewind()
  }

  /// Ends the run of a statement whose connection the caller is known to own.
  package func rewind() {
    guard phase != .ready else { return }
    // The code is that of the last step, which has already thrown it.
    sqlite3_reset(sqliteStatement)
    phase = .ready
    stepCount &+= 1
  }

  private func begin() throws {
    guard phase == .ready else {
      throw DatabaseError.misuse(
        phase == .done
          ? "the statement has run to its end: reset it before the next run"
          : "the access in which the statement ran has ended: reset it before the next run", sql: sql)
    }
    if database.cancellation?.isCancelled == true { throw DatabaseError(DatabaseError.SQLITE_INTERRUPT, sql: sql) }
    try database.checkTransaction(sql: sql)
    if database.refusesWriting, sqlite3_stmt_readonly(sqliteStatement) == 0, !isExplanation {
      throw DatabaseError(DatabaseError.SQLITE_READONLY, "attempt to write in a read-only access", sql: sql)
    }
    try bindPendingArguments()
    origin = nil
    accessNumber = database.currentAccess
  }

  @inline(__always)
  private func advance() throws -> Bool {
    stepCount &+= 1
    let code = sqlite3_step(sqliteStatement)
    guard code == SQLITE_ROW else { return try finish(code) }
    if phase != .row {
      phase = .row
      columns.refresh(sqliteStatement)
    }
    return true
  }

  private func finish(_ code: Int32) throws -> Bool {
    if code == SQLITE_DONE {
      if phase == .ready { columns.refresh(sqliteStatement) }
      phase = .done
      return false
    }
    var error = withArguments(database.error(code, sql: sql))
    if error.resultCode == DatabaseError.SQLITE_CORRUPT { noteTables(in: &error) }
    phase = .done
    rewind()
    database.statementCache.remove(self)
    database.noteError(error)
    throw error
  }
}

// MARK: - Errors and copies

extension Statement {
  /// Creates an error about a result of the statement.
  func error(_ code: ResultCode, _ message: String) -> DatabaseError {
    withArguments(DatabaseError(code, message, sql: sql))
  }

  /// Returns the error with the bound values, if the configuration allows errors to contain them.
  private func withArguments(_ error: DatabaseError) -> DatabaseError {
    var error = error
    error.arguments = tellableArguments.flatMap { $0.isEmpty ? nil : $0.description }
    return error
  }

  private var tellableArguments: StatementArguments? {
    guard database.configuration.errorsKeepArguments, binding.state != .boundByHand else { return nil }
    let given = binding.givenValues
    if given.isEmpty { return binding.arguments }
    return StatementArguments(ArgumentMatch(unchecked: binding.arguments, parameters: parameterNames, given: given).values)
  }

  var rowOrigin: RowOrigin {
    if let origin { return origin }
    let made = RowOrigin(labels: columnLabels, sql: sql, arguments: tellableArguments)
    origin = made
    return made
  }
}

extension Statement {
  /// Adds the tables that the statement reads to an error whose cause is in one of them.
  private func noteTables(in error: inout DatabaseError) {
    guard let tables = try? databaseRegion.tables, let database = tables.map(\.database).min() else { return }
    error.origin?.tables = tables.filter { $0.database == database }.map(\.name).sorted()
    error.origin?.tablesPath = self.database.path(ofDatabase: database)
  }
}

// MARK: - Execution

extension Statement {
  /// Runs the statement to its end and discards its rows.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "DELETE FROM player WHERE score < ?")
  /// try statement.execute(arguments: [100])  // DELETE FROM player WHERE score < 100
  /// ```
  ///
  /// Without arguments, the previous arguments are used.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISUSE` if the arguments do not match the statement's parameters.
  public func execute(arguments: consuming StatementArguments? = nil) throws {
    try prepareRun(arguments)
    while try step() {}
    rewind()
  }

  /// Validates and binds the arguments, so that the statement can be stepped.
  func prepareRun(_ arguments: consuming StatementArguments?) throws {
    try database.checkAccess()
    rewind()
    runCount &+= 1
    if let arguments = consume arguments {
      try bind(consume arguments)
    } else {
      try requireArguments()
    }
  }
}
