import Foundation
import QuarryEngine
import TestSupport
import Testing

@Suite("Files that are moved", .gated)
struct MovedFileTests {
  @Test("what was deleted or replaced is told, of attached files too, until they are detached")
  func moved() throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(x)")
      let second = try makeDatabaseFile(in: folder, named: "second.db", "CREATE TABLE t(x)")
      let third = try makeDatabaseFile(in: folder, named: "third.db", "CREATE TABLE t(x)")
      let queue = try DatabaseQueue(path: path)
      try queue.withoutTransaction { try $0.attach(path: second, as: "second") }
      #expect(queue.movedFiles.isEmpty)
      try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (1); INSERT INTO second.t VALUES (1)") }
      #expect(queue.movedFiles.isEmpty)
      try FileManager.default.removeItem(atPath: path)
      #expect(queue.movedFiles.map(\.path) == [path])
      #expect(queue.movedFiles.map(\.isReplaced) == [false])
      #expect(rename(third, second) == 0)
      #expect(queue.movedFiles.map(\.path) == [second, path].sorted())
      #expect(queue.movedFiles.first { $0.path == second }?.isReplaced == true)
      try queue.withoutTransaction { try $0.detach("second") }
      #expect(queue.movedFiles.map(\.path) == [path])
    }
  }

  @Test("a database in memory is never moved")
  func memory() throws {
    #expect(try DatabaseQueue().movedFiles.isEmpty)
    #expect(try DatabaseQueue(path: "").movedFiles.isEmpty)
  }
}

@Suite("A shared database in memory", .gated)
struct SharedMemoryTests {
  @Test("is one for all connections that give its name, and goes with the last of them")
  func lifetime() throws {
    var queue: DatabaseQueue? = try DatabaseQueue(path: ":memory:shared memory?")
    try queue?.write { try $0.execute(sql: "CREATE TABLE player (name TEXT)") }
    var configuration = Configuration()
    configuration.isReadonly = true
    var reader: DatabaseQueue? = try DatabaseQueue(path: ":memory:shared memory?", configuration: configuration)
    queue = nil
    #expect(try reader?.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM player") } == 0)
    #expect(throws: DatabaseError.self) { try reader?.write { try $0.execute(sql: "DELETE FROM player") } }
    reader = nil
    let other = try DatabaseQueue(path: ":memory:shared memory?")
    #expect(try other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") } == 0)
  }

  @Test("leaves others alone")
  func separation() throws {
    let queue = try DatabaseQueue(path: ":memory:one of two")
    try queue.write { try $0.execute(sql: "CREATE TABLE player (name TEXT)") }
    for path in [":memory:", ":memory:two of two"] {
      let other = try DatabaseQueue(path: path)
      #expect(try other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") } == 0)
    }
  }
}

@Suite(.gated) struct VirtualTableConnectionTests {
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
