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
