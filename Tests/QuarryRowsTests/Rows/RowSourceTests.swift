import QuarryEngine
import QuarryRows
import Synchronization
import TestSupport
import Testing

/// Rows that no SQLite file has, read through the same reader.
@Suite(.gated) struct RowSourceTests {
  private let reader = RowReader(
    RowSet(.table(TableReference(name: "words"))), from: WordSource(words: ["ant", "bee", "cat", "dog", "bear"]))

  private static func keys(_ range: Range<Int>) -> [RowKey] { range.map { .position($0) } }

  @Test("Pages of a source of its own are read by key and by number, and its rows are counted")
  func pages() async throws {
    #expect(try await reader.columns().map(\.name) == ["word"])
    #expect(try await reader.isSnapshot())
    let first = try await reader.page(PageRequest(.first, limit: 2))
    #expect(first.rows.map(\.key) == Self.keys(0..<2) && first.reachesStart && !first.reachesEnd)
    #expect(try await reader.page(PageRequest(.after(.position(1)), limit: 2)).rows.map(\.key) == Self.keys(2..<4))
    #expect(try await reader.page(PageRequest(.before(.position(3)), limit: 2)).rows.map(\.key) == Self.keys(1..<3))
    let last = try await reader.page(PageRequest(.last, limit: 0))
    #expect(last.rows.map(\.key) == Self.keys(4..<5) && last.firstNumber == .exact(4), "a page has one row at least")
    #expect(try await reader.page(PageRequest(.number(3), limit: 9)).reachesEnd)
    #expect(try await reader.count() == .exact(5))
    await reader.numbersAreKnown()
    #expect(try await reader.number(of: .position(4)) == .exact(4))
    #expect(try await reader.plan() == ReadPlan(kind: .scan, sorts: false, index: nil, details: []))
  }

  @Test("Values of a source of its own are read, looked for and copied")
  func values() async throws {
    #expect(try await reader.contains(.position(2)))
    #expect(try await reader.record(.position(2), limit: 2)?.cells == [.text("ca", byteCount: 3, isValid: true)])
    #expect(try await reader.value(.position(2), column: 0) == .text("cat"))
    #expect(try await reader.find(.text("be"), columns: [0], from: .position(1), backwards: false)?.key == .position(4))
    let wrapped = try await reader.find(.text("be"), columns: [0], from: .position(4), backwards: false)
    #expect(wrapped == RowMatch(key: .position(1), column: 0, wrapped: true))
    #expect(try await reader.distinctValues(of: "word", prefix: "be").values == [.text("bear"), .text("bee")])
    let copied = Mutex<[[DatabaseValue]]>([])
    try await reader.forEachRow(from: .position(1), through: .position(2), columns: [0]) { row in copied.withLock { $0.append(row) } }
    #expect(copied.withLock(\.self) == [[.text("bee")], [.text("cat")]])
  }

  private func expectOutdated(_ body: () async throws -> Void) async {
    let error = await #expect(throws: DatabaseError.self) { try await body() }
    #expect(error?.resultCode == DatabaseError.SQLITE_SCHEMA)
  }

  @Test("Columns that a source does not have, other columns than required, and rows that do not fit them are refused")
  func refusals() async throws {
    await expectOutdated {
      try await reader.forEachRow(from: .position(1), through: .position(2), columns: [1]) { _ in }
    }
    await expectOutdated { try await reader.forEachRow(columns: [-1], isOrdered: true) { _ in } }
    let set = RowSet(.table(TableReference(name: "words")))
    let bound = RowReader(set, from: WordSource(words: ["ant"]))
    bound.requireColumns([RowSetColumn(name: "word", schema: nil), RowSetColumn(name: "length", schema: nil)])
    await expectOutdated { _ = try await bound.page(PageRequest(.first, limit: 1)) }
    await expectOutdated { _ = try await bound.count() }
    let columns = ["a", "b"].map { RowSetColumn(name: $0, schema: nil) }
    let wide = RowReader(set, from: WordSource(words: ["ant"], columns: columns))
    await expectOutdated { _ = try await wide.page(PageRequest(.first, limit: 1)) }
    await expectOutdated { _ = try await wide.record(.position(0), limit: 10) }
  }
}

/// A list of words, whose keys are their positions.
private struct WordSource: RowSource {
  let words: [String]
  var columns = [RowSetColumn(name: "word", schema: nil)]
  let isSnapshot = true

  private func row(_ index: Int) -> WindowRow {
    WindowRow(key: .position(index), cells: [.text(words[index], byteCount: words[index].utf8.count, isValid: true)])
  }

  private func index(of key: RowKey) -> Int? {
    if case .position(let index) = key, words.indices.contains(index) { index } else { nil }
  }

  func page(_ request: PageRequest, progress: @escaping @Sendable (RowProgress) -> Void) async throws -> RowPage {
    let range: Range<Int> =
      switch request.position {
      case .first: 0..<request.limit
      case .last: words.count - request.limit..<words.count
      case .number(let number): number..<number + request.limit
      case .from(let key): (index(of: key) ?? 0)..<(index(of: key) ?? 0) + request.limit
      case .after(let key): (index(of: key) ?? 0) + 1..<(index(of: key) ?? 0) + 1 + request.limit
      case .before(let key): (index(of: key) ?? 0) - request.limit..<(index(of: key) ?? 0)
      }
    let shown = range.clamped(to: 0..<words.count)
    return RowPage(
      rows: shown.map(row), firstNumber: .exact(shown.lowerBound), reachesStart: shown.lowerBound == 0,
      reachesEnd: shown.upperBound == words.count)
  }

  func count(progress: @escaping @Sendable (RowNumber, RowProgress?) -> Void) async throws -> RowNumber { .exact(words.count) }

  func number(of key: RowKey) async throws -> RowNumber? { index(of: key).map { .exact($0) } }

  func contains(_ key: RowKey) async throws -> Bool { index(of: key) != nil }

  func find(_ search: RowSearch, progress: @escaping @Sendable (RowProgress) -> Void) async throws -> RowMatch? {
    guard case .text(let text) = search.needle else { return nil }
    let start = search.start.flatMap(index).map { $0 + 1 } ?? 0
    let found = (Array(start..<words.count) + Array(0..<start)).first { words[$0].contains(text) }
    return found.map { RowMatch(key: .position($0), column: 0, wrapped: $0 < start) }
  }

  func record(_ key: RowKey, limit: Int) async throws -> WindowRow? {
    index(of: key).map { index in
      let word = words[index]
      return WindowRow(key: key, cells: [.text(String(word.prefix(limit)), byteCount: word.utf8.count, isValid: true)])
    }
  }

  func value(_ key: RowKey, column: Int) async throws -> DatabaseValue? { index(of: key).map { .text(words[$0]) } }

  func forEachRow(
    from first: RowKey, through last: RowKey, columns: [Int], _ body: @escaping @Sendable ([DatabaseValue]) throws -> Void
  ) async throws {
    guard let first = index(of: first), let last = index(of: last) else { return }
    for word in words[first...last] { try body(columns.map { _ in .text(word) }) }
  }

  func distinctValues(of column: String, prefix: String, limit: Int) async throws -> DistinctValues {
    DistinctValues(values: words.filter { $0.hasPrefix(prefix) }.sorted().map { .text($0) }, isComplete: true)
  }

  func plan() async throws -> ReadPlan { ReadPlan(kind: .scan, sorts: false, index: nil, details: []) }
}

@Suite("Row sets as SQL", .gated)
struct RowSetSQLTests {
  @Test(
    "a set is written as the SELECT of its rows",
    arguments: [
      (RowSet(.table(TableReference(name: "Track"))), "SELECT * FROM Track"),
      (RowSet(.table(TableReference(database: "aux", name: "Order Details"))), "SELECT * FROM aux.\"Order Details\""),
      (
        RowSet(
          .table(TableReference(name: "t")), matching: [ColumnMatch(column: "a", value: .text("it's"))],
          filter: RowFilter(Column<Int>("b") > 3)),
        "SELECT * FROM t WHERE a IS 'it''s' AND (b > 3)"
      ),
      (
        RowSet(.query(sql: "SELECT 1 AS a -- one"), order: RowOrder([Column<Int>("a").desc()])),
        "SELECT * FROM (SELECT 1 AS a -- one\n) ORDER BY a DESC"
      ),
      (
        RowSet(.query(sql: "SELECT :a, ?, ?5, :a, ':a' -- :b", arguments: [.integer(1), .text("it's"), .null, .null, .real(2)])),
        "SELECT * FROM (SELECT 1, 'it''s', 2.0, 1, ':a' -- :b\n)"
      ),
    ] as [(RowSet, String)])
  func sql(_ set: RowSet, _ expected: String) {
    #expect(set.sqlText.queryString == expected)
  }
}
