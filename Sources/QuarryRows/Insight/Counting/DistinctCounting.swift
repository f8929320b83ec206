internal import QuarryEngine
internal import Synchronization

/// A scan that counts the distinct numbers of a segment and finds numbers by rank, on several threads, part by part.
///
/// It stores two numbers for each part, and builds no lines.
final class DistinctCounting: ParallelScan {
  private let segment: NumberSegment
  private let state: Mutex<State>
  let isLarge: Bool

  private struct State: Sendable {
    var next = 0
    var sizes: [NumberSegment.PartSize]
  }

  init(_ segment: NumberSegment) {
    self.segment = segment
    state = Mutex(State(sizes: Array(repeating: NumberSegment.PartSize(), count: segment.partCount)))
    isLarge = segment.partCount > 4
  }

  func work(in database: Database) throws {
    while let index = next() {
      try database.cancellation?.check()
      let size = segment.size(ofPart: index)
      state.withLock { $0.sizes[index] = size }
      segment.release(afterPart: index)
    }
  }

  private func next() -> Int? {
    state.withLock { state in
      guard state.next < state.sizes.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  func stop() {
    state.withLock { $0.next = $0.sizes.count }
  }

  /// The number of distinct numbers, after all parts have been counted.
  var distinct: Int { state.withLock { $0.sizes.reduce(0) { $0 + $1.distinct } } }

  /// Returns the value at a rank of all numbers, from 1, after all parts have been counted; nil if the rank is too high.
  func value(atRank rank: Int) -> DatabaseValue? {
    var left = rank
    for (part, size) in state.withLock(\.sizes).enumerated() {
      guard size.total >= left else {
        left -= size.total
        continue
      }
      let entries = segment.entries(ofPart: part)
      for index in 0..<entries.count {
        left -= entries.count(at: index)
        if left <= 0 { return entries.line(at: index).value.value }
      }
    }
    return nil
  }
}
