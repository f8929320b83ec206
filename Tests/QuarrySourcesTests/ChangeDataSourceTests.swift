import Foundation
import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources
import TestSupport
import Testing

/// What the screens ask a data source about commits.
@Suite(.gated) struct ChangeDataSourceTests {
  private let file: RecordedFile
  private let source: SQLiteDataSource

  init() throws {
    let file = try RecordedFile("CREATE TABLE t(id INTEGER PRIMARY KEY, a)", "INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'z')")
    self.file = file
    source = try SQLiteDataSource(of: file)
  }

  private func commit(_ sql: String...) async throws {
    for sql in sql { _ = try await source.run(sql, [:], unkeptRows: nil) }
    try await source.endTransaction(isCommitted: true)
  }

  @Test func `what the editor commits is listed with its rows, and undone`() async throws {
    try await commit("UPDATE t SET a = 'all'", "DELETE FROM t WHERE id = 3")
    let commit = try #require(try await source.recordedCommits().first)
    #expect(commit.kind == .sql && commit.statement == "UPDATE t SET a = 'all';\nDELETE FROM t WHERE id = 3")
    #expect((commit.inserted, commit.updated, commit.deleted) == (0, 2, 1))
    let rows = try await source.rows(ofCommit: commit.id, from: 1, limit: 1)
    #expect(
      rows == [
        RecordedRow(table: "t", key: .rowID(2), operation: .update, columns: [RecordedColumn(name: "a", old: "y", new: "all")])
      ])
    let result = try await source.undo(commit.id, choosing: UndoChoices())
    #expect(result.summary == "done")
    #expect(try await source.recordedCommits().map(\.state) == [.settled, .undone(by: 2)])
    #expect(try file.contents().contains("t: 3 | integer 33 | text 7A"))
  }

  @Test func `what is rolled back is not listed, and while a transaction is open nothing is undone`() async throws {
    try await commit("DELETE FROM t WHERE id = 1")
    _ = try await source.run("DELETE FROM t", [:], unkeptRows: nil)
    let id = try #require(try await source.recordedCommits().first).id
    await #expect(throws: DataSourceError.self) { try await source.undo(id, choosing: UndoChoices()) }
    try await source.endTransaction(isCommitted: false)
    #expect(try await source.recordedCommits().count == 1)
    #expect(try await source.undo(id, choosing: UndoChoices()).summary == "done")
  }

  @Test func `COMMIT that is typed is recorded as well, and a transaction can be passed over`() async throws {
    for sql in ["BEGIN", "DELETE FROM t WHERE id = 1", "COMMIT"] { _ = try await source.run(sql, [:], unkeptRows: nil) }
    #expect(try await source.recordedCommits().map(\.deleted) == [1])
    await source.skipRecording()
    try await commit("DELETE FROM t WHERE id = 2")
    #expect(try await source.recordedCommits().count == 1)
    try await commit("DELETE FROM t")
    #expect(try await source.recordedCommits().map(\.deleted) == [1, 1])
  }

  @Test func `it is known of staged changes whether they were committed, also where the program was killed right after it`() async throws {
    let table = TableReference(name: "t")
    func insertion() -> StagedChanges {
      var changes = StagedChanges()
      changes.insert(["a": "new"], into: table)
      return changes
    }
    let (first, second) = (insertion(), insertion())
    #expect(try await !source.hasCommitted(first))
    _ = try await source.commit(first)
    let log = try #require(try file.log())
    try await log.queue.write { try $0.execute(sql: "UPDATE recorded SET state = 'pending'") }
    #expect(try await source.hasCommitted(first))
    #expect(try await !source.hasCommitted(second))
    let state = file.folder.appendingPathComponent("staged").path
    var dead: StagedStore? = try StagedStore(state: state, database: file.path)
    try dead?.save(first)
    dead = nil
    let found = try #require(try StagedStore(state: state, database: file.path).abandoned().changes.first)
    #expect(try await source.hasCommitted(found.changes))
  }

  @Test func `records of the first version are read and written on`() async throws {
    try await commit("DELETE FROM t WHERE id = 1")
    let log = try #require(try file.log())
    try await log.queue.write { try $0.execute(sql: "ALTER TABLE recorded DROP COLUMN staged; PRAGMA user_version = 1") }
    try log.queue.close()
    try file.run("DELETE FROM t WHERE id = 2")
    #expect(try file.commits().map(\.deleted) == [1, 1])
  }
}
