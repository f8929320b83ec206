import QuarryEngine
import TestSupport
import Testing

@Suite("Database queue")
struct DatabaseQueueTests {
  @Test("what one access writes, the next one reads")
  func writeThenRead() throws {
    let queue = try makeDatabase("CREATE TABLE player (name TEXT, score INTEGER)")
    try queue.write { try $0.execute(sql: "INSERT INTO player VALUES (?, ?)", arguments: ["Arthur", 41]) }
    let row = try queue.read { try Row.fetchOne($0, sql: "SELECT * FROM player") }
    #expect(row?.description == #"[name:"Arthur" score:41]"#)
  }
}
