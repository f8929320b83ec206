/// Two random databases with some tables, rows and objects in common.
public struct RandomPair {
  /// The SQL that makes each database.
  public private(set) var first = ""
  public private(set) var second = ""

  private static let values = [
    "NULL", "NULL", "1", "'1'", "1.0", "x'31'", "'a'", "'A'", "'a '", "'b'", "'q' || char(0) || 'r'", "9e999", "-9e999", "-0.0", "0.0", "0",
    "9223372036854775807", "-9223372036854775808", "9223372036854775808.0", "''", "x''", "'é'", "'😀'", "'\u{FF5E}'", "0.1", "-7", "'it''s'",
    "char(10) || '\\n'", "zeroblob(700)", "printf('%700d', 7)",
  ]
  private static let collations = ["", " COLLATE NOCASE", " COLLATE RTRIM", " COLLATE BINARY"]

  /// Makes a pair.
  public init(_ random: inout SplitMix) {
    let encodings = ["UTF-8", "UTF-8", "UTF-16le", "UTF-16be"]
    let encoding = encodings.randomElement(using: &random) ?? "UTF-8"
    let other = random.below(3) == 0 ? encodings.randomElement(using: &random) ?? "UTF-8" : encoding
    let size = [512, 1024, 4096].randomElement(using: &random) ?? 4096
    first = "PRAGMA foreign_keys = OFF; PRAGMA page_size = \(size); PRAGMA encoding = '\(encoding)'; BEGIN;\n"
    second = "PRAGMA foreign_keys = OFF; PRAGMA page_size = \(size); PRAGMA encoding = '\(other)'; BEGIN;\n"
    for number in 1...3 + random.below(3) { addTable("t\(number)", &random) }
    for number in 1...4 { addObject(number, &random) }
    if random.below(3) == 0 { second += "PRAGMA user_version = \(random.below(9));\n" }
    first += "COMMIT;\n"
    second += "COMMIT;\n"
  }

  // MARK: Tables

  private struct Table {
    var name: String
    var columns: [String]
    var sql: String
  }

  private mutating func addTable(_ name: String, _ random: inout SplitMix) {
    let table = Self.table(name, &random)
    let rows = (0..<random.below(60)).map { _ in Self.row(table, &random) }
    let others = Self.changed(rows, table, &random)
    switch random.below(10) {
    case 0: first += table.sql + Self.inserting(rows, table)
    case 1: second += table.sql + Self.inserting(others, table)
    case 2:
      // The same name for another table.
      let other = Self.table(name, &random)
      first += table.sql + Self.inserting(rows, table)
      second += other.sql + Self.inserting((0..<random.below(9)).map { _ in Self.row(other, &random) }, other)
    case 3:
      // Names that differ only in case.
      first += table.sql + Self.inserting(rows, table)
      second += table.sql.uppercased() + Self.inserting(others, table)
    case 4:
      first += table.sql + Self.inserting(rows, table)
      second += table.sql + Self.inserting(others, table) + "ALTER TABLE \(name) RENAME COLUMN a TO renamed;\n"
    case 5:
      first += table.sql + Self.inserting(rows, table)
      second += table.sql + Self.inserting(others, table) + "ALTER TABLE \(name) ADD COLUMN added DEFAULT 'new';\n"
    default:
      first += table.sql + Self.inserting(rows, table)
      second += table.sql + Self.inserting(others, table)
    }
  }

  private static func table(_ name: String, _ random: inout SplitMix) -> Table {
    func collation() -> String { collations.randomElement(using: &random) ?? "" }
    let types = ["", " TEXT", " INTEGER", " REAL", " NUMERIC", " BLOB"]
    func type() -> String { types.randomElement(using: &random) ?? "" }
    let columns = "a\(type())\(collation()), b\(type())"
    let parent = "t\(1 + random.below(4))"
    let order = random.below(3) == 0 ? " DESC" : ""
    switch random.below(8) {
    case 0: return Table(name: name, columns: ["k", "a", "b"], sql: "CREATE TABLE \(name)(k INTEGER PRIMARY KEY, \(columns));\n")
    case 1: return Table(name: name, columns: ["a", "b"], sql: "CREATE TABLE \(name)(\(columns));\n")
    case 2:
      let key = "k TEXT\(collation()), l\(collation()), PRIMARY KEY(k\(order), l)"
      return Table(name: name, columns: ["k", "l", "a", "b"], sql: "CREATE TABLE \(name)(a, b, \(key)) WITHOUT ROWID;\n")
    case 3:
      return Table(name: name, columns: ["k", "a", "b"], sql: "CREATE TABLE \(name)(k\(type())\(collation()) PRIMARY KEY, \(columns));\n")
    case 4:
      let names = ["a", "b", "rowid", "_rowid_", "oid"]
      return Table(name: name, columns: names, sql: "CREATE TABLE \(name)(a\(collation()), b, rowid\(type()), _rowid_, oid);\n")
    case 5:
      let key = "k INTEGER PRIMARY KEY AUTOINCREMENT, a REFERENCES \(parent) DEFERRABLE INITIALLY DEFERRED, b REFERENCES \(name)"
      return Table(name: name, columns: ["k", "a", "b"], sql: "CREATE TABLE \(name)(\(key));\n")
    case 6:
      let computed = "g AS (typeof(a)) VIRTUAL, h AS (quote(b)) STORED"
      return Table(name: name, columns: ["k", "a", "b"], sql: "CREATE TABLE \(name)(k INTEGER PRIMARY KEY, \(columns), \(computed));\n")
    default: return Table(name: name, columns: ["a", "b"], sql: "CREATE TABLE \(name)(\(columns), UNIQUE(a, b));\n")
    }
  }

  private static func row(_ table: Table, _ random: inout SplitMix) -> [String] {
    table.columns.map { column in
      let isNumber = table.sql.contains("(k INTEGER")
      if column == "k", isNumber, !table.sql.contains("AUTO"), random.below(9) == 0 {
        return ["\(Int64.min)", "\(Int64.max)"][random.below(2)]
      }
      if column == "k", isNumber || random.below(4) > 0 { return "\(random.below(50) - 5)" }
      return values.randomElement(using: &random) ?? "NULL"
    }
  }

  private static func changed(_ rows: [[String]], _ table: Table, _ random: inout SplitMix) -> [[String]] {
    let share = [2, 10, 40].randomElement(using: &random) ?? 10
    var others = rows.compactMap { row -> [String]? in
      switch random.below(share) {
      case 0: return nil
      case 1:
        var changed = row
        changed[1 + random.below(row.count - 1)] = values.randomElement(using: &random) ?? "1"
        return changed
      default: return row
      }
    }
    for _ in 0..<random.below(4) { others.append(row(table, &random)) }
    if random.below(4) == 0 { others.shuffle(using: &random) }
    return others
  }

  private static func inserting(_ rows: [[String]], _ table: Table) -> String {
    rows.map { row in
      "INSERT OR IGNORE INTO \(table.name)(\(table.columns.joined(separator: ", "))) VALUES (\(row.joined(separator: ", ")));\n"
    }.joined()
  }

  // MARK: Objects

  private static let objects = [
    "CREATE INDEX i# ON t#(a);", "CREATE INDEX i# ON t#(b) WHERE a IS NOT NULL;", "CREATE INDEX i# ON t#(length(b), a DESC);",
    "CREATE TRIGGER g# AFTER DELETE ON t# BEGIN DELETE FROM t1; UPDATE t2 SET a = 9; END;",
    "CREATE TRIGGER g# AFTER INSERT ON t# BEGIN INSERT INTO t1(a) VALUES ('from a trigger'); END;",
    "CREATE VIEW v# AS SELECT a, b FROM t#;", "CREATE VIEW v# AS SELECT count(*) AS \"number of rows\" FROM t#, t1;",
  ]

  private mutating func addObject(_ number: Int, _ random: inout SplitMix) {
    guard let object = Self.objects.randomElement(using: &random) else { return }
    let sql = object.replacing("#", with: "\(number)") + "\n"
    let place = random.below(4)
    // A table may be in one database only.
    if place != 1, first.contains("TABLE t\(number)(") { first += sql }
    if place != 2, second.contains("TABLE t\(number)("), !second.contains("TABLE t\(number) RENAME") { second += sql }
  }
}
