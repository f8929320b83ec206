/// A typed INSERT of one row that renders to SQL.
///
/// ```swift
/// Reminder.insert {
///   $0.title = "Call"
///   $0.priority = 3
/// }
/// // INSERT INTO reminders (title, priority) VALUES ('Call', 3)
/// ```
///
/// A column accepts a value of its own type, and NULL only if it is optional. A column that is not assigned gets its default.
public struct Insert<Source: Table>: Sendable {
  var statement: WriteStatement

  /// The SQL of the statement, with the values to bind.
  ///
  /// ```swift
  /// Reminder.insert { $0.title = "Call" }.sqlText.sql  // INSERT INTO reminders (title) VALUES (?)
  /// ```
  public var sqlText: SQLText { statement.sqlText }

  /// The SQL with literals instead of bound values, for display.
  ///
  /// ```swift
  /// Reminder.insert { $0.title = "Call" }.queryString  // INSERT INTO reminders (title) VALUES ('Call')
  /// ```
  public var queryString: String { sqlText.queryString }

  /// Runs the statement and returns the rowid of the new row.
  ///
  /// ```swift
  /// let id = try Reminder.insert { $0.title = "Call" }.execute(db)
  /// // INSERT INTO reminders (title) VALUES ('Call')
  /// ```
  ///
  /// The result can be compared with a column of type `Int`: `Reminder.where { $0.id == id }`. For a column of another integer type,
  /// declare the result with that type. For a WITHOUT ROWID table the result is the rowid of an earlier INSERT.
  ///
  /// - Throws: ``DatabaseError``.
  @discardableResult
  public func execute(_ db: Database) throws -> Int {
    try run(in: db)
  }

  /// Runs the statement and returns the rowid of the new row as the type of the table's key.
  ///
  /// ```swift
  /// let id: Int64 = try Reminder.insert { $0.title = "Call" }.execute(db)
  /// // INSERT INTO reminders (title) VALUES ('Call')
  /// ```
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` if the type cannot represent the rowid; the row is inserted nevertheless.
  @_disfavoredOverload
  public func execute<ID: FixedWidthInteger>(_ db: Database) throws -> ID {
    try run(in: db)
  }

  private func run<ID: FixedWidthInteger>(in db: Database) throws -> ID {
    try db.execute(literal: sqlText)
    guard let id = ID(exactly: db.lastInsertedRowID) else {
      throw DatabaseError(DatabaseError.SQLITE_MISMATCH, "the rowid \(db.lastInsertedRowID) of the new row does not fit in \(ID.self)")
    }
    return id
  }
}

extension Table {
  /// Returns a statement that inserts a row with these values.
  ///
  /// ```swift
  /// Reminder.insert { $0.title = "Call" }
  /// // INSERT INTO reminders (title) VALUES ('Call')
  /// Reminder.insert { _ in }
  /// // INSERT INTO reminders DEFAULT VALUES
  /// ```
  public static func insert(_ values: (inout InsertedColumns<Self>) -> Void) -> Insert<Self> {
    var columns = InsertedColumns<Self>(statement: WriteStatement(verb: .insert, table: tableName))
    values(&columns)
    return Insert(statement: columns.statement)
  }
}

/// The columns of a table that an INSERT can set.
///
/// They cannot be read, because there is no row yet.
@dynamicMemberLookup
public struct InsertedColumns<Source: Table> {
  var statement: WriteStatement

  /// Sets a column to a value.
  ///
  /// ```swift
  /// Reminder.insert { $0.title = "Call" }
  /// // INSERT INTO reminders (title) VALUES ('Call')
  /// ```
  public subscript<Output>(dynamicMember keyPath: KeyPath<Source.Columns, Column<Output>>) -> Output {
    @available(*, unavailable) get { unreadable() }
    set { statement.assign(BoundValue(newValue), to: Source.columns[keyPath: keyPath].name) }
  }
}
