/// A foreign key; see <https://www.sqlite.org/foreignkeys.html>.
public struct ForeignKeyDefinition: Hashable, Sendable {
  /// What becomes of a row when the one that it refers to is deleted or changed.
  public enum Action: String, Hashable, Sendable, CaseIterable {
    case cascade = "CASCADE"
    case restrict = "RESTRICT"
    case setNull = "SET NULL"
    case setDefault = "SET DEFAULT"
    case noAction = "NO ACTION"
  }

  /// The referring columns, in the key's order.
  public var columns: [String]
  /// The table that is referred to.
  public var table: String
  /// The columns that are referred to; nil for the table's primary key.
  public var referencedColumns: [String]?
  public var onDelete: Action?
  public var onUpdate: Action?
  /// Whether the key is checked when the transaction ends, and not before.
  public var isDeferred: Bool

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
