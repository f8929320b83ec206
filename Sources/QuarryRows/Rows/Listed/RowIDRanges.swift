package import QuarryEngine
internal import Synchronization

/// The rowids of a table in ranges, handed out one after the other to the reading threads.
package final class RowIDRanges: Sendable {
  /// A range with its index.
  package struct Part: Hashable, Sendable {
    var index: Int
    package var range: ClosedRange<Int64>
    /// The share of all rowids before this part and up to its end, from 0 to 1.
    var share: ClosedRange<Double>

    /// Returns the condition that a rowid is in the range.
    package func condition(on id: SQLText) -> SQLText { "\(id) BETWEEN \(range.lowerBound) AND \(range.upperBound)" }

    /// Calls `read` with the part, and with the rest of it whenever ``RowIDStop`` is thrown; lets writers proceed in between.
    func forEachRest(in database: Database, _ read: (Part) throws -> Void) throws {
      var left: Part? = self
      while let part = left {
        do {
          return try read(part)
        } catch let stop as RowIDStop {
          try database.giveWay()
          left = part.rest(after: stop.rowID)
        }
      }
    }

    /// Returns the part without the rowids up to one; nil if none is left.
    func rest(after id: Int64) -> Part? {
      guard id < range.upperBound else { return nil }
      var rest = self
      rest.range = id + 1...range.upperBound
      return rest
    }
  }

  private let stretches: [RowIDBounds]
  private let direction: KeysetOrder.Direction
  /// The distance between the ends of the longest stretch, and the total of all stretches.
  private let span: UInt64
  private let total: Double
  private let state: Mutex<State>

  private struct State: Sendable {
    /// The number of stretches handed out, and of the rowids handed out of the next one.
    var stretch = 0
    var taken: UInt64 = 0
    /// The number of parts handed out.
    var count = 0
    /// The number of rowids of the next part.
    var width: UInt64
    /// The number of rowids handed out.
    var passed = 0.0
  }

  /// The target duration of a part, after which results are reported; in a slice, after which the read checks for a writer.
  static func pace(in database: Database) -> Duration {
    if database.turns == nil { return .milliseconds(10) }
    // The SQL of a part takes some tens of microseconds.
    return database.expectsWriters ? .microseconds(200) : .milliseconds(1)
  }

  /// Divides stretches of rowids into parts.
  ///
  /// - Parameters:
  ///   - stretches: The rowids, in the order in which they are handed out.
  ///   - direction: The end of each stretch at which to begin.
  package init(_ stretches: [RowIDBounds], _ direction: KeysetOrder.Direction = .forward) {
    self.stretches = stretches
    self.direction = direction
    let spans = stretches.map(\.distance)
    span = spans.max() ?? 0
    total = spans.reduce(0) { $0 + Double($1) + 1 }
    state = Mutex(State(width: max(1, span / 8192)))
  }

  /// Processes one part after the other until none is left, or the rest is left to other threads, or the access is cancelled.
  ///
  /// - Parameter after: Called after each part, without a time limit.
  package func forEachPart(in database: Database, after: () throws -> Void = {}, _ body: (Part) throws -> Void) throws {
    while !database.leavesRest, let part = next() {
      try pacing(in: database) {
        try body(part)
        try database.cancellation?.check()
      }
      try after()
      try database.giveWay()
    }
  }

  /// Processes a part, and adjusts the size of the following parts to its duration.
  package func pacing(in database: Database, _ body: () throws -> Void) rethrows {
    let start = ContinuousClock.now
    try body()
    adjust(to: ContinuousClock.now - start, Self.pace(in: database))
  }

  /// Returns the next part; nil if all have been handed out.
  package func next() -> Part? {
    state.withLock { state in
      guard stretches.indices.contains(state.stretch) else { return nil }
      let stretch = stretches[state.stretch]
      let first = state.taken
      let (end, overflows) = first.addingReportingOverflow(state.width - 1)
      let last = overflows ? stretch.distance : min(stretch.distance, end)
      let passed = state.passed + Double(last - first) + 1
      defer {
        (state.stretch, state.taken) = last == stretch.distance ? (state.stretch + 1, 0) : (state.stretch, last + 1)
        state.count += 1
        state.passed = passed
      }
      return Part(
        index: state.count, range: stretch.rowIDs(from: first, through: last, direction),
        share: min(1, state.passed / total)...min(1, passed / total))
    }
  }

  /// Adjusts the size of parts to the duration of one.
  private func adjust(to time: Duration, _ pace: Duration) {
    state.withLock { state in
      if time < pace / 2 { state.width = min(state.width * 2, max(1, span / 64)) }
      if time > pace * 2 { state.width = max(1, state.width / 2) }
    }
  }

  package func stop() {
    state.withLock { $0.stretch = stretches.count }
  }
}

/// The error that stops reading a part after a row, to continue from there.
struct RowIDStop: Error {
  let rowID: Int64
}

extension RowIDBounds {
  /// The difference between the maximum and the minimum rowid.
  fileprivate var distance: UInt64 { UInt64(bitPattern: greatest &- least) }

  /// Returns the rowids from one offset to another, counted from the end at which a direction begins.
  fileprivate func rowIDs(from first: UInt64, through last: UInt64, _ direction: KeysetOrder.Direction) -> ClosedRange<Int64> {
    switch direction {
    case .forward: least &+ Int64(bitPattern: first)...least &+ Int64(bitPattern: last)
    case .backward: greatest &- Int64(bitPattern: last)...greatest &- Int64(bitPattern: first)
    }
  }
}
