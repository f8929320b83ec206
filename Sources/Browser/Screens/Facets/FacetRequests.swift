import QuarryEngine
package import QuarryRows
import QuarrySources

/// Counts how the rows that a filter keeps are distributed over the values of columns.
package struct LoadFacets: Request {
  package let subject: InsightSubject
  package let columns: [String]

  package enum Report: ActivityReport {
    /// Nothing has been counted for so long that the visible facets are outdated.
    case late
    case counted([Facet])

    func badge(of activity: Activity) -> String? { if case .late = self { "counting facets…" } else { nil } }
  }

  /// The greatest number of values that a facet lists.
  private static let valueLimit = 100
  /// How long the previous facets are shown as current while the requested ones are counted.
  private static let patience = Duration.milliseconds(150)

  static let slot = RequestSlot("facets")
  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { Activity(name: "", urgency: .background) }

  func run(in services: Services, report: @escaping @Sendable (Report) -> Void) async throws -> [Facet] {
    let delay = Task(executorPreference: TaskThreads.shared) {
      try await Task.pause(for: Self.patience)
      report(.late)
    }
    defer { delay.cancel() }
    let conditions = try Filter.facetConditions(of: subject.view.filter, in: subject.columns, parameters: subject.view.arguments)
    let request = FacetRequest(
      subject.set, conditions: conditions, columns: columns.map { InsightColumn($0) }, valueLimit: Self.valueLimit)
    return try await services.insight.facets(request) { report(.counted($0)) }
  }
}
