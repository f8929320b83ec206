public import QuarryEngine

/// Random changes of the schema and the rows of a database.
public enum RandomChanges {
  /// Makes some changes.
  ///
  /// Changes that the schema forbids are skipped.
  ///
  /// - Parameter changesSchema: Whether tables, columns, indexes, triggers and views change too.
  public static func make(_ count: Int, in db: Database, changesSchema: Bool = true, _ random: inout SplitMix) throws {
    try db.execute(sql: "PRAGMA foreign_keys = OFF")
    for number in 0..<count {
      let sql =
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite%' ORDER BY 1"
      let tables = try String.fetchAll(db, sql: sql)
      guard let table = tables.randomElement(using: &random) else { return }
      let columns = try String.fetchAll(
        db, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid", arguments: [table])
      guard !columns.isEmpty else { continue }
      let isOfSchema = changesSchema && Int.random(in: 0..<3, using: &random) == 0
      let statement = isOfSchema ? schemaChange(table, columns, number, &random) : rowChange(table, columns, &random)
      try? db.execute(sql: statement)
    }
  }

  private static func rowChange(_ table: String, _ columns: [String], _ random: inout SplitMix) -> String {
    let name = SQLIdentifier.quoted(table)
    let column = SQLIdentifier.quoted(columns.randomElement(using: &random) ?? "")
    let row = "(SELECT \(SQLIdentifier.quoted(columns[0])) FROM \(name) LIMIT 1 OFFSET \(Int.random(in: 0..<6, using: &random)))"
    let condition = "\(SQLIdentifier.quoted(columns[0])) IS \(row)"
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return "DELETE FROM \(name) WHERE \(condition)"
    case 1:
      let values = columns.map { _ in value(&random) }.joined(separator: ", ")
      return "INSERT OR IGNORE INTO \(name)(\(columns.map(SQLIdentifier.quoted).joined(separator: ", "))) VALUES (\(values))"
    case 2: return "INSERT INTO \(name)(\(column)) VALUES (\(value(&random)))"
    default: return "UPDATE OR IGNORE \(name) SET \(column) = \(value(&random)) WHERE \(condition)"
    }
  }

  private static func schemaChange(_ table: String, _ columns: [String], _ number: Int, _ random: inout SplitMix) -> String {
    let name = SQLIdentifier.quoted(table)
    let column = SQLIdentifier.quoted(columns.randomElement(using: &random) ?? "")
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return "ALTER TABLE \(name) ADD COLUMN added\(number) TEXT"
    case 1: return "ALTER TABLE \(name) ADD COLUMN added\(number) INTEGER NOT NULL DEFAULT \(number)"
    case 2: return "ALTER TABLE \(name) DROP COLUMN \(column)"
    case 3: return "ALTER TABLE \(name) RENAME COLUMN \(column) TO renamed\(number)"
    case 4: return "CREATE INDEX made\(number) ON \(name)(\(column))"
    case 5: return "CREATE UNIQUE INDEX unique\(number) ON \(name)(\(column))"
    case 6: return "CREATE TRIGGER fired\(number) AFTER UPDATE ON \(name) BEGIN DELETE FROM \(name); END"
    case 7: return "CREATE VIEW seen\(number) AS SELECT \(column) FROM \(name)"
    case 8: return "DROP TABLE \(name)"
    case 9: return "DROP INDEX IF EXISTS made\(number / 2); DROP VIEW IF EXISTS seen\(number / 2)"
    case 10: return "PRAGMA user_version = \(number)"
    default:
      return """
        CREATE TABLE new\(number)(id INTEGER PRIMARY KEY AUTOINCREMENT, a UNIQUE, b REFERENCES \(name));
        INSERT INTO new\(number)(a, b) VALUES (\(value(&random)), 1), (\(value(&random)), 2)
        """
    }
  }

  private static func value(_ random: inout SplitMix) -> String {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: "NULL"
    case 1: String(Int.random(in: -5...9, using: &random))
    case 2: "\(Int.random(in: -5...9, using: &random)).5"
    case 3: "x'0\(Int.random(in: 0...9, using: &random))'"
    case 4: "'it''s ' || char(\(Int.random(in: 0...40, using: &random)))"
    default: "'\(["a", "A", "", "b ", "é", "1"].randomElement(using: &random) ?? "")'"
    }
  }
}
