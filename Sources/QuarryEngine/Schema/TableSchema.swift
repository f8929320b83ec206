/// All that the schema says of one table, virtual table or view.
public struct TableSchema: Hashable, Sendable {
  public var entry: CatalogEntry
  public var columns: [ColumnSchema]
  /// The names of the primary key's columns in the key's order; empty where none is declared.
  public var primaryKey: [String]
  public var foreignKeys: [ForeignKeySchema]
  public var indexes: [IndexSchema]
  public var triggers: [TriggerSchema]
  /// The text that made it; nil for SQLite's own tables.
  public var sql: String?
  /// Why SQLite cannot tell its columns (a module is missing, a view does not compile); nil where all is well.
  public var problem: String?

  public init(
    entry: CatalogEntry, columns: [ColumnSchema], primaryKey: [String], foreignKeys: [ForeignKeySchema],
    indexes: [IndexSchema], triggers: [TriggerSchema], sql: String?, problem: String? = nil
  ) {
    self.entry = entry
    self.columns = columns
    self.primaryKey = primaryKey
    self.foreignKeys = foreignKeys
    self.indexes = indexes
    self.triggers = triggers
    self.sql = sql
    self.problem = problem
  }
}

/// One column of a table or view.
public struct ColumnSchema: Hashable, Sendable {
  public enum Generation: Hashable, Sendable { case virtual, stored }

  public enum Affinity: String, Hashable, Sendable { case integer, text, blob, real, numeric }

  public var name: String
  /// The type as declared; empty where none is.
  public var declaredType: String
  /// By SQLite's rules from the declared type; see <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>.
  public var affinity: Affinity
  /// Whether NULL can be stored: false for NOT NULL, the rowid, and the key of a WITHOUT ROWID table.
  public var isNullable: Bool
  /// The default as an SQL expression; nil where none is declared.
  public var defaultSQL: String?
  public var generation: Generation?
  /// Whether it is a hidden column of a virtual table, which `SELECT *` leaves out.
  public var isHidden: Bool
  /// Its place in the primary key, from 1; nil outside of it.
  public var primaryKeyPlace: Int?
  /// Whether it is another name of the rowid (INTEGER PRIMARY KEY).
  public var isRowID: Bool

  public init(
    name: String, declaredType: String, affinity: Affinity, isNullable: Bool, defaultSQL: String?,
    generation: Generation?, isHidden: Bool, primaryKeyPlace: Int?, isRowID: Bool
  ) {
    self.name = name
    self.declaredType = declaredType
    self.affinity = affinity
    self.isNullable = isNullable
    self.defaultSQL = defaultSQL
    self.generation = generation
    self.isHidden = isHidden
    self.primaryKeyPlace = primaryKeyPlace
    self.isRowID = isRowID
  }
}

/// A foreign key of a table.
public struct ForeignKeySchema: Hashable, Sendable {
  /// The referring columns, in the key's order.
  public var columns: [String]
  /// The referenced table; a foreign key never leaves its database.
  public var table: TableReference
  /// The referenced columns, resolved to the referenced table's primary key where the declaration leaves them out; empty where that
  /// table is missing or has none.
  public var referencedColumns: [String]
  /// `CASCADE`, `SET NULL`, …; `NO ACTION` where none is declared.
  public var onDelete: String
  public var onUpdate: String

  public init(columns: [String], table: TableReference, referencedColumns: [String], onDelete: String, onUpdate: String) {
    self.columns = columns
    self.table = table
    self.referencedColumns = referencedColumns
    self.onDelete = onDelete
    self.onUpdate = onUpdate
  }
}

/// An index of a table.
public struct IndexSchema: Hashable, Sendable {
  public enum Origin: Hashable, Sendable {
    case createIndex, uniqueConstraint, primaryKey
  }

  public struct Term: Hashable, Sendable {
    /// The column's name; nil for an expression.
    public var column: String?
    public var isDescending: Bool
    public var collation: String

    public init(column: String?, isDescending: Bool, collation: String) {
      self.column = column
      self.isDescending = isDescending
      self.collation = collation
    }
  }

  public var name: String
  public var isUnique: Bool
  public var isPartial: Bool
  public var origin: Origin
  public var terms: [Term]
  /// The CREATE INDEX text; nil for one that a constraint made.
  public var sql: String?

  public init(name: String, isUnique: Bool, isPartial: Bool, origin: Origin, terms: [Term], sql: String?) {
    self.name = name
    self.isUnique = isUnique
    self.isPartial = isPartial
    self.origin = origin
    self.terms = terms
    self.sql = sql
  }
}

/// A trigger of a table or view.
public struct TriggerSchema: Hashable, Sendable {
  public var name: String
  public var sql: String

  public init(name: String, sql: String) {
    self.name = name
    self.sql = sql
  }
}
