public import QuarryEngine

/// Databases with random tables of any names, types, keys and values, and with views, triggers and virtual tables.
public enum RandomSchema {
  private static let names = ["a", "b c", "select", "x\"y", "q'r", "é", "ROWID", "oid", "1x", "A.b"]
  private static let pieces = [
    "a", "'", "\n", "\r", "\r\n", "\0", "é", "😀", "\\r", "\\0", ";", "--", "\"", "/*", "\t", ",", "7", "\\t", " ",
  ]

  /// Returns the SQL of tables with rows.
  public static func tables(_ random: inout SplitMix) -> String {
    let encoding = ["UTF-8", "UTF-8", "UTF-16le"].randomElement(using: &random) ?? "UTF-8"
    return "PRAGMA encoding = '\(encoding)';\n" + (1...3).map { table("\($0)", &random) }.joined()
  }

  /// Returns the SQL of tables with rows, and of additional random objects.
  public static func database(_ random: inout SplitMix) -> String {
    let objects = others.shuffled(using: &random).prefix(Int.random(in: 1...others.count, using: &random))
    let base = "CREATE TABLE base(id INTEGER PRIMARY KEY AUTOINCREMENT, n INTEGER, t TEXT);\n"
    return "PRAGMA foreign_keys = OFF;\n" + tables(&random) + base
      + (0..<Int.random(in: 0...5, using: &random)).map { _ in
        "INSERT INTO base(n, t) VALUES (\(Int.random(in: -9...9, using: &random)), \(value(&random).sqlLiteral));\n"
      }
      .joined() + objects.map { $0 + ";\n" }.joined() + "DELETE FROM base WHERE id = (SELECT max(id) FROM base);\n"
      + "PRAGMA user_version = \(Int32.random(in: .min ... .max, using: &random));\n"
      + "PRAGMA application_id = \(Int32.random(in: .min ... .max, using: &random));\n"
  }

  private static let others = [
    "CREATE VIEW one AS SELECT n * 2 AS twice FROM base WHERE t IS NOT ';'; CREATE VIEW two AS SELECT twice FROM one -- both\n",
    "CREATE VIEW early AS SELECT * FROM late; CREATE VIEW late AS SELECT n FROM base",
    "CREATE TABLE computed(a INTEGER, b AS (a * 2), c TEXT AS (a || 'x') STORED, d); INSERT INTO computed(a, d) SELECT n, t FROM base",
    "CREATE TABLE log(old, new); CREATE TRIGGER noted AFTER UPDATE ON base BEGIN INSERT INTO log VALUES (old.n, new.n); END;"
      + " UPDATE base SET n = n + 1",
    "CREATE VIRTUAL TABLE texts USING fts5(body, tokenize = 'porter'); INSERT INTO texts(rowid, body) SELECT id * 3, quote(t) FROM base",
    "CREATE VIRTUAL TABLE boxes USING rtree(id, low, high, +note); INSERT INTO boxes SELECT id, n, n + 0.5, t FROM base",
    "CREATE TABLE keyed(a TEXT COLLATE NOCASE, b, PRIMARY KEY (b, a)) WITHOUT ROWID; INSERT INTO keyed SELECT 'k' || id, n FROM base",
    "CREATE UNIQUE INDEX partial ON base(id, n DESC) WHERE n > 0; CREATE INDEX computing ON base(length(t)); ANALYZE",
    "CREATE TABLE child(base REFERENCES base ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED); INSERT INTO child VALUES (999)",
    "CREATE TABLE strict(a INT, b ANY) STRICT; INSERT INTO strict SELECT n, t FROM base",
  ]

  private static func table(_ number: String, _ random: inout SplitMix) -> String {
    let name = SQLIdentifier.quoted((names.randomElement(using: &random) ?? "t") + number)
    let columns = names.shuffled(using: &random).prefix(Int.random(in: 1...5, using: &random)).map(SQLIdentifier.quoted)
    let types = ["", "TEXT", "INTEGER", "REAL", "BLOB", "NUMERIC"]
    let key =
      ["", "pk INTEGER PRIMARY KEY, ", "pk INTEGER PRIMARY KEY AUTOINCREMENT, ", "pk PRIMARY KEY, "].randomElement(using: &random) ?? ""
    let definitions = columns.map { "\($0) \(types.randomElement(using: &random) ?? "")" }.joined(separator: ", ")
    let isWithoutRowID = key.hasPrefix("pk PRIMARY KEY")
    let rows = (0..<Int.random(in: 0...8, using: &random)).map { row in
      let values = columns.map { _ in value(&random).sqlLiteral }.joined(separator: ", ")
      return "INSERT INTO \(name) VALUES (\(key.isEmpty ? "" : "\(row * row), ")\(values));\n"
    }
    return "CREATE TABLE \(name)(\(key)\(definitions))\(isWithoutRowID ? " WITHOUT ROWID" : "");\n" + rows.joined()
      + "CREATE INDEX \(SQLIdentifier.quoted("index" + number)) ON \(name)(\(columns[0]) DESC);\n"
  }

  private static func value(_ random: inout SplitMix) -> DatabaseValue {
    switch Int.random(in: 0...5, using: &random) {
    case 0: return .null
    case 1: return .integer([0, -1, .max, .min, 41].randomElement(using: &random) ?? 0)
    case 2:
      let real = Double(bitPattern: random.next())
      return real.isNaN ? .real(.infinity) : .real(real)
    case 3: return .blob((0..<5).map { _ in UInt8.random(in: 0...255, using: &random) })
    default: return .text((0..<6).map { _ in pieces.randomElement(using: &random) ?? "" }.joined())
    }
  }
}

/// The exact stored values of a table: the storage class and the bytes of each, or all digits of a real.
public enum StoredValues {
  /// Returns the values of a query's columns as texts.
  ///
  /// The rows are sorted, because a table without rowids may be read in the order of a covering index.
  ///
  /// - Parameters:
  ///   - columns: The names of columns.
  ///   - table: The table name in SQL.
  public static func rows(_ columns: [String], of table: String, in db: Database) throws -> [[String]] {
    let expressions = columns.map { expression(SQLIdentifier.quoted($0)) }
    let order = (1...columns.count).map(String.init).joined(separator: ", ")
    return try Row.fetchAll(db, sql: "SELECT \(expressions.joined(separator: ", ")) FROM \(table) ORDER BY \(order)").map { row in
      try columns.indices.map { try row[$0] }
    }
  }

  /// Returns the SQL for the exact form of a value.
  public static func expression(_ value: String) -> String {
    """
    typeof(\(value)) || ' ' || \
    coalesce(CASE typeof(\(value)) WHEN 'real' THEN printf('%!.30e', \(value)) ELSE hex(CAST(\(value) AS BLOB)) END, '')
    """
  }
}
