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
