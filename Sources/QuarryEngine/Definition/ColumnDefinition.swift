/// A column of a table's definition.
///
/// ```swift
/// ColumnDefinition(name: "name", type: .text, constraints: [ColumnConstraint(.notNull(onConflict: nil))]).sql
/// // name TEXT NOT NULL
/// ```
public struct ColumnDefinition: Hashable, Sendable {
  /// The column's name.
  public var name: String
  /// The type as declared; nil where none is.
  public var type: ColumnType?
  /// The constraints, in the order of their declaration.
  public var constraints: [ColumnConstraint]

  /// Makes a column; without a type, one that holds any value.
  ///
  /// ```swift
  /// ColumnDefinition(name: "note").sql  // note
  /// ```
  public init(name: String, type: ColumnType? = nil, constraints: [ColumnConstraint] = []) {
    self.name = name
    self.type = type
    self.constraints = constraints
  }
}

/// A constraint of one column, with its name where it has one.
///
/// ```swift
/// ColumnConstraint(.check(sql: "score > 0"), name: "positive")
/// // CONSTRAINT positive CHECK (score > 0)
/// ```
public struct ColumnConstraint: Hashable, Sendable {
  /// What a constraint asks.
  public enum Kind: Hashable, Sendable {
    /// `NOT NULL`.
    case notNull(onConflict: ConflictResolution?)
    /// `PRIMARY KEY`, of this column alone.
    case primaryKey(PrimaryKey)
    /// `UNIQUE`.
    case unique(onConflict: ConflictResolution?)
    /// `CHECK`: an SQL expression that no row may make false.
    case check(sql: String)
    /// `DEFAULT`.
    case defaults(DefaultValue)
    /// `COLLATE`.
    case collation(Collation)
    /// `REFERENCES`: a foreign key of this column alone.
    case references(ForeignKeyDefinition)
    /// `GENERATED ALWAYS AS`: an SQL expression that the column is computed by.
    case generated(sql: String, ColumnSchema.Generation)
  }

  /// How a column is the primary key.
  ///
  /// ```swift
  /// ColumnConstraint(.primaryKey(.init(direction: .descending, onConflict: .replace)))
  /// // PRIMARY KEY DESC ON CONFLICT REPLACE
  /// ```
  public struct PrimaryKey: Hashable, Sendable {
    /// `ASC` or `DESC`; nil where none is written.
    public var direction: Ordering.Direction?
    /// What is done with a row whose key is there already; nil is to abort.
    public var onConflict: ConflictResolution?
    /// Whether `AUTOINCREMENT` is written, so that a value is never used again.
    public var isAutoIncremented: Bool

    /// Makes a primary key, in SQLite's own way where nothing is told.
    public init(direction: Ordering.Direction? = nil, onConflict: ConflictResolution? = nil, isAutoIncremented: Bool = false) {
      self.direction = direction
      self.onConflict = onConflict
      self.isAutoIncremented = isAutoIncremented
    }
  }

  /// What a row has that is inserted without a value.
  ///
  /// ```swift
  /// ColumnConstraint(.defaults(.literal(sql: "'none'")))                // DEFAULT 'none'
  /// ColumnConstraint(.defaults(.expression(sql: "CURRENT_TIMESTAMP")))  // DEFAULT (CURRENT_TIMESTAMP)
  /// ```
  public enum DefaultValue: Hashable, Sendable {
    /// A literal of SQL, as it is written.
    case literal(sql: String)
    /// An expression, to be written between parentheses.
    case expression(sql: String)
    /// A value that SQLite cannot store: making the table throws.
    case unstorable(reason: String)
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
