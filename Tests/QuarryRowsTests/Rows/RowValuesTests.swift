import QuarryEngine
import QuarryRows
import Synchronization
import TestSupport
import Testing

@Suite(.gated) struct RowValuesTests {
  private func makeReader(_ sql: String...) throws -> RowReader {
    let queue = try DatabaseQueue()
    try queue.withoutTransaction { db in
      for statement in sql { try db.execute(sql: statement) }
    }
    return RowReader(RowSet(.table(TableReference(name: "t"))), on: ReadConnections(foreground: queue, background: queue))
  }

  @Test("A page holds the beginning of a long value, in whole characters, and its size")
  func prefixes() async throws {
    let reader = try makeReader(
      "CREATE TABLE t(x)",
      "INSERT INTO t VALUES (replace(hex(zeroblob(2000000)), '0', 'ab')), (replace(hex(zeroblob(400)), '0', '👨‍👩‍👧é'))",
      "INSERT INTO t VALUES (zeroblob(5000000))",
      "INSERT INTO t VALUES (substr(replace(hex(zeroblob(600)), '0', 'é'), 1, 512))",
      "INSERT INTO t VALUES (substr(replace(hex(zeroblob(600)), '0', 'é'), 1, 513))"
    )
    let cells = try await reader.page(PageRequest(.first, limit: 9)).rows.map(\.cells[0])
    guard case .text(let ascii, 8_000_000, true) = cells[0], case .text(let families, 16_000, true) = cells[1] else {
      Issue.record("unexpected \(cells[0]), \(cells[1])")
      return
    }
    #expect(ascii.utf8.count >= 1022 && String(repeating: "ab", count: 600).hasPrefix(ascii))
    #expect(families.utf8.count <= 1024 && families.utf8.count > 980)
    #expect(String(repeating: "👨‍👩‍👧é", count: 60).hasPrefix(families) && families.allSatisfy { "👨‍👩‍👧é".contains($0) })
    #expect(cells[2] == .blob(Array(repeating: 0, count: 1024), byteCount: 5_000_000))
    #expect(cells[3] == .text(String(repeating: "é", count: 512), byteCount: 1024, isValid: true))
    guard case .text(let cut, 1026, true) = cells[4] else { return }
    #expect(cut.allSatisfy { $0 == "é" } && cut.count >= 510)
  }

  @Test("A record holds as much of each value as is asked for, and a value all of it")
  func records() async throws {
    let reader = try makeReader("CREATE TABLE t(x, y, z)", "INSERT INTO t VALUES (replace(hex(zeroblob(3000)), '0', 'x'), x'0102', NULL)")
    let record = try await reader.record(.rowID(1), limit: 10_000)
    #expect(
      record?.cells == [.text(String(repeating: "x", count: 6000), byteCount: 6000, isValid: true), .blob([1, 2], byteCount: 2), .null])
    #expect(
      try await reader.record(.rowID(1), limit: 0)?.cells == [.text("", byteCount: 6000, isValid: true), .blob([], byteCount: 2), .null])
    #expect(try await reader.value(.rowID(1), column: 0) == .text(String(repeating: "x", count: 6000)))
    #expect(try await reader.value(.rowID(1), column: 3) == nil)
    #expect(try await reader.value(.rowID(2), column: 0) == nil)
  }

  @Test("Text that is not UTF-8 is marked, also past its beginning")
  func malformedText() async throws {
    let reader = try makeReader(
      "CREATE TABLE t(x)",
      "INSERT INTO t VALUES (CAST(x'61ff62' AS TEXT)), (CAST(x'eda080' AS TEXT)), (CAST(zeroblob(2000) || x'ff' AS TEXT))")
    let cells = try await reader.page(PageRequest(.first, limit: 9)).rows.map(\.cells[0])
    #expect(cells[0] == .text("a\u{FFFD}b", byteCount: 3, isValid: false))
    guard case .text(_, 3, false) = cells[1], case .text(_, 2001, false) = cells[2] else {
      Issue.record("unexpected \(cells)")
      return
    }
    #expect(try await reader.value(.rowID(1), column: 0) == .blob([0x61, 0xff, 0x62]))
  }

  @Test("Rows between two keys are given whole, in order, also where the last one is gone")
  func rowRange() async throws {
    let reader = try makeReader(
      "CREATE TABLE t(a, b, PRIMARY KEY(a DESC, b)) WITHOUT ROWID", "INSERT INTO t VALUES (1, 'x'), (1, 'y'), (2, 'x'), (3, 'z')")
    let rows = Mutex<[[DatabaseValue]]>([])
    let keep: @Sendable ([DatabaseValue]) -> Void = { row in rows.withLock { $0.append(row) } }
    try await reader.forEachRow(
      from: .values([.integer(3), .text("z")]), through: .values([.integer(1), .text("x")]), columns: [1, 0], keep)
    #expect(rows.withLock { $0 } == [[.text("z"), .integer(3)], [.text("x"), .integer(2)], [.text("x"), .integer(1)]])
    rows.withLock { $0.removeAll() }
    try await reader.forEachRow(from: .values([.integer(9), .text("")]), through: .values([.integer(2), .text("y")]), columns: [1], keep)
    #expect(rows.withLock { $0 } == [[.text("z")], [.text("x")]])
    try await reader.forEachRow(from: .values([.integer(1), .text("x")]), through: .values([.integer(3), .text("z")]), columns: [1], keep)
    #expect(rows.withLock { $0.count } == 2)
  }
}
