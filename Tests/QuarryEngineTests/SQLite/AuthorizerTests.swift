import QuarryEngine
import Synchronization
import TestSupport
import Testing

@Suite("Authorizer", .gated)
struct AuthorizerTests {
  private let queue: DatabaseQueue

  init() throws {
    queue = try makeDatabase("CREATE TABLE player (name TEXT, salary INTEGER)", "INSERT INTO player VALUES ('Arthur', 41)")
  }

  @Test("what is denied does not compile, and what is ignored is not there")
  func answers() throws {
    try queue.withoutTransaction { db throws in
      try db.setAuthorizer { request in
        switch request.action {
        case .dropTable: .deny
        case .read where request.first == "player" && request.second == "salary": .ignore
        case .function where request.second == "upper": .deny
        default: .allow
        }
      }
      expectError(DatabaseError.SQLITE_AUTH) { try db.execute(sql: "DROP TABLE player") }
      #expect(try Row.fetchOne(db, sql: "SELECT * FROM player")?.description == #"[name:"Arthur" salary:NULL]"#)
      let error = expectError(DatabaseError.SQLITE_AUTH) { try db.execute(sql: "SELECT upper(name) FROM player") }
      #expect(error?.message == "not authorized to use function: upper")
      try db.setAuthorizer(nil)
      #expect(try Row.fetchOne(db, sql: "SELECT * FROM player")?.description == #"[name:"Arthur" salary:41]"#)
      try db.execute(sql: "SELECT upper(name) FROM player; DROP TABLE player")
    }
  }

  @Test("statements that were compiled before are asked about again")
  func compiledBefore() throws {
    try queue.read { db throws in
      let select = try db.cachedStatement(sql: "SELECT salary FROM player")
      #expect(try Int.fetchOne(select) == 41)
      try db.setAuthorizer { $0.action == .read ? .ignore : .allow }
      #expect(try Int.fetchOne(select) == nil)
      try db.setAuthorizer(nil)
      #expect(try Int.fetchOne(select) == 41)
    }
  }

  @Test("a request says what is done to what, and which view or trigger does it")
  func requests() throws {
    let requests = Mutex<[AuthorizationRequest]>([])
    try queue.withoutTransaction { db in
      try db.execute(sql: "CREATE VIEW names AS SELECT name FROM player")
      try db.setAuthorizer { request in
        requests.withLock { $0.append(request) }
        return .allow
      }
      _ = try db.makeStatement(sql: "SELECT name FROM names")
      _ = try db.makeStatement(sql: "PRAGMA user_version = 7")
      try db.setAuthorizer(nil)
    }
    let seen = requests.withLock { $0 }
    let read = seen.filter { $0.action == .read && $0.first == "player" && $0.second == "name" }
    #expect(read.map(\.database) == ["main"] && read.map(\.source) == ["names"])
    #expect(seen.contains { $0.action == .pragma && $0.first == "user_version" && $0.second == "7" })
  }

  @Test("what the connection itself refuses, no authorizer allows")
  func builtInRules() throws {
    try queue.read { db throws in
      try db.setAuthorizer { _ in .allow }
      let error = expectError(DatabaseError.SQLITE_AUTH) { try db.execute(sql: "SELECT load_extension('x')") }
      #expect(error?.message.contains("is disabled") == true)
      // SQLite would set these as soon as they are compiled, for the whole program.
      for sql in ["PRAGMA hard_heap_limit = 1", "PRAGMA Soft_Heap_Limit(1)", "PRAGMA temp_store_directory = '/nowhere'"] {
        let refused = expectError(DatabaseError.SQLITE_AUTH) { _ = try db.makeStatement(sql: sql) }
        #expect(refused?.message.contains("every database that this program has open") == true, "\(sql)")
      }
      #expect(try Int.fetchOne(db, sql: "PRAGMA hard_heap_limit") == 0)
      #expect(try db.makeStatement(sql: "SELECT name FROM player").databaseRegion.description == "main.player(name)")
    }
  }
}
