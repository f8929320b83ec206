/// The declared type of an expression; SQLite can store any value in any column of a table that is not STRICT.
///
/// ```swift
/// TypedExpression(columnNamed: "title", type: .text).type  // .text
/// TypedExpression(literal: .real(2.5)).type                // .real
/// ```
public enum ExpressionType: Hashable, Sendable, CaseIterable {
  /// The types that a declaration can name: `numeric` is a number of either storage class, `date` a date or time in SQLite's formats.
  case integer, real, numeric, text, blob, boolean, date
  /// The column has no type, or an unknown one.
  case any
  /// NULL itself.
  case null

  /// The type, for use in a sentence: `an integer`.
  package var phrase: String {
    switch self {
    case .integer: "an integer"
    case .real: "a real number"
    case .numeric: "a number"
    case .text: "text"
    case .blob: "a blob"
    case .boolean: "a Boolean"
    case .date: "a date"
    case .any: "a value of any type"
    case .null: "NULL"
    }
  }

  /// Creates the type of a column from its declaration.
  ///
  /// ```swift
  /// // CREATE TABLE player (name VARCHAR(20), score DECIMAL, joined DATE, spot POINT)
  /// let player = try db.tableSchema(TableReference(name: "player"))
  /// player.columns.map { ExpressionType($0) }  // [.text, .numeric, .date, .any]
  /// ```
  ///
  /// Names to which SQLite's rules only accidentally assign an affinity (`POINT`, `STRING`) are unknown types here.
  public init(_ column: ColumnSchema, isStrict: Bool = false) {
    let words = column.declaredType.prefix { $0 != "(" }.uppercased().split(separator: " ").map(String.init)
    guard let first = words.first else {
      self = .any
      return
    }
    if isStrict {
      self = Self.strict[first] ?? .any
    } else {
      self = Self.named(first) ?? Self.customary(words, affinity: column.affinity)
    }
  }

  private static let strict: [String: ExpressionType] = [
    "INT": .integer, "INTEGER": .integer, "REAL": .real, "TEXT": .text, "BLOB": .blob, "ANY": .any,
  ]

  private static func named(_ word: String) -> ExpressionType? {
    if word.hasPrefix("BOOL") { return .boolean }
    return ["DATE", "DATETIME", "TIMESTAMP", "TIME"].contains(word) ? .date : nil
  }

  private static func customary(_ words: [String], affinity: ColumnSchema.Affinity) -> ExpressionType {
    func anyWord(_ test: (String) -> Bool, gives type: ExpressionType) -> ExpressionType { words.contains(where: test) ? type : .any }
    return switch affinity {
    case .integer: anyWord({ $0.hasPrefix("INT") || integers.contains($0) }, gives: .integer)
    case .text: anyWord({ $0.contains("CHAR") || $0.contains("CLOB") || $0.contains("TEXT") }, gives: .text)
    case .blob: anyWord({ $0.contains("BLOB") }, gives: .blob)
    case .real: anyWord({ $0.hasPrefix("REAL") || $0.hasPrefix("FLOA") || $0.hasPrefix("DOUB") }, gives: .real)
    case .numeric: anyWord({ ["NUMERIC", "DECIMAL", "NUMBER"].contains($0) }, gives: .numeric)
    }
  }

  private static let integers: Set<String> = ["TINYINT", "SMALLINT", "MEDIUMINT", "BIGINT"]
}
