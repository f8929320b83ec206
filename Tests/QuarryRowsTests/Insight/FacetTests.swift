import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Facets", .gated) struct FacetTests {
  @Test("are GROUP BY under the conditions on the other columns, after each choice", arguments: 0..<testRounds(24))
  func agreement(seed: Int) async throws {
    var random = SplitMix(seed: UInt64(seed))
    let oracle = try InsightOracle(rows: 300, seed: UInt64(seed))
    for source in InsightOracle.sources {
      let set = RowSet(source, filter: InsightOracle.filter(&random))
      var conditions: [FacetCondition] = []
      for _ in 0..<3 {
        let request = FacetRequest(set, conditions: conditions, columns: InsightOracle.names.map { InsightColumn($0) }, valueLimit: 5000)
        let facets = try await oracle.connections.facets(request)
        for facet in facets { try Self.expect(facet, conditions, set, oracle) }
        conditions.append(try Self.choice(among: facets, &random))
      }
    }
  }

  private static func expect(_ facet: Facet, _ conditions: [FacetCondition], _ set: RowSet, _ oracle: InsightOracle) throws {
    let others = conditions.filter { $0.column != facet.column }.map(\.filter)
    let counts = try oracle.counts(facet.column, in: set, where: others)
    #expect(facet.isComplete && facet.rows == counts.reduce(0) { $0 + $1.count }, "\(facet.column) \(others)")
    #expect(facet.nulls == counts.first { $0.value == .value(.null) }?.count ?? 0)
    #expect(facet.distinct == .exact(counts.count { $0.value != .value(.null) }))
    switch facet.content {
    case .values(let values):
      let collation = InsightOracle.collation(of: facet.column, in: set.source)
      let expected = counts.map { $0.normalized(collation) }.sorted { $0.count > $1.count }
      #expect(values.map { $0.normalized(collation) } == expected, "\(facet.column)")
    case .histogram(let bins):
      let finite = counts.filter { ($0.value.value?.number?.isFinite ?? false) || facet.dates == .text && $0.value.value != .null }
      #expect(bins.reduce(0) { $0 + $1.count } <= finite.reduce(0) { $0 + $1.count })
      #expect(bins.count <= 8 && bins.allSatisfy { $0.value.bin != nil })
    }
  }

  /// Chooses a value of a column, or a condition on none.
  private static func choice(among facets: [Facet], _ random: inout SplitMix) throws -> FacetCondition {
    let facet = try #require(facets.randomElement(using: &random))
    guard case .values(let values) = facet.content, let value = values.randomElement(using: &random)?.value.value, value != .null else {
      return FacetCondition(RowFilter(Column<Double?>("c") < 40))
    }
    return FacetCondition(RowFilter(Column<DatabaseValue>(facet.column) == value), column: facet.column)
  }

  @Test("of numbers and dates are ranges, and show the range that is chosen among the others")
  func ranges() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(price REAL, day TEXT, kind TEXT)",
      """
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
      INSERT INTO t SELECT i / 4.0, date('2024-01-01', i || ' days'), 'kind ' || (i % 3) FROM n
      """)
    let connections = ReadConnections(foreground: queue, background: queue)
    let columns = ["price", "day", "kind"].map { InsightColumn($0) }
    let set = RowSet(.table(TableReference(name: "t")))
    let cheap = FacetCondition(RowFilter(Column<Double>("price") < 50), column: "price")
    let facets = try await connections.facets(FacetRequest(set, conditions: [cheap], columns: columns))
    guard case .histogram(let prices) = facets[0].content, case .histogram(let days) = facets[1].content,
      case .values(let kinds) = facets[2].content
    else {
      Issue.record("\(facets)")
      return
    }
    #expect(prices.map(\.count) == [200, 200, 200, 200, 200])
    #expect(prices.first?.value.bin == ValueBin(lower: .real(0), upper: .real(50)))
    #expect(days.first?.value.bin == ValueBin(lower: "2024-01-01", upper: "2024-02-01"))
    #expect(days.map(\.count) == [31, 29, 31, 30, 31, 30, 18])
    #expect(kinds.map(\.count) == [67, 67, 66])
    #expect(facets[1].dates == .text && facets[0].dates == nil)
  }

  @Test("of a foreign key are values however many there are, since its numbers are no amounts")
  func references() async throws {
    let queue = try makeDatabase(
      "PRAGMA foreign_keys = OFF",
      "CREATE TABLE parent(id INTEGER PRIMARY KEY)",
      "CREATE TABLE t(parent INTEGER REFERENCES parent, amount INTEGER)",
      """
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
      INSERT INTO t SELECT CASE WHEN i % 2 THEN 7 ELSE i END, i FROM n
      """)
    let connections = ReadConnections(foreground: queue, background: queue)
    let request = FacetRequest(RowSet(.table(TableReference(name: "t"))), columns: ["parent", "amount"].map { InsightColumn($0) })
    let facets = try await connections.facets(request)
    guard case .values(let parents) = facets[0].content, case .histogram = facets[1].content else {
      Issue.record("\(facets)")
      return
    }
    #expect(parents.first == ValueCount(.value(.integer(7)), 500))
  }
}
