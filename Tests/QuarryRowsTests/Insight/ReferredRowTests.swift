import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite(.gated) struct ReferredRowTests {
  private func rows(_ table: String, _ values: [[DatabaseValue]], key index: Int = 0, _ script: String...) throws -> [ReferredRow] {
    let queue = try DatabaseQueue()
    try queue.withoutTransaction { db in for sql in ["PRAGMA foreign_keys = OFF"] + script { try db.execute(sql: sql) } }
    return try queue.read { db in
      let key = try db.tableSchema(TableReference(name: table)).foreignKeys[index]
      return try db.referredRows([ReferenceLookup(key, values)])[0]
    }
  }

  @Test("Rows are looked up with the text that they are known by, and missing ones are told")
  func labels() throws {
    let found = try rows(
      "album", [[.integer(2)], [.integer(9)], [.integer(1)], [.real(1)], [.text("2")]],
      "CREATE TABLE artist(id INTEGER PRIMARY KEY, born TEXT, name TEXT)", "INSERT INTO artist VALUES (1, 'x', 'Nina'), (2, 'y', NULL)",
      "CREATE TABLE album(artist_id INTEGER REFERENCES ARTIST)")
    #expect(found == [.row(label: nil), .missing, .row(label: "Nina"), .row(label: "Nina"), .row(label: nil)])
  }

  @Test("Rows are not looked up in a table that would be read whole for each value", arguments: [("", true), (" UNIQUE", false)])
  func index(constraint: String, isEmpty: Bool) throws {
    let found = try rows(
      "album", [[.integer(1)]], "CREATE TABLE artist(id INTEGER\(constraint), name TEXT)", "INSERT INTO artist VALUES (1, 'Nina')",
      "CREATE TABLE album(artist_id INTEGER REFERENCES artist(id))")
    #expect(found == (isEmpty ? [] : [.row(label: "Nina")]))
  }

  @Test("Composite keys, two label columns, and the collation of the referred column")
  func composites() throws {
    let found = try rows(
      "post", [[.text("EU"), .integer(1)], [.text("eu"), .integer(2)], [.text("us"), .integer(1)]],
      #"CREATE TABLE "my people"(region TEXT COLLATE NOCASE, nr INTEGER, first_name TEXT, last_name TEXT, PRIMARY KEY (region, nr))"#,
      #"INSERT INTO "my people" VALUES ('eu', 1, 'Ada', 'Lovelace'), ('EU', 2, '', 'Turing')"#,
      #"CREATE TABLE post(r TEXT, n INTEGER, FOREIGN KEY (r, n) REFERENCES "my people"(region, nr))"#)
    #expect(found == [.row(label: "Ada Lovelace"), .row(label: "Turing"), .missing])
  }

  @Test("Columns of the referred table may be called as those of the lookup itself, and a table that cannot be read hides no other")
  func names() throws {
    let queue = try makeDatabase(
      "CREATE TABLE parent(place INTEGER PRIMARY KEY, value0 TEXT, wanted TEXT)", "INSERT INTO parent VALUES (1, 'here', 'x')",
      "CREATE TABLE child(place REFERENCES parent)")
    let found = try queue.read { db in
      let key = try db.tableSchema(TableReference(name: "child")).foreignKeys[0]
      var broken = key
      broken.referencedColumns = ["no such column"]
      return try db.referredRows([ReferenceLookup(broken, [[.integer(1)]]), ReferenceLookup(key, [[.integer(1)]])])
    }
    #expect(found == [[], [.row(label: "here")]])
  }

  @Test("Rows are known by other columns where these are chosen")
  func chosenLabels() throws {
    let queue = try makeDatabase(
      "CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT, born INTEGER)", "INSERT INTO artist VALUES (1, 'Nina', 1933)",
      "CREATE TABLE album(artist_id REFERENCES artist)")
    let found = try queue.read { db in
      let key = try db.tableSchema(TableReference(name: "album")).foreignKeys[0]
      return try db.referredRows([["BORN", "name"], ["nothing"]].map { ReferenceLookup(key, [[.integer(1)]], labels: $0) })
    }
    #expect(found == [[.row(label: "1933 Nina")], [.row(label: "Nina")]])
  }

  @Test("A table that refers to itself, and one whose parent is not there")
  func selfAndNowhere() throws {
    let script = "CREATE TABLE node(id INTEGER PRIMARY KEY, title TEXT, parent INTEGER REFERENCES node, other REFERENCES nowhere(id))"
    let nodes = "INSERT INTO node VALUES (1, 'root', NULL, 5), (2, 'leaf', 1, NULL)"
    #expect(try rows("node", [[.integer(1)]], script, nodes) == [.row(label: "root")])
    #expect(try rows("node", [[.integer(5)]], key: 1, script, nodes) == [.noTable])
    #expect(try rows("node", [], script).isEmpty)
  }

  @Test("A key leads to the rows that it means, both ways; NULL leads nowhere")
  func rowSets() throws {
    let queue = try makeDatabase(
      "CREATE TABLE parent(a, b, c, PRIMARY KEY(b, a))", "CREATE TABLE child(x, y, FOREIGN KEY(x, y) REFERENCES PARENT)")
    let key = try #require(try queue.read { try $0.tableSchema(TableReference(name: "child")) }.foreignKeys.first)
    let row: [String: DatabaseValue] = ["x": .integer(1), "y": .text("k"), "z": .null]
    #expect(
      key.referencedRows { row[$0] }
        == RowSet(
          .table(TableReference(name: "PARENT")),
          matching: [ColumnMatch(column: "b", value: .integer(1)), ColumnMatch(column: "a", value: .text("k"))]))
    #expect(key.referencedRows { $0 == "x" ? .null : row[$0] } == nil)
    let inbound = InboundReference(table: TableReference(name: "child"), key: key)
    let parent: [String: DatabaseValue] = ["a": .text("k"), "b": .integer(1)]
    #expect(
      inbound.referringRows { parent[$0] }
        == RowSet(
          .table(TableReference(name: "child")),
          matching: [ColumnMatch(column: "x", value: .integer(1)), ColumnMatch(column: "y", value: .text("k"))]))
  }
}
