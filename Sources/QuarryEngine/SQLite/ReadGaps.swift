internal import CSQLite
internal import Libc
internal import Synchronization

/// The gaps between the slices of all long reads of a file in this process.
///
/// The system's locks belong to a process, not to its connections. Therefore other connections can write only while none of these reads has
/// an open transaction. All reads end their slices at the same time, and each waits until all have done so. While another connection is
/// writing, a short read waits for the end of the gap.
///
/// While other connections write, long reads block them for about a quarter of the time: a gap lasts until writers have had their share,
/// and a slice does not end early while they have had more.
package final class ReadGaps: Sendable {
  /// A period in which the reads have open transactions.
  package struct Slice: Sendable {
    /// The time at which it ends.
    package let end: ContinuousClock.Instant
    /// The time from which it ends early when a writer appears.
    package let earliestEnd: ContinuousClock.Instant
    /// Whether it is not the rest of a slice of other reads.
    package let isWhole: Bool
  }

  private let state = Mutex(State())
  private let slowWriter = Atomic<Bool>(false)
  private let now: @Sendable () -> ContinuousClock.Instant

  private struct State {
    /// The number of long and short reads in a slice.
    var readers = 0
    /// The end of their slices.
    var end = ContinuousClock.now
    /// The beginning of the first long read's slice; nil if only short reads are running.
    var start: ContinuousClock.Instant?
    /// The time from which the slices end for a writer.
    var earliestEnd = ContinuousClock.now
    /// The time writers are entitled to for past slices, at most that for a whole one; negative if they have had more.
    var owed = Duration.zero
    /// The duration of the last gap if external changes are expected.
    var politePause = ReadGaps.pause
    /// The number of gaps so far, and the beginning of the last one.
    var count = 0
    var beginning = ContinuousClock.now - .seconds(1)
    /// The number of long reads that wait for the end of a gap.
    var waiting = 0
    /// The time of the last external change; nil if there was none.
    var lastChange: ContinuousClock.Instant?

    /// Returns whether more external changes are expected.
    func expectsChanges(_ now: ContinuousClock.Instant) -> Bool {
      lastChange.map { now < $0 + ReadGaps.memory } ?? false
    }

    /// Returns whether a gap is running that writers need.
    func isNeeded(_ now: ContinuousClock.Instant) -> Bool {
      readers == 0 && (waiting > 0 || end <= now) && now < beginning + ReadGaps.longPause && expectsChanges(now)
    }

    /// Adds a reader.
    ///
    /// The current slice continues if writers have had no full gap since it began. It also continues if other readers have overrun its end
    /// a little; this reader then waits for the gap with them.
    ///
    /// - Parameters:
    ///   - waited: The time it has waited for writers between two slices.
    ///   - isLong: Whether it counts as blocking writers. A short read waits for its lock within its slice.
    mutating func enter(_ now: ContinuousClock.Instant, after waited: Duration = .zero, isLong: Bool) {
      let slice = expectsChanges(now) ? ReadGaps.slice : ReadGaps.longSlice
      if readers == 0 ? beginning + ReadGaps.pause <= now : end + slice <= now { end = now + slice }
      if readers == 0 { begin(now, after: waited) }
      if isLong, start == nil { start = now }
      readers += 1
    }

    /// Begins the slice of the first reader.
    private mutating func begin(_ now: ContinuousClock.Instant, after waited: Duration) {
      // Only a wait for writers entitles reads to more, and not the time in which there was nothing to read.
      let least = waiting > 0 ? max(min(owed, .zero) - waited, .zero - ReadGaps.politePause) : .zero
      owed = expectsChanges(now) ? max(least, owed - (now - beginning)) : .zero
      let excess: Duration = max(.zero, .zero - owed - ReadGaps.tolerance)
      earliestEnd = now + excess / ReadGaps.writersPerReaders
    }

    mutating func leave(_ now: ContinuousClock.Instant) -> Int {
      readers -= 1
      guard readers == 0 else { return count + 1 }
      if let start { owed = min(owed + (now - start) * ReadGaps.writersPerReaders, ReadGaps.politePause) }
      start = nil
      politePause = max(ReadGaps.pause, owed)
      count += 1
      beginning = now
      return count
    }
  }

  /// The duration of a slice, which blocks writers, while external changes are expected.
  private static let slice = Duration.milliseconds(35)
  /// The duration of a slice while none are.
  package static let longSlice = Duration.milliseconds(70)
  /// The duration of a gap; a writer that does not wait for locks would not find a shorter one.
  private static let pause = Duration.milliseconds(7)
  /// The duration of a gap after a slice that was overrun by far, for which short reads wait too.
  private static let longPause = Duration.milliseconds(25)
  /// The duration of a gap after a whole slice while external changes are expected: the share of the slices is that of the commits that
  /// fail unless reads end their slices in time.
  private static let politePause = Duration.milliseconds(100)
  /// The time for writers per time for reads.
  private static let writersPerReaders = politePause / slice
  /// The additional time that writers may have before slices no longer end early.
  private static let tolerance = Duration.milliseconds(5)
  /// The time after an external change in which more are expected.
  private static let memory = Duration.seconds(5)

  private static let files = Mutex<[String: ReadGaps]>([:])

  /// - Parameter now: Returns the current time.
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
  /// - Parameter waited: The time waited for writers since the last slice of the same read; nil for its first slice.
  /// - Returns: The slice, which is shared with the running slices of other reads.
  package func enter(after waited: Duration? = nil) -> Slice {
    state.withLock { state in
      let now = now()
      state.enter(now, after: waited ?? .zero, isLong: true)
      if waited != nil { state.waiting -= 1 }
      return Slice(end: state.end, earliestEnd: state.earliestEnd, isWhole: now + Self.slice * 0.9 <= state.end)
    }
  }

  /// Ends a slice.
  ///
  /// - Parameter isResumed: Whether another slice of the same read follows.
  /// - Returns: The number of the gap that begins when all reads have ended their slices.
  @discardableResult package func leave(isResumed: Bool = false) -> Int {
    state.withLock { state in
      if isResumed { state.waiting += 1 }
      return state.leave(now())
    }
  }

  /// Returns whether a gap has lasted long enough, or another has begun after it.
  ///
  /// - Parameter isLong: Whether writers need a long gap even if no external change is expected.
  package func isOver(_ gap: Int, isLong: Bool) -> Bool {
    state.withLock { state in
      let now = now()
      let pause = state.expectsChanges(now) ? state.politePause : isLong ? Self.longPause : Self.pause
      return state.count > gap || state.count == gap && state.beginning + pause <= now
    }
  }

  /// Records an external change.
  package func noteChange() {
    state.withLock { $0.lastChange = now() }
    // The writer that kept its lock for long was one after the other.
    note(hasSlowWriter: false)
  }

  /// Whether more external changes are expected, because there was one recently.
  package var expectsChanges: Bool { state.withLock { $0.expectsChanges(now()) } }

  /// Records whether a writer has retained its lock for so long that reads continue beside it.
  package func note(hasSlowWriter isSlow: Bool) { slowWriter.store(isSlow, ordering: .relaxed) }

  /// Returns whether a writer that was found, if any, is likely to commit soon, so that reads end their slices at once.
  package func isAhead(_ hasWriter: Bool) -> Bool {
    if !hasWriter { note(hasSlowWriter: false) }
    return hasWriter && !slowWriter.load(ordering: .relaxed)
  }

  /// Begins a short read after the current gap.
  fileprivate func enterBriefly() {
    while true {
      let isEntered = state.withLock { state in
        let now = now()
        if state.isNeeded(now) { return false }
        state.enter(now, isLong: false)
        return true
      }
      if isEntered { return }
      usleep(500)
    }
  }
}

// MARK: - Short reads

extension Database {
  /// Returns the gaps in the reads of the main database's file; nil if it has no file.
  func findReadGaps() -> ReadGaps? {
    guard let path = sqlite3_db_filename(connection, "main"), path.pointee != 0 else { return nil }
    return ReadGaps.of(String(cString: path))
  }

  /// Records an external change if the version of the main database's file differs from the last version.
  package func noteVersion(_ version: Int64, of name: String) throws {
    guard name == "main", let gaps, seenVersion != version else { return }
    if seenVersion != nil, try readsKeepWritersOut(of: name) { gaps.noteChange() }
    seenVersion = version
  }

  /// Begins a read that is short until ``endBriefRead()``.
  ///
  /// While another connection is about to commit, it waits for a short time.
  func beginBriefRead() throws {
    guard let gaps else { return }
    try leaveAlone("main", in: gaps, upTo: Self.longestWaitForWriter)
    gaps.enterBriefly()
    isReadingBriefly = true
  }

  /// The maximum time a short read waits for a writer, which may hold its lock for long.
  private static let longestWaitForWriter = Duration.milliseconds(50)

  /// Ends a short read, or turns it into a long one.
  package func endBriefRead() {
    guard isReadingBriefly else { return }
    isReadingBriefly = false
    gaps?.leave()
  }
}
