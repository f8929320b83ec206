public import QuarryEngine

/// The constraints of a table on a single row: NOT NULL, the types of a STRICT table, CHECK, lengths.
///
/// SQLite checks them by inserting the row into an in-memory table with the same definition. No file is read or written. Constraints that
/// depend on other rows, such as UNIQUE and foreign keys, or on functions and collations of another program are not checked.
///
/// ```swift
/// let rules = try RowRules(schema)
/// rules?.fault(in: ["score": .value(.integer(-1))])?.reason  // CHECK constraint failed: score > 0
/// ```
public final class RowRules: Sendable {
  private let schema: TableSchema
  private let queue: DatabaseQueue

  /// Creates the table in memory.
  ///
  /// Returns nil for an object without such constraints, such as a view or a virtual table.
  ///
  /// - Throws: ``DatabaseError`` if there is not enough memory.
  public init?(_ schema: TableSchema) throws {
    guard schema.entry.kind == .table, let sql = schema.sql else { return nil }
    queue = try DatabaseQueue()
    do {
      try queue.withoutTransaction { db in
        try db.execute(sql: "PRAGMA foreign_keys = OFF")
        try db.execute(sql: sql)
      }
    } catch DatabaseError.SQLITE_ERROR {
      return nil
    }
    var schema = schema
    // A temporary table is temporary on this connection, too.
    schema.entry.reference.database = (try? Self.database(of: schema.entry.reference.name, in: queue)) ?? "main"
    self.schema = schema
  }

  private static func database(of table: String, in queue: DatabaseQueue) throws -> String {
    try queue.read { db in
      try String.fetchOne(db, sql: "SELECT schema FROM pragma_table_list WHERE name = ?", arguments: [table]) ?? "main"
    }
  }

  /// Returns the constraint that a row with these values violates, with its columns, or nil if the row violates none.
  ///
  /// - Parameters:
  ///   - values: All values of the row. Missing columns get their defaults.
  ///   - operation: Whether the row is inserted or updated. Only a new row may leave its INTEGER PRIMARY KEY to SQLite.
  public func fault(in values: [String: StagedValue], by operation: RowOperation = .insert) -> ConstraintFailure? {
    if operation == .update, let key = schema.columns.first(where: \.isRowID), values[key.name]?.normalized == .value(.null) {
      return ConstraintFailure(table: schema.entry.reference, row: nil, columns: [key.name], reason: key.refusalOfNull)
    }
    let given = schema.columns.filter { $0.generation == nil }.compactMap { column in
      values[column.name].map { (column.name, $0.normalized) }
    }
    do {
      try queue.withoutTransaction { db in
        try db.inSavepoint { db in
          try db.execute(literal: RowStatements(schema: schema).insert(given).sqlText)
          return .rollback
        }
      }
      return nil
    } catch let error as DatabaseError where [.SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG].contains(error.resultCode) {
      return ConstraintFailure(error, of: schema.entry.reference, nil)
    } catch {
      return nil
    }
  }
}

extension ColumnSchema {
  /// The reason why the INTEGER PRIMARY KEY of an existing row cannot be set to NULL, as a sentence.
  ///
  /// SQLite reports “datatype mismatch”.
  package var refusalOfNull: String { "SQLite refuses NULL in \(name), the INTEGER PRIMARY KEY of an existing row" }
}
