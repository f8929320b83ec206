import QuarryEngine
import TestSupport
import Testing

@Suite("Which results of queries can be edited") struct ResultTableTests {
  private static let schema = """
    CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT, score); CREATE TABLE code(a, b, c, PRIMARY KEY (b, a)) WITHOUT ROWID;
    CREATE TABLE country(code TEXT PRIMARY KEY, name); CREATE VIEW best AS SELECT * FROM player UNION SELECT * FROM player;
    CREATE VIEW plain AS SELECT * FROM player; CREATE TABLE odd(rowid, x)
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

  @Test(
    "Others say why not",
    arguments: [
      ("SELECT name FROM player", "the key of player is not in the result: add id to the SELECT"),
      ("SELECT * FROM country", "the key of country is not in the result: add rowid to the SELECT"),
      ("SELECT a FROM code", "the key of code is not in the result: add b to the SELECT"),
      ("SELECT 1", "the rows of a query can only be changed where it is one SELECT from one table"),
      ("SELECT count(*) FROM player", "no column of the result is one of a table"),
      ("SELECT * FROM plain", "no column of the result is one of a table"),
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
