import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// A table in which a rowid is out of order: a scan by ranges of rowids ends in each range before it, and SQLite reports nothing.
@Suite struct KeysOutOfOrderTests {
  private static let set = RowSet(.table(TableReference(name: "t")))

  @Test("counts, a profile and facets report it")
  func reported() async throws {
    try await KeysOutOfOrder.with { path in
      let connections = ReadConnections(try DatabaseQueue(path: path))
      await KeysOutOfOrder.expectError { _ = try await connections.counts(CountRequest(InsightColumn("v"), in: Self.set)) }
      await KeysOutOfOrder.expectError { _ = try await connections.profile(ProfileRequest(Self.set, isExact: true)) }
      await KeysOutOfOrder.expectError { _ = try await connections.facets(FacetRequest(Self.set, columns: [InsightColumn("v")])) }
    }
  }

  @Test("a search reports it with the table, on one connection and on two")
  func search() async throws {
    try await KeysOutOfOrder.with { path in
      let connections = ReadConnections(try DatabaseQueue(path: path))
      let tables = try await connections.search(EverywhereSearch("value")) { _ in }
      #expect(tables.first?.failure?.contains("out of order") == true, "\(tables)")
      let alone = try await connections.background.read { db in try db.search(EverywhereSearch("value")) { _ in } }
      #expect(alone.first?.failure?.contains("out of order") == true, "\(alone)")
    }
  }
}
