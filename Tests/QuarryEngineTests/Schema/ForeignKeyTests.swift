import QuarryEngine
import TestSupport
import Testing

@Suite struct ForeignKeyTests {
  private func makeShop() throws -> DatabaseQueue {
    try makeDatabase(
      "CREATE TABLE parent(a, b, c, PRIMARY KEY(b, a))",
      "CREATE TABLE one(p INTEGER PRIMARY KEY, q REFERENCES one)",
      """
      CREATE TABLE child(id INTEGER PRIMARY KEY, x, y, z REFERENCES missing, u REFERENCES one(p) ON DELETE CASCADE ON UPDATE SET NULL,
        FOREIGN KEY(x, y) REFERENCES PARENT)
      """)
  }

  private func keys(_ table: String) throws -> [ForeignKeySchema] {
    try makeShop().read { try $0.tableSchema(TableReference(name: table)) }.foreignKeys
  }

  @Test("Foreign keys are in the order of their declaration, with columns resolved to the primary key")
  func resolution() throws {
    let keys = try keys("child")
    #expect(keys.map(\.columns) == [["z"], ["u"], ["x", "y"]])
    #expect(keys.map(\.referencedColumns) == [[], ["p"], ["b", "a"]])
    #expect(keys.map(\.onDelete) == ["NO ACTION", "CASCADE", "NO ACTION"])
    #expect(keys[1].onUpdate == "SET NULL")
  }

  @Test("References to a table are found in any case, its own included")
  func references() throws {
    let queue = try makeShop()
    let parent = try queue.read { try $0.references(to: TableReference(name: "parent")) }
    #expect(parent.map(\.table.name) == ["child"])
    #expect(parent.first?.key.referencedColumns == ["b", "a"])
    let one = try queue.read { try $0.references(to: TableReference(name: "one")) }
    #expect(one.map { "\($0.table.name) \($0.key.columns)" } == ["child [\"u\"]", "one [\"q\"]"])
    #expect(one.map(\.key.referencedColumns) == [["p"], ["p"]])
  }

  @Test("A key leads to the rows that it means, both ways; NULL leads nowhere")
  func rowSets() throws {
    let key = try #require(try keys("child").last)
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
