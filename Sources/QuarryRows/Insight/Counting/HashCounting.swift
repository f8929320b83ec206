package import QuarryEngine
internal import Synchronization

/// A scan that counts distinct hashes, on several threads, group by group.
package final class HashCounting: ParallelScan {
  private let runs: [HashRun]
  private let state = Mutex(State())
  package let isLarge: Bool

  private struct State: Sendable {
    var next = 0
    var distinct = 0
  }

  /// The number of groups counted at a time, after which memory is released.
  private static let step = HashRun.groupCount / 64

  package init(_ runs: [HashRun]) {
    self.runs = runs
    isLarge = runs.count > 1
  }

  package func work(in database: Database) throws {
    let table = HashTable()
    while let groups = next() {
      try database.cancellation?.check()
      let distinct = groups.reduce(0) { sum, group in sum + table.countDistinct(runs.map { $0.group(group) }) }
      for run in runs { run.release() }
      state.withLock { $0.distinct += distinct }
    }
  }

  private func next() -> Range<Int>? {
    state.withLock { state in
      guard state.next < HashRun.groupCount, !runs.isEmpty else { return nil }
      defer { state.next += Self.step }
      return state.next..<state.next + Self.step
    }
  }

  package func stop() {
    state.withLock { $0.next = HashRun.groupCount }
  }

  /// The number of distinct hashes, after all groups have been counted.
  package var distinct: Int { state.withLock(\.distinct) }
}

/// An open hash table of hashes, reused for one group after the other.
private final class HashTable {
  private var slots = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 1024)

  deinit { slots.deallocate() }

  /// Counts the distinct hashes of slices.
  func countDistinct(_ slices: [UnsafeBufferPointer<UInt64>]) -> Int {
    let total = slices.reduce(0) { $0 + $1.count }
    grow(to: 2 * total)
    let mask = slots.count - 1
    slots.initialize(repeating: 0)
    var (distinct, hasZero) = (0, false)
    for slice in slices {
      for hash in slice {
        // 0 represents an empty slot.
        guard hash != 0 else {
          hasZero = true
          continue
        }
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0, slots[slot] != hash { slot = (slot + 1) & mask }
        guard slots[slot] == 0 else { continue }
        slots[slot] = hash
        distinct += 1
      }
    }
    return distinct + (hasZero ? 1 : 0)
  }

  private func grow(to count: Int) {
    guard slots.count < count else { return }
    var capacity = slots.count
    while capacity < count { capacity *= 2 }
    slots.deallocate()
    slots = .allocate(capacity: capacity)
  }
}
