import QuarryRows
import QuarrySources

/// A request that finds the paths in a column of JSON, in the rows of a grid.
struct LoadJSONPaths: Request {
  let grid: GridID
  let column: String

  static let slot = RequestSlot("JSON paths")
  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { Activity(name: "reading JSON", urgency: .background) }

  func run(in services: Services, report: @escaping @Sendable (JSONPaths) -> Void) async throws -> JSONPaths {
    try await services.insight.jsonPaths(of: column, in: services.reader(grid).rowSet, progress: report)
  }
}
