import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("The gaps between the slices of long reads", .gated) struct ReadGapsTests {
  /// The gaps of reads, with a clock of their own.
  private struct TimedGaps {
    let start: ContinuousClock.Instant
    let gaps: ReadGaps
    private let time: Monitor<ContinuousClock.Instant>

    init() {
      let start = ContinuousClock.now
      let time = Monitor(start)
      (self.start, self.time) = (start, time)
      gaps = ReadGaps { time.read(\.self) }
    }

    var now: ContinuousClock.Instant { time.read(\.self) }

    func pass(_ milliseconds: Int) { time.change { $0 += .milliseconds(milliseconds) } }

    func pass(until instant: ContinuousClock.Instant) { time.change { $0 = max($0, instant) } }

    func enter(after milliseconds: Int) -> ContinuousClock.Instant {
      pass(milliseconds)
      return gaps.enter().end
    }
  }

  @Test("has its gaps when the other reads of the process have theirs, longer ones beside a writer or after a slice far too long")
  func gaps() {
    let timed = TimedGaps()
    let gaps = timed.gaps
    _ = (gaps.enter(), gaps.enter())
    let first = gaps.leave()
    timed.pass(100)
    #expect(!gaps.isOver(first, isLong: false))
    #expect(gaps.leave() == first)
    timed.pass(6)
    #expect(!gaps.isOver(first, isLong: false))
    timed.pass(1)
    #expect(gaps.isOver(first, isLong: false))
    timed.pass(17)
    #expect(!gaps.isOver(first, isLong: true))
    timed.pass(1)
    #expect(gaps.isOver(first, isLong: true))
    gaps.noteChange()
    timed.pass(74)
    #expect(!gaps.isOver(first, isLong: false) && !gaps.isOver(first, isLong: true))
    timed.pass(1)
    #expect(gaps.isOver(first, isLong: false) && gaps.isOver(first, isLong: true))
    _ = gaps.enter()
    let second = gaps.leave()
    #expect(gaps.isOver(first, isLong: true) && !gaps.isOver(second, isLong: false))
  }

  @Test("has longer slices where nobody writes")
  func longSlices() {
    let timed = TimedGaps()
    #expect(timed.enter(after: 0) == timed.start + .milliseconds(70))
    timed.gaps.noteChange()
    timed.gaps.leave()
    #expect(timed.enter(after: 100) == timed.start + .milliseconds(100 + 35))
    timed.gaps.leave()
    #expect(timed.enter(after: 5_000) == timed.start + .milliseconds(5_100 + 70))
  }

  @Test("begins a slice only after a gap that a writer finds, and waits for it with one that runs over its end")
  func slices() {
    let timed = TimedGaps()
    let (start, gaps, enter) = (timed.start, timed.gaps, timed.enter)
    gaps.noteChange()
    let end = enter(0)
    #expect(end == start + .milliseconds(35))
    gaps.leave()
    // Too short a gap.
    #expect(enter(6) == end)
    // Beside a read whose slice is over.
    #expect(enter(40) == end)
    gaps.leave()
    gaps.leave()
    #expect(enter(6) == end)
    gaps.leave()
    let next = enter(7)
    #expect(next == start + .milliseconds(59 + 35))
    // One that runs over for very long is not waited for.
    #expect(enter(69) == next)
    #expect(enter(1) == next + .milliseconds(70))
  }

  @Test(
    "a slice ends at once for a writer, but not before the reads have had their share beside writers that never pause",
    arguments: [1, 6, 40])
  func share(pause: Int) {
    let timed = TimedGaps()
    let (gaps, pause) = (timed.gaps, Duration.milliseconds(pause))
    gaps.noteChange()
    var slice = gaps.enter()
    #expect(slice.earliestEnd == timed.now)
    var read = Duration.zero
    for _ in 0..<1_000 {
      let start = timed.now
      // A writer appears after the rows between two checks.
      timed.pass(until: start + .microseconds(20))
      timed.pass(until: min(slice.earliestEnd, slice.end))
      read += timed.now - start
      let (gap, end) = (gaps.leave(isResumed: true), timed.now)
      timed.pass(until: end + pause)
      if slice.end <= end { while !gaps.isOver(gap, isLong: false) { timed.pass(1) } }
      gaps.noteChange()
      slice = gaps.enter(after: timed.now - end)
    }
    let share = read / (timed.now - timed.start)
    #expect(share > 0.2 && share < 0.27)
  }

  @Test("the time in which nothing was read, or that reads took for other work, does not make slices longer")
  func shareAfterOtherWork() {
    let timed = TimedGaps()
    let gaps = timed.gaps
    gaps.noteChange()
    _ = gaps.enter()
    gaps.leave()
    timed.pass(1_000)
    #expect(gaps.enter().earliestEnd == timed.now)
    gaps.leave(isResumed: true)
    timed.pass(50)
    #expect(gaps.enter(after: .milliseconds(2)).earliestEnd == timed.now)
    gaps.leave(isResumed: true)
    timed.pass(50)
    #expect(gaps.enter(after: .milliseconds(50)).earliestEnd > timed.now + .milliseconds(15))
  }

  @Test("a short read waits for the end of a gap where others write")
  func shortReads() async throws {
    try await withTemporaryFolder { folder in
      let queue = try DatabaseQueue(path: makeDatabaseFile(in: folder, "CREATE TABLE t(a)", "INSERT INTO t VALUES (1)"))
      let name = try #require(try await queue.read { $0.path(ofDatabase: "main") })
      let gaps = ReadGaps.of(name)
      _ = gaps.enter()
      gaps.noteChange()
      let start = ContinuousClock.now
      let gap = gaps.leave(isResumed: true)
      #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 1)
      #expect(ContinuousClock.now - start >= .milliseconds(25))
      // It has ended the gap that it waited for, and another has begun.
      #expect(gaps.isOver(gap, isLong: true))
      _ = gaps.enter(after: .zero)
      gaps.leave()
    }
  }
}
