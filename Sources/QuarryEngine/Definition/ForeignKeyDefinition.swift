/// A foreign key; see <https://www.sqlite.org/foreignkeys.html>.
///
/// ```swift
/// TableConstraint(.foreignKey(ForeignKeyDefinition(columns: ["teamID"], table: "team", referencedColumns: ["id"], onDelete: .cascade)))
/// // FOREIGN KEY (teamID) REFERENCES team (id) ON DELETE CASCADE
/// ```
public struct ForeignKeyDefinition: Hashable, Sendable {
  /// What becomes of a row when the one that it refers to is deleted or changed.
  ///
  /// ```swift
  /// t.column("authorID", .integer).references("author", column: "id", onDelete: .setNull)
  /// // authorID INTEGER REFERENCES author (id) ON DELETE SET NULL
  /// ```
  public enum Action: String, Hashable, Sendable, CaseIterable {
    /// It is deleted, or changed, too.
    case cascade = "CASCADE"
    /// The change is refused at once, even where the key is deferred.
    case restrict = "RESTRICT"
    /// Its columns become NULL.
    case setNull = "SET NULL"
    /// Its columns become their defaults.
    case setDefault = "SET DEFAULT"
    /// Nothing: the key is checked as ever.
    case noAction = "NO ACTION"
  }

  /// The referring columns, in the key's order.
  public var columns: [String]
  /// The table that is referred to.
  public var table: String
  /// The columns that are referred to; nil for the table's primary key.
  public var referencedColumns: [String]?
  /// What is done when the row that is referred to is deleted; nil is ``Action/noAction``.
  public var onDelete: Action?
  /// What is done when the key that is referred to is changed; nil is ``Action/noAction``.
  public var onUpdate: Action?
  /// Whether the key is checked when the transaction ends, and not before.
  public var isDeferred: Bool

  /// Makes a foreign key.
  public init(
    columns: [String], table: String, referencedColumns: [String]? = nil, onDelete: Action? = nil, onUpdate: Action? = nil,
    isDeferred: Bool = false
  ) {
    self.columns = columns
    self.table = table
    self.referencedColumns = referencedColumns
    self.onDelete = onDelete
    self.onUpdate = onUpdate
    self.isDeferred = isDeferred
  }
}
