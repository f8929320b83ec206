/// A column of a table's definition.
///
/// ```swift
/// ColumnDefinition(name: "name", type: .text, constraints: [ColumnConstraint(.notNull(onConflict: nil))]).sql
/// // name TEXT NOT NULL
/// ```
public struct ColumnDefinition: Hashable, Sendable {
  /// The column's name.
  public var name: String
  /// The declared type; nil if none is declared.
  public var type: ColumnType?
  /// The constraints, in declaration order.
  public var constraints: [ColumnConstraint]

  /// Creates a column; without a type, it accepts any value.
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

/// A constraint of one column, with an optional name.
///
/// ```swift
/// ColumnConstraint(.check(sql: "score > 0"), name: "positive")
/// // CONSTRAINT positive CHECK (score > 0)
/// ```
public struct ColumnConstraint: Hashable, Sendable {
  /// The kinds of constraints.
  public enum Kind: Hashable, Sendable {
    /// `NOT NULL`.
    case notNull(onConflict: ConflictResolution?)
    /// `PRIMARY KEY` of this column alone.
    case primaryKey(PrimaryKey)
    /// `UNIQUE`.
    case unique(onConflict: ConflictResolution?)
    /// `CHECK` with an SQL expression that must not be false for any row.
    case check(sql: String)
    /// `DEFAULT`.
    case defaults(DefaultValue)
    /// `COLLATE`.
    case collation(Collation)
    /// `REFERENCES`, a foreign key of this column alone.
    case references(ForeignKeyDefinition)
    /// `GENERATED ALWAYS AS` with the SQL expression that computes the column.
    case generated(sql: String, ColumnSchema.Generation)
  }

  /// The options of a primary key column.
  ///
  /// ```swift
  /// ColumnConstraint(.primaryKey(.init(direction: .descending, onConflict: .replace)))
  /// // PRIMARY KEY DESC ON CONFLICT REPLACE
  /// ```
  public struct PrimaryKey: Hashable, Sendable {
    /// `ASC` or `DESC`; nil if neither is written.
    public var direction: Ordering.Direction?
    /// The conflict resolution for a row with an existing key; nil for the default, which is ABORT.
    public var onConflict: ConflictResolution?
    /// Whether `AUTOINCREMENT` is written, so that keys are never reused.
    public var isAutoIncremented: Bool

    /// Creates a primary key with SQLite's defaults.
    public init(direction: Ordering.Direction? = nil, onConflict: ConflictResolution? = nil, isAutoIncremented: Bool = false) {
      self.direction = direction
      self.onConflict = onConflict
      self.isAutoIncremented = isAutoIncremented
    }
  }

  /// The default value of a column.
  ///
  /// ```swift
  /// ColumnConstraint(.defaults(.literal(sql: "'none'")))                // DEFAULT 'none'
  /// ColumnConstraint(.defaults(.expression(sql: "CURRENT_TIMESTAMP")))  // DEFAULT (CURRENT_TIMESTAMP)
  /// ```
  public enum DefaultValue: Hashable, Sendable {
    /// An SQL literal, as written.
    case literal(sql: String)
    /// An expression, to be written in parentheses.
    case expression(sql: String)
    /// A value that SQLite cannot store, so that creating the table throws.
    case unstorable(reason: String)
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

/// The declared type of a column; see <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>.
///
/// ```swift
/// t.column("price", ColumnType(rawValue: "DECIMAL(10, 2)"))
/// // price DECIMAL(10, 2)
/// ```
///
/// SQLite accepts any type name. A STRICT table accepts only INT, INTEGER, REAL, TEXT, BLOB and ANY.
public struct ColumnType: RawRepresentable, Hashable, Sendable {
  /// The type as written in the definition.
  public let rawValue: String

  /// Creates a type from its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Text.
  public static let text = ColumnType(rawValue: "TEXT")
  /// Text that contains JSON.
  public static let jsonText = ColumnType(rawValue: "TEXT")
  /// 64-bit integers.
  public static let integer = ColumnType(rawValue: "INTEGER")
  /// Floating-point numbers; not valid in a STRICT table, which requires ``real``.
  public static let double = ColumnType(rawValue: "DOUBLE")
  /// Floating-point numbers.
  public static let real = ColumnType(rawValue: "REAL")
  /// Numbers, stored as integers if possible, otherwise as reals.
  public static let numeric = ColumnType(rawValue: "NUMERIC")
  /// Booleans, stored as 0 or 1.
  public static let boolean = ColumnType(rawValue: "BOOLEAN")
  /// Bytes.
  public static let blob = ColumnType(rawValue: "BLOB")
  /// Dates, stored as text, because SQLite has no type for them.
  public static let date = ColumnType(rawValue: "DATE")
  /// Dates with a time, stored as text, because SQLite has no type for them.
  public static let datetime = ColumnType(rawValue: "DATETIME")
  /// Values of any type, stored unchanged in a STRICT table; in other tables, a text that looks like a number becomes a number.
  public static let any = ColumnType(rawValue: "ANY")
}

/// The action of SQLite when a constraint is violated; see <https://www.sqlite.org/lang_conflict.html>.
///
/// ```swift
/// t.column("email", .text).unique(onConflict: .replace)
/// // email TEXT UNIQUE ON CONFLICT REPLACE
/// ```
public enum ConflictResolution: String, Hashable, Sendable, CaseIterable {
  /// Fails the statement and rolls the transaction back.
  case rollback = "ROLLBACK"
  /// Fails the statement and undoes its changes, which is the default.
  case abort = "ABORT"
  /// Fails the statement but retains its earlier changes.
  case fail = "FAIL"
  /// Skips the row.
  case ignore = "IGNORE"
  /// Deletes the conflicting rows first.
  case replace = "REPLACE"
}

extension Database {
  /// The declared type of a column.
  public typealias ColumnType = QuarryEngine.ColumnType
  /// The action of SQLite when a constraint is violated.
  public typealias ConflictResolution = QuarryEngine.ConflictResolution
}
