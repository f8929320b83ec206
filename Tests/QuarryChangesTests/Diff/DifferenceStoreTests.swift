import QuarryChanges
import QuarryEngine
import QuarryFiles
import QuarryRows
import TestSupport
import Testing

/// The differences that a comparison stores for a screen.
@Suite(.gated) struct DifferenceStoreTests {
  private func side(_ sql: String) throws -> FileDiffSide {
    let queue = try DatabaseQueue()
    try queue.withoutTransaction { try $0.execute(sql: sql) }
    return try FileDiffSide(queue, name: sql)
  }

  private func store(_ first: String, _ second: String) async throws -> DifferenceStore {
    let store = try DifferenceStore()
    _ = try await store.compare(DatabaseDiff(try side(first), try side(second))) {}
    return store
  }

  private func text(_ row: [StoredValue]?) -> String {
    row.map { $0.map { $0.databaseValue.sqlLiteral }.joined(separator: " ") } ?? "-"
  }

  private func lines(_ store: DifferenceStore, _ table: Int = 0, isFiltered: Bool = false) async throws -> [String] {
    try await store.differences(of: table, at: 0..<1_000, isFiltered: isFiltered).map {
      "\($0.change.rawValue): \(text($0.old)) | \(text($0.new))"
    }
  }

  private static let pair = (
    "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, v); INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3)",
    "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, v); INSERT INTO t VALUES (1, 'A', 1), (3, 'c', 3.0), (4, 'd', x'00ff')"
  )

  @Test func `differences are stored exactly, in the order of their keys`() async throws {
    let store = try await store(Self.pair.0, Self.pair.1)
    #expect(
      try await lines(store) == [
        "changed: 1 'a' 1 | 1 'A' 1", "removed: 2 'b' 2 | -", "changed: 3 'c' 3 | 3 'c' 3.0", "added: - | 4 'd' X'00FF'",
      ])
    let table = try #require(store.tables.first)
    #expect([table.counts.added, table.counts.removed, table.counts.changed, table.stored] == [1, 1, 2, 4])
    #expect(table.state == .compared)
    #expect(table.columns.map(\.changes) == [0, 1, 1])
    #expect(try await store.differences(of: 0, at: 2..<3, isFiltered: false).map(\.number) == [3])
  }

  @Test func `texts that are not UTF-8 are stored as they are`() async throws {
    let table = "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);"
    let store = try await store(
      table + "INSERT INTO t VALUES (1, CAST(x'ff41' AS TEXT))", table + "INSERT INTO t VALUES (1, CAST(x'fe' AS TEXT))")
    let row = try #require(try await store.differences(of: 0, at: 0..<1, isFiltered: false).first)
    #expect(row.old?.last == .rawText([0xFF, 0x41]))
    #expect(row.new?.last == .rawText([0xFE]))
  }

  @Test func `filters name columns of either side`() async throws {
    let store = try await store(Self.pair.0, Self.pair.1)
    let columns = try #require(store.tables.first?.filterColumns)
    for (text, count) in [
      ("new.name = 'd'", 1), ("old.id = 2", 1), ("change = 'changed'", 2), ("old.v = 3 and new.v = 3", 1), ("new.name = 'a'", 1),
      ("old.id is null", 1), ("old.id > 100", 0),
    ] {
      let condition = try #require(try Filter.compile(text, columns: columns).sqlText)
      #expect(try await store.filter(0, condition) { _ in } == count, "\(text)")
      #expect(try await lines(store, isFiltered: true).count == count, "\(text)")
    }
  }

  @Test func `a text is found in either direction, among all differences or those of a filter`() async throws {
    let table = "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);"
    let rows =
      "INSERT INTO t SELECT value, iif(value % 10 = 0, '50%_x', 'other') FROM json_each('["
      + (1...95).map(String.init).joined(separator: ",") + "]')"
    let store = try await store(table, table + rows)
    func found(_ text: String, from: Int, backwards: Bool, isFiltered: Bool = false) async throws -> Int? {
      try await store.position(of: text, in: 0, from: from, backwards: backwards, isFiltered: isFiltered)
    }
    #expect(try await found("50%_X", from: 0, backwards: false) == 9)
    #expect(try await found("50%_x", from: 10, backwards: false) == 19)
    #expect(try await found("50%_x", from: 94, backwards: true) == 89)
    #expect(try await found("5_", from: 0, backwards: false) == nil)
    let columns = try #require(store.tables.first?.filterColumns)
    _ = try await store.filter(0, try #require(try Filter.compile("new.id > 50", columns: columns).sqlText)) { _ in }
    #expect(try await found("50%_x", from: 0, backwards: false, isFiltered: true) == 9)
  }

  @Test func `the SQL of each change turns one row into the other`() async throws {
    let queue = try DatabaseQueue()
    try await queue.withoutTransaction { try $0.execute(sql: Self.pair.0) }
    let store = try await store(Self.pair.0, Self.pair.1)
    let format = PatchFormat()
    var script = ""
    for row in try await store.differences(of: 0, at: 0..<10, isFiltered: false) {
      script += try #require(store.statements(for: row, in: 0)).map { String(decoding: format.bytes(of: $0), as: UTF8.self) }.joined()
    }
    try await queue.withoutTransaction { [script] in try $0.execute(sql: script) }
    let after = DatabaseDiff(try FileDiffSide(queue, name: "a"), try side(Self.pair.1))
    #expect(try await after.rows { _ in }.isSame)
  }

  @Test func `equal rows without a key are stored once, with their numbers`() async throws {
    let table = "CREATE TABLE t(rowid, oid, _rowid_, v);"
    let row = "INSERT INTO t VALUES (1, 2, 3, 'x');"
    let store = try await store(table + row, table + row + row + row)
    let found = try await store.differences(of: 0, at: 0..<10, isFiltered: false)
    #expect(found.map(\.surplus) == [2])
    #expect(store.tables.first?.counts.added == 2)
    #expect(store.tables.first?.keyCount == 0)
    let sql = try #require(store.statements(for: found[0], in: 0)).map { String(decoding: PatchFormat().bytes(of: $0), as: UTF8.self) }
    #expect(sql.count == 2 && sql.allSatisfy { $0.hasPrefix("INSERT INTO main.t") })
  }

  @Test func `a table with very many columns is only counted`() async throws {
    let columns = (0..<1_200).map { "c\($0)" }.joined(separator: ", ")
    let table = "CREATE TABLE t(id INTEGER PRIMARY KEY, \(columns));"
    let store = try await store(table, table + "INSERT INTO t(id) VALUES (1)")
    let found = try #require(store.tables.first)
    #expect(found.isTooWide && found.counts.added == 1 && found.stored == 0)
  }
}
