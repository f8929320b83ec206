/// A table, view or virtual table by the name of its database (`main`, `temp` or an attached one) and its own.
public struct TableReference: Hashable, Sendable {
  /// The database's name.
  public var database: String
  /// The table's own name.
  public var name: String

  /// Names a table, of `main` where no database is told.
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
  /// Returns whether SQLite takes both for the same table.
  package func isSameTable(as other: TableReference) -> Bool {
    name.isSameIdentifier(as: other.name) && database.isSameIdentifier(as: other.database)
  }

  /// The table as SQL names it: `main.Track`, `main."Order Details"`.
  package var sql: String {
    sqlText.sql
  }

  /// The same, to be a part of other SQL.
  package var sqlText: SQLText { "\(identifier: database).\(identifier: name)" }
}

/// The column of a table that a column of a statement is.
public struct ColumnOrigin: Hashable, Sendable {
  /// The table.
  public var table: TableReference
  /// The column's name in the table; `rowid` where that is no column.
  public var column: String

  /// Makes an origin.
  public init(table: TableReference, column: String) {
    self.table = table
    self.column = column
  }
}
