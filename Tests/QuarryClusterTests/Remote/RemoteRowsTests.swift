import Foundation
import QuarryCluster
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// The rows that a server has are the same, page for page, as those of the file that it serves.
@Suite(.gated) struct RemoteRowsTests {
  private static let tables = [
    """
    CREATE TABLE mixed(id INTEGER PRIMARY KEY, name TEXT, amount REAL, done BOOLEAN, day DATE, at TIMESTAMP, body, note TEXT COLLATE NOCASE);
    CREATE INDEX mixed_name ON mixed(name);
    CREATE INDEX mixed_note ON mixed(note, amount DESC);
    CREATE TABLE "odd ""name"(a TEXT, "#0" INTEGER, c0 BLOB, "day" DATETIME, PRIMARY KEY(a, "#0")) WITHOUT ROWID;
    CREATE TABLE plain("order", t1, "select" TEXT);
    CREATE VIEW chosen AS SELECT id, name, day, body FROM mixed WHERE amount > 0;
    """
  ]

  /// Makes a file with rows of every kind of value.
  private static func fill(_ queue: DatabaseQueue, rows: Int, _ random: inout SplitMix) throws {
    try queue.write { db in
      for sql in tables { try db.execute(sql: sql) }
      for number in 1...rows {
        try db.execute(
          sql: "INSERT INTO mixed VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
          arguments: StatementArguments([
            .integer(Int64(number * 3)), text(&random), value(&random), value(&random), value(&random), value(&random), value(&random),
            text(&random),
          ]))
        try db.execute(
          sql: "INSERT OR IGNORE INTO \"odd \"\"name\" VALUES (?, ?, ?, ?)",
          arguments: StatementArguments([
            .text("key \(Int.random(in: 0..<20, using: &random))\(number % 7 == 0 ? "\0x" : "")"),
            .integer(Int64.random(in: 0..<50, using: &random)),
            value(&random), value(&random),
          ]))
        try db.execute(
          sql: "INSERT INTO plain VALUES (?, ?, ?)", arguments: StatementArguments([value(&random), value(&random), text(&random)]))
      }
      try db.execute(sql: "UPDATE mixed SET body = CAST(X'FF61' AS TEXT) WHERE id % 11 = 0")
      try db.execute(sql: "UPDATE mixed SET body = zeroblob(5000) WHERE id % 13 = 0")
    }
  }

  private static func text(_ random: inout SplitMix) -> DatabaseValue {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .null
    case 1: .text(String(repeating: "ä\u{1F600}x", count: Int.random(in: 100...400, using: &random)))
    case 2: .text("a\0b \(Int.random(in: 0..<5, using: &random))")
    case 3: .text("")
    default: .text("\(["Love", "love", "Über", "zoo"].randomElement(using: &random) ?? "") \(Int.random(in: 0..<9, using: &random))")
    }
  }

  private static func value(_ random: inout SplitMix) -> DatabaseValue {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .null
    case 1: .integer(Int64.random(in: -5...5, using: &random))
    case 2: .real(Double(Int.random(in: -8...8, using: &random)) / 4)
    case 3: .blob((0..<Int.random(in: 0...4, using: &random)).map { UInt8($0) })
    default: text(&random)
    }
  }

  /// Returns a random set of a table, by the language of filters and sorts.
  private static func set(_ queue: DatabaseQueue, _ random: inout SplitMix) throws -> RowSet {
    let tables = [
      "mixed": ["name", "amount", "done", "day", "body", "note", "id"], "odd \"name": ["a", "\"#0\"", "c0", "day"],
      "plain": ["\"order\"", "t1", "\"select\""],
    ]
    let name = tables.keys.sorted().randomElement(using: &random) ?? "mixed"
    let column = { (random: inout SplitMix) in tables[name]?.randomElement(using: &random) ?? "" }
    var filter = ""
    if Bool.random(using: &random) { filter = "\(column(&random)) \(["= null", "!= null"].randomElement(using: &random) ?? "")" }
    let sort = (0..<Int.random(in: 0...2, using: &random)).map { _ in "\(Bool.random(using: &random) ? "-" : "")\(column(&random))" }
    let table = TableReference(name: name)
    return try queue.read { db in
      let columns = FilterColumns(of: try db.tableSchema(table), in: db)
      return try RowView(filter: filter, sort: sort.joined(separator: ", ")).compiled(for: columns).applied(to: RowSet(.table(table)))
    }
  }

  private func withServed(
    rows: Int, seed: UInt64, _ body: (_ local: DatabaseQueue, _ remote: RemoteDataSource, _ server: ServedDatabase) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("served.db").path
      let queue = try DatabaseQueue(path: path)
      var random = SplitMix(seed: seed)
      try Self.fill(queue, rows: rows, &random)
      let server = ServedDatabase(path: path)
      try await body(queue, RemoteDataSource(server, refusal: "read-only"), server)
    }
  }

  @Test("Pages, counts, numbers and values of random sets are those of the file", arguments: 0..<testRounds(12))
  func randomSets(_ seed: Int) async throws {
    try await withServed(rows: 120, seed: UInt64(seed)) { queue, remote, _ in
      var random = SplitMix(seed: UInt64(seed) &+ 1000)
      for _ in 0..<6 {
        let set = try Self.set(queue, &random)
        let (file, server) = (RowReader(set, on: ReadConnections(queue)), try remote.reader(of: set))
        let limit = Int.random(in: 1...40, using: &random)
        let keys = try await walk(file, server, by: limit, set)
        try await compareValues(file, server, keys, set, &random)
      }
    }
  }

  /// Walks all rows forward and backward on both, and returns their keys.
  private func walk(_ file: RowReader, _ server: RowReader, by limit: Int, _ set: RowSet) async throws -> [RowKey] {
    var keys: [RowKey] = []
    var position = PageRequest.Position.first
    while true {
      let expected = try await file.page(PageRequest(position, limit: limit))
      let page = try await server.page(PageRequest(position, limit: limit))
      try #require(page.rows == expected.rows, "\(set.sqlText) at \(position)")
      try #require((page.reachesStart, page.reachesEnd) == (expected.reachesStart, expected.reachesEnd), "\(set.sqlText) at \(position)")
      keys += page.rows.map(\.key)
      guard !page.reachesEnd, let last = page.rows.last else { break }
      position = .after(last.key)
    }
    position = .last
    var back: [RowKey] = []
    while true {
      let page = try await server.page(PageRequest(position, limit: limit))
      back = page.rows.map(\.key) + back
      guard !page.reachesStart, let first = page.rows.first else { break }
      position = .before(first.key)
    }
    #expect(back == keys, "\(set.sqlText) backward")
    return keys
  }

  private func compareValues(_ file: RowReader, _ server: RowReader, _ keys: [RowKey], _ set: RowSet, _ random: inout SplitMix) async throws
  {
    #expect(try await server.count() == .exact(keys.count), "\(set.sqlText)")
    guard let first = keys.first, let key = keys.randomElement(using: &random), let last = keys.last else { return }
    let number = keys.firstIndex(of: key) ?? 0
    let page = try await server.page(PageRequest(.number(number), limit: 3))
    #expect(page.rows.map(\.key) == Array(keys[number...].prefix(3)), "\(set.sqlText) row \(number)")
    #expect(try await server.page(PageRequest(.from(key), limit: 2)).rows.first?.key == key)
    #expect(try await server.record(key, limit: 10_000) == file.record(key, limit: 10_000))
    #expect(try await server.contains(key))
    for column in try await server.columns().indices {
      #expect(try await server.value(key, column: column) == file.value(key, column: column), "\(set.sqlText) column \(column)")
    }
    #expect(try await rows(server, first, last) == rows(file, first, last), "\(set.sqlText)")
    let needle = ["love", "ü", "1", "%"].randomElement(using: &random) ?? ""
    let columns = Array(try await server.columns().indices)
    let expected = try await file.find(.text(needle), columns: columns, from: key, backwards: false)
    #expect(try await server.find(.text(needle), columns: columns, from: key, backwards: false) == expected, "\(needle) in \(set.sqlText)")
  }

  private func rows(_ reader: RowReader, _ first: RowKey, _ last: RowKey) async throws -> [[DatabaseValue]] {
    let collected = Collected<[DatabaseValue]>()
    let columns = Array(try await reader.columns().indices)
    try await reader.forEachRow(from: first, through: last, columns: columns) { collected.append($0) }
    return collected.values
  }

  @Test("A page is one round trip, and a place that was shown is not asked for again")
  func roundTrips() async throws {
    try await withServed(rows: 200, seed: 1) { _, remote, server in
      let reader = try remote.reader(of: RowSet(.table(TableReference(name: "mixed")), order: RowOrder([Column<String>("name").desc()])))
      let first = try await reader.page(PageRequest(.first, limit: 20))
      let before = server.requests.count
      _ = try await reader.page(PageRequest(.after(try #require(first.rows.last).key), limit: 20))
      _ = try await reader.page(PageRequest(.before(try #require(first.rows.last).key), limit: 20))
      #expect(server.requests.count == before + 2)
    }
  }

  @Test("Rows of a view and of a query come some at a time, as the query gives them")
  func queries() async throws {
    try await withServed(rows: 900, seed: 2) { queue, remote, _ in
      for source in [
        RowSet.Source.table(TableReference(name: "chosen")),
        .query(sql: "SELECT id, day, done AS \"a b\", id FROM mixed WHERE id > :least ORDER BY name -- end", arguments: [.integer(30)]),
      ] {
        for order in [RowOrder.natural, RowOrder([Column<DatabaseValue>("day").desc()])] {
          let set = RowSet(source, order: order)
          let (file, server) = (RowReader(set, on: ReadConnections(queue)), try remote.reader(of: set))
          #expect(try await server.columns().map(\.name) == file.columns().map(\.name))
          for position in [PageRequest.Position.first, .number(500), .last] {
            let expected = try await file.page(PageRequest(position, limit: 30))
            #expect(try await server.page(PageRequest(position, limit: 30)).rows == expected.rows, "\(set.sqlText) at \(position)")
          }
          #expect(try await server.count() == file.count())
        }
      }
    }
  }

  @Test("A filter by regular expression is refused before it is sent")
  func regularExpressions() async throws {
    try await withServed(rows: 5, seed: 3) { _, remote, server in
      let columns = try await remote.filterColumns(of: remote.schema(of: TableReference(name: "mixed")))
      let view = try RowView(filter: "name =~ '^L'").compiled(for: columns)
      let reader = try remote.reader(of: view.applied(to: RowSet(.table(TableReference(name: "mixed")))))
      await #expect(throws: DataSourceError.self) { try await reader.page(PageRequest(.first, limit: 3)) }
      #expect(!server.requests.contains { $0.contains("REGEXP") })
    }
  }

  @Test("What several requests need at once is asked for once")
  func atOnce() async throws {
    try await withServed(rows: 5, seed: 6) { _, remote, server in
      let tables = try await withThrowingTaskGroup(of: TableSchema.self) { group in
        for _ in 0..<8 { group.addTask { try await remote.schema(of: TableReference(name: "mixed")) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(tables.count == 8)
      #expect(server.requests.count { $0.contains("FROM sqlite_schema") } == 1)
    }
  }

  @Test("What was known of the rows is not taken for that of a connection that was made anew, though its version has the same number")
  func reconnected() async throws {
    try await withServed(rows: 50, seed: 7) { queue, remote, server in
      let reader = try remote.reader(of: RowSet(.table(TableReference(name: "plain"))))
      #expect(try await reader.count() == .exact(50))
      try await queue.write { try $0.execute(sql: "INSERT INTO plain VALUES (1, 2, 3)") }
      try server.reconnect()
      #expect(try await reader.page(PageRequest(.last, limit: 1)).firstNumber != .exact(49))
      #expect(try await reader.count() == .exact(51))
    }
  }

  @Test("A lost connection is opened anew, and what was read is read again")
  func lostConnection() async throws {
    try await withServed(rows: 50, seed: 4) { _, remote, server in
      let reader = try remote.reader(of: RowSet(.table(TableReference(name: "plain"))))
      let first = try await reader.page(PageRequest(.first, limit: 20))
      server.loseConnections(1)
      #expect(try await reader.page(PageRequest(.first, limit: 20)).rows == first.rows)
    }
  }

  @Test("A table that others have changed is told, one that they have added is not")
  func changedSchema() async throws {
    try await withServed(rows: 50, seed: 5) { queue, remote, _ in
      let reader = try remote.reader(of: RowSet(.table(TableReference(name: "plain"))))
      let first = try await reader.page(PageRequest(.first, limit: 20))
      try await queue.write { try $0.execute(sql: "CREATE TABLE other(a)") }
      #expect(try await reader.page(PageRequest(.first, limit: 20)).rows == first.rows)
      try await queue.write { try $0.execute(sql: "ALTER TABLE plain ADD COLUMN more") }
      let error = await #expect(throws: DatabaseError.self) { try await reader.page(PageRequest(.first, limit: 20)) }
      #expect(error?.resultCode == DatabaseError.SQLITE_SCHEMA)
      #expect(try await remote.catalog().databases[0].entries.contains { $0.reference.name == "other" })
    }
  }
}

/// Values that several threads add.
final class Collected<Value: Sendable>: @unchecked Sendable {
  private let lock = Monitor<[Value]>([])
  var values: [Value] { lock.read { $0 } }
  func append(_ value: Value) { lock.change { $0.append(value) } }
}
