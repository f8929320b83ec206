import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Random tables are searched, and LIKE is asked the same.
@Suite(.gated) struct SearchOracleTests {
  @Test("What is found in random values of all storage classes is what LIKE finds", arguments: 0..<40)
  func random(seed: Int) async throws {
    var random = SplitMix(seed: UInt64(seed))
    let isWithoutRowID = seed % 4 == 3
    let queue = try DatabaseQueue()
    let columns = ["a", "b TEXT", "c INTEGER", "d BLOB", "e VARCHAR(5) COLLATE NOCASE", "f REAL"]
    let rows = (0..<300).map { _ in columns.map { _ in Self.value(&random) } }
    try await queue.withoutTransaction { db in
      let key = isWithoutRowID ? "k INTEGER PRIMARY KEY, " : ""
      try db.execute(sql: "CREATE TABLE t(\(key)\(columns.joined(separator: ", ")))\(isWithoutRowID ? " WITHOUT ROWID" : "")")
      let marks = Array(repeating: "?", count: columns.count + (isWithoutRowID ? 1 : 0)).joined(separator: ", ")
      let insert = try db.makeStatement(sql: "INSERT INTO t VALUES (\(marks))")
      for (row, values) in rows.enumerated() {
        try insert.execute(arguments: StatementArguments((isWithoutRowID ? [.integer(Int64(row + 1))] : []) + values))
      }
    }
    let connections = ReadConnections(foreground: queue, background: queue)
    for _ in 0..<10 {
      let text = Self.text(&random, upTo: 4)
      let search = EverywhereSearch(text, limit: .max)
      guard !search.isEmpty else { continue }
      let found = try await outcome(search, in: connections)
      let expected = try await queue.read { db in try Self.expected(search.needle, isWithoutRowID ? "k" : "rowid", db) }
      let hits = found.hits.map { hit -> String in
        switch hit.key {
        case .rowID(let id): "\(id) \(hit.column ?? "?")"
        case .values(let values): "\(values.map(\.sqlLiteral).joined()) \(hit.column ?? "?")"
        case .position: "?"
        }
      }
      #expect(Set(hits) == expected, "\(text.debugDescription)")
      #expect(hits.count == expected.count && found.tables.first?.hitCount == expected.count)
    }
  }

  /// Asks SQLite: LIKE of each column of texts, equality of each column of numbers where the text is a number.
  private static func expected(_ needle: String, _ key: String, _ db: Database) throws -> Set<String> {
    let escaped: [String] = needle.map { "\\%_".contains($0) ? "\\\($0)" : String($0) }
    let pattern = "%" + escaped.joined() + "%"
    var expected: Set<String> = []
    for column in ["a", "b", "e"] {
      let sql = "SELECT \(key) FROM t WHERE typeof(\(column)) <> 'blob' AND \(column) LIKE ? ESCAPE '\\'"
      for id in try Int64.fetchAll(db, sql: sql, arguments: [pattern]) { expected.insert("\(id) \(column)") }
    }
    if Double(needle) != nil, needle.utf8.allSatisfy({ "0123456789.-+eE".utf8.contains($0) }) {
      for column in ["c", "f"] + (key == "k" ? ["k"] : []) {
        for id in try Int64.fetchAll(db, sql: "SELECT \(key) FROM t WHERE \(column) = CAST(? AS NUMERIC)", arguments: [needle]) {
          expected.insert("\(id) \(column)")
        }
      }
    }
    return expected
  }

  private static func value(_ random: inout SplitMix) -> DatabaseValue {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .null
    case 1: .integer(Int64.random(in: -30...120, using: &random))
    case 2: .real(Double(Int.random(in: -40...400, using: &random)) / 4)
    case 3: .blob(Array(text(&random, upTo: 6).utf8))
    default: .text(text(&random, upTo: [3, 14, 15, 16, 17, 40, 200].randomElement(using: &random) ?? 9))
    }
  }

  /// Few different characters, so that much is found, not all of them of one byte.
  private static func text(_ random: inout SplitMix, upTo length: Int) -> String {
    let letters = Array("aAbBzZ%_\\ 1250.-éß日")
    return String((0..<Int.random(in: 0...length, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
  }

  @Test("The matcher finds the first place, wherever in a text it is")
  func matcher() {
    var random = SplitMix(seed: 7)
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...50, using: &random)).map { _ in "aAbBz\u{0}".utf8.randomElement(using: &random) ?? 0 }
      let needle = (0..<Int.random(in: 0...5, using: &random)).map { _ in "abz\u{0}".utf8.randomElement(using: &random) ?? 0 }
      let lower = text.map(\.asciiLowercased)
      let expected = (0...max(0, lower.count)).first { lower[$0...].starts(with: needle) }
      let found = needle.withUnsafeBytes { needle in text.withUnsafeBytes { TextMatcher(needle).offset(in: $0) } }
      #expect(found == expected, "\(needle) in \(text)")
    }
  }
}
