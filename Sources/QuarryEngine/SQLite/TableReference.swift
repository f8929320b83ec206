/// A table, view or virtual table, identified by the name of its database (`main`, `temp` or an attached one) and its own.
public struct TableReference: Hashable, Sendable {
  /// The database's name.
  public var database: String
  /// The table's own name.
  public var name: String

  /// Creates a reference to a table, by default in `main`.
  ///
  /// ```swift
  /// TableReference(name: "player")                       // main.player
  /// TableReference(database: "archive", name: "player")  // archive.player
  /// ```
  public init(database: String = "main", name: String) {
    self.database = database
    self.name = name
  }
}

extension TableReference {
  /// Returns whether SQLite resolves both to the same table.
  package func isSameTable(as other: TableReference) -> Bool {
    name.isSameIdentifier(as: other.name) && database.isSameIdentifier(as: other.database)
  }

  /// The qualified name in SQL: `main.Track`, `main."Order Details"`.
  package var sql: String {
    sqlText.sql
  }

  /// The qualified name as a part of other SQL.
  package var sqlText: SQLText { "\(identifier: database).\(identifier: name)" }
}

/// The table column from which a statement's column comes.
public struct ColumnOrigin: Hashable, Sendable {
  /// The table.
  public var table: TableReference
  /// The column's name in the table; `rowid` if the rowid is not a column.
  public var column: String

  /// Creates an origin.
  public init(table: TableReference, column: String) {
    self.table = table
    self.column = column
  }
}
