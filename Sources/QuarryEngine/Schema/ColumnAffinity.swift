extension ColumnSchema.Affinity {
  /// The affinity that SQLite gives a column declared with this type.
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
