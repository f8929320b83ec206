import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Which results of queries can be edited", .gated) struct ResultTableTests {
  private static let schema = """
    CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT, score); CREATE TABLE code(a, b, c, PRIMARY KEY (b, a)) WITHOUT ROWID;
    CREATE TABLE country(code TEXT PRIMARY KEY, name); CREATE VIEW best AS SELECT * FROM player UNION SELECT * FROM player;
    CREATE VIEW plain AS SELECT * FROM player; CREATE TABLE odd(rowid, x);
    CREATE TABLE pair(a TEXT COLLATE NOCASE, b, c, PRIMARY KEY (b, a))
    """

  private static func editability(_ sql: String) throws -> ResultEditability {
    try makeDatabase(schema).read { db in try db.editability(ofQuery: sql) }
  }

  @Test("One SELECT from one table with its key: the columns are the table's, whatever they are called")
  func columns() throws {
    let table = try Self.editability("SELECT upper(name), score AS points, p.id AS number FROM player p WHERE score > 1 ORDER BY 1").table
    #expect(table?.schema.entry.reference == TableReference(name: "player"))
    #expect(table?.columns.map { $0?.name } == [nil, "score", "id"])
    #expect(table?.key(of: [.null, .text("3", byteCount: 1, isValid: true), .integer(7)]) == .rowID(7))
    #expect(table?.key(of: [.null, .integer(7), .null]) == nil)
  }

  @Test("The rowid is a key, and so is a composite one, in the order of the key")
  func keys() throws {
    let country = try Self.editability("SELECT name, oid, * FROM country").table
    #expect(country?.columns.map { $0?.name } == ["name", nil, "code", "name"])
    #expect(country?.key(of: [.null, .integer(2), .null, .null]) == .rowID(2))
    #expect(try Self.editability("SELECT * FROM code").table?.key(of: [.integer(1), .integer(2), .null]) == .values([2, 1]))
  }

  @Test("A primary key that is not the rowid tells the rows, whose rowids are looked up by it")
  func lookedUpRows() throws {
    try makeDatabase(Self.schema).write { db in
      try db.execute(
        sql: """
          INSERT INTO pair(rowid, a, b, c) VALUES (7, 'x', 1, 'first'), (8, 'x', 1.5, 'second'), (9, NULL, 2, 'third'), (10, 'Y', 2, 'last')
          """)
      let table = try #require(try db.editability(ofQuery: "SELECT c, a, b FROM pair").table)
      #expect(table.columns.map { $0?.name } == ["c", "a", "b"])
      func row(_ a: CellValue, _ b: CellValue) -> WindowRow { WindowRow(key: .position(0), cells: [.null, a, b]) }
      func text(_ text: String) -> CellValue { .text(text, byteCount: text.utf8.count, isValid: true) }
      let rows = [
        row(text("Y"), .integer(2)), row(text("x"), .real(1.5)), row(text("x"), .integer(1)), row(text("X"), .integer(1)),
        row(text("x"), .real(1)), row(.null, .integer(2)), row(.text("x", byteCount: 5_000, isValid: true), .integer(1)),
        row(text("gone"), .integer(1)),
      ]
      #expect(try db.keys(of: rows, in: table) == [.rowID(10), .rowID(8), .rowID(7), nil, nil, nil, nil, nil])
      #expect(table.key(of: rows[0].cells) == nil)
    }
  }

  @Test(
    "Others say why not",
    arguments: [
      ("SELECT name FROM player", "the key of player is not in the result: add id to the SELECT"),
      ("SELECT name FROM country", "the key of country is not in the result: add code to the SELECT"),
      ("SELECT b, c FROM pair", "the key of pair is not in the result: add a to the SELECT"),
      ("SELECT x FROM odd", "the key of odd is not in the result: add _rowid_ to the SELECT"),
      ("SELECT a FROM code", "the key of code is not in the result: add b to the SELECT"),
      ("SELECT 1", "the rows of a query can be changed only if it is one SELECT from one table"),
      ("SELECT count(*) FROM player", "no column of the result comes from a table"),
      ("SELECT * FROM plain", "no column of the result comes from a table"),
    ])
  func refusals(_ sql: String, _ reason: String) throws {
    #expect(try Self.editability(sql) == .refused(reason))
  }

  @Test(
    "What may hold rows of other tables is refused",
    arguments: [
      "SELECT p.id, q.name FROM player p JOIN player q", "SELECT id, name FROM player UNION ALL SELECT rowid, name FROM country",
      "WITH player AS (SELECT rowid AS id, name FROM country) SELECT * FROM player", "SELECT id, name FROM (SELECT * FROM player)",
      "SELECT * FROM best", "SELECT * FROM player, country", "SELECT _rowid_, x FROM odd", "VALUES (1)", "PRAGMA user_version",
    ])
  func ambiguous(_ sql: String) throws {
    #expect(try Self.editability(sql).table == nil)
  }
}
