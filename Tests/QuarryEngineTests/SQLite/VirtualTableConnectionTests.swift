import QuarryEngine
import TestSupport
import Testing

@Suite struct VirtualTableConnectionTests {
  @Test("A connection leaves the statements of its virtual tables to them, at the end of an access and when it closes")
  func internalStatements() throws {
    for _ in 0..<20 {
      let queue = try makeDatabase(
        "CREATE VIRTUAL TABLE note USING fts5(title, body)", "INSERT INTO note VALUES ('a', 'b c'), ('d', 'e b')",
        "CREATE VIRTUAL TABLE box USING rtree(id, x0, x1)", "INSERT INTO box VALUES (1, 0, 1), (2, 3, 4)")
      #expect(try queue.read { try String.fetchAll($0, sql: "SELECT title FROM note WHERE note MATCH 'b' ORDER BY rowid") } == ["a", "d"])
      #expect(try queue.read { try Int.fetchAll($0, sql: "SELECT id FROM box WHERE x0 > 1") } == [2])
      try queue.close()
    }
  }
}
