/// The schema of a table, virtual table or view.
public struct TableSchema: Hashable, Sendable {
  /// The table as the catalog lists it.
  public var entry: CatalogEntry
  /// The columns in order, including hidden ones.
  public var columns: [ColumnSchema]
  /// The names of the primary key's columns in the key's order; empty if none is declared.
  public var primaryKey: [String]
  /// The foreign keys that the table declares.
  public var foreignKeys: [ForeignKeySchema]
  /// The indexes, including those of constraints.
  public var indexes: [IndexSchema]
  /// The triggers.
  public var triggers: [TriggerSchema]
  /// The SQL that created it; nil for SQLite's own tables.
  public var sql: String?
  /// The reason why SQLite cannot list its columns (a module is missing, a view does not compile); nil if it can.
  public var problem: String?
  /// The number of bytes in the schema after the statements of the table, its indexes and its triggers, which SQLite ignores.
  package var ignoredSQLCount = 0

  /// Creates a schema.
  package init(
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

/// A column of a table or view.
public struct ColumnSchema: Hashable, Sendable {
  /// The time at which a generated column is computed: when it is read, or when its row is written.
  public enum Generation: Hashable, Sendable { case virtual, stored }

  /// The type to which a column converts values; see <https://www.sqlite.org/datatype3.html#type_affinity>.
  public enum Affinity: String, Hashable, Sendable { case integer, text, blob, real, numeric }

  /// The column's name.
  public var name: String
  /// The declared type; empty if none is declared.
  public var declaredType: String
  /// The affinity that SQLite derives from the declared type; see <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>.
  public var affinity: Affinity
  /// Whether NULL can be stored: false for NOT NULL, the rowid, and the key of a WITHOUT ROWID table.
  public var isNullable: Bool
  /// The default as an SQL expression; nil if none is declared.
  public var defaultSQL: String?
  /// The time at which it is computed; nil for a column that is not generated.
  public var generation: Generation?
  /// Whether it is a hidden column of a virtual table, which `SELECT *` omits.
  public var isHidden: Bool
  /// Its position in the primary key, from 1; nil if it is not part of the key.
  public var primaryKeyPosition: Int?
  /// Whether it is an alias of the rowid (INTEGER PRIMARY KEY).
  public var isRowID: Bool
  /// The declared collation of a table's column, which compares texts by default.
  public var collation = "BINARY"
  /// The reason why its values cannot be computed here, such as a missing function; nil for a readable column.
  public var problem: String?

  /// Creates a column.
  package init(
    name: String, declaredType: String, affinity: Affinity, isNullable: Bool, defaultSQL: String?,
    generation: Generation?, isHidden: Bool, primaryKeyPosition: Int?, isRowID: Bool
  ) {
    self.name = name
    self.declaredType = declaredType
    self.affinity = affinity
    self.isNullable = isNullable
    self.defaultSQL = defaultSQL
    self.generation = generation
    self.isHidden = isHidden
    self.primaryKeyPosition = primaryKeyPosition
    self.isRowID = isRowID
  }
}

/// A foreign key of a table.
public struct ForeignKeySchema: Hashable, Sendable {
  /// The referring columns, in the key's order.
  public var columns: [String]
  /// The referenced table, which is in the same database.
  public var table: TableReference
  /// The referenced columns; empty if the referenced table is missing or has no primary key.
  ///
  /// If the declaration omits them, they are the referenced table's primary key.
  public var referencedColumns: [String]
  /// `CASCADE`, `SET NULL`, …; `NO ACTION` if none is declared.
  public var onDelete: String
  /// The action for a change of the referenced key, with the same values as ``onDelete``.
  public var onUpdate: String

  /// Creates a foreign key.
  package init(columns: [String], table: TableReference, referencedColumns: [String], onDelete: String, onUpdate: String) {
    self.columns = columns
    self.table = table
    self.referencedColumns = referencedColumns
    self.onDelete = onDelete
    self.onUpdate = onUpdate
  }
}

/// An index of a table.
public struct IndexSchema: Hashable, Sendable {
  /// The statement or constraint that created an index.
  public enum Origin: Hashable, Sendable {
    /// CREATE INDEX, a UNIQUE constraint, or a PRIMARY KEY.
    case createIndex, uniqueConstraint, primaryKey
  }

  /// A sort term of an index.
  public struct Term: Hashable, Sendable {
    /// The column's name; nil for an expression.
    public var column: String?
    /// Whether the order is descending.
    public var isDescending: Bool
    /// The collation's name.
    public var collation: String

    /// Creates a term.
    package init(column: String?, isDescending: Bool, collation: String) {
      self.column = column
      self.isDescending = isDescending
      self.collation = collation
    }
  }

  /// The index's name.
  public var name: String
  /// Whether its entries must be unique.
  public var isUnique: Bool
  /// Whether it has a WHERE clause, and therefore may not contain every row.
  public var isPartial: Bool
  /// The statement or constraint that created it.
  public var origin: Origin
  /// The sort terms, the primary one first.
  public var terms: [Term]
  /// The CREATE INDEX statement; nil for the index of a constraint.
  public var sql: String?
}

/// A trigger of a table or view.
public struct TriggerSchema: Hashable, Sendable {
  /// The trigger's name.
  public var name: String
  /// The CREATE TRIGGER statement.
  public var sql: String

  /// Creates a trigger.
  package init(name: String, sql: String) {
    self.name = name
    self.sql = sql
  }
}

extension ColumnSchema.Affinity {
  /// Creates the affinity of a column with this declared type, by SQLite's rules.
  ///
  ///     CREATE TABLE player(name VARCHAR(20), score INT, note)   -- text, integer, blob
  ///
  /// In a STRICT table, ANY stores every value unchanged, like the affinity blob. See
  /// <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>.
  public init(declaredType: String, isStrict: Bool = false) {
    let type = declaredType.uppercased()
    let contains = { (part: String) in type.firstRange(of: part) != nil }
    if isStrict && type == "ANY" {
      self = .blob
    } else if contains("INT") {
      self = .integer
    } else if contains("CHAR") || contains("CLOB") || contains("TEXT") {
      self = .text
    } else if contains("BLOB") || type.isEmpty {
      self = .blob
    } else if contains("REAL") || contains("FLOA") || contains("DOUB") {
      self = .real
    } else {
      self = .numeric
    }
  }
}

extension TableSchema {
  /// Returns the column with this name, ignoring case as SQLite does.
  public func column(named name: String) -> ColumnSchema? {
    columns.first { $0.name.isSameIdentifier(as: name) }
  }
}
