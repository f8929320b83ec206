internal import ArgumentParser
internal import Browser
internal import Essentials
internal import QuarryEngine
internal import QuarryRows
internal import Synchronization

struct CheckVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check a database: damage, broken references, indexes, types, sizes, statistics.",
    discussion: """
      Each check prints lines with a status: info is a fact, ok means that nothing was found, note is worth knowing, finding is something \
      to fix, and damaged means that reads fail or return wrong rows. Findings name the fix. Nothing is changed. Exit status: 0 sound, \
      1 findings, 3 damaged, no database, or a file that cannot be read.
      """)

  @OptionGroup var database: DatabaseArgument

  @Flag(name: .customLong("quick"), help: "Do not compare indexes with their tables, and check the types of the first rows only.")
  var isQuick = false

  @OptionGroup var format: FormatOptions

  func run() throws {
    Interrupts.watch()
    try database.requireDatabase(because: "import it first")
    if try database.remote() != nil {
      throw Failure.usage("check reads the pages of a file: save a copy of the cluster with `quarry backup`, and check that")
    }
    let queue = try database.open(isReadOnly: true)
    let output = try format.output.open(databases: database.paths)
    let printer = format.chosen.makePrinter(columns: ["check", "object", "status", "detail"], table: "checks", to: output)
    let results = try DatabaseFiles.findingDamage { try self.results(on: queue) }
    for result in results {
      let object = result.object.map { DatabaseValue.text($0) } ?? .null
      try printer.write([.text(result.check), object, .text(result.status.rawValue), .text(result.detail)])
    }
    try printer.finish()
    try output.finish()
    switch results.map(\.status).max() {
    case .damaged: throw Failure(status: .cannotOpen, message: nil)
    case .finding: throw Failure(status: .refused, message: nil)
    case .note, .ok, .info, nil: break
    }
  }

  /// Runs the checks, with a progress line.
  private func results(on queue: DatabaseQueue) throws -> [HealthResult] {
    let files = try database.files()
    let connections = ReadConnections(queue, secondReader: { try files.open(label: "second reader", busyTimeout: .zero) })
    let request = HealthRequest(isQuick: isQuick, statements: statements)
    let progress = CheckProgress()
    defer { progress.end() }
    return try InsightOptions.waiting {
      let ticker = Task(executorPreference: TaskThreads.shared) { await progress.show() }
      defer { ticker.cancel() }
      return try await connections.health(request) { progress.note($0) }.results
    }
  }

  /// The statements that ran in this database, according to the history of the full screen.
  private var statements: [String] {
    guard let history = Locations(environment: ProcessInfo.processInfo.environment).historyFile, let path = files.first else { return [] }
    let database = URL(fileURLWithPath: path).standardizedFileURL.path
    return HistoryFile(path: history).load().filter { URL(fileURLWithPath: $0.database).standardizedFileURL.path == database }.map(\.sql)
  }
}

/// The progress line of the checks.
///
/// A statement such as `PRAGMA integrity_check` may report nothing while it runs, so the line is renewed by the clock.
private final class CheckProgress: Sendable {
  private let line = Mutex(ProgressLine())
  private let report = Mutex<HealthReport?>(nil)

  func note(_ report: HealthReport) { self.report.withLock { $0 = report } }

  /// Shows the line until the task is cancelled.
  func show() async {
    while !Task.isCancelled {
      if let words = report.withLock(\.self)?.words { line.withLock { $0.show("\(words) (^C stops that)") } }
      try? await Task.pause(for: .milliseconds(200))
    }
  }

  func end() { line.withLock { $0.end() } }
}
