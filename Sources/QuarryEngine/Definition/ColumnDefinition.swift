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

/// The declared type of a column; see <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>.
///
/// ```swift
/// t.column("price", ColumnType(rawValue: "DECIMAL(10, 2)"))
/// // price DECIMAL(10, 2)
/// ```
///
/// SQLite takes any name for a type; in a STRICT table, only INT, INTEGER, REAL, TEXT, BLOB and ANY.
public struct ColumnType: RawRepresentable, Hashable, Sendable {
  /// The type as it stands in the definition.
  public let rawValue: String

  /// Names a type.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Text.
  public static let text = ColumnType(rawValue: "TEXT")
  /// Text that holds JSON.
  public static let jsonText = ColumnType(rawValue: "TEXT")
  /// Integers of 64 bits.
  public static let integer = ColumnType(rawValue: "INTEGER")
  /// Floating-point numbers; not for a STRICT table, whose name for them is ``real``.
  public static let double = ColumnType(rawValue: "DOUBLE")
  /// Floating-point numbers.
  public static let real = ColumnType(rawValue: "REAL")
  /// Numbers, each as an integer where it is one, else as a real.
  public static let numeric = ColumnType(rawValue: "NUMERIC")
  /// Truths; a `Bool` is stored as 0 or 1.
  public static let boolean = ColumnType(rawValue: "BOOLEAN")
  /// Bytes.
  public static let blob = ColumnType(rawValue: "BLOB")
  /// Dates; SQLite has no type for them, and a `Date` is stored as a text.
  public static let date = ColumnType(rawValue: "DATE")
  /// Dates with a time; SQLite has no type for them, and a `Date` is stored as a text.
  public static let datetime = ColumnType(rawValue: "DATETIME")
  /// Values of any type: as they are in a STRICT table; in another, a text that reads as a number becomes one.
  public static let any = ColumnType(rawValue: "ANY")
}

/// What SQLite does where a constraint does not hold; see <https://www.sqlite.org/lang_conflict.html>.
///
/// ```swift
/// t.column("email", .text).unique(onConflict: .replace)
/// // email TEXT UNIQUE ON CONFLICT REPLACE
/// ```
public enum ConflictResolution: String, Hashable, Sendable, CaseIterable {
  /// The statement fails, and the transaction is rolled back.
  case rollback = "ROLLBACK"
  /// The statement fails, and what it has changed is undone: what SQLite does by itself.
  case abort = "ABORT"
  /// The statement fails where it is, and what it has changed stays.
  case fail = "FAIL"
  /// The row is passed over.
  case ignore = "IGNORE"
  /// Rows that stand in the way are removed first.
  case replace = "REPLACE"
}
