import QuarryEngine
import QuarryRows
import QuarrySources

/// A request that searches for a text in the tables of the data source.
package struct SearchEverywhere: Request {
  let text: String
  /// The tables to search; nil for all tables that can be searched.
  var tables: [TableReference]?

  /// The largest number of listed hits per table.
  static let limit = 1_000

  /// A partial result, and the time since the search began.
  struct Report: Sendable {
    var report: SearchReport
    var elapsed: Duration
  }

  static let slot = RequestSlot("search everywhere")
  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { Activity(name: "searching", urgency: .asked) }

  func run(in services: Services, report: @escaping @Sendable (Report) -> Void) async throws -> [SearchedTable] {
    let (now, start) = (services.now, services.now())
    return try await services.insight.search(EverywhereSearch(text, tables: tables, limit: Self.limit)) { found in
      report(Report(report: found, elapsed: now() - start))
    }
  }
}
