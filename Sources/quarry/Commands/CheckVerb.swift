internal import ArgumentParser
internal import QuarryEngine
internal import QuarryRows
internal import Synchronization

struct CheckVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check a database: damage, broken references, indexes, types, sizes, statistics.",
    discussion: """
      Each check prints lines with a status: ok is a fact, note is worth knowing, finding is something to fix, and damaged means that a \
      part of the file cannot be read. Findings name the fix. Nothing is changed. Exit status: 0 sound, 1 findings, 3 damaged, or no \
      database.
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
    let results = try results(on: queue)
    for result in results {
      let object = result.object.map { DatabaseValue.text($0) } ?? .null
      try printer.write([.text(result.check), object, .text(result.status.rawValue), .text(result.detail)])
    }
    try printer.finish()
    try output.finish()
    switch results.map(\.status).max() {
    case .damaged: throw Failure(status: .cannotOpen, message: nil)
    case .finding: throw Failure(status: .refused, message: nil)
    case .note, .ok, nil: break
    }
  }

  /// Runs the checks, with a progress line.
  private func results(on queue: DatabaseQueue) throws -> [HealthResult] {
    let inspection = HealthInspection(isQuick: isQuick)
    let progress = CheckProgress()
    defer { progress.end() }
    return try InsightOptions.waiting {
      let ticker = Task { await progress.show() }
      defer { ticker.cancel() }
      var results: [HealthResult] = []
      try await inspection.run(on: queue, began: { progress.begin($0) }, { results += $0 })
      return results
    }
  }
}

/// The progress line of the checks.
///
/// A statement such as `PRAGMA integrity_check` reports nothing while it runs, so the line is renewed by the clock.
private final class CheckProgress: Sendable {
  private let line = Mutex(ProgressLine())
  private let current = Mutex("schema")

  func begin(_ check: String) { current.withLock { $0 = check } }

  /// Shows the line until the task is cancelled.
  func show() async {
    while !Task.isCancelled {
      let check = current.withLock(\.self)
      line.withLock { $0.show("checking: \(check) (^C stops that)") }
      try? await Task.sleep(for: .milliseconds(200))
    }
  }

  func end() { line.withLock { $0.end() } }
}
