/// A constraint of a table, with its name where it has one.
public struct TableConstraint: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case primaryKey([KeyColumn], onConflict: ConflictResolution?, isAutoIncremented: Bool)
    case unique([KeyColumn], onConflict: ConflictResolution?)
    /// An SQL expression that no row may make false.
    case check(sql: String)
    case foreignKey(ForeignKeyDefinition)
  }

  /// A column of a key.
  public struct KeyColumn: Hashable, Sendable {
    public var name: String
    public var collation: Collation?
    public var direction: Ordering.Direction?

    public init(_ name: String, collation: Collation? = nil, direction: Ordering.Direction? = nil) {
      self.name = name
      self.collation = collation
      self.direction = direction
    }
  }

  public var name: String?
  public var kind: Kind

  public init(_ kind: Kind, name: String? = nil) {
    self.kind = kind
    self.name = name
  }
}
