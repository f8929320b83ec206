/// The rows of a statement, read as they are requested.
///
/// ```swift
/// let rows = try Row.fetchCursor(db, sql: "SELECT name FROM player")
/// while let row = try rows.next() {
///   let name: String = try row[0]
/// }
/// ```
///
/// A row is a view of the statement, valid until the next row is requested.
public final class RowCursor: Cursor {
  /// The statement that returns the rows.
  public let statement: Statement
  private let run: Int
  private var isDone = false

  init(_ statement: Statement, arguments: StatementArguments?) throws {
    try statement.prepareRun(arguments)
    self.statement = statement
    run = statement.runCount
  }

  deinit {
    // An unfinished statement would retain its lock. No thread other than that of the access may touch it; the end of the access resets it.
    guard statement.database.lock.isHeldByThisThread, !isDone, run == statement.runCount, statement.isRunning else { return }
    try? statement.reset()
  }

  /// Returns the next row, as a view that is valid until the next call.
  ///
  /// - Throws: ``DatabaseError``.
  public func next() throws -> Row? {
    try advance() ? Row(viewing: self) : nil
  }

  /// Returns the next row, as a copy.
  ///
  /// - Throws: ``DatabaseError``.
  public func nextToKeep() throws -> Row? {
    try next()?.copy()
  }

  /// Advances to the next row; returns false after the last row.
  func advance() throws -> Bool {
    if isDone { return false }
    guard run == statement.runCount else { throw DatabaseError.misuse("the statement of the cursor was run again", sql: statement.sql) }
    if try statement.step() { return true }
    isDone = true
    statement.rewind()
    return false
  }
}

/// The values of the first column of a statement's rows.
///
/// ```swift
/// let names = try String.fetchCursor(db, sql: "SELECT name FROM player")
/// while let name = try names.next() { print(name) }
/// ```
public final class ValueCursor<Value: DatabaseValueConvertible>: Cursor {
  private let rows: RowCursor

  init(_ rows: RowCursor) {
    self.rows = rows
  }

  /// Returns the next value.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` if the value does not match the type.
  public func next() throws -> Value? {
    try rows.advance() ? Value.decode(from: rows.statement, at: 0) : nil
  }
}

/// The records created from a statement's rows.
///
/// ```swift
/// let players = try Player.fetchCursor(db, sql: "SELECT * FROM player")
/// while let player = try players.next() { print(player.name) }
/// ```
public final class RecordCursor<Record: FetchableRecord>: Cursor {
  private let rows: RowCursor

  init(_ rows: RowCursor) {
    self.rows = rows
  }

  /// Returns the next record.
  ///
  /// - Throws: ``DatabaseError``, and any error of ``FetchableRecord/init(row:)``.
  public func next() throws -> Record? {
    try rows.next().map(Record.init(row:))
  }
}
