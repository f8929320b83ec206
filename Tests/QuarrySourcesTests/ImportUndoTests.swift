import Foundation
import QuarryChanges
import QuarryEngine
import QuarryFiles
import QuarrySources
import TestSupport
import Testing

/// Imports through a data source, which records them.
@Suite(.gated) struct ImportUndoTests {
  private let track = TableReference(name: "Track")

  private struct Fixture {
    let path: String
    let source: SQLiteDataSource
    let folder: URL

    init(_ folder: URL, _ sql: String...) throws {
      self.folder = folder
      path = try makeDatabaseFile(in: folder, sql.joined(separator: ";"))
      source = try SQLiteDataSource(path: path, changesFolder: folder.appendingPathComponent("changes").path)
    }

    func plan(_ text: String, into target: ImportPlan.Target) throws -> ImportPlan {
      let file = folder.appendingPathComponent("file.csv")
      try Data(text.utf8).write(to: file)
      return ImportPlan(path: file.path, into: target)
    }

    func rows(_ sql: String) throws -> [[DatabaseValue]] {
      try DatabaseQueue(path: path).read { db in try Row.fetchAll(db, sql: sql).map { try $0.databaseValues } }
    }
  }

  @Test func `an import into a table is undone with all that triggers did`() async throws {
    try await withTemporaryFolder { folder in
      let fixture = try Fixture(
        folder, "CREATE TABLE Track(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO Track VALUES (1, 'Old'), (2, 'Two')",
        "CREATE TABLE log(id); CREATE TRIGGER logging AFTER INSERT ON Track BEGIN INSERT INTO log VALUES (new.id); END")
      var plan = try fixture.plan("id,name\n1,New\n3,Three\n", into: .existing(track))
      plan.onConflict = .update
      let result = try await fixture.source.importRows(plan) { _ in }
      let commit = try #require(try await fixture.source.recordedCommits().first)
      #expect(commit.kind == .import && result.commits == [commit.id] && commit.statement.hasSuffix("file.csv into Track"))
      #expect(commit.inserted == 2 && commit.updated == 1)
      #expect(try fixture.rows("SELECT name FROM Track") == [[.text("New")], [.text("Two")], [.text("Three")]])
      guard case .done = try await fixture.source.undo(commit.id, choosing: UndoChoices()) else { throw CancellationError() }
      #expect(try fixture.rows("SELECT * FROM Track") == [[.integer(1), .text("Old")], [.integer(2), .text("Two")]])
      #expect(try fixture.rows("SELECT * FROM log") == [])
    }
  }

  @Test func `the undo of an import into a new table drops it, also where its types were found late`() async throws {
    try await withTemporaryFolder { folder in
      let fixture = try Fixture(folder, "CREATE TABLE other(a)")
      let text = "n,t\n" + (0..<150_000).map { "\($0),some text\n" }.joined() + "007,x\n"
      let result = try await fixture.source.importRows(try fixture.plan(text, into: .new(track))) { _ in }
      #expect(result.columns.map(\.declaredType) == ["TEXT", "TEXT"] && result.inserted == 150_001)
      #expect(try fixture.rows("SELECT n FROM Track WHERE rowid IN (1, 150001)") == [[.text("0")], [.text("007")]])
      let commit = try #require(try await fixture.source.recordedCommits().first)
      #expect(commit.tables == [RecordedTable(name: "Track", inserted: 150_001, alteration: "new")])
      guard case .done = try await fixture.source.undo(commit.id, choosing: UndoChoices()) else { throw CancellationError() }
      #expect(try fixture.rows("SELECT name FROM sqlite_schema") == [[.text("other")]])
    }
  }

  @Test func `an import that is cancelled at whatever moment leaves nothing, or all`() async throws {
    try await withTemporaryFolder { folder in
      let fixture = try Fixture(folder, "CREATE TABLE Track(n INTEGER PRIMARY KEY, t TEXT)")
      let count = 60_000
      let text = "n,t\n" + (0..<count).map { "\($0),some text\n" }.joined()
      let plan = try fixture.plan(text, into: .existing(track))
      var random = SplitMix(seed: 21)
      for _ in 0..<testRounds(6) {
        let task = Task { [source = fixture.source] in try await source.importRows(plan) { _ in } }
        for _ in 0..<Int.random(in: 0...100_000, using: &random) { await Task.yield() }
        task.cancel()
        let isDone = (try? await task.value) != nil
        #expect(try fixture.rows("SELECT count(*) FROM Track") == [[.integer(Int64(isDone ? count : 0))]])
        #expect(await fixture.source.transaction() == nil)
        #expect(try await fixture.source.recordedCommits().count { $0.kind == .import && $0.state == .settled } == (isDone ? 1 : 0))
        if isDone { try await undoLast(of: fixture.source) }
      }
    }
  }

  @Test func `an import that is cancelled in its midst leaves the file to others, and can be done again`() async throws {
    try await withTemporaryFolder { folder in
      let fixture = try Fixture(folder, "CREATE TABLE Track(n INTEGER PRIMARY KEY, t TEXT)")
      let text = "n,t\n" + (0..<300_000).map { "\($0),some text\n" }.joined()
      let plan = try fixture.plan(text, into: .existing(track))
      let (reports, reported) = AsyncStream.makeStream(of: Void.self)
      let hasBeenCancelled = DispatchSemaphore(value: 0)
      let task = Task { [source = fixture.source] in
        try await source.importRows(plan) { _ in
          reported.yield()
          hasBeenCancelled.wait()
        }
      }
      for await _ in reports { break }
      task.cancel()
      hasBeenCancelled.signal()
      await #expect(throws: CancellationError.self) { try await task.value }
      let other = try DatabaseQueue(path: fixture.path)
      try await other.write { db in try db.execute(sql: "INSERT INTO Track VALUES (-1, 'other')") }
      #expect(try await fixture.source.importRows(plan) { _ in }.inserted == 300_000)
    }
  }

  private func undoLast(of source: SQLiteDataSource) async throws {
    let commit = try #require(try await source.recordedCommits().first { $0.kind == .import && $0.state == .settled })
    _ = try await source.undo(commit.id, choosing: UndoChoices())
  }

  @Test func `a source that may not be written says so`() async throws {
    try await withTemporaryFolder { folder in
      let fixture = try Fixture(folder, "CREATE TABLE Track(id)")
      #expect(fixture.source.files != nil)
      let preview = try await fixture.source.preview(of: try fixture.plan("id\n1\n", into: .new(track)))
      #expect(preview.problems == ["there is already a table Track: import into it, or choose another name"])
    }
  }
}
