package import QuarryEngine
internal import Synchronization

/// The rowids of a table in ranges, handed out one after the other to those who read them.
package final class RowIDRanges: Sendable {
  /// A range, and its index among all.
  package struct Part: Hashable, Sendable {
    var index: Int
    package var range: ClosedRange<Int64>
    /// The share of all rowids that is handed out before this part, and with it, from 0 to 1.
    var share: ClosedRange<Double>

    /// Returns the condition that a rowid lies in the range.
    package func condition(on id: SQLText) -> SQLText { "\(id) BETWEEN \(range.lowerBound) AND \(range.upperBound)" }
  }

  private let stretches: [RowIDBounds]
  private let direction: KeysetOrder.Direction
  /// How many rowids lie between the ends of the longest stretch, and in all.
  private let span: UInt64
  private let total: Double
  private let state: Mutex<State>

  private struct State: Sendable {
    /// The number of stretches that have been handed out, and of the rowids of the next.
    var stretch = 0
    var taken: UInt64 = 0
    /// The number of parts.
    var count = 0
    /// The number of rowids of the next part.
    var width: UInt64
    /// The rowids that have been handed out.
    var passed = 0.0
  }

  /// How long a part is to take: what has been found is reported after each.
  private static let pace = Duration.milliseconds(10)

  /// Divides stretches of rowids into parts.
  ///
  /// - Parameters:
  ///   - stretches: the rowids, in the order in which they are handed out.
  ///   - direction: from which end of each.
  package init(_ stretches: [RowIDBounds], _ direction: KeysetOrder.Direction = .forward) {
    self.stretches = stretches
    self.direction = direction
    let spans = stretches.map(\.distance)
    span = spans.max() ?? 0
    total = spans.reduce(0) { $0 + Double($1) + 1 }
    state = Mutex(State(width: max(1, span / 8192)))
  }

  /// Does something with one part after the other until none is left, or the access is cancelled.
  ///
  /// - Parameter after: Is called after each part, and may take as long as it likes.
  func forEachPart(in database: Database, after: () throws -> Void = {}, _ body: (Part) throws -> Void) throws {
    while let part = next() {
      try pacing {
        try body(part)
        try database.cancellation?.check()
      }
      try after()
      try database.giveWay()
    }
  }

  /// Does something with a part, and makes those that follow larger or smaller by how long it takes.
  package func pacing(_ body: () throws -> Void) rethrows {
    let start = ContinuousClock.now
    try body()
    pace(ContinuousClock.now - start)
  }

  /// Returns the next part; nil where all have been handed out.
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

  /// Makes parts larger or smaller by how long one has taken.
  private func pace(_ time: Duration) {
    state.withLock { state in
      if time < Self.pace / 2 { state.width = min(state.width * 2, max(1, span / 64)) }
      if time > Self.pace * 2 { state.width = max(1, state.width / 2) }
    }
  }

  func stop() {
    state.withLock { $0.stretch = stretches.count }
  }
}

extension RowIDBounds {
  /// How far the greatest rowid lies beyond the least.
  fileprivate var distance: UInt64 { UInt64(bitPattern: greatest &- least) }

  /// Returns the rowids from one offset to another, counted from the end at which a direction begins.
  fileprivate func rowIDs(from first: UInt64, through last: UInt64, _ direction: KeysetOrder.Direction) -> ClosedRange<Int64> {
    switch direction {
    case .forward: least &+ Int64(bitPattern: first)...least &+ Int64(bitPattern: last)
    case .backward: greatest &- Int64(bitPattern: last)...greatest &- Int64(bitPattern: first)
    }
  }
}
