internal import Synchronization

/// The gaps between the slices of all long reads of a file in this process.
///
/// The system knows the locks of a process and not of its connections, so that others can write only while none of these reads has a
/// transaction open: each ends its slice when the slices of the others end, and waits until all have done so.
final class ReadGaps: Sendable {
  private let state = Mutex(State())

  private struct State {
    /// The number of reads that are in a slice.
    var readers = 0
    /// When their slices end.
    var end = ContinuousClock.now
    /// The number of gaps so far, and when the last one began.
    var count = 0
    var beginning = ContinuousClock.now
  }

  /// How long writers are kept out at a time.
  private static let slice = Duration.milliseconds(30)

  private static let files = Mutex<[String: ReadGaps]>([:])

  /// Returns the gaps in the reads of a file.
  static func of(_ path: String) -> ReadGaps {
    files.withLock { files in
      let gaps = files[path] ?? ReadGaps()
      files[path] = gaps
      return gaps
    }
  }

  /// Begins a slice.
  ///
  /// - Returns: When it ends: together with those of others that are under way and not over.
  func enter() -> ContinuousClock.Instant {
    state.withLock { state in
      if state.readers == 0 || state.end <= .now { state.end = .now + Self.slice }
      state.readers += 1
      return state.end
    }
  }

  /// Ends a slice.
  ///
  /// - Returns: The number of the gap that begins when the others have ended theirs.
  func leave() -> Int {
    state.withLock { state in
      state.readers -= 1
      guard state.readers == 0 else { return state.count + 1 }
      state.count += 1
      state.beginning = .now
      return state.count
    }
  }

  /// Returns whether a gap has lasted for so long, or another has begun after it.
  func isOver(_ gap: Int, after pause: Duration) -> Bool {
    state.withLock { $0.count > gap || $0.count == gap && $0.beginning + pause <= .now }
  }
}
