import TestSupport
import Testing

@testable import QuarryEngine
@testable import QuarryRows

@Suite("Where each turn is over at once", .gated) struct SlicedScanTests {
  private static let count = 4_000

  /// Runs `body` in a read of a database with 4,000 rows in `t`, which has rowids, and in `w` and `d`, which have none.
  private func withRows(_ body: @Sendable @escaping (Database) throws -> Void) async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT, n);
          CREATE TABLE w(k TEXT PRIMARY KEY, v TEXT COLLATE NOCASE, n) WITHOUT ROWID;
          CREATE TABLE d(a INTEGER, b TEXT COLLATE NOCASE, v TEXT, n, PRIMARY KEY (a DESC, b)) WITHOUT ROWID;
          WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.count))
          INSERT INTO t SELECT i, CASE WHEN i % 7 THEN 'Value ' || (i * 37 % 1000) END, i % 5 FROM n;
          INSERT INTO w SELECT printf('%08d', id), v, n FROM t;
          INSERT INTO d SELECT id / 90, char(65 + id % 26) || id, v, n FROM t;
          UPDATE t SET v = CAST(x'ff' AS TEXT) WHERE id IN (1000, 3000);
          CREATE INDEX t_v ON t(v); CREATE INDEX w_v ON w(v);
          """)
    }
    try await queue.read(body)
  }

  /// Has every turn be over when it begins.
  ///
  /// - Returns: The number of turns.
  @discardableResult private static func countingTurns(in db: Database, _ body: () throws -> Void) throws -> Int {
    let begin = ContinuousClock.now
    var turns = 0
    db.turns = ReadTurns(
      database: "main", endsStatements: false, end: { begin },
      take: { _, pause in
        turns += 1
        try pause()
      })
    db.turns?.overtime = .zero
    defer { db.turns = nil }
    try body()
    return turns
  }

  private static func query(
    _ table: String, _ condition: SQLText, by column: String? = nil, in db: Database
  ) throws -> OrderedQuery {
    let rows = try #require(KeysetRows(db.tableSchema(TableReference(name: table)), in: db))
    let terms = column.map { [KeysetOrder.Term(expression: "\(identifier: $0)", isNullable: true)] } ?? []
    return try OrderedQuery(rows, condition: condition, terms: terms, in: db)
  }

  @Test("rows that SQLite must sort are sorted in runs, or only the first ones are, wherever they begin", arguments: [0, 1, 3_990, 10_000])
  func sorted(skipped: Int) async throws {
    try await withRows { db in
      let query = try Self.query("t", "n < 4", by: "n", in: db)
      var instructions: [String] = []
      try db.scan("EXPLAIN \(query.keysSQL)") { statement in
        instructions.append(try statement.columnText(at: 1))
        return true
      }
      #expect(instructions.contains("SorterOpen"))
      var set = RowSet(.table(TableReference(name: "t")), filter: RowFilter(Column<Int>("n") < 4))
      set.order = RowOrder([Column<Int>("n")])
      let rows = try #require(try SlicedRows(of: set, values: ["id"], in: db))
      #expect(rows.isSorted)
      for limit in [1, 17, .max] {
        var found: [Int64] = []
        _ = try rows.forEach(in: db, skipping: skipped, limit: limit) { statement in
          found.append(try statement.columnInteger(at: 0))
          return found.count < limit
        }
        let count = limit == .max ? -1 : limit
        #expect(
          try found
            == Int64.fetchAll(
              db, sql: "SELECT id FROM t WHERE n < 4 ORDER BY n, id LIMIT ? OFFSET ?", arguments: [count, skipped]))
      }
    }
  }

  private static let conditions: [SQLText] = ["v LIKE '%777%'", "n = 3 AND v LIKE '%77'", "v IS NULL", "n = 9", "v > 'Value 3'"]

  @Test(
    "rows that are rare are found in their order, either way, as one statement finds them",
    arguments: [("t", nil), ("w", nil), ("d", nil), ("t", "v"), ("w", "v")] as [(String, String?)], conditions.indices)
  func rareRows(table: (name: String, order: String?), condition: Int) async throws {
    try await withRows { db in
      let query = try Self.query(table.name, Self.conditions[condition], by: table.order, in: db)
      for direction in [KeysetOrder.Direction.forward, .backward] {
        let all = [query.order.everything(direction)]
        let wanted = try query.keys(all, direction, limit: .max - 1, until: nil, in: db).keys
        var found: [RowKey] = []
        let turns = try Self.countingTurns(in: db) {
          found = try query.keys(all, direction, limit: .max - 1, until: nil, in: db).keys
        }
        #expect(found == wanted)
        #expect(turns > 0)
        try Self.countingTurns(in: db) {
          found = try query.keys(all, direction, limit: 3, until: nil, in: db).keys
        }
        #expect(found == Array(wanted.prefix(3)))
      }
    }
  }

  @Test("a scan that was ended behind a row whose place cannot be bound hands on no row twice")
  func placeThatCannotBeBound() async throws {
    try await withRows { db in
      let query = try Self.query("t", "n = 0 AND (id = 1000 OR id = 3000 OR id > 3990)", by: "v", in: db)
      var found: [Int64] = []
      try Self.countingTurns(in: db) {
        try query.matching.scanInSlices(db, ["id"], [query.order.everything(.forward)], in: query.order) { row in
          found.append(try row.columnInteger(at: 0))
          return true
        }
      }
      let wanted = try Int64.fetchAll(db, sql: "SELECT id FROM t WHERE n = 0 AND (id IN (1000, 3000) OR id > 3990) ORDER BY v, id")
      #expect(found == wanted)
    }
  }

  @Test("a table without rowids is counted, profiled and divided in parts", arguments: ["w", "d"])
  func parts(table: String) async throws {
    try await withRows { db in
      let connections = try ReadConnections(DatabaseQueue())
      for condition in ["", "n = 3", "v LIKE '%777%'"] as [SQLText] {
        let narrowing: SQLText = condition.isEmpty ? "" : " WHERE \(condition)"
        var wanted: [String] = []
        try db.scan("SELECT v FROM \(raw: table)\(narrowing)") {
          wanted.append("\(try $0.columnValue(at: 0))"); return true
        }
        var found: [String] = []
        let turns = try Self.countingTurns(in: db) {
          let rows = try InsightRows(
            RowSet(.table(TableReference(name: table))), where: condition.isEmpty ? [] : [condition], on: connections, in: db)
          try rows.forEachPart(in: db) { source, _, _ in
            try db.scan("SELECT v FROM \(source)") {
              found.append("\(try $0.columnValue(at: 0))"); return true
            }
          }
        }
        #expect(found.sorted() == wanted.sorted())
        #expect(turns > 1)
      }
    }
  }

  @Test(
    "rows are sorted in a temporary database as SQLite sorts them",
    arguments: [("w", "v"), ("w", "n"), ("d", "v"), ("d", "b"), ("t", "v")])
  func sorted(table: String, column: String) async throws {
    try await withRows { db in
      for (isDescending, nulls) in [(false, nil), (true, nil), (false, .last), (true, .first)] as [(Bool, Ordering.NullsPlace?)] {
        let rows = try #require(KeysetRows(db.tableSchema(TableReference(name: table)), in: db))
        let term = KeysetOrder.Term(
          expression: "\(identifier: column)", isDescending: isDescending, isNullable: true, nulls: nulls)
        let query = try OrderedQuery(rows, condition: "n < 4", terms: [term], in: db)
        let wanted = try query.keys([query.order.everything(.forward)], .forward, limit: .max - 1, until: nil, in: db).keys
        var found: [RowKey] = []
        let sort = try #require(try SpoolSort(query, in: db))
        let turns = try Self.countingTurns(in: db) {
          try sort.run(in: db) { row in
            found.append(query.table.key(at: try query.table.place(row, at: 0)))
            return true
          }
        }
        #expect(found == wanted)
        #expect(turns > 1)
      }
    }
  }

  @Test("the next row that matches is found in any order", arguments: ["t", "w", "d"], [nil, "n"])
  func find(table: String, order: String?) async throws {
    var matches: [String: [RowMatch?]] = [:]
    for journal in ["DELETE", "WAL"] {
      try await withTemporaryFolder { folder in
        let path = try makeDatabaseFile(
          in: folder, "PRAGMA journal_mode = \(journal)", "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT, n)",
          "CREATE TABLE w(k TEXT PRIMARY KEY, v TEXT, n) WITHOUT ROWID",
          "CREATE TABLE d(a, b, v TEXT, n, PRIMARY KEY (a DESC, b)) WITHOUT ROWID",
          "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
            + "INSERT INTO t SELECT i, 'value ' || (i * 37 % 1000), i % 5 FROM n",
          "INSERT INTO w SELECT printf('%08d', id), v, n FROM t", "INSERT INTO d SELECT id / 90, id, v, n FROM t")
        let queue = try DatabaseQueue(path: path)
        let ordering = order.map { RowOrder([Column<Int>($0).desc()]) } ?? RowOrder([])
        let set = RowSet(.table(TableReference(name: table)), filter: RowFilter(Column<Int>("n") > 0), order: ordering)
        for backwards in [false, true] {
          let reader = RowReader(set, on: ReadConnections(queue))
          var from: RowKey?
          for _ in 0..<8 {
            let match = try await reader.find(.text("77"), columns: [1, 2], from: from, backwards: backwards)
            matches[journal, default: []].append(match)
            from = match?.key
          }
        }
      }
    }
    #expect(matches["DELETE"] == matches["WAL"])
    #expect(matches["WAL"]?.count == 16 && matches["WAL"]?.allSatisfy { $0 != nil } == true)
  }
}
