import QuarryEngine
import QuarryFiles
import QuarrySources

/// A request that reports the progress of reading files into tables, until it has ended.
struct FollowFiles: Request {
  /// The state of the files.
  struct State: Hashable, Sendable {
    var tables: [FileTable]
    var progress: ImportProgress
    /// The reason why reading has ended early; nil if it has not.
    var problem: Problem?
  }

  /// Whether the request only waits for the end of a stopped reading.
  var isStopped = false

  static let slot = RequestSlot("files")
  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { isStopped ? nil : Activity(name: "reading", urgency: .asked, outlastsEscape: true) }
  /// Whether the request is only a delay: it is treated as one, because nothing waits for the end of a pipe.
  var isTimer: Bool { true }

  /// The time between two reports.
  private static let interval = Duration.milliseconds(200)

  func run(in services: Services, report: @escaping @Sendable (State) -> Void) async throws -> State? {
    guard let files = services.source.files?.fileTables else { return nil }
    await withTaskCancellationHandler {
      for await _ in files.changes() {
        guard files.isReading, !Task.isCancelled else { break }
        report(State(files))
        try? await Task.pause(for: Self.interval)
      }
    } onCancel: {
      files.cancel()
    }
    return State(files, problem: Self.problem(of: files))
  }

  /// Returns the reason why reading has ended early; nil if it is complete.
  private static func problem(of files: FileTables) -> Problem? {
    do {
      try files.wait()
    } catch is CancellationError {
      return .stopped
    } catch {
      return Problem(describing: error)
    }
    return nil
  }
}

extension FollowFiles.State {
  fileprivate init(_ files: FileTables, problem: Problem? = nil) {
    self.init(tables: files.tables, progress: files.progress, problem: problem)
  }
}

extension FollowFiles.State: ActivityReport {
  func badge(of activity: Activity) -> String? { "\(activity.name): \(progress.words)" }
}
