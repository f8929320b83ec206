internal import CSQLite
internal import Libc
internal import Synchronization

/// The gaps between the slices of all long reads of a file in this process.
///
/// The system knows the locks of a process and not of its connections, so that others can write only while none of these reads has a
/// transaction open: each ends its slice when the slices of the others end, and waits until all have done so. Where others write, a short
/// read waits until the gap is over.
package final class ReadGaps: Sendable {
  private let state = Mutex(State())
  private let now: @Sendable () -> ContinuousClock.Instant

  private struct State {
    /// The number of reads that are in a slice, and of short ones.
    var readers = 0
    /// When their slices end.
    var end = ContinuousClock.now
    /// The number of gaps so far, and when the last one began.
    var count = 0
    var beginning = ContinuousClock.now - .seconds(1)
    /// The number of long reads that wait for the end of a gap.
    var waiting = 0
    /// When others were last seen to have written; nil for never.
    var lastChange: ContinuousClock.Instant?

    /// Returns whether a gap is under way that others need.
    func isNeeded(_ now: ContinuousClock.Instant) -> Bool {
      guard readers == 0, waiting > 0 || end <= now, let lastChange else { return false }
      return now < beginning + ReadGaps.longPause && now < lastChange + ReadGaps.memory
    }

    /// Counts a reader in.
    ///
    /// A slice goes on where writers have had no gap since it began, and where others run somewhat over its end: then this reader waits for
    /// the gap with them.
    mutating func enter(_ now: ContinuousClock.Instant) {
      if readers == 0 ? beginning + ReadGaps.pause <= now : end + ReadGaps.slice <= now { end = now + ReadGaps.slice }
      readers += 1
    }

    mutating func leave(_ now: ContinuousClock.Instant) -> Int {
      readers -= 1
      guard readers == 0 else { return count + 1 }
      count += 1
      beginning = now
      return count
    }
  }

  /// How long writers are kept out at a time.
  private static let slice = Duration.milliseconds(35)
  /// How long they have the file for themselves after that: a writer that waits for no lock would not find a shorter gap.
  package static let pause = Duration.milliseconds(7)
  /// How long they have it once they have written.
  package static let longPause = Duration.milliseconds(25)
  /// For how long others are taken to go on writing.
  private static let memory = Duration.seconds(5)

  private static let files = Mutex<[String: ReadGaps]>([:])

  /// - Parameter now: Returns what time it is.
  package init(now: @Sendable @escaping () -> ContinuousClock.Instant = { .now }) { self.now = now }

  /// Returns the gaps in the reads of a file.
  package static func of(_ path: String) -> ReadGaps {
    files.withLock { files in
      let gaps = files[path] ?? ReadGaps()
      files[path] = gaps
      return gaps
    }
  }

  /// Begins a slice.
  ///
  /// - Parameter isResumed: Whether it follows a gap of the same read.
  /// - Returns: When it ends: together with those of others that are under way.
  package func enter(isResumed: Bool = false) -> ContinuousClock.Instant {
    state.withLock { state in
      state.enter(now())
      if isResumed { state.waiting -= 1 }
      return state.end
    }
  }

  /// Ends a slice.
  ///
  /// - Parameter isResumed: Whether another slice of the same read follows.
  /// - Returns: The number of the gap that begins when the others have ended theirs.
  @discardableResult package func leave(isResumed: Bool = false) -> Int {
    state.withLock { state in
      if isResumed { state.waiting += 1 }
      return state.leave(now())
    }
  }

  /// Returns whether a gap has lasted for so long, or another has begun after it.
  package func isOver(_ gap: Int, after pause: Duration) -> Bool {
    state.withLock { $0.count > gap || $0.count == gap && $0.beginning + pause <= now() }
  }

  /// Notes that others have written.
  package func noteChange() {
    state.withLock { $0.lastChange = now() }
  }

  /// Begins a short read, after the gap that is under way.
  fileprivate func enterBriefly() {
    while true {
      let isEntered = state.withLock { state in
        let now = now()
        if state.isNeeded(now) { return false }
        state.enter(now)
        return true
      }
      if isEntered { return }
      usleep(500)
    }
  }
}

// MARK: - Short reads

extension Database {
  /// The gaps in the reads of the main database's file; nil where it has none.
  func findReadGaps() -> ReadGaps? {
    guard let path = sqlite3_db_filename(connection, "main"), path.pointee != 0 else { return nil }
    return ReadGaps.of(String(cString: path))
  }

  /// Notes that others have written where the version of the main database's file is not the one that was seen before.
  package func noteVersion(_ version: Int64, of name: String) throws {
    guard name == "main", let gaps, seenVersion != version else { return }
    if seenVersion != nil, try readsKeepWritersOut(of: name) { gaps.noteChange() }
    seenVersion = version
  }

  /// Begins a read that is short until it says otherwise.
  func beginBriefRead() {
    guard let gaps else { return }
    gaps.enterBriefly()
    isReadingBriefly = true
  }

  /// Ends a short read, or has it be a long one from now on.
  package func endBriefRead() {
    guard isReadingBriefly else { return }
    isReadingBriefly = false
    gaps?.leave()
  }
}
