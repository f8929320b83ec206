internal import Synchronization

/// The rowids of a table in ranges, handed out one after the other to those who read them.
final class RowIDRanges: Sendable {
  /// A range, and its place among all.
  struct Part: Hashable, Sendable {
    var index: Int
    var range: ClosedRange<Int64>
  }

  private let bounds: RowIDBounds
  private let span: UInt64
  private let state: Mutex<State>

  private struct State: Sendable {
    /// The rowids that have been handed out; nil once all have.
    var taken: UInt64? = 0
    /// The number of parts.
    var count = 0
    /// The number of rowids of the next part.
    var width: UInt64
  }

  /// How long a part is to take: what has been found is told of after each.
  private static let pace = Duration.milliseconds(10)

  /// - Parameter isOne: whether all rowids are one part.
  init(_ bounds: RowIDBounds, isOne: Bool) {
    self.bounds = bounds
    span = UInt64(bitPattern: bounds.greatest &- bounds.least)
    state = Mutex(State(width: isOne ? .max : max(1, span / 8192)))
  }

  /// The next part; nil where all have been handed out.
  func next() -> Part? {
    state.withLock { state in
      guard let taken = state.taken else { return nil }
      let last = min(span, taken.addingReportingOverflow(state.width - 1).overflow ? .max : taken + (state.width - 1))
      defer {
        state.taken = last == span ? nil : last + 1
        state.count += 1
      }
      return Part(index: state.count, range: rowID(taken)...rowID(last))
    }
  }

  private func rowID(_ place: UInt64) -> Int64 { bounds.least &+ Int64(bitPattern: place) }

  /// Makes parts larger or smaller by how long one has taken.
  func pace(_ time: Duration) {
    state.withLock { state in
      guard state.width < .max else { return }
      if time < Self.pace / 2 { state.width = min(state.width * 2, max(1, span / 64)) }
      if time > Self.pace * 2 { state.width = max(1, state.width / 2) }
    }
  }

  func stop() {
    state.withLock { $0.taken = nil }
  }

  /// The part of all rowids that lies before one of them.
  func share(before id: Int64) -> Double {
    Double(UInt64(bitPattern: id &- bounds.least)) / max(1, Double(span))
  }
}
