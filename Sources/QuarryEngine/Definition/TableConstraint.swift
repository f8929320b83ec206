/// A constraint of a table, with an optional name.
///
/// ```swift
/// TableConstraint(.unique([.init("latitude"), .init("longitude")], onConflict: nil), name: "place")
/// // CONSTRAINT place UNIQUE (latitude, longitude)
/// ```
public struct TableConstraint: Hashable, Sendable {
  /// The kinds of constraints.
  public enum Kind: Hashable, Sendable {
    /// `PRIMARY KEY`.
    case primaryKey([KeyColumn], onConflict: ConflictResolution?, isAutoIncremented: Bool)
    /// `UNIQUE`.
    case unique([KeyColumn], onConflict: ConflictResolution?)
    /// `CHECK` with an SQL expression that must not be false for any row.
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
    /// The collation of texts; nil for the column's own.
    public var collation: Collation?
    /// `ASC` or `DESC`; nil if neither is written.
    public var direction: Ordering.Direction?

    /// Creates a column of a key, with SQLite's defaults.
    public init(_ name: String, collation: Collation? = nil, direction: Ordering.Direction? = nil) {
      self.name = name
      self.collation = collation
      self.direction = direction
    }
  }

  /// The name after `CONSTRAINT`; nil for an unnamed constraint.
  public var name: String?
  /// The kind of the constraint.
  public var kind: Kind

  /// Creates a constraint.
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
  /// The action on a row when the row it references is deleted or changed.
  ///
  /// ```swift
  /// t.column("authorID", .integer).references("author", column: "id", onDelete: .setNull)
  /// // authorID INTEGER REFERENCES author (id) ON DELETE SET NULL
  /// ```
  public enum Action: String, Hashable, Sendable, CaseIterable {
    /// Deletes or changes the row too.
    case cascade = "CASCADE"
    /// Rejects the change immediately, even if the key is deferred.
    case restrict = "RESTRICT"
    /// Sets its columns to NULL.
    case setNull = "SET NULL"
    /// Sets its columns to their defaults.
    case setDefault = "SET DEFAULT"
    /// Does nothing; the key is checked as usual.
    case noAction = "NO ACTION"
  }

  /// The referencing columns, in the key's order.
  public var columns: [String]
  /// The referenced table.
  public var table: String
  /// The referenced columns; nil for the table's primary key.
  public var referencedColumns: [String]?
  /// The action when the referenced row is deleted; nil for ``Action/noAction``.
  public var onDelete: Action?
  /// The action when the referenced key is changed; nil for ``Action/noAction``.
  public var onUpdate: Action?
  /// Whether the key is checked only when the transaction ends.
  public var isDeferred: Bool

  /// Creates a foreign key.
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
