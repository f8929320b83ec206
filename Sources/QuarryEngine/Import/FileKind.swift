/// What a file is, by its first bytes.
///
/// ```swift
/// try FileKind(path: "sales.csv")  // .delimited
/// try FileKind(path: "app.db")     // .database
/// ```
public enum FileKind: Hashable, Sendable {
  /// An SQLite database.
  case database
  /// JSON: an array of objects, an object of such arrays, or objects one after the other.
  case json
  /// A text of records with separated fields.
  case delimited
  /// A file without a byte, which SQLite takes for a database without a table.
  case empty
}
