import Foundation
import QuarryEngine
import TestSupport
import Testing

/// Databases of somebody else, whose schema has more SQL than SQLite compiles.
@Suite(.gated, .enabled(if: Fixtures.shell != nil, "the sqlite3 shell is not installed")) struct ForeignSchemaTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// What follows a statement, or stands within it, and would run a command of the shell or another statement; `PWN` is a path.
  private static let schemas: [(name: String, sql: String)] = [
    ("x1", "CREATE TABLE x1(a);\n.shell touch PWN"), ("x1", "CREATE TABLE x1(a); DROP TABLE keep"),
    ("x1", "CREATE TABLE x1(a)\0;\nDROP TABLE keep"), ("x1", "CREATE TABLE x1(a); -- \n;ATTACH 'PWN' AS p; CREATE TABLE p.t(a)"),
    ("x1", "CREATE TABLE x1(a DEFAULT (1\n/\n.5), b /*\n.shell touch PWN\n*/)"), ("x1", "CREATE TABLE x1(a\n.shell touch PWN\n)"),
    ("v1", "CREATE VIEW v1 AS SELECT\ngo\n.shell touch, 1 --\nFROM (SELECT 1 AS shell) AS go"),
    ("v1", "CREATE VIEW v1 AS SELECT 1;\n.shell touch PWN"),
    ("i1", "CREATE INDEX i1 ON keep(a);\n.shell touch PWN"),
    ("r1", "CREATE TRIGGER r1 AFTER INSERT ON keep BEGIN SELECT 1; END;\n.shell touch PWN"),
  ]

  private func make(_ name: String, _ sql: String) throws -> String {
    let text = sql.replacing("PWN", with: folder.path("PWN")).replacing("'", with: "''").split(
      separator: "\0", omittingEmptySubsequences: false)
    let literal = text.map { "'\($0)'" }.joined(separator: " || char(0) || ")
    return try Fixtures.database(
      "evil.db", in: folder, isDefensive: false,
      """
      CREATE TABLE keep(a); INSERT INTO keep VALUES (7); CREATE TABLE x1(a); CREATE VIEW v1 AS SELECT 1; CREATE INDEX i1 ON keep(a);
      CREATE TRIGGER r1 AFTER INSERT ON keep BEGIN SELECT 1; END; PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = \(literal) WHERE name = '\(name)'
      """)
  }

  /// Runs SQL in the shell, and expects that nothing but the tables of it was made.
  private func expectHarmless(_ sql: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let shell = try #require(Fixtures.shell)
    let copy = folder.path("copy.db")
    try? FileManager.default.removeItem(atPath: copy)
    // Even if the text may begin in the middle of nowhere.
    _ = try BuiltProgram.run(shell, [copy, "CREATE TABLE IF NOT EXISTS keep(a); CREATE TABLE guard(a)"])
    _ = try BuiltProgram.run(shell, [copy], input: sql)
    #expect(!FileManager.default.fileExists(atPath: folder.path("PWN")), "\(sql)", sourceLocation: sourceLocation)
    let tables = try BuiltProgram.run(shell, [copy, "SELECT name FROM sqlite_schema WHERE name IN ('keep', 'guard') ORDER BY 1"]).text
    #expect(tables == "guard\nkeep\n", "\(sql)", sourceLocation: sourceLocation)
  }

  @Test(arguments: schemas)
  func `what follows a statement of the schema is neither printed nor run`(name: String, sql: String) throws {
    let file = try make(name, sql)
    for arguments in [["dump", file], ["schema", file], ["rows", file, "keep", "--schema", "--format", "sql"], ["schema", file, name]] {
      let outcome = try BuiltProgram.run(BuiltProgram.url, arguments)
      try expectHarmless(outcome.text)
    }
  }

  @Test func `what is left out is reported`() throws {
    let file = try make("x1", "CREATE TABLE x1(a); DROP TABLE keep")
    for arguments in [["dump", file], ["schema", file], ["rows", file, "x1", "--schema", "--format", "sql"], ["dump", file, "x1"]] {
      let outcome = try BuiltProgram.run(BuiltProgram.url, arguments)
      #expect(outcome.status == 0)
      #expect(outcome.errors == "quarry: omitted 15 bytes after the SQL of the table “x1”: SQLite ignores them\n")
    }
    #expect(try BuiltProgram.run("dump", file, "keep").errors.isEmpty)
  }

  @Test func `undo makes a table again and runs nothing else`() throws {
    let file = try make("x1", "CREATE TABLE x1(a); DROP TABLE keep")
    let home = ["HOME": folder.path]
    #expect(try BuiltProgram.run("query", file, "DROP TABLE x1", environment: home).status == 0)
    let undo = try BuiltProgram.run("undo", file, environment: home)
    #expect(undo.status == 0, "\(undo.errors)")
    #expect(try BuiltProgram.run("query", file, "SELECT a FROM keep UNION ALL SELECT count(*) FROM x1").text == "a\n7\n0\n")
  }

  @Test func `a column's name cannot end the comment before a schema`() throws {
    let data = Data("id,\"a\n.shell touch \(folder.path("PWN"))\",\"a\n.shell touch \(folder.path("PWN"))\"\n1,2,3\n".utf8)
    let file = try folder.write(data, to: "names.csv")
    try expectHarmless(try BuiltProgram.run("schema", file.path).text)
  }
}
