import QuarryEngine
import TestSupport
import Testing

@Suite("A shared database in memory")
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
