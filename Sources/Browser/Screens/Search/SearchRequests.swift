import QuarryEngine
import QuarryRows
import QuarrySources

/// Looks for a text in the tables of the data source.
package struct SearchEverywhere: Request {
  let text: String
  /// The tables; nil for all that are searched.
  var tables: [TableReference]?

  /// How many hits of a table are listed.
  static let limit = 1_000

  /// What is found, and how long that has taken so far.
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
