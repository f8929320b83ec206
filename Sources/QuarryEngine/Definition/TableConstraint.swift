/// A constraint of a table, with its name where it has one.
///
/// ```swift
/// TableConstraint(.unique([.init("latitude"), .init("longitude")], onConflict: nil), name: "place")
/// // CONSTRAINT place UNIQUE (latitude, longitude)
/// ```
public struct TableConstraint: Hashable, Sendable {
  /// What a constraint asks.
  public enum Kind: Hashable, Sendable {
    /// `PRIMARY KEY`.
    case primaryKey([KeyColumn], onConflict: ConflictResolution?, isAutoIncremented: Bool)
    /// `UNIQUE`.
    case unique([KeyColumn], onConflict: ConflictResolution?)
    /// `CHECK`: an SQL expression that no row may make false.
    case check(sql: String)
    /// `FOREIGN KEY`.
    case foreignKey(ForeignKeyDefinition)
  }

  /// A column of a key.
  ///
  /// ```swift
  /// TableConstraint(.unique([.init("name", collation: .nocase, direction: .descending)], onConflict: nil))
  /// // UNIQUE (name COLLATE NOCASE DESC)
  /// ```
  public struct KeyColumn: Hashable, Sendable {
    /// The column's name.
    public var name: String
    /// How texts are compared; nil is the column's own way.
    public var collation: Collation?
    /// `ASC` or `DESC`; nil where none is written.
    public var direction: Ordering.Direction?

    /// Makes a column of a key, in SQLite's own way where nothing is told.
    public init(_ name: String, collation: Collation? = nil, direction: Ordering.Direction? = nil) {
      self.name = name
      self.collation = collation
      self.direction = direction
    }
  }

  /// The name after `CONSTRAINT`; nil where there is none.
  public var name: String?
  /// What it asks.
  public var kind: Kind

  /// Makes a constraint.
  public init(_ kind: Kind, name: String? = nil) {
    self.kind = kind
    self.name = name
  }
}
