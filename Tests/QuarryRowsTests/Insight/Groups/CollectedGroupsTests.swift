import Foundation
import QuarryEngine
import QuarryRows
import Synchronization
import TestSupport
import Testing

@Suite("Groups of large tables", .gated) struct CollectedGroupsTests {
  private static let filled = """
    CREATE TABLE event(id INTEGER PRIMARY KEY, kind TEXT, size INTEGER, price REAL, note TEXT COLLATE NOCASE);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
    INSERT INTO event SELECT i, iif(i % 7, 'kind ' || (i % 5), NULL), i % 11, i / 4.0, 'N' || (i % 3) FROM n;
    """

  private func groups(
    _ shape: GroupShape, on connections: ReadConnections, progress: @escaping @Sendable (RowProgress) -> Void = { _ in }
  ) async throws -> CompiledGroups {
    let columns = try await connections.background.read { db in
      FilterColumns(of: try db.tableSchema(TableReference(name: "event")), in: db)
    }
    return try await connections.groups(shape, of: RowSet(.table(TableReference(name: "event"))), columns: columns, progress: progress)
  }

  /// Returns the rows of a set as literals.
  private func rows(_ set: RowSet, on connections: ReadConnections) async throws -> [String] {
    let reader = RowReader(set, on: connections)
    let columns = try await reader.columns()
    let rows = Mutex<[String]>([])
    try await reader.forEachRow(columns: Array(columns.indices), isOrdered: true) { cells in
      rows.withLock { $0.append(cells.map { Self.literal($0) }.joined(separator: ", ")) }
    }
    return rows.withLock(\.self)
  }

  private static func literal(_ cell: CellValue) -> String {
    switch cell {
    case .integer(let integer): DatabaseValue.integer(integer).sqlLiteral
    case .real(let real): DatabaseValue.real(real).sqlLiteral
    case .text(let text, _, _): DatabaseValue.text(text).sqlLiteral
    default: DatabaseValue.null.sqlLiteral
    }
  }

  /// Returns the rows of SQLite's own GROUP BY.
  private func expected(_ sql: SQLText, on connections: ReadConnections) async throws -> [String] {
    try await connections.background.read { db in
      var rows: [String] = []
      try db.scan(sql) { statement in
        rows.append(try (0..<statement.columnCount).map { try statement.columnValue(at: $0).sqlLiteral }.joined(separator: ", "))
        return true
      }
      return rows
    }
  }

  @Test(
    "are those of GROUP BY, whether filtered, sorted or across the values of a column",
    arguments: [
      (GroupShape(levels: ["kind"], aggregates: ["count", "max(kind)", "min(price)", "x = avg(price)", "sum(size)"]), "x > 3750"),
      (GroupShape(levels: ["kind", "size"], aggregates: ["x = total(size) / count", "count(kind)"]), "x > 2"),
      (GroupShape(levels: ["size"], aggregates: ["count", "max(price)"], across: "kind"), "size > 2"),
      (GroupShape(levels: [], aggregates: ["x = count", "sum(price)"]), "x > 2"),
    ])
  func likeSQLite(shape: GroupShape, filter: String) async throws {
    let connections = ReadConnections(try makeDatabase(Self.filled))
    let groups = try await groups(shape, on: connections)
    #expect(try await connections.computedRows(of: groups.rowSet) != nil)
    for view in [RowView(sort: groups.defaultSort), RowView(filter: filter, sort: groups.defaultSort)] {
      let set = try view.compiled(for: groups.filterColumns).applied(to: groups.rowSet)
      #expect(try await rows(set, on: connections) == expected(set.sqlText, on: connections))
    }
  }

  @Test(
    "are left to SQLite if texts are not compared by their bytes, or if an aggregate needs all values",
    arguments: [
      GroupShape(levels: ["note"]), GroupShape(levels: ["kind"], aggregates: ["max(note)"]),
      GroupShape(levels: ["kind"], aggregates: ["count(distinct size)"]),
      GroupShape(levels: ["kind"], aggregates: ["length(group_concat(size))"]),
    ])
  func leftToSQLite(shape: GroupShape) async throws {
    let connections = ReadConnections(try makeDatabase(Self.filled))
    let groups = try await groups(shape, on: connections)
    #expect(try await connections.computedRows(of: groups.rowSet) == nil)
    #expect(try await rows(groups.rowSet, on: connections) == expected(groups.rowSet.sqlText, on: connections))
  }

  @Test("are counted without being fetched, unless a filter leaves some of them out")
  func counted() async throws {
    let connections = ReadConnections(try makeDatabase(Self.filled))
    let groups = try await groups(GroupShape(levels: ["id"]), on: connections)
    let reader = RowReader(groups.rowSet, on: connections)
    let page = try await reader.page(PageRequest(.first, limit: 10))
    #expect(page.rows.count == 10)
    #expect(try await reader.count() == .exact(30_000))
    let set = try RowView(filter: "id > 15000").compiled(for: groups.filterColumns).applied(to: groups.rowSet)
    let filtered = RowReader(set, on: connections)
    _ = try await filtered.page(PageRequest(.first, limit: 10))
    guard case .atLeast(let count) = try await filtered.count() else { return }
    #expect(count <= 15_000)
  }

  @Test("are kept as long as nothing is written")
  func kept() async throws {
    let queue = try makeDatabase(Self.filled)
    let connections = ReadConnections(queue)
    let groups = try await groups(GroupShape(levels: ["kind"]), on: connections)
    let first = try #require(try await connections.computedRows(of: groups.rowSet))
    #expect(try await connections.computedRows(of: groups.rowSet) == first)
    try await queue.write { try $0.execute(sql: "DELETE FROM event WHERE kind = 'kind 1'") }
    let second = try await connections.computedRows(of: groups.rowSet)
    #expect(second != first)
    #expect(second?.count == 5)
  }

  @Test("say that a sum of integers overflows")
  func overflow() async throws {
    let connections = ReadConnections(try makeDatabase(Self.filled + "UPDATE event SET size = 9000000000000000000 WHERE id IN (5, 10);"))
    let groups = try await groups(GroupShape(levels: ["kind"], aggregates: ["sum(size)"]), on: connections)
    await #expect { try await connections.computedRows(of: groups.rowSet) } throws: { "\($0)".contains("integer overflow") }
  }

  // MARK: While they are read

  /// Collects groups on two connections; returns the snapshots and the rows of the final groups.
  private func collect(
    _ shape: GroupShape, sortedBy sort: String, in folder: URL
  ) async throws -> (soFar: [RowsSoFar], snapshots: [[WindowRow]], final: [String], expected: [String]) {
    let connections = try Self.pair(in: folder)
    let groups = try await groups(shape, on: connections)
    let set = try RowView(sort: sort).compiled(for: groups.filterColumns).applied(to: groups.rowSet)
    let found = Mutex<[(RowsSoFar, [WindowRow])]>([])
    let collected = try #require(
      await connections.collectedGroups(groups) { soFar in
        guard let rows = try? soFar.rows(of: set) else { return }
        found.withLock { $0.append((soFar, rows)) }
      })
    let final = try await expected(collected.query, on: collected.connections)
    let expected = try await expected(groups.rowSet.sqlText, on: connections)
    return found.withLock { ($0.map(\.0), $0.map(\.1), final.sorted(), expected.sorted()) }
  }

  private static func pair(in folder: URL) throws -> ReadConnections {
    let path = folder.appendingPathComponent("events.db").path
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: filled) }
    return ReadConnections(foreground: queue, background: try DatabaseQueue(path: path), secondReader: { try DatabaseQueue(path: path) })
  }

  @Test("have counts of the rows read so far, which only grow")
  func soFar() async throws {
    try await withTemporaryFolder { folder in
      let shape = GroupShape(levels: ["kind"], aggregates: ["count", "max(kind)"])
      let (soFar, snapshots, final, expected) = try await collect(shape, sortedBy: "-count", in: folder)
      #expect(final == expected)
      let cells = expected.map { $0.split(separator: ", ") }
      let totals = Dictionary(uniqueKeysWithValues: cells.map { ($0[0], Int64($0[1]) ?? 0) })
      var known: [RowKey: (name: String, count: Int64)] = [:]
      for (soFar, rows) in zip(soFar, snapshots) {
        let counts = rows.map(Self.count)
        #expect(counts.reduce(0, +) == Int64(soFar.read))
        #expect(counts == counts.sorted(by: >))
        #expect(soFar.count == rows.count)
        for (row, count) in zip(rows, counts) {
          let name = Self.literal(row.cells[0])
          #expect(count <= totals[name[...]] ?? 0)
          if let former = known[row.key] { #expect(former.name == name && former.count <= count) }
          known[row.key] = (name, count)
        }
        #expect(rows.count == known.count)
      }
      #expect(soFar.first.map { $0.read < 30_000 } == true)
    }
  }

  private static func count(_ row: WindowRow) -> Int64 { if case .integer(let count)? = row[1] { count } else { -1 } }

  @Test("are the first ones found if there are many, and none if a filter needs their final values")
  func manySoFar() async throws {
    try await withTemporaryFolder { folder in
      let shape = GroupShape(levels: ["id"])
      let (soFar, snapshots, final, expected) = try await collect(shape, sortedBy: "id", in: folder)
      #expect(final == expected)
      #expect(zip(soFar, snapshots).allSatisfy { $0.count >= $1.count && $1.count <= 2000 })
      #expect(soFar.last.map { $0.count > 2000 } == true)
      let filtered = RowSet(.query(sql: "SELECT 1"), filter: RowFilter(Column<Int>("count") > 1))
      #expect(try soFar.last?.rows(of: filtered) == nil)
    }
  }

  @Test("are cancelled while they are read")
  func cancelled() async throws {
    try await withTemporaryFolder { folder in
      let connections = try Self.pair(in: folder)
      let groups = try await groups(GroupShape(levels: ["kind"]), on: connections)
      let held = Mutex<Task<ReturnedRows?, any Error>?>(nil)
      let read = Mutex(0)
      let task = Task {
        try await connections.collectedGroups(groups) { soFar in
          read.withLock { $0 = max($0, soFar.read) }
          held.withLock { $0?.cancel() }
        }
      }
      held.withLock { $0 = task }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect((1..<30_000).contains(read.withLock(\.self)))
      #expect(try await connections.computedRows(of: groups.rowSet)?.count == 6)
    }
  }
}
