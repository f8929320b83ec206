public import QuarryEngine

/// What a table demands of a row by itself: NOT NULL, the types of a STRICT table, CHECK, lengths.
///
/// It is found out by SQLite, which inserts the row into a table of the same definition in memory: nothing of a file is read or written.
/// What depends on other rows, as UNIQUE and foreign keys do, and on functions and collations of another program, it does not tell.
///
/// ```swift
/// let rules = try RowRules(schema)
/// rules?.fault(in: ["score": .value(.integer(-1))])?.reason  // CHECK constraint failed: score > 0
/// ```
public final class RowRules: Sendable {
  private let schema: TableSchema
  private let queue: DatabaseQueue

  /// Makes the table in memory; nil for one that has no rules of its own, such as a view or a virtual table.
  ///
  /// - Throws: ``DatabaseError`` where there is no memory for it.
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
    // A temporary table is one of this connection's, too.
    schema.entry.reference.database = (try? Self.database(of: schema.entry.reference.name, in: queue)) ?? "main"
    self.schema = schema
  }

  private static func database(of table: String, in queue: DatabaseQueue) throws -> String {
    try queue.read { db in
      try String.fetchOne(db, sql: "SELECT schema FROM pragma_table_list WHERE name = ?", arguments: [table]) ?? "main"
    }
  }

  /// Returns what a row with these values breaks, and of which columns; nil for nothing.
  ///
  /// - Parameters:
  ///   - values: All values that the row would have; a column that is left out gets its default.
  ///   - operation: Whether the row is new, or is there and gets the values: only a new one may leave its INTEGER PRIMARY KEY to SQLite.
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
  /// Why the INTEGER PRIMARY KEY of a row that is there cannot be set to NULL, as a sentence: SQLite says “datatype mismatch”.
  package var refusalOfNull: String { "SQLite refuses NULL in \(name), the INTEGER PRIMARY KEY of a row that is there" }
}
