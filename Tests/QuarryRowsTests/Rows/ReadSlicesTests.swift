import Foundation
import QuarryEngine
import QuarryRows
import Synchronization
import TestSupport
import Testing

@Suite("A long read of a file with a rollback journal", .gated) struct ReadSlicesTests {
  /// Runs `body` with the path of a database of a table `t(id, v)` with so many rows.
  private func withFile(
    rows: Int = 1_000, journal: String = "DELETE", _ body: (String) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "PRAGMA journal_mode = \(journal)", "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT)",
        "CREATE TABLE w(k TEXT PRIMARY KEY, v) WITHOUT ROWID",
        "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) INSERT INTO t SELECT i, 'value ' || i FROM n",
        "INSERT INTO w SELECT printf('%08d', id), v FROM t")
      try await body(path)
    }
  }

  /// Opens a connection that waits for locks.
  private static func patient(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyTimeout = .seconds(60)
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Reads from a connection, with a part after another for as long as the read goes on, while another connection writes once.
  ///
  /// - Returns: Whether the write came to an end while the read was under way.
  private func writesMeanwhile(_ slicing: ReadSlicing, _ path: String) async throws -> Bool {
    let (reader, writer) = (try DatabaseQueue(path: path), try Self.patient(path))
    return try await withThrowingTaskGroup(of: Bool.self) { group in
      let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
      group.addTask {
        try await reader.read { db in
          var sawChange = false
          try db.inSlices(slicing, of: "main") { slices in
            slices?.onChange = { sawChange = true }
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
            continuation.finish()
            while !sawChange, slices != nil { try db.giveWay() }
          }
          return sawChange
        }
      }
      for await _ in begun {}
      try await writer.write { try $0.execute(sql: "INSERT INTO t(v) VALUES ('new')") }
      return try await group.next() ?? false
    }
  }

  @Test("lets another program write between two slices, and goes on with what is there then")
  func anyState() async throws {
    try await withFile { path in
      let isWritten = try await writesMeanwhile(.ofAnyState, path)
      #expect(isWritten)
    }
  }

  @Test("that has to be of one state ends where another program has written")
  func oneState() async throws {
    try await withFile { path in
      await #expect(throws: DataChanged.self) { try await writesMeanwhile(.ofOneState, path) }
    }
  }

  @Test("has no slices where it keeps nobody out: beside a write-ahead log, in memory, and within a transaction")
  func noSlices() async throws {
    try await withFile { path in
      let queue = try DatabaseQueue(path: path)
      #expect(try await queue.read { try Self.hasSlices($0) })
      #expect(try await queue.read { db in try db.inSlices(.none, of: "main") { $0 == nil } })
      #expect(try await queue.write { try Self.hasSlices($0) } == false)
      #expect(try await queue.withoutTransaction { try Self.hasSlices($0) } == false)
    }
    try await withFile(journal: "WAL") { path in
      let queue = try DatabaseQueue(path: path)
      #expect(try await queue.read { try Self.hasSlices($0) } == false)
    }
    let queue = try makeDatabase("CREATE TABLE t(a)")
    #expect(try await queue.read { try Self.hasSlices($0) } == false)
  }

  private static func hasSlices(_ db: Database) throws -> Bool { try db.inSlices(.ofAnyState, of: "main") { $0 != nil } }

  @Test("by one statement is ended for a writer, and runs again")
  func undivided() async throws {
    try await withFile { path in
      let (reader, writer) = (try DatabaseQueue(path: path), try Self.patient(path))
      let tries = Mutex(0)
      let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
      async let count = reader.readAgain(of: "main") { db -> Int? in
        let number = tries.withLock { tries in
          tries += 1
          return tries
        }
        guard number == 1 else { return try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
        continuation.finish()
        var count: Int?
        try db.runUndivided {
          count = try Int.fetchOne(
            db, sql: "WITH n(i) AS (SELECT id FROM t WHERE id = 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
        }
        return count
      }
      for await _ in begun {}
      try await writer.write { try $0.execute(sql: "INSERT INTO t(v) VALUES ('new')") }
      // A writer that takes long to end is not waited for.
      let found = try await count
      #expect(found == 1_000 || found == 1_001)
      #expect(tries.withLock(\.self) == 2)
    }
  }

  /// Has every part of the reads in `body` be a slice of its own.
  ///
  /// - Returns: The number of slices.
  private static func countingTurns(in db: Database, expectsWriters: Bool = false, _ body: () throws -> Void) throws -> Int {
    let begin = ContinuousClock.now
    var turns = 0
    db.turns = ReadTurns(
      database: "main", endsStatements: false, end: { begin }, expectsWriters: { expectsWriters },
      take: { _, pause in
        turns += 1
        try db.restartReading(pause)
      })
    defer { db.turns = nil }
    try body()
    return turns
  }

  @Test("by key goes on behind the row where it stopped", arguments: ["t", "w"])
  func byKey(table: String) async throws {
    try await withFile(rows: 5_000) { path in
      let queue = try DatabaseQueue(path: path)
      try await queue.read { db in
        let rows = try #require(KeysetRows(db.tableSchema(TableReference(name: table)), in: db))
        var values: [String] = []
        let turns = try Self.countingTurns(in: db) {
          try rows.scan(columns: [1], in: rows.order, db) { values.append(try $0.columnText(at: 0)) }
        }
        #expect(values == (1...5_000).map { "value \($0)" })
        #expect(turns > 10)
        for expectsWriters in [false, true] {
          let turns = try Self.countingTurns(in: db, expectsWriters: expectsWriters) {
            let found = try db.search(EverywhereSearch("value", tables: [TableReference(name: table)], limit: 0)) { _ in }
            #expect(found.map(\.hitCount) == [5_000] && found.map(\.rowCount) == [5_000])
          }
          if expectsWriters { #expect(turns >= 5_000 / 8) }
        }
      }
    }
  }

  @Test("counts all rows in several slices where one is too short, and checks as many", arguments: ["t", "w"])
  func count(table: String) async throws {
    try await withFile(rows: 5_000) { path in
      let queue = try DatabaseQueue(path: path)
      try await queue.read { db in
        let rows = try #require(KeysetRows(db.tableSchema(TableReference(name: table)), in: db))
        let turns = try Self.countingTurns(in: db) {
          db.turns?.overtime = .zero
          #expect(try rows.count(in: db) == 5_000)
          try rows.checkReached(5_000, in: db)
          #expect(throws: DatabaseError.self) { try rows.checkReached(4_999, in: db) }
        }
        #expect(turns > 10)
      }
    }
  }

  @Test("by one statement gets a slice of its own where the one under way is over, and is left undone where that is too short")
  func withinTurn() async throws {
    try await withFile { path in
      let queue = try DatabaseQueue(path: path)
      try await queue.read { db in
        let end = ContinuousClock.now
        var turns = 0
        db.turns = ReadTurns(database: "main", endsStatements: false, end: { end }, take: { _, _ in turns += 1 })
        defer { db.turns = nil }
        let endless = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        let ended = try db.withinTurn { try Int.fetchOne(db, sql: endless) }
        #expect(ended == nil)
        #expect(turns == 1)
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 1_000)
      }
    }
  }

  @Test("by one statement that had only the rest of a slice runs again in a whole one")
  func withinWholeTurn() async throws {
    try await withFile { path in
      let queue = try DatabaseQueue(path: path)
      try await queue.read { db in
        var (end, calls) = (ContinuousClock.now + .milliseconds(1), 0)
        db.turns = ReadTurns(
          database: "main", endsStatements: false, end: { end }, take: { _, _ in end = .now + .seconds(10_000) })
        defer { db.turns = nil }
        let sql = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT :limit) SELECT count(*) FROM n"
        let count = try db.withinTurn {
          calls += 1
          return try Int.fetchOne(db, sql: sql, arguments: ["limit": calls == 1 ? -1 : 3])
        }
        #expect(count == 3)
        #expect(calls == 2)
      }
    }
  }

  @Test("by one statement that got the rests of other reads' slices runs again until it gets a whole one", arguments: [1, 3])
  func withinSharedTurns(shared: Int) async throws {
    try await withFile { path in
      let queue = try DatabaseQueue(path: path)
      try await queue.read { db in
        var turns = 0
        let over = ContinuousClock.now - .seconds(1)
        db.turns = ReadTurns(
          database: "main", endsStatements: false, end: { turns > shared ? .now + .seconds(10_000) : over }, isWhole: { turns > shared },
          take: { _, _ in turns += 1 })
        defer { db.turns = nil }
        let count = try db.withinTurn { try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
        #expect(count == 1_000)
        #expect(turns == shared + 1)
      }
    }
  }

  @Test("lets a writer proceed as soon as it begins, before the slice is over")
  func earlyEnd() async throws {
    try await withFile { path in
      let (reader, writer) = (try DatabaseQueue(path: path), try Self.patient(path))
      try reader.read { db in
        var turns = 0
        db.turns = ReadTurns(
          database: "main", endsStatements: false, end: { .now + .seconds(10_000) }, isWriterAhead: { db.hasWriter("main") },
          take: { _, _ in turns += 1 })
        defer { db.turns = nil }
        try db.giveWay()
        #expect(turns == 0 && !db.isTurnDue)
        try writer.withoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        #expect(db.isTurnDue)
        try db.giveWay()
        #expect(turns == 1)
        // A statement of one turn is interrupted, and given up after some turns.
        let endless = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        #expect(try db.withinTurn { try Int.fetchOne(db, sql: endless) } == nil)
        #expect(turns > 2)
      }
      try writer.withoutTransaction { try $0.execute(sql: "ROLLBACK") }
    }
  }

  /// The numbers of checks for a writer, and of calls of a progress handler, while a statement runs that may be interrupted.
  private static func checks(
    whereWritersAreExpected expectsWriters: Bool, progressEvery steps: Int, in db: Database
  ) throws -> (writer: Int, progress: Int) {
    var checks = (writer: 0, progress: 0)
    db.turns = ReadTurns(
      database: "main", endsStatements: false, end: { .now + .seconds(10_000) },
      isWriterAhead: {
        checks.writer += 1
        return false
      }, expectsWriters: { expectsWriters }, take: { _, _ in })
    defer { db.turns = nil }
    try db.withProgress(every: steps) {
      checks.progress += 1
      return false
    } during: {
      let isEnded = try db.endingLate(if: { true }) { _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE v LIKE '%e 9%'") }
      #expect(!isEnded)
    }
    return checks
  }

  @Test("checks for writers often where others have written recently, and reports its progress as often as ever")
  func checks() async throws {
    try await withFile(rows: 10_000) { path in
      try DatabaseQueue(path: path).read { db in
        let steps = 10_000
        let rare = try Self.checks(whereWritersAreExpected: false, progressEvery: steps, in: db)
        let often = try Self.checks(whereWritersAreExpected: true, progressEvery: steps, in: db)
        #expect(rare.writer > 5 * rare.progress && often.writer > 5 * rare.writer)
        #expect(rare.progress > 0 && often.progress == rare.progress)
      }
    }
  }

  @Test("goes on beside a writer that keeps its lock, until that ends or commits")
  func slowWriter() async throws {
    try await withFile { path in
      let (reader, writer) = (try DatabaseQueue(path: path), try Self.patient(path))
      let gaps = try reader.read { db in ReadGaps.of(try #require(db.path(ofDatabase: "main"))) }
      try writer.withoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      #expect(gaps.isAhead(true))
      #expect(try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 1_000)
      #expect(!gaps.isAhead(true))
      gaps.noteChange()
      #expect(gaps.isAhead(true))
      gaps.note(hasSlowWriter: true)
      #expect(!gaps.isAhead(true))
      try writer.withoutTransaction { try $0.execute(sql: "ROLLBACK") }
      _ = try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
      #expect(gaps.isAhead(true))
    }
  }

  private static let (v, u) = (Column<String>("v"), Column<Int?>("u"))

  private static let sets: [(table: String, filter: RowFilter?, order: RowOrder, sql: String)] = [
    ("t", nil, RowOrder([]), "id"), ("w", nil, RowOrder([]), "k"),
    ("t", RowFilter(v.like("%7%")), RowOrder([]), "id"), ("w", RowFilter(v.like("%7%")), RowOrder([]), "k"),
    ("t", nil, RowOrder([v]), "v, id"), ("t", nil, RowOrder([v.desc()]), "v DESC, id"),
    ("t", RowFilter(v > "value 3"), RowOrder([v.desc()]), "v DESC, id"), ("t", RowFilter(v > "value 3"), RowOrder([]), "id"),
    ("w", nil, RowOrder([v]), "v, k"), ("t", nil, RowOrder([v.collate(.nocase)]), "v COLLATE NOCASE, id"),
    ("t", nil, RowOrder([u]), "u, id"), ("t", nil, RowOrder([u.desc()]), "u DESC, id"),
  ]

  @Test("gives rows in any order, in slices, as one statement does", arguments: sets.indices, [0, 1, 777, 10_000])
  func sliced(set: Int, skipped: Int) async throws {
    let (table, filter, order, sql) = Self.sets[set]
    try await withFile(rows: 3_000) { path in
      let queue = try DatabaseQueue(path: path)
      try await queue.write { db in
        for name in ["t", "w"] {
          try db.execute(sql: "ALTER TABLE \(name) ADD COLUMN u")
          try db.execute(sql: "UPDATE \(name) SET u = nullif(length(v) * 7 % 3, 0), v = CASE WHEN v LIKE '%5' THEN NULL ELSE v END")
          try db.execute(sql: "CREATE INDEX \(name)_v ON \(name)(v)")
        }
      }
      @Sendable func texts(_ statement: Statement) throws -> String {
        "\(try Array((0..<3).map { try statement.columnValue(at: $0) }))"
      }
      let wanted = try await queue.read { db in
        var found: [String] = []
        let narrowing: SQLText = filter.map { " WHERE \($0.sqlText)" } ?? ""
        try db.scan("SELECT * FROM \(raw: table)\(narrowing) ORDER BY \(raw: sql) LIMIT -1 OFFSET \(skipped)") { statement in
          found.append(try texts(statement))
          return true
        }
        return found
      }
      let rowSet = RowSet(.table(TableReference(name: table)), filter: filter, order: order)
      let rows = try #require(try await queue.read { try SlicedRows(of: rowSet, values: [], in: $0) })
      let keys = rows.isSorted ? try await rows.keys(first: .max, on: ReadConnections(queue)) : nil
      try await queue.read { db in
        var found: [String] = []
        func take(_ statement: Statement) throws -> Bool {
          found.append(try texts(statement))
          return true
        }
        let turns = try Self.countingTurns(in: db) {
          _ = try rows.forEach(of: keys, in: db, skipping: skipped, take)
        }
        #expect(found == wanted)
        #expect(turns > 2 || wanted.count < 200)
      }
    }
  }

  @Test("hands over and reports what it has found while nobody is kept out")
  func reports() async throws {
    try await withFile(rows: 30_000) { path in
      let connections = try ReadConnections(DatabaseQueue(path: path))
      let writer = try DatabaseQueue(path: path)
      let refusals = Mutex(0)
      @Sendable func write() {
        do {
          try writer.withoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE; ROLLBACK") }
        } catch {
          refusals.withLock { $0 += 1 }
        }
      }
      let set = RowSet(.table(TableReference(name: "t")))
      _ = try await connections.counts(CountRequest(InsightColumn("v"), in: set)) { _ in write() }
      _ = try await connections.profile(ProfileRequest(set)) { _ in write() }
      _ = try await connections.facets(FacetRequest(set, columns: [InsightColumn("v")])) { _ in write() }
      #expect(refusals.withLock(\.self) == 0)
    }
  }

  @Test("a filter and an order have all their rows beside a program that writes to another table", arguments: [false, true])
  func rowsBesideWriter(isSorted: Bool) async throws {
    try await withFile(rows: 30_000) { path in
      let (writer, reader, background) = try (Self.patient(path), Self.patient(path), Self.patient(path))
      let isOver = Monitor(false)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          while !isOver.read({ $0 }) { try await writer.write { try $0.execute(sql: "UPDATE w SET v = v + 1 WHERE k = '00000007'") } }
        }
        let order = isSorted ? RowOrder([Self.v.desc()]) : RowOrder([])
        let set = RowSet(.table(TableReference(name: "t")), filter: RowFilter(Self.v.like("%7%")), order: order)
        let ids = (1...30_000).filter { "\($0)".contains("7") }
        let expected = (isSorted ? ids.sorted { "\($0)" > "\($1)" } : ids).map { RowKey.rowID(Int64($0)) }
        for _ in 0..<3 {
          let rows = RowReader(set, on: ReadConnections(foreground: reader, background: background))
          #expect(try await rows.count().value == expected.count)
          var page = try await rows.page(PageRequest(.first, limit: 2_000))
          var keys = page.rows.map(\.key)
          while !page.reachesEnd, let last = page.rows.last {
            page = try await rows.page(PageRequest(.after(last.key), limit: 2_000))
            keys += page.rows.map(\.key)
          }
          #expect(keys == expected)
        }
        isOver.change { $0 = true }
        try await group.waitForAll()
      }
    }
  }

  @Test("counts, profiles and facets are exact beside a program that writes, or say that they are not")
  func besideWriter() async throws {
    try await withFile(rows: 30_000) { path in
      let writer = try Self.patient(path)
      let connections = try ReadConnections(Self.patient(path), secondReader: { try Self.patient(path) })
      let isOver = Monitor(false)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          // A row comes and another goes: all have as many, whatever state they are of.
          while !isOver.read({ $0 }) {
            try await writer.write { try $0.execute(sql: "UPDATE t SET v = 'other' WHERE id = 1 + abs(random() % 30000)") }
          }
        }
        let set = RowSet(.table(TableReference(name: "t")))
        for _ in 0..<2 {
          let counts = try await connections.counts(CountRequest(InsightColumn("id"), in: set))
          #expect(counts.rows == 30_000 && counts.lines == 30_000)
          let profile = try await connections.profile(ProfileRequest(set, isExact: true))
          #expect(profile.rows == 30_000)
          #expect(try await connections.facets(FacetRequest(set, columns: [InsightColumn("id")]))[0].rows == 30_000)
        }
        isOver.change { $0 = true }
        try await group.waitForAll()
      }
    }
  }
}
