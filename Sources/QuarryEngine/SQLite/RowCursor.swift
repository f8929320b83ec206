/// The rows of a statement, made as they are asked for.
///
/// ```swift
/// let rows = try Row.fetchCursor(db, sql: "SELECT name FROM player")
/// while let row = try rows.next() {
///   let name: String = try row[0]
/// }
/// ```
///
/// A row that it returns is a view of the statement, good until the next one is asked for.
public final class RowCursor: Cursor {
  /// The statement that yields the rows.
  public let statement: Statement
  private let run: Int
  private var isDone = false

  init(_ statement: Statement, arguments: StatementArguments?) throws {
    try statement.prepareRun(arguments)
    self.statement = statement
    run = statement.runCount
  }

  deinit {
    // A statement that is left half-way would hold its lock. Another thread than that of the access may not look at it: the end of the
    // access resets it.
    guard statement.database.lock.isHeldByThisThread, !isDone, run == statement.runCount, statement.isRunning else { return }
    try? statement.reset()
  }

  /// Returns the next row, as a view that is good until this is called again.
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

  /// Goes to the next row; false when there is none left.
  func advance() throws -> Bool {
    if isDone { return false }
    guard run == statement.runCount else { throw DatabaseError.misuse("the statement of the cursor was run anew", sql: statement.sql) }
    if try statement.step() { return true }
    isDone = true
    statement.rewind()
    return false
  }
}

/// The values in the first column of what a statement yields.
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
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where the value does not fit the type.
  public func next() throws -> Value? {
    try rows.advance() ? Value.decode(from: rows.statement, at: 0) : nil
  }
}

/// The records that are made of what a statement yields.
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
  /// - Throws: ``DatabaseError``, and what ``FetchableRecord/init(row:)`` throws.
  public func next() throws -> Record? {
    try rows.next().map(Record.init(row:))
  }
}
