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
