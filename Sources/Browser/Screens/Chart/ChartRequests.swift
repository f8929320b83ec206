import QuarryEngine
import QuarryRows
import QuarrySources
import Synchronization

/// Reads the rows of a grid for a chart, which grows meanwhile.
struct LoadChart: Request {
  let grid: GridID
  let query: ChartQuery
  let columns: [ChartColumn]
  /// About how many rows there are; nil where that is not known.
  var total: Int?

  static let slot = RequestSlot("chart")
  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { Activity(name: "reading rows for the chart", urgency: .asked) }

  /// A chart of the rows read so far.
  struct Report: ActivityReport {
    var sample: ChartSample
    var progress: RowProgress

    func badge(of activity: Activity) -> String? { progress.badge(of: activity) }
  }

  /// What was read, and why no more was; nil where that is all.
  struct Answer: Sendable {
    var sample: ChartSample
    var failure: Problem?
  }

  func run(in services: Services, report: @escaping @Sendable (Report) -> Void) async throws -> Answer {
    let reader = try services.reader(grid)
    let gathering = ChartGathering(query, columns: columns, total: total, now: services.now)
    do {
      try await reader.forEachRow(columns: query.columns, isOrdered: query.needsOrder) { cells in
        if let news = gathering.add(cells) { report(news) }
      }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      let sample = gathering.sample
      guard let error = error as? DatabaseError else { return Answer(sample: sample, failure: Problem(describing: error)) }
      let column = try? await services.source.insight?.failingColumn(of: reader.rowSet, after: sample.rows, error)
      let located = error.located(in: reader.rowSet, column: column, after: sample.rows)
      return Answer(sample: sample, failure: Problem(describing: located))
    }
    return Answer(sample: gathering.sample)
  }
}

/// A collector of the rows of a chart, which periodically returns the chart so far.
private final class ChartGathering: Sendable {
  private struct State {
    var sampler: ChartSampler
    var nextLook: ContinuousClock.Instant
  }

  /// How long a chart stays as it is while rows are read.
  private static let interval = Duration.milliseconds(200)
  /// The number of rows between two looks at the clock.
  private static let stride = 1024

  private let state: Mutex<State>
  private let total: Int?
  private let start: ContinuousClock.Instant
  private let now: @Sendable () -> ContinuousClock.Instant

  init(_ query: ChartQuery, columns: [ChartColumn], total: Int?, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    start = now()
    (self.total, self.now) = (total, now)
    state = Mutex(State(sampler: ChartSampler(query, columns: columns), nextLook: start + Self.interval))
  }

  var sample: ChartSample { state.withLock(\.sampler.sample) }

  /// Adds a row; returns the chart so far if it was last returned at least `interval` ago, otherwise nil.
  func add(_ cells: [CellValue]) -> LoadChart.Report? {
    state.withLock { state in
      state.sampler.add(cells)
      let rows = state.sampler.sample.rows
      guard rows.isMultiple(of: Self.stride) else { return nil }
      let time = now()
      guard time >= state.nextLook else { return nil }
      state.nextLook = time + Self.interval
      return LoadChart.Report(sample: state.sampler.sample, progress: RowProgress(rows: rows, total: total, elapsed: time - start))
    }
  }
}
