/// All that the schema says of one table, virtual table or view.
public struct TableSchema: Hashable, Sendable {
  /// The table as the catalog lists it.
  public var entry: CatalogEntry
  /// The columns, hidden ones too, in their order.
  public var columns: [ColumnSchema]
  /// The names of the primary key's columns in the key's order; empty where none is declared.
  public var primaryKey: [String]
  /// The foreign keys that the table declares.
  public var foreignKeys: [ForeignKeySchema]
  /// The indexes, those of constraints too.
  public var indexes: [IndexSchema]
  /// The triggers.
  public var triggers: [TriggerSchema]
  /// The text that made it; nil for SQLite's own tables.
  public var sql: String?
  /// Why SQLite cannot tell its columns (a module is missing, a view does not compile); nil where all is well.
  public var problem: String?
  /// The number of bytes in the schema after the statements of the table, its indexes and its triggers, which SQLite ignores.
  package var ignoredSQLCount = 0

  /// Makes a schema.
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

/// One column of a table or view.
public struct ColumnSchema: Hashable, Sendable {
  /// When a generated column is computed: as it is read, or as its row is written.
  public enum Generation: Hashable, Sendable { case virtual, stored }

  /// What a column makes of values; see <https://www.sqlite.org/datatype3.html#type_affinity>.
  public enum Affinity: String, Hashable, Sendable { case integer, text, blob, real, numeric }

  /// The column's name.
  public var name: String
  /// The type as declared; empty where none is.
  public var declaredType: String
  /// By SQLite's rules from the declared type; see <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>.
  public var affinity: Affinity
  /// Whether NULL can be stored: false for NOT NULL, the rowid, and the key of a WITHOUT ROWID table.
  public var isNullable: Bool
  /// The default as an SQL expression; nil where none is declared.
  public var defaultSQL: String?
  /// When it is computed; nil for a column that is not generated.
  public var generation: Generation?
  /// Whether it is a hidden column of a virtual table, which `SELECT *` leaves out.
  public var isHidden: Bool
  /// Its place in the primary key, from 1; nil outside of it.
  public var primaryKeyPosition: Int?
  /// Whether it is another name of the rowid (INTEGER PRIMARY KEY).
  public var isRowID: Bool
  /// The collation that a table's column was declared with: how texts are compared where nothing else is said.
  public var collation = "BINARY"
  /// Why its values cannot be computed here, as where a function is missing; nil for a column that can be read.
  public var problem: String?

  /// Makes a column.
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
  /// The referenced table; a foreign key never leaves its database.
  public var table: TableReference
  /// The referenced columns, resolved to the referenced table's primary key where the declaration leaves them out; empty where that
  /// table is missing or has none.
  public var referencedColumns: [String]
  /// `CASCADE`, `SET NULL`, …; `NO ACTION` where none is declared.
  public var onDelete: String
  /// As ``onDelete``, for a change of the referenced key.
  public var onUpdate: String

  /// Makes a foreign key.
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
  /// What made an index.
  public enum Origin: Hashable, Sendable {
    /// CREATE INDEX, a UNIQUE constraint, or a PRIMARY KEY.
    case createIndex, uniqueConstraint, primaryKey
  }

  /// What an index is sorted by.
  public struct Term: Hashable, Sendable {
    /// The column's name; nil for an expression.
    public var column: String?
    /// Whether the greatest comes first.
    public var isDescending: Bool
    /// The collation's name.
    public var collation: String

    /// Makes a term.
    package init(column: String?, isDescending: Bool, collation: String) {
      self.column = column
      self.isDescending = isDescending
      self.collation = collation
    }
  }

  /// The index's name.
  public var name: String
  /// Whether no two rows may be the same in it.
  public var isUnique: Bool
  /// Whether it has a WHERE, and so not every row.
  public var isPartial: Bool
  /// What made it.
  public var origin: Origin
  /// What it is sorted by, the first deciding first.
  public var terms: [Term]
  /// The CREATE INDEX text; nil for one that a constraint made.
  public var sql: String?
}

/// A trigger of a table or view.
public struct TriggerSchema: Hashable, Sendable {
  /// The trigger's name.
  public var name: String
  /// The CREATE TRIGGER text.
  public var sql: String

  /// Makes a trigger.
  package init(name: String, sql: String) {
    self.name = name
    self.sql = sql
  }
}

extension ColumnSchema.Affinity {
  /// Finds the affinity that SQLite gives a column declared with this type.
  ///
  ///     CREATE TABLE player(name VARCHAR(20), score INT, note)   -- text, integer, blob
  ///
  /// In a STRICT table ANY keeps every value as it is, which is what the affinity blob does.
  /// See <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>.
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
  /// Returns the column of this name, by SQLite's rule of case.
  public func column(named name: String) -> ColumnSchema? {
    columns.first { $0.name.isSameIdentifier(as: name) }
  }
}
