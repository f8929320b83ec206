import Foundation
import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources
import TestSupport
import Testing

@Suite("Edits through a data source", .gated) struct EditedDataSourceTests {
  private static let player = TableReference(name: "player")

  /// Makes a data source of a file, with a connection for each of its purposes.
  private static func source(_ path: String, refusal: String? = nil) throws -> SQLiteDataSource {
    let queue = { @Sendable in try DatabaseQueue(path: path) }
    return SQLiteDataSource(
      rows: ReadConnections(foreground: try queue(), background: try queue()), background: try queue(),
      script: ScriptConnection(refusal: refusal) { try queue() }, watchInterval: nil)
  }

  private static func staged(_ name: StagedValue = "Art") throws -> StagedChanges {
    var changes = StagedChanges()
    try changes.set(name, column: "name", row: .stored(.rowID(1)), of: player, was: "Arthur")
    return changes
  }

  @Test("What is staged is written, read whole, and offered")
  func commit() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT NOT NULL)", "INSERT INTO player VALUES (1, 'Arthur')")
      let source = try Self.source(path)
      #expect(source.edits != nil && source.editRefusal == nil)
      let summary = try await source.commit(Self.staged())
      #expect(summary.description == "1 row changed")
      #expect(await source.transaction() == nil)
      #expect(try await source.storedRows([.rowID(1)], columns: nil, of: Self.player) == [["id": 1, "name": "Art"]])
      let choices = try await source.choices(for: "name", of: Self.player, prefix: "a", limit: 5)
      #expect(choices == [ColumnChoice(value: "Art")])
      let fault = try await source.fault(in: ["id": 2], of: Self.player, by: .insert)
      #expect(fault?.columns == ["name"])
      await #expect(throws: CommitFailure.self) { try await source.commit(Self.staged("other")) }
      #expect(await source.transaction() == nil)
    }
  }

  @Test("A statement by which SQLite rolls the open transaction back says so, and those after it begin another")
  func rolledBack() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE player(id INTEGER PRIMARY KEY, name)")
      let source = try Self.source(path)
      for sql in ["BEGIN", "INSERT INTO player VALUES (1, 'Arthur'), (2, 'Barbara')"] {
        _ = try await source.run(sql, [:], unkeptRows: nil)
      }
      let error = await #expect(throws: DatabaseError.self) {
        try await source.run("INSERT OR ROLLBACK INTO player VALUES (1, 'again')", [:], unkeptRows: nil)
      }
      #expect(error?.resultCode == .SQLITE_CONSTRAINT)
      #expect(
        error?.sentence == """
          UNIQUE constraint failed: player.id; SQLite rolled back the open transaction, with earlier changes: 2 rows
          """)
      #expect(await source.transaction() == nil)
      _ = try await source.run("INSERT INTO player VALUES (3, 'Craig')", [:], unkeptRows: nil)
      #expect(await source.transaction()?.changes == 1)
      try await source.endTransaction(isCommitted: true)
      let names = try await DatabaseQueue(path: path).read { try String.fetchAll($0, sql: "SELECT name FROM player") }
      #expect(names == ["Craig"])
    }
  }

  @Test("A commit refuses while statements have a transaction open, which stays as it is, and where nothing may be written")
  func refusals() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE player(id INTEGER PRIMARY KEY, name)", "INSERT INTO player VALUES (1, 'Arthur')")
      let source = try Self.source(path)
      _ = try await source.run("INSERT INTO player VALUES (2, 'B')", [:], unkeptRows: nil)
      await #expect(throws: DataSourceError("a transaction of statements is open: :commit or :rollback it first")) {
        try await source.commit(Self.staged())
      }
      #expect(await source.transaction()?.changes == 1)
      try await source.endTransaction(isCommitted: true)
      #expect(try await source.commit(Self.staged()).changed == 1)
      let refusing = try Self.source(path, refusal: "opened with --read-only")
      #expect(refusing.editRefusal == "opened with --read-only")
      await #expect(throws: DataSourceError("opened with --read-only")) { try await refusing.commit(Self.staged()) }
    }
  }

  @Test("A commit that another program's lock keeps waiting ends when its task is cancelled, and writes nothing")
  func cancelledWait() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE player(id INTEGER PRIMARY KEY, name)", "INSERT INTO player VALUES (1, 'Arthur')")
      let other = try DatabaseQueue(path: path)
      try await other.withoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
      var configuration = Configuration()
      configuration.busyTimeout = .untilStopped
      let waiting = try DatabaseQueue(path: path, configuration: configuration)
      let source = SQLiteDataSource(
        rows: ReadConnections(foreground: other, background: other), background: other, script: ScriptConnection(refusal: nil) { waiting },
        watchInterval: nil)
      let task = Task { try await source.commit(Self.staged()) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      try await other.withoutTransaction { db in
        try db.execute(sql: "ROLLBACK")
        let name = try String.fetchOne(db, sql: "SELECT name FROM player")
        #expect(name == "Arthur")
      }
      #expect(try await source.commit(Self.staged()).changed == 1)
    }
  }
}
