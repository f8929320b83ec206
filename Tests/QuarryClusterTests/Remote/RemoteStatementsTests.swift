import Foundation
import QuarryChanges
import QuarryCluster
import QuarryEngine
import QuarryFiles
import QuarryRows
import QuarrySources
import TestSupport
import Testing

/// Statements, edits and insight on a database that a server has.
@Suite(.gated) struct RemoteStatementsTests {
  private static let script = [
    "CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    "CREATE TABLE album(id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, artist INTEGER REFERENCES artist, day DATE, cover BLOB)",
    "CREATE TABLE tag(name TEXT, album INTEGER, PRIMARY KEY(name, album)) WITHOUT ROWID",
    "INSERT INTO artist VALUES (1, 'Nina'), (2, 'Miles')",
    "INSERT INTO album VALUES (1, 'Blues', 1, '1965', zeroblob(9000)), (2, 'Kind of Blue', 2, 1959.5, NULL), (3, 'x', 1, NULL, x'00')",
    "DELETE FROM album WHERE id = 3",
    "INSERT INTO tag VALUES ('live', 1), ('late', 2)",
  ]

  private func withSource(
    refusal: String? = nil, _ body: (RemoteDataSource, ServedDatabase, _ file: DatabaseQueue) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("served.db").path
      let queue = try DatabaseQueue(path: path)
      try await queue.withoutTransaction { db in for sql in Self.script { try db.execute(sql: sql) } }
      let server = ServedDatabase(path: path)
      try await body(
        RemoteDataSource(server, refusal: refusal, changesFolder: folder.appendingPathComponent("changes").path), server, queue)
    }
  }

  private func titles(_ file: DatabaseQueue) throws -> [String?] {
    try file.read { try (String?).fetchAll($0, sql: "SELECT title FROM album ORDER BY id") }
  }

  private let album = TableReference(name: "album")

  // MARK: Statements

  @Test(
    "What would harm a server is refused before it is sent",
    arguments: [
      "ATTACH 'x' AS y", "PRAGMA journal_mode = DELETE", "PRAGMA page_size = 512", "PRAGMA delete_database", "PRAGMA query_only = 0",
      "PRAGMA hard_heap_limit = 1000000000", "PRAGMA main.Soft_Heap_Limit(0)", "PRAGMA temp_store_directory = '/tmp'",
      "PRAGMA writable_schema = 1", "PRAGMA wal_checkpoint", "VACUUM INTO 'copy.db'", "CREATE TEMP TABLE t(a)",
      "DELETE FROM album RETURNING id",
      "INSERT INTO tag VALUES ('a', 1) RETURNING *",
    ])
  func refused(_ sql: String) async throws {
    try await withSource { source, server, _ in
      await #expect(throws: StatementFailure.self) { try await source.prepare([sql]) }
      await #expect(throws: DataSourceError.self) { try await source.run(sql, [:], unkeptRows: nil) }
      #expect(!server.requests.contains { $0.contains(sql) })
    }
  }

  @Test(
    "What a server is set to can be asked, by one who only reads too",
    arguments: [
      "PRAGMA journal_mode", "PRAGMA main.journal_mode;", "PRAGMA hard_heap_limit", "PRAGMA table_info(album)", "PRAGMA foreign_keys",
    ])
  func question(_ sql: String) async throws {
    try await withSource(refusal: "only read") { source, _, _ in
      _ = try await source.prepare([sql])
      guard case .rows(let rows) = try await source.run(sql, [:], unkeptRows: nil) else {
        Issue.record("\(sql) gives no rows")
        return
      }
      #expect(try await source.reader(of: RowSet(rows)).page(PageRequest(.first, limit: 5)).rows.count > 0)
    }
  }

  /// Reads the numbers from 1 to 20 from a server that loses its leader after 7 of them.
  private func numbers(isOwn: Bool, _ change: String = "SELECT 1") async throws -> (rows: [Int64], error: (any Error)?) {
    let rows = Monitor<[Int64]>([])
    var failure: (any Error)?
    try await withSource { source, server, file in
      try await file.withoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE n(i)")
        for number in 1...20 { try db.execute(sql: "INSERT INTO n VALUES (?)", arguments: [number]) }
      }
      server.loseConnection(afterRows: 7) { try file.withoutTransaction { try $0.execute(sql: change) } }
      let sql = "SELECT i FROM n"
      try await source.checkLongRead(sql)
      do {
        try await source.forEachRow(of: sql, [], isOwn: isOwn) { _, row in
          if case .integer(let number)? = row?.first?.value { rows.change { $0.append(number) } }
        }
      } catch {
        failure = error
      }
    }
    return (rows.read { $0 }, failure)
  }

  @Test("Rows of a table go on where they have ended with their leader, each of them once")
  func resumed() async throws {
    let all = try await numbers(isOwn: true)
    #expect(all.rows == Array(1...20) && all.error == nil, "\(all)")
    let grown = try await numbers(isOwn: true, "INSERT INTO n VALUES (21)")
    #expect(grown.rows == Array(1...21) && grown.error == nil, "\(grown)")
  }

  @Test(
    "Rows that were changed before they could go on are not said to be all", arguments: ["UPDATE n SET i = 0 WHERE i = 2", "DELETE FROM n"])
  func changedBeforeResuming(change: String) async throws {
    let some = try await numbers(isOwn: true, change)
    #expect(some.rows == Array(1...9))
    #expect((some.error as? DataSourceError)?.description.contains("the result is incomplete") == true, "\(some)")
  }

  @Test("A statement of a person is not run again by itself")
  func notResumed() async throws {
    let some = try await numbers(isOwn: false)
    #expect(some.rows == Array(1...9) && some.error is DataSourceError, "\(some)")
  }

  @Test("Parameters have names here and numbers there; a statement is checked before it is sent")
  func parameters() async throws {
    try await withSource { source, server, _ in
      let sql = "SELECT title FROM album WHERE id >= :least AND title LIKE '%' || :part || '%'"
      #expect(try await source.prepare([sql]).parameters.map(\.identity) == [":least", ":part"])
      let result = try await source.run(sql, [":least": .integer(1), ":part": .text("Blue")], unkeptRows: nil)
      guard case .rows(let rows) = result else {
        Issue.record("\(result)")
        return
      }
      let page = try await source.reader(of: RowSet(rows)).page(PageRequest(.first, limit: 10))
      #expect(page.rows.map { $0.cells[0].whole } == ["Blues", "Kind of Blue"])
      let before = server.requests.count
      await #expect(throws: StatementFailure.self) { try await source.prepare(["SELECT nothing FROM album"]) }
      #expect(server.requests.count == before)
    }
  }

  @Test("What was under way when the leader was lost is sent once, unless Quarry wrote it and it is soon done")
  func sentOnce() async throws {
    try await withSource(refusal: "only read") { source, server, _ in
      let album = RowSet(.table(album))
      let reader = try source.reader(of: album)
      _ = try await reader.page(PageRequest(.first, limit: 5))
      func sent(_ body: () async throws -> Void) async -> (count: Int, fails: Bool) {
        let before = server.requests.count
        server.loseConnections(1)
        defer { server.loseConnections(0) }
        do { try await body() } catch { return (server.requests.count - before, true) }
        return (server.requests.count - before, false)
      }
      let page = await sent { _ = try await reader.page(PageRequest(.first, limit: 5)) }
      #expect(page.count == 2 && !page.fails)
      let row = await sent { _ = try await reader.record(.rowID(1), limit: 10) }
      #expect(row.count == 2 && !row.fails)
      let rows = await sent { try await source.forEachRow(of: "SELECT title FROM album", []) { _, _ in } }
      #expect(rows.count == 1 && rows.fails)
      let plan = await sent { _ = try await source.plan(of: "SELECT title FROM album") }
      #expect(plan.count == 1 && plan.fails)
      guard case .rows(let read) = try await source.run("SELECT count(*) FROM album", [:], unkeptRows: nil) else {
        Issue.record("no rows")
        return
      }
      let query = await sent { _ = try await source.reader(of: RowSet(read)).page(PageRequest(.first, limit: 5)) }
      #expect(query.count == 1 && query.fails)
      let explaining = RowSet(.query(sql: "EXPLAIN SELECT 1"))
      let explained = await sent { _ = try await source.reader(of: explaining).page(PageRequest(.first, limit: 5)) }
      #expect(explained.count == 1 && explained.fails)
    }
  }

  @Test("A copy of a table is begun anew at the next leader")
  func copiedAnew() async throws {
    try await withSource { source, server, _ in
      _ = try await source.catalog()
      server.loseConnection(at: "rows of the query")
      let counts = try await source.counts(CountRequest(InsightColumn("artist"), in: RowSet(.table(album)))) { _ in }
      #expect(counts.rows == 2)
      server.loseConnection(at: "rows of the query")
      let found = try await source.search(EverywhereSearch("blue", tables: nil, limit: 10)) { _ in }
      #expect(found.contains { $0.table.name == "album" })
    }
  }

  @Test("An export is begun anew at the next leader, and has no row twice")
  func exportedAnew() async throws {
    try await withSource { source, server, _ in
      let reader = try source.reader(of: RowSet(.table(album)))
      _ = try await reader.page(PageRequest(.first, limit: 5))
      try await withTemporaryFolder { folder in
        let path = folder.appendingPathComponent("album.csv").path
        server.loseConnection(at: "ORDER BY")
        let export = RowSetExport(columns: [0, 1], format: .csv, path: path)
        let summary = try await source.export(export, of: reader) { _ in }
        #expect(summary.rows == 2)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline)
        #expect(lines == ["id,title", "1,Blues", "2,\"Kind of Blue\""])
      }
    }
  }

  @Test("A statement that writes is explained where it may run, and is else refused for that reason")
  func explained() async throws {
    for sql in ["EXPLAIN DELETE FROM album", "EXPLAIN QUERY PLAN UPDATE album SET title = 'x' WHERE id = 1"] {
      try await withSource(refusal: "only read") { source, _, _ in
        let failure = await #expect(throws: DataSourceError.self) { try await source.run(sql, [:], unkeptRows: nil) }
        #expect(failure?.description == "only read")
      }
      try await withSource { source, _, file in
        guard case .rows(let rows) = try await source.run(sql, [:], unkeptRows: nil) else {
          Issue.record("\(sql) yields no rows")
          return
        }
        #expect(try await !source.wholeRows(of: rows).rows.isEmpty)
        #expect(try titles(file).count == 2)
      }
    }
  }

  @Test("What writes does so in a transaction that stays open, and is seen in it")
  func transaction() async throws {
    try await withSource { source, _, file in
      let result = try await source.run("UPDATE album SET title = 'X' WHERE id < :id", [":id": .integer(3)], unkeptRows: nil)
      guard case .done(let changes, _) = result else {
        Issue.record("\(result)")
        return
      }
      #expect(changes == 2)
      #expect(await source.transaction() == OpenTransaction(changes: 2))
      let page = try await source.reader(of: RowSet(.table(album))).page(PageRequest(.first, limit: 10))
      #expect(page.rows.map { $0.cells[1].whole } == ["X", "X"])
      #expect(try titles(file) == ["Blues", "Kind of Blue"])
      _ = try await source.run("CREATE TABLE made(a)", [:], unkeptRows: nil)
      #expect(try await source.catalog().databases[0].entries.contains { $0.reference.name == "made" })
      try await source.endTransaction(isCommitted: false)
      #expect(await source.transaction() == nil)
      #expect(try await !source.catalog().databases[0].entries.contains { $0.reference.name == "made" })
      #expect(try titles(file) == ["Blues", "Kind of Blue"])
    }
  }

  @Test("Nothing is written until a person asks")
  func readOnly() async throws {
    try await withSource(refusal: "read-only: --write") { source, _, file in
      await #expect(throws: DataSourceError("read-only: --write")) { try await source.run("DELETE FROM album", [:], unkeptRows: nil) }
      try source.allowWriting()
      #expect(source.editRefusal == nil)
      _ = try await source.run("DELETE FROM album", [:], unkeptRows: nil)
      try await source.endTransaction(isCommitted: true)
      #expect(try titles(file).isEmpty)
    }
  }

  // MARK: Edits

  @Test("An edit is committed where the row is as it was seen, recorded, and taken back")
  func edit() async throws {
    try await withSource { source, server, file in
      let before = try await source.storedRows([.rowID(1), .rowID(2)], columns: nil, of: album)
      var changes = StagedChanges()
      try changes.set("New", column: "title", row: .stored(.rowID(1)), of: album, was: "Blues")
      changes.delete(.stored(.rowID(2)), of: album, was: before[1] ?? [:])
      let new = changes.insert(["title": "Third", "artist": 2], into: album)
      let summary = try await source.commit(changes)
      #expect(summary.description == "1 row changed, 1 new, 1 deleted")
      // AUTOINCREMENT gives no number twice.
      guard case .new(let number) = new else {
        Issue.record("\(new)")
        return
      }
      #expect(summary.newKeys[album]?[number] == .rowID(4))
      #expect(try titles(file) == ["New", "Third"])
      let sent = server.requests.count { $0.contains("UPDATE") }
      #expect(sent == 1)

      let commits = try await source.recordedCommits()
      #expect(commits.map(\.kind) == [.edit])
      let result = try await source.undo(commits[0].id, choosing: UndoChoices())
      guard case .done = result else {
        Issue.record("\(result)")
        return
      }
      #expect(try titles(file) == ["Blues", "Kind of Blue"])
      #expect(try await source.storedRows([.rowID(1), .rowID(2)], columns: nil, of: album) == before)
    }
  }

  @Test("A row that others have changed is a conflict, and nothing is written")
  func conflict() async throws {
    try await withSource { source, _, file in
      var changes = StagedChanges()
      try changes.set("Mine", column: "title", row: .stored(.rowID(1)), of: album, was: "Blues")
      try changes.set("Mine too", column: "title", row: .stored(.rowID(2)), of: album, was: "Kind of Blue")
      try await file.write { try $0.execute(sql: "UPDATE album SET title = 'Theirs' WHERE id = 1") }
      let failure = await #expect(throws: CommitFailure.self) { try await source.commit(changes) }
      let expected = Conflict(table: album, key: .rowID(1), column: "title", base: "Blues", theirs: "Theirs", mine: "Mine")
      #expect(failure == .conflicts([expected]))
      #expect(try titles(file) == ["Theirs", "Kind of Blue"])
      #expect(try await source.recordedCommits().isEmpty)
    }
  }

  @Test("What other rows stand against, the server says, and nothing is written or recorded")
  func constraint() async throws {
    try await withSource { source, _, file in
      let artist = TableReference(name: "artist")
      var changes = StagedChanges()
      try changes.set("Miles", column: "name", row: .stored(.rowID(1)), of: artist, was: "Nina")
      let failure = await #expect(throws: CommitFailure.self) { try await source.commit(changes) }
      guard case .constraints(let failures)? = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
      #expect(failures.map(\.columns) == [["name"]])
      #expect(failures.map(\.row) == [.stored(.rowID(1))])
      var dangling = StagedChanges()
      try dangling.set(77, column: "artist", row: .stored(.rowID(1)), of: album, was: 1)
      await #expect(throws: (any Error).self) { try await source.commit(dangling) }
      #expect(try titles(file) == ["Blues", "Kind of Blue"])
      #expect(try await source.recordedCommits().isEmpty)
    }
  }

  @Test("Values that must be unique are exchanged between rows, and exchanged back")
  func exchange() async throws {
    try await withSource { source, _, file in
      try await file.write { try $0.execute(sql: "INSERT INTO artist VALUES (3, 'Ella'), (4, 'Bessie')") }
      let artist = TableReference(name: "artist")
      func names() throws -> [String] { try file.read { try String.fetchAll($0, sql: "SELECT name FROM artist ORDER BY id") } }
      let before = try names()
      var changes = StagedChanges()
      // Two that exchange their names, and one that gives its to the last of them.
      for (row, was, name) in [(1, "Nina", "Miles"), (2, "Miles", "Nina"), (3, "Ella", "Bessie"), (4, "Bessie", "Etta")] {
        try changes.set(.value(.text(name)), column: "name", row: .stored(.rowID(Int64(row))), of: artist, was: .value(.text(was)))
      }
      _ = try await source.commit(changes)
      #expect(try names() == ["Miles", "Nina", "Bessie", "Etta"])
      _ = try await source.undo(try #require(try await source.recordedCommits().first).id, choosing: UndoChoices())
      #expect(try names() == before)
    }
  }

  @Test("A commit whose answer is lost is looked up")
  func lostAnswer() async throws {
    try await withSource { source, server, file in
      var changes = StagedChanges()
      try changes.set("New", column: "title", row: .stored(.rowID(1)), of: album, was: "Blues")
      server.loseAnswer(isCommitted: true)
      let summary = try await source.commit(changes)
      #expect(summary.changed == 1 && summary.description.contains("the rows show that everything was written"))
      #expect(try titles(file) == ["New", "Kind of Blue"])
      #expect(try await source.recordedCommits().count == 1)
      var more = StagedChanges()
      try more.set("Newer", column: "title", row: .stored(.rowID(1)), of: album, was: "New")
      server.loseAnswer(isCommitted: false)
      await #expect(throws: DataSourceError.self) { try await source.commit(more) }
      #expect(try titles(file) == ["New", "Kind of Blue"])
      #expect(try await source.recordedCommits().count == 1)
    }
  }

  @Test("Of a commit in the midst of which the program was killed, the rows tell whether the server has made it")
  func killed() async throws {
    try await withSource { source, server, file in
      var changes = StagedChanges()
      try changes.set("New", column: "title", row: .stored(.rowID(1)), of: album, was: "Blues")
      let new = changes.insert(["title": "Third", "artist": 2], into: album)
      _ = try await source.commit(changes)
      let log = try #require(try await source.changeLog())
      // As it is just before and just after the server has committed.
      try await log.queue.write { try $0.execute(sql: "UPDATE recorded SET state = 'pending'") }
      let next = RemoteDataSource(server, changesFolder: log.folder.path)
      #expect(try await next.hasCommitted(changes))
      #expect(try await next.recordedCommits().map(\.state) == [.settled], "\(new)")
      _ = try await next.undo(nil, choosing: UndoChoices())
      #expect(try titles(file) == ["Blues", "Kind of Blue"])

      try await log.queue.write { try $0.execute(sql: "UPDATE recorded SET state = 'pending', undone_by = NULL WHERE number = 1") }
      #expect(try await !next.hasCommitted(changes))
      #expect(try await next.recordedCommits().map(\.id.number) == [2])
    }
  }

  @Test("What is sent is recorded as pending before, so that nothing is lost by a program that is killed meanwhile")
  func pending() async throws {
    try await withSource { source, server, file in
      var changes = StagedChanges()
      try changes.set("New", column: "title", row: .stored(.rowID(1)), of: album, was: "Blues")
      _ = try await source.commit(changes)
      let log = try #require(try await source.changeLog())
      let states = Monitor<[String]>([])
      server.onTransaction {
        let found = try? log.queue.read { try String.fetchAll($0, sql: "SELECT state FROM recorded ORDER BY number") as [String] }
        states.change { $0 = found ?? [] }
      }
      var more = StagedChanges()
      try more.set("Newer", column: "title", row: .stored(.rowID(1)), of: album, was: "New")
      _ = try await source.commit(more)
      #expect(states.read { $0 } == ["settled", "pending"])
      #expect(try await source.recordedCommits().map(\.state) == [.settled, .settled])
    }
  }

  // MARK: Insight

  @Test("Values are counted in a copy of the rows, which is made once for each state of them")
  func insight() async throws {
    try await withSource { source, server, file in
      let request = CountRequest(InsightColumn("artist"), in: RowSet(.table(album)))
      let counts = try await source.counts(request) { _ in }
      #expect(counts.rows == 2 && counts.lines == 2)
      // A profile looks at the tables that rows refer to, too.
      _ = try await source.profile(ProfileRequest(RowSet(.table(album)))) { _ in }
      let before = server.requests.count
      _ = try await source.profile(ProfileRequest(RowSet(.table(album)))) { _ in }
      // Only the state is asked for.
      #expect(server.requests.count == before + 1)
      try await file.write { try $0.execute(sql: "INSERT INTO album(title, artist) VALUES ('z', 2)") }
      #expect(try await source.counts(request) { _ in }.rows == 3)
      let query = RowSet(.query(sql: "SELECT artist, day FROM album WHERE id > ?", arguments: [.integer(1)]))
      #expect(try await source.counts(CountRequest(InsightColumn("day"), in: query)) { _ in }.rows == 2)
      let found = try await source.search(EverywhereSearch("blue", tables: nil, limit: 10)) { _ in }
      #expect(found.contains { $0.table.name == "album" })
    }
  }
}
