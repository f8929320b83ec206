import QuarryEngine
import Testing

@Suite struct ResultCodeTests {
  @Test("A code is compared with SQLite's constants, and a primary one stands for those that extend it")
  func constants() throws {
    let error = try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE t (a UNIQUE, b NOT NULL); INSERT INTO t VALUES (1, 1)")
      return #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO t VALUES (1, 2)") }
    }
    let code = try #require(error?.extendedResultCode)
    #expect(error?.resultCode == .SQLITE_CONSTRAINT)
    #expect(code == .SQLITE_CONSTRAINT_UNIQUE && code != .SQLITE_CONSTRAINT && code == DatabaseError.SQLITE_CONSTRAINT_UNIQUE)
    #expect(ResultCode.SQLITE_CONSTRAINT ~= code && ResultCode.SQLITE_CONSTRAINT_UNIQUE ~= code)
    #expect(!(ResultCode.SQLITE_CONSTRAINT_NOTNULL ~= code) && !(ResultCode.SQLITE_CONSTRAINT_UNIQUE ~= code.primary))
    let name =
      switch code {
      case .SQLITE_CONSTRAINT_NOTNULL: "not null"
      case .SQLITE_BUSY: "busy"
      case .SQLITE_CONSTRAINT: "constraint"
      default: "other"
      }
    #expect(name == "constraint")
  }
}
