/// A column of a table's definition.
public struct ColumnDefinition: Hashable, Sendable {
  public var name: String
  /// The type as declared; nil where none is.
  public var type: ColumnType?
  /// The constraints, in the order of their declaration.
  public var constraints: [ColumnConstraint]

  public init(name: String, type: ColumnType? = nil, constraints: [ColumnConstraint] = []) {
    self.name = name
    self.type = type
    self.constraints = constraints
  }
}

/// A constraint of one column, with its name where it has one.
public struct ColumnConstraint: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case notNull(onConflict: ConflictResolution?)
    case primaryKey(PrimaryKey)
    case unique(onConflict: ConflictResolution?)
    /// An SQL expression that no row may make false.
    case check(sql: String)
    case defaults(DefaultValue)
    case collation(Collation)
    /// A foreign key of this column alone.
    case references(ForeignKeyDefinition)
    case generated(sql: String, ColumnSchema.Generation)
  }

  public struct PrimaryKey: Hashable, Sendable {
    public var direction: Ordering.Direction?
    public var onConflict: ConflictResolution?
    public var isAutoIncremented: Bool

    public init(direction: Ordering.Direction? = nil, onConflict: ConflictResolution? = nil, isAutoIncremented: Bool = false) {
      self.direction = direction
      self.onConflict = onConflict
      self.isAutoIncremented = isAutoIncremented
    }
  }

  public enum DefaultValue: Hashable, Sendable {
    /// A literal of SQL, as it is written.
    case literal(sql: String)
    /// An expression, to be written between parentheses.
    case expression(sql: String)
    /// A value that SQLite cannot store: making the table throws.
    case unstorable(reason: String)
  }

  public var name: String?
  public var kind: Kind

  public init(_ kind: Kind, name: String? = nil) {
    self.kind = kind
    self.name = name
  }
}
