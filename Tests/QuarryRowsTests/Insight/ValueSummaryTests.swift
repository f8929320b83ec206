import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("What values come to", .gated)
struct ValueSummaryTests {
  private static func summary(_ values: [DatabaseValue]) -> ValueSummary {
    var summarizer = ValueSummarizer()
    for value in values { summarizer.add(value) }
    return summarizer.result
  }

  @Test("is what SQLite says of them, whatever is among them", arguments: 0..<200)
  func oracle(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let values = (0..<Int.random(in: 1...40, using: &random)).map { _ in Self.value(&random) }
    let summary = Self.summary(values)
    let database = try DatabaseQueue()
    let row = try database.write { db in
      try db.execute(sql: "CREATE TABLE t(x BLOB)")
      for value in values { try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [value]) }
      return try #require(
        try Row.fetchOne(
          db,
          sql: """
            SELECT count(*), sum(typeof(x) = 'integer'), sum(typeof(x) = 'real'), sum(typeof(x) = 'text'), sum(typeof(x) = 'blob'),
              count(DISTINCT x), min(x) FILTER (WHERE typeof(x) IN ('integer', 'real')),
              max(x) FILTER (WHERE typeof(x) IN ('integer', 'real')), min(x) FILTER (WHERE typeof(x) = 'text'),
              max(x) FILTER (WHERE typeof(x) = 'text')
            FROM t
            """))
    }
    let counts: [Int] = try (0...5).map { try row[$0] }
    #expect([summary.count, summary.integers, summary.reals, summary.texts, summary.blobs, summary.distinct] == counts)
    #expect(summary.isDistinctExact)
    let extremes: [DatabaseValue] = try (6...9).map { try row[$0] }
    let (least, greatest) = summary.numbers > 0 ? (extremes[0], extremes[1]) : (extremes[2], extremes[3])
    // Of an integer and a real that are equal either may be told.
    #expect(Self.areEqual(summary.least ?? .null, least) && Self.areEqual(summary.greatest ?? .null, greatest), "\(values)")
    let exact = values.reduce(into: Int128(0)) { $0 += Self.quarters($1) }
    #expect(summary.mean == (summary.numbers > 0 ? Double(exact) / 4 / Double(summary.numbers) : nil), "\(values)")
  }

  /// Returns how many quarters a number is; 0 for what is none.
  private static func quarters(_ value: DatabaseValue) -> Int128 {
    switch value {
    case .integer(let number): Int128(number) * 4
    case .real(let number): Int128(number * 4)
    case .null, .text, .blob: 0
    }
  }

  private static func value(_ random: inout SplitMix) -> DatabaseValue {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .null
    case 1: .integer(Int64.random(in: -3...3, using: &random))
    case 2: .integer([1 << 53, (1 << 53) + 1, -(1 << 53) - 1][Int.random(in: 0..<3, using: &random)])
    case 3: .real(Double(Int.random(in: -3...3, using: &random)))
    case 4: .real([0.5, -0.25, 9_007_199_254_740_992, 1e18][Int.random(in: 0..<4, using: &random)])
    case 5: .text(["1", "a", "B", "é", "e\u{301}", ""][Int.random(in: 0..<6, using: &random)])
    case 6: .text("2024-0\(Int.random(in: 1...9, using: &random))-01")
    default: .blob([UInt8.random(in: 0...2, using: &random)])
    }
  }

  private static func areEqual(_ left: DatabaseValue, _ right: DatabaseValue) -> Bool {
    switch (left, right) {
    case (.integer(let integer), .real(let real)), (.real(let real), .integer(let integer)): Int64(exactly: real) == integer
    default: left == right
    }
  }

  @Test("a sum of integers is exact, also where SQLite's overflows; a sum with reals is a real")
  func sums() {
    #expect(Self.summary([.integer(.max), .integer(.max), 1]).sum == .integer(2 * Int128(Int64.max) + 1))
    #expect(Self.summary([.integer(.max), .integer(.min)]).sum == .integer(-1))
    #expect(Self.summary([1, 0.5, "7", .null]).sum == .real(1.5))
    #expect(Self.summary(Array(repeating: 0.1, count: 10)).sum == .real(1))
    #expect(Self.summary([.real(.infinity), 1]).sum == .real(.infinity))
    #expect(Self.summary(["7", .null]).sum == nil)
  }

  @Test("different values are told apart up to a limit, after which their number is a lower bound")
  func distinctLimit() {
    var summarizer = ValueSummarizer()
    for number in 0..<Int64(ValueSummarizer.distinctLimit) + 10 { summarizer.add(.integer(number)) }
    #expect(summarizer.result.distinct == ValueSummarizer.distinctLimit && !summarizer.result.isDistinctExact)
  }
}
