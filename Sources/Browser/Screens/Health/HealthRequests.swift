import QuarryEngine
import QuarryRows
import QuarrySources
import Synchronization

/// Checks the database; each report has more results.
struct CheckHealth: Request {
  /// The results so far, and the running checks.
  struct Report: ActivityReport {
    let report: HealthReport

    func badge(of activity: Activity) -> String? { report.words.map { "\(activity.name): \($0)" } }
  }

  struct Answer: Sendable {
    let report: HealthReport
    let elapsed: Duration
  }

  static let slot = RequestSlot("health")
  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { Activity(name: "checking", urgency: .asked) }

  func run(in services: Services, report: @escaping @Sendable (Report) -> Void) async throws -> Answer {
    let (start, name) = (services.now(), services.source.name)
    let statements = (services.storage.history?.load() ?? []).filter { $0.database == name }.map(\.sql)
    let result = try await services.health.health(HealthRequest(statements: statements)) { report(Report(report: $0)) }
    return Answer(report: result, elapsed: services.now() - start)
  }
}

/// Reads whether the database has been written since it was checked.
struct CompareHealth: Request {
  let report: HealthReport

  var slot: RequestSlot? { RequestSlot("health state") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> Bool {
    try await services.health.hasChanged(since: self.report)
  }
}

/// Runs a statement that mends a database.
struct MendDatabase: Action {
  let maintenance: Maintenance

  /// The time since the statement began, and what it does.
  struct Report: ActivityReport, Hashable {
    let elapsed: Duration
    /// The part of the pages that VACUUM has read; nil if it is not known.
    var part: Double?
    /// Whether VACUUM writes the file.
    var isWriting = false

    /// The time and the step: `VACUUM for 12 s, 43 % of the pages read`.
    func words(_ name: String) -> String {
      let step = isWriting ? ", writing the file" : part.map { ", \(Int($0 * 100)) % of the pages read" } ?? ""
      return "\(name) for \(elapsed.words)\(step)"
    }

    func badge(of activity: Activity) -> String? { words(activity.name) }
  }

  var queue: ActionQueue { .script }
  var activity: Activity? { Activity(name: maintenance.name, urgency: .change) }

  func run(in services: Services, report: @escaping @Sendable (Report) -> Void) async throws -> MaintenanceEffect {
    let pages = PagesRead()
    let ticking = Task(executorPreference: TaskThreads.shared) {
      let start = services.now()
      while true {
        try await Task.pause(for: .milliseconds(500))
        report(pages.report(after: services.now() - start))
      }
    }
    defer { ticking.cancel() }
    try await services.requireSameFiles()
    services.stopBackgroundReading()
    return try await services.health.maintain(maintenance) { pages.note($0) }
  }
}

/// The progress of a VACUUM, noted while it reads pages.
private final class PagesRead: Sendable {
  private let state = Mutex<(part: Double?, isNew: Bool)>((nil, false))

  func note(_ part: Double) { state.withLock { $0 = (part, true) } }

  /// Returns the progress since the last report: nearly all pages are read when no part is noted any more.
  func report(after elapsed: Duration) -> MendDatabase.Report {
    state.withLock { state in
      defer { state.isNew = false }
      return MendDatabase.Report(elapsed: elapsed, part: state.part, isWriting: !state.isNew && state.part.map { $0 > 0.9 } == true)
    }
  }
}

extension Maintenance {
  /// The statement in a few words.
  var name: String {
    switch self {
    case .vacuum: "VACUUM"
    case .incrementalVacuum: "incremental VACUUM"
    case .reindex(let index): "REINDEX \(index)"
    case .analyze(let table): "ANALYZE \(table)"
    case .checkpoint: "checkpoint"
    case .createIndex: "CREATE INDEX"
    case .dropIndex(let index): "DROP INDEX \(index)"
    }
  }

  /// The effect and the cost, for the question before it runs.
  var effect: String {
    switch self {
    case .vacuum: "rewrites the whole file, and needs up to twice its size of free disk space"
    case .incrementalVacuum: "moves pages into the free ones, and makes the file smaller"
    case .reindex: "builds the index again from its table"
    case .analyze: "reads the indexes of the table, and stores their statistics"
    case .checkpoint: "copies the write-ahead log to the file, and empties it"
    case .createIndex: "reads the table, and adds an index"
    case .dropIndex: "removes the index; a query that uses it becomes slower"
    }
  }

  /// Returns the outcome with the measured sizes.
  func outcome(_ effect: MaintenanceEffect) -> String {
    let gain = effect.bytesBefore - effect.bytesAfter
    if effect.isLogBusy { return "\(name) has run, but another connection uses the write-ahead log: it was not emptied. Try again later" }
    switch self {
    case .vacuum, .incrementalVacuum, .checkpoint:
      return gain > 0 ? "\(name) gave back \(ByteSize.text(gain))" : "\(name) has run, but the files are not smaller"
    case .reindex, .analyze, .createIndex, .dropIndex: return "\(name) has run"
    }
  }
}
