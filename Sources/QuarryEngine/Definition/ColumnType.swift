/// The declared type of a column; see <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>.
public struct ColumnType: RawRepresentable, Hashable, Sendable {
  /// The type as it stands in the definition.
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public static let text = ColumnType(rawValue: "TEXT")
  /// Text that holds JSON.
  public static let jsonText = ColumnType(rawValue: "TEXT")
  public static let integer = ColumnType(rawValue: "INTEGER")
  public static let double = ColumnType(rawValue: "DOUBLE")
  public static let real = ColumnType(rawValue: "REAL")
  public static let numeric = ColumnType(rawValue: "NUMERIC")
  public static let boolean = ColumnType(rawValue: "BOOLEAN")
  public static let blob = ColumnType(rawValue: "BLOB")
  public static let date = ColumnType(rawValue: "DATE")
  public static let datetime = ColumnType(rawValue: "DATETIME")
  public static let any = ColumnType(rawValue: "ANY")
}

/// What SQLite does where a constraint does not hold; see <https://www.sqlite.org/lang_conflict.html>.
public enum ConflictResolution: String, Hashable, Sendable, CaseIterable {
  case rollback = "ROLLBACK"
  case abort = "ABORT"
  case fail = "FAIL"
  case ignore = "IGNORE"
  case replace = "REPLACE"
}
