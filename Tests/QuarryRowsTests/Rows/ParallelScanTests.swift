import Foundation
import QuarryEngine
import QuarryRows
import Synchronization
import TestSupport
import Testing

/// Rows of tables that are large enough for two connections to read them.
@Suite("Rows that two connections read together", .gated) struct ParallelScanTests {
  private static let a = Column<DatabaseValue>("a")
  private static let b = Column<String?>("b")

  static let sets: [(order: RowOrder, filter: RowFilter?)] = [
    (.natural, RowFilter(b.like("%7%"))), (.natural, RowFilter(b == "none")), (RowOrder([a]), nil), (RowOrder([a.desc(), b]), nil),
    (RowOrder([b.asc(nulls: .last), a.desc()]), RowFilter(b.like("%7%"))), (RowOrder([a]), RowFilter(b == "none")),
  ]

  /// Makes a file of 60,000 rows with NULLs, equal values and all types of them, whose rowids lie in some distance of one another; a table
  /// that is read by three connections and written by a fourth.
  func withFile(
    gap: String, journal: String = "DELETE", _ body: (ReadConnections, DatabaseQueue) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "PRAGMA journal_mode = \(journal)", "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b TEXT)",
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
        INSERT INTO t SELECT \(gap), CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN i * 7919 % 1009 WHEN 2 THEN i * 7919 % 1009 / 4.0
          WHEN 3 THEN 'text ' || (i * 31 % 977) ELSE CAST('blob ' || (i * 17 % 499) AS BLOB) END, 'b' || (i * 13 % 101) FROM n
        """)
      @Sendable func open() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.isReadonly = true
        return try DatabaseQueue(path: path, configuration: configuration)
      }
      let connections = ReadConnections(foreground: try open(), background: try open(), secondReader: open)
      try await body(connections, DatabaseQueue(path: path))
    }
  }

  static func sql(_ set: (order: RowOrder, filter: RowFilter?)) -> String {
    "SELECT * FROM t" + (set.filter.map { " WHERE \($0)" } ?? "") + " ORDER BY " + (set.order.isNatural ? "" : "\(set.order), ") + "id"
  }

  static func rowSet(_ set: (order: RowOrder, filter: RowFilter?)) -> RowSet {
    RowSet(.table(TableReference(name: "t")), filter: set.filter, order: set.order)
  }

  @Test(
    "Windows, numbers and counts are those of plain SQL, however the rowids lie",
    arguments: ["i", "i * 3 - 90000", "i + (i > 59990) * 4611686018427387904", "(i - 30000) * 307445734561"])
  func agreement(gap: String) async throws {
    try await withFile(gap: gap) { connections, _ in
      var random = SplitMix(seed: 5)
      for set in Self.sets {
        let oracle = RowOracle(Self.rowSet(set), on: connections, sql: Self.sql(set))
        let count = try oracle.count()
        #expect(try await oracle.reader.page(PageRequest(.first, limit: 70)).rows.map(\.cells) == oracle.rows(0, 70), "\(oracle.sql)")
        #expect(try await oracle.reader.count() == .exact(count))
        await oracle.reader.numbersAreKnown()
        let numbers = [0, 1, 999, 1_001, count / 2, count - 1, count + 5] + (0..<8).map { _ in Int.random(in: 0...60_000, using: &random) }
        try await oracle.jump(to: numbers, limit: 30)
      }
    }
  }

  @Test("Rows around any row are there, with their number, before all are sorted")
  func focus() async throws {
    try await withFile(gap: "i * 2") { connections, _ in
      for set in Self.sets.dropFirst(2).prefix(3) {
        let sql = Self.sql(set)
        let ids = try await connections.foreground.read { try Int64.fetchAll($0, sql: sql) }
        for place in [0, 5, ids.count / 3, ids.count - 2] {
          let oracle = RowOracle(Self.rowSet(set), on: connections, sql: sql)
          let key = RowKey.rowID(ids[place])
          #expect(try await oracle.reader.contains(key))
          let page = try await oracle.reader.page(PageRequest(.from(key), limit: 40))
          #expect(page.firstNumber == .exact(place))
          #expect(try page.rows.map(\.cells) == oracle.rows(place, 40))
          #expect(page.reachesEnd == (place + 40 >= ids.count))
          let before = try await oracle.reader.page(PageRequest(.before(key), limit: 40))
          #expect(try before.rows.map(\.cells) == oracle.rows(max(0, place - 40), min(40, place)))
          #expect(before.reachesStart == (place <= 40))
          let first = try await oracle.reader.page(PageRequest(.first, limit: 40))
          #expect(try first.rows.map(\.cells) == oracle.rows(0, 40))
          let last = try await oracle.reader.page(PageRequest(.last, limit: 40))
          #expect(try last.rows.map(\.cells) == oracle.rows(ids.count - 40, 40))
          #expect(last.reachesEnd && !last.reachesStart && last.firstNumber == .exact(ids.count - 40))
        }
      }
    }
  }

  @Test("What is written meanwhile is in the rows, or is not, as of one moment", arguments: ["DELETE", "WAL"])
  func writesMeanwhile(journal: String) async throws {
    try await withFile(gap: "i * 3", journal: journal) { connections, writer in
      var random = SplitMix(seed: 3)
      for set in Self.sets {
        let oracle = RowOracle(Self.rowSet(set), on: connections, sql: Self.sql(set))
        for _ in 0..<3 {
          let id = Int.random(in: 0...180_000, using: &random)
          async let first = oracle.reader.page(PageRequest(.first, limit: 50))
          async let count = oracle.reader.count()
          for step in 0..<4 {
            try await writer.write { db in
              try db.execute(sql: "DELETE FROM t WHERE id BETWEEN ? AND ?", arguments: [id + 40 * step, id + 40 * step + 30])
              try db.execute(sql: "INSERT OR IGNORE INTO t VALUES (?, ?, 'b77')", arguments: [id + 40 * step + 1, step])
              try db.execute(sql: "UPDATE t SET a = NULL WHERE id % 5003 = ?", arguments: [step])
            }
          }
          _ = try await (first, count)
          #expect(try await oracle.reader.page(PageRequest(.first, limit: 3)).rows.count == min(3, oracle.count()))
          #expect(try await oracle.reader.count() == .exact(oracle.count()), "\(oracle.sql)")
          await oracle.reader.numbersAreKnown()
          try await oracle.jump(to: [0, Int.random(in: 0...60_000, using: &random), .max], limit: 25)
        }
      }
    }
  }

  @Test("A count that is stopped says how far it came, and the rows are found again when they are wanted")
  func stopped() async throws {
    try await withFile(gap: "i") { connections, _ in
      for set in [Self.sets[0], Self.sets[3]] {
        let oracle = RowOracle(Self.rowSet(set), on: connections, sql: Self.sql(set))
        for _ in 0..<20 {
          async let count = oracle.reader.count()
          oracle.reader.cancelBackgroundWork()
          let value = try await count.value
          #expect(try value <= oracle.count())
        }
        try await oracle.jump(to: [77, 2_000], limit: 10)
        #expect(try await oracle.reader.count() == .exact(oracle.count()))
      }
    }
  }
}

extension ParallelScanTests {
  @Test("The next match is the one that the order has next, once around", arguments: ["i", "(i - 30000) * 307445734561"])
  func searching(gap: String) async throws {
    try await withFile(gap: gap) { connections, _ in
      var random = SplitMix(seed: 11)
      for set in Self.sets {
        let reader = RowReader(Self.rowSet(set), on: connections)
        let sql = Self.sql(set)
        let ids = try await connections.foreground.read { try Int64.fetchAll($0, sql: "SELECT id FROM (\(sql))") }
        for text in ["99", "text 97", "b1", "nowhere"] {
          let places = try await connections.foreground.read { db in
            let isHit = "(a LIKE '%\(text)%' AND typeof(a) <> 'blob' OR b LIKE '%\(text)%')"
            return try Int.fetchAll(db, sql: "SELECT n FROM (SELECT *, row_number() OVER () - 1 AS n FROM (\(sql))) WHERE \(isHit)")
          }
          for start in [nil, ids.indices.first, ids.indices.last, ids.indices.randomElement(using: &random)] {
            for backwards in [false, true] {
              let beyond = backwards ? places.last { $0 < start ?? .max } : places.first { $0 > start ?? -1 }
              let match = try await reader.find(
                .text(text), columns: [1, 2], from: start.map { .rowID(ids[$0]) }, backwards: backwards)
              let place = beyond ?? (backwards ? places.last : places.first)
              #expect(match?.key == place.map { .rowID(ids[$0]) }, "\(text) from \(start ?? -1) of \(sql)")
              #expect(match?.wrapped ?? false == (place != nil && beyond == nil))
            }
          }
        }
      }
    }
  }

  @Test("All rowids there can be are divided from either end")
  func widest() {
    let all = RowIDBounds(least: .min, greatest: .max)
    #expect(RowIDRanges([all]).next()?.range.lowerBound == .min)
    #expect(RowIDRanges([all], .backward).next()?.range.upperBound == .max)
  }

  /// Work that only records the connections that take part.
  private final class Attendance: ParallelScan {
    let isLarge = true
    let present = Monitor<Set<ObjectIdentifier>>([])

    func work(in database: Database) { present.change { _ = $0.insert(ObjectIdentifier(database)) } }

    func stop() {}
  }

  @Test("The second connection takes part, unless others have written during each of two attempts", arguments: [0, 1, 2, 3])
  func attempts(changes: Int) async throws {
    try await withFile(gap: "i") { connections, _ in
      let work = try await connections.readInParallel("main", .ofAnyState, after: changes) { _ in Attendance() }
      #expect(try #require(work).present.read(\.count) == (changes < 2 ? 2 : 1))
    }
  }

  @Test("The second connection leaves the rest to the first when others have written twice meanwhile", arguments: [false, true])
  func leavingRest(isHelper: Bool) async throws {
    try await withFile(gap: "i") { connections, writer in
      // What was written before does not count.
      for id in [1, 2, 3] { try await writer.write { try $0.execute(sql: "UPDATE t SET b = 'old' WHERE id = \(id)") } }
      try await connections.background.read { db in
        try db.inSlices(.ofAnyState, of: "main", isHelper: isHelper) { _ in
          try db.pauseReading {}
          #expect(!db.leavesRest)
          for number in [1, 2] {
            try db.pauseReading { try writer.write { try $0.execute(sql: "UPDATE t SET b = 'new' WHERE id = \(number)") } }
            #expect(db.leavesRest == (isHelper && number == 2))
          }
          let ranges = RowIDRanges([RowIDBounds(least: 1, greatest: 60_000)])
          try ranges.forEachPart(in: db) { _ in ranges.stop() }
          #expect((ranges.next() == nil) == !isHelper)
        }
      }
    }
  }

  @Test("A search tells how many rows it has passed of about how many")
  func pace() {
    let told = Mutex<[RowProgress]>([])
    let pace = SearchPace(total: 5_000, interval: .zero) { progress in told.withLock { $0.append(progress) } }
    pace.pass(1_024)
    pace.pass(2_000)
    let reports = told.withLock(\.self)
    #expect(reports.map(\.rows) == [1_024, 3_024])
    #expect(reports.allSatisfy { $0.total == 5_000 && $0.elapsed != nil })
  }
}
