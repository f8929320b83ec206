import Foundation
import QuarryEngine
import TestSupport
import Testing

@Suite(.gated) struct RoundTripTests {
  /// Returns what SQLite's pragmas tell of a table, and what it stores of its text, as lines.
  private static func summary(of table: String, in db: Database) throws -> [String] {
    let name = "'" + table.replacing("'", with: "''") + "'"
    let queries = [
      "SELECT type, ncol, wr, strict FROM pragma_table_list(\(name)) WHERE schema = 'main'",
      "SELECT * FROM pragma_table_xinfo(\(name))",
      "SELECT * FROM pragma_foreign_key_list(\(name))",
      "SELECT name, \"unique\", origin, partial FROM pragma_index_list(\(name))",
      "SELECT l.name, x.* FROM pragma_index_list(\(name)) l, pragma_index_xinfo(l.name) x",
    ]
    return try queries.flatMap { try Row.fetchAll(db, sql: $0).map(\.description) }
  }

  /// Makes each table again in another database by its definition, and compares the two.
  private static func check(_ source: Database) throws {
    let names = try Row.fetchAll(
      source, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    #expect(!names.isEmpty)
    try DatabaseQueue().write { copy in
      for row in names {
        let name: String = try row[0]
        let definition = try source.tableDefinition(TableReference(name: name))
        for statement in definition.statements { try copy.execute(sql: statement) }
        #expect(try summary(of: name, in: source) == summary(of: name, in: copy), "\(definition.sql)")
        #expect(try copy.tableDefinition(TableReference(name: name)) == definition)
      }
    }
  }

  @Test(
    "Tables are made again by their definitions",
    arguments: [
      ["CREATE TABLE a (x INTEGER PRIMARY KEY AUTOINCREMENT, y)"],
      ["CREATE TABLE a (x INT PRIMARY KEY DESC ON CONFLICT REPLACE, y VARCHAR(10), z DECIMAL(10, 2))"],
      ["CREATE TABLE a (x TEXT, y INT, z INT, PRIMARY KEY (y DESC, x COLLATE NOCASE)) WITHOUT ROWID, STRICT"],
      ["CREATE TABLE a (x INTEGER, PRIMARY KEY (x AUTOINCREMENT))"],
      ["CREATE TABLE a (x ANY, y INT CONSTRAINT positive CHECK (y > 0 AND ')' <> x) NOT NULL ON CONFLICT FAIL) STRICT"],
      [
        "CREATE TABLE a (x DEFAULT 'it''s', y DEFAULT -1.5e-3, z DEFAULT (1 + (2)), w DEFAULT CURRENT_TIMESTAMP, v DEFAULT x'00FF', "
          + "u DEFAULT +7, t DEFAULT true, s DEFAULT NULL, r DEFAULT \"q\")"
      ],
      [
        "CREATE TABLE a (x INT, y INT GENERATED ALWAYS AS (x * 2) STORED, z TEXT AS (x || ',') VIRTUAL, w AS (x), "
          + "CONSTRAINT k UNIQUE (x, y) ON CONFLICT IGNORE CHECK (x < 5))"
      ],
      [
        "CREATE TABLE b (p INT, q TEXT, PRIMARY KEY (p, q))",
        "CREATE TABLE a (x INT, y TEXT REFERENCES b ON DELETE SET NULL ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED, "
          + "z INT REFERENCES a (x) NOT DEFERRABLE, FOREIGN KEY (x, y) REFERENCES b (p, q) ON DELETE CASCADE MATCH FULL)",
      ],
      [
        "CREATE TABLE [a b] (\"x\"\"y\" TEXT COLLATE NOCASE UNIQUE, `group` [odd type], 'quoted' 'TEXT', /* , */ é -- )\n UNSIGNED BIG INT)"
      ],
      [
        "CREATE TABLE a (x TEXT, y TEXT)", "CREATE UNIQUE INDEX i ON a (x COLLATE NOCASE DESC, y ASC) WHERE y IS NOT NULL AND x > '('",
        "CREATE INDEX j ON a (lower(x) COLLATE NOCASE DESC, (x || ',' || y))", "CREATE INDEX \"k k\" ON a (\"y\")",
      ],
      ["CREATE TABLE a (x NULL ON CONFLICT ABORT, y INT NOT NULL DEFAULT 5 UNIQUE)"],
      ["CREATE TABLE a AS SELECT 1 AS \"x y\", 'a' AS z, 2.5 AS w"],
    ])
  func schemas(statements: [String]) throws {
    try DatabaseQueue().write { db in
      for statement in statements { try db.execute(sql: statement) }
      try Self.check(db)
    }
  }

  @Test("Every table of the sample databases is made again by its definition", arguments: ["chinook.db", "northwind.db"])
  func samples(name: String) throws {
    let path = URL(filePath: #filePath).appending(path: "../../../../../shared/data/" + name).standardized.path
    guard FileManager.default.fileExists(atPath: path) else { return print("skipped: no \(path)") }
    var configuration = Configuration()
    configuration.isReadonly = true
    configuration.isImmutable = true
    try DatabaseQueue(path: path, configuration: configuration).read { db in try Self.check(db) }
  }

  @Test("Constraints that only the text tells are kept")
  func constraints() throws {
    try makeDatabase("CREATE TABLE a (x INT NOT NULL ON CONFLICT IGNORE, CHECK (x > 0))").write { db in
      let sql = try db.tableDefinition(TableReference(name: "A")).sql
      try db.drop(table: "a")
      try db.execute(sql: sql)
      try db.execute(sql: "INSERT INTO a VALUES (NULL)")
      #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO a VALUES (0)") }
      #expect(try Row.fetchAll(db, sql: "SELECT * FROM a").isEmpty)
    }
  }

  @Test("What is no CREATE TABLE is refused, however it breaks off")
  func unreadable() throws {
    let sql = "CREATE TABLE a (x INT DEFAULT (1 + (2)) REFERENCES b (c) ON DELETE SET NULL, CHECK (x IN ('a', \"b\"))) STRICT"
    for length in 0..<sql.utf8.count {
      let cut = String(sql.prefix(length))
      let isWhole = cut.hasSuffix("))") && cut.contains("CHECK") || cut.hasSuffix(")) ") && cut.contains("CHECK")
      if isWhole { continue }
      #expect(throws: DefinitionError.self) { try TableDefinition(sql: cut) }
    }
    #expect(throws: DefinitionError.self) { try TableDefinition(sql: "CREATE VIRTUAL TABLE a USING fts5(x)") }
    #expect(throws: DefinitionError.self) { try IndexDefinition(sql: "CREATE INDEX i ON a (x") }
  }

  @Test("A constraint of half a keyword is refused at its place", arguments: ["PRIMARY x", "FOREIGN (x)"])
  func halfConstraint(_ constraint: String) throws {
    let sql = "CREATE TABLE a (x, \(constraint))"
    #expect(throws: DefinitionError.unreadable("KEY is missing", sql: sql, offset: 19)) { try TableDefinition(sql: sql) }
  }

  @Test("A name that is given to no constraint is passed over, as SQLite does")
  func namedNothing() throws {
    let sql = "CREATE TABLE a (x, CONSTRAINT unused)"
    try makeDatabase().write { db in try db.execute(sql: sql) }
    #expect(try TableDefinition(sql: sql).constraints.isEmpty)
  }
}
