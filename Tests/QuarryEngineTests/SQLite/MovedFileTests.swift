import Foundation
import QuarryEngine
import TestSupport
import Testing

@Suite("Files that are moved")
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
