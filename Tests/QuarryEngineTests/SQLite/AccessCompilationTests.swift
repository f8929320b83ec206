import TestSupport
import Testing

/// Checks what the compiler says of accesses and of literals.
@Suite(.gated) struct AccessCompilationTests {
  @Test("A database, a statement or a cursor does not come out of an access that suspends")
  func escaping() throws {
    let snippets = [
      "{ (queue: DatabaseQueue) async throws -> Void in _ = try await queue.read { db in db } }",
      "{ (queue: DatabaseQueue) async throws -> Void in _ = try await queue.write { db in try db.makeStatement(sql: \"\") } }",
      "{ (queue: DatabaseQueue) async throws -> Void in _ = try await queue.withoutTransaction { try Row.fetchCursor($0, sql: \"\") } }",
    ]
    let diagnostics = try CompilationTests.typecheck(snippets, checksSending: true)
    for line in snippets.indices {
      let own = diagnostics.filter { $0.hasPrefix("\(line + 2):") }
      #expect(own.contains { $0.contains("error:") && $0.contains("as a 'sending' result") }, "\(snippets[line]): \(own)")
    }
  }

  @Test("What does not belong to the database comes out of both, and every value that SQLite stores stands in a literal")
  func accepted() throws {
    let snippets = [
      "{ (queue: DatabaseQueue) async throws -> [Row] in try await queue.read { try Row.fetchAll($0, sql: \"\") } }",
      "{ (queue: DatabaseQueue) async throws -> [UnsafeRawPointer] in try await queue.read { _ in [UnsafeRawPointer]() } }",
      "{ (queue: DatabaseQueue) async throws -> Void in try await queue.write { db in try db.execute(sql: \"\") } }",
      "{ (queue: DatabaseQueue) throws -> Row? in try queue.read { try Row.fetchOne($0, sql: \"\") } }",
      "{ (queue: DatabaseQueue, copy: DatabaseQueue) async throws -> Void in try await queue.backup(to: copy) }",
      "{ (db: Database) throws -> Set<Row> in try Row.fetchSet(db, sql: \"\") }",
      "{ (db: Database) throws -> Void in try db.inSavepoint { _ in .rollback } }",
      "{ (bytes: [UInt8], row: Row) -> SQLText in \"\\(bytes) \\(three) \\(nil) \\([three]) \\([bytes])\" }",
    ]
    #expect(try CompilationTests.typecheck(snippets, checksSending: true) == [])
  }
}
