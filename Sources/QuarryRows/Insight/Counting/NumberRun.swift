/// Number keys in order, either with repetitions or with their counts.
final class NumberRun: @unchecked Sendable {
  // Sendable because it never changes.
  let keys: UnsafeBufferPointer<UInt64>
  /// The count of each key; empty if the keys are repeated instead.
  let counts: UnsafeBufferPointer<UInt32>
  /// The number of numbers read.
  let total: Int
  /// A sample of the keys, by which a position is found without reading the keys in a file.
  let sample: RunSample<UInt64>
  private let memory: RunMemory

  /// Creates a run from sorted keys.
  convenience init(_ keys: UnsafeBufferPointer<UInt64>, in store: RunStore) throws {
    let distinct = Self.countDistinct(keys)
    guard distinct > keys.count / 2 else {
      let (values, times) = Self.runLengths(keys, distinct)
      try self.init(values, times, total: keys.count, in: store)
      return
    }
    try self.init(all: keys, in: store)
  }

  private init(all keys: UnsafeBufferPointer<UInt64>, in store: RunStore) throws {
    total = keys.count
    memory = try store.keep([UnsafeRawBufferPointer(keys)])
    self.keys = memory.bytes.bindMemory(to: UInt64.self)
    counts = UnsafeBufferPointer(start: nil, count: 0)
    sample = Self.sample(keys)
  }

  /// Creates a run from sorted distinct keys with their counts.
  convenience init(_ counts: [(key: UInt64, count: Int)], in store: RunStore) throws {
    try self.init(counts.map(\.key), counts.map { UInt32(clamping: $0.count) }, total: counts.reduce(0) { $0 + $1.count }, in: store)
  }

  private init(_ keys: [UInt64], _ counts: [UInt32], total: Int, in store: RunStore) throws {
    self.total = total
    memory = try keys.withUnsafeBytes { keys in try counts.withUnsafeBytes { try store.keep([keys, $0]) } }
    let split = keys.count * MemoryLayout<UInt64>.stride
    self.keys = UnsafeRawBufferPointer(rebasing: memory.bytes[..<split]).bindMemory(to: UInt64.self)
    self.counts = UnsafeRawBufferPointer(rebasing: memory.bytes[split...]).bindMemory(to: UInt32.self)
    sample = keys.withUnsafeBufferPointer { Self.sample($0) }
  }

  private static func sample(_ keys: UnsafeBufferPointer<UInt64>) -> RunSample<UInt64> {
    RunSample(of: keys.count, stride: NumberSegment.sampleStride) { keys[$0] }
  }

  /// Counts the distinct keys among sorted keys.
  static func countDistinct(_ keys: UnsafeBufferPointer<UInt64>) -> Int {
    guard let start = keys.baseAddress, keys.count > 0 else { return 0 }
    var distinct = 1
    for index in 1..<keys.count where start[index] != start[index - 1] { distinct += 1 }
    return distinct
  }

  private static func runLengths(_ keys: UnsafeBufferPointer<UInt64>, _ distinct: Int) -> (keys: [UInt64], counts: [UInt32]) {
    var values: [UInt64] = []
    var counts: [UInt32] = []
    values.reserveCapacity(distinct)
    counts.reserveCapacity(distinct)
    var start = 0
    while start < keys.count {
      let key = keys[start]
      var end = start + 1
      while end < keys.count, keys[end] == key { end += 1 }
      values.append(key)
      counts.append(UInt32(end - start))
      start = end
    }
    return (values, counts)
  }

  /// Returns the index of the first key that is not less than another; the end index for nil.
  func lowerBound(of key: UInt64?) -> Int {
    guard let key else { return keys.count }
    return sample.lowerBound({ $0 < key }, precedes: { keys[$0] < key })
  }

  /// Releases memory that can be read again from a file.
  func release() { memory.release() }

  /// Returns the number of numbers read whose keys have these indexes.
  func count(of range: Range<Int>) -> Int {
    counts.isEmpty ? range.count : counts[range].reduce(0) { $0 + Int($1) }
  }
}

/// The keys of numbers of one storage class that are not yet part of a run.
package final class NumberBuffer {
  @exclusivity(unchecked) private var keys: UnsafeMutableBufferPointer<UInt64>
  @exclusivity(unchecked) private(set) var count = 0

  /// The number of keys of one run.
  private let limit: Int
  private let room: SortBudget

  package init(limit: Int = 1 << 19, room: SortBudget = SortBudget()) {
    (self.limit, self.room) = (limit, room)
    keys = .allocate(capacity: min(256, limit))
  }

  deinit {
    keys.deallocate()
  }

  /// Whether the buffer is at least half full.
  var isHalfFull: Bool { count >= limit / 2 }

  /// Appends a key; returns whether the buffer is then full.
  @inline(__always)
  package func append(_ key: UInt64) -> Bool {
    keys[count] = key
    count += 1
    return count == keys.count && !grow()
  }

  private func grow() -> Bool {
    guard keys.count < limit else { return false }
    let larger = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: min(limit, keys.count * 8))
    _ = larger.moveInitialize(fromContentsOf: keys)
    keys.deallocate()
    keys = larger
    return true
  }

  /// Creates a run from the keys and empties the buffer; nil if there are no keys.
  func seal(in store: RunStore) throws -> NumberRun? {
    guard count > 0 else { return nil }
    defer { count = 0 }
    let sorted = UnsafeMutableBufferPointer(rebasing: keys[..<count])
    // Keys from an index, or from the table itself, may already be in order.
    if !KeySorting.isSorted(UnsafeBufferPointer(sorted)) { KeySorting.sort(sorted, room.lend(count)) }
    return try NumberRun(UnsafeBufferPointer(sorted), in: store)
  }

  /// Creates a run from keys that are hashes and empties the buffer; nil if there are no keys.
  package func sealHashes(in store: RunStore) throws -> HashRun? {
    guard count > 0 else { return nil }
    defer { count = 0 }
    return try HashRun(UnsafeBufferPointer(rebasing: keys[..<count]), room.lend(count), in: store)
  }
}

/// The memory in which one thread sorts keys; it is reused, so that the system need not clear it for each run.
package final class SortBudget {
  private var keys = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 0)

  deinit { keys.deallocate() }

  /// Returns memory for `count` keys, valid until the next call.
  func lend(_ count: Int) -> UnsafeMutableBufferPointer<UInt64> {
    if keys.count < count {
      keys.deallocate()
      keys = .allocate(capacity: count)
    }
    return UnsafeMutableBufferPointer(rebasing: keys[..<count])
  }
}
