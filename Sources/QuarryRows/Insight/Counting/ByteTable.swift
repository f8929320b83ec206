/// A table that counts distinct texts, or blobs, until there are enough for a run.
final class ByteTable {
  private struct Entry: BitwiseCopyable {
    var hash: UInt64
    var start: UInt32
    var length: UInt32
    var count: Int
  }

  private let entries = GrowingBuffer<Entry>()
  @exclusivity(unchecked) private var count = 0
  /// For each slot of an open hash table, one more than the index of an entry, or 0.
  @exclusivity(unchecked) private var slots = GrowingBuffer<UInt32>(zeros: 128)
  private let bytes = GrowingBuffer<UInt8>(zeros: 4096)
  @exclusivity(unchecked) private var byteCount = 0
  private let order: ByteOrder

  /// The numbers of entries and of their bytes from which they are moved to a run.
  static let entryLimit = 1 << 18
  static let byteLimit = 8 << 20
  /// The space left when the table is full, so that it hardly ever grows for its last value.
  private static let spareBytes = 1 << 12

  init(_ order: ByteOrder = .bytes) {
    self.order = order
  }

  /// Whether the table is at least half full, by values or by bytes.
  var isHalfFull: Bool { count >= Self.entryLimit / 2 || byteCount >= Self.byteLimit / 2 }

  /// Counts a value; returns whether the table is full.
  @inline(__always)
  func count(_ value: UnsafeRawBufferPointer) -> Bool {
    let hash = order.hash(value)
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if entries[index].hash == hash, isSame(entries[index], value) {
        entries[index].count += 1
        return false
      }
      slot = (slot + 1) & mask
    }
    return add(value, hash, slot)
  }

  @inline(__always)
  private func isSame(_ entry: Entry, _ value: UnsafeRawBufferPointer) -> Bool {
    let start = Int(entry.start)
    return order.areSame(UnsafeRawBufferPointer(rebasing: bytes.raw[start..<start + Int(entry.length)]), value)
  }

  private func add(_ value: UnsafeRawBufferPointer, _ hash: UInt64, _ slot: Int) -> Bool {
    entries.grow(to: count + 1)
    bytes.grow(to: byteCount + value.count)
    bytes.write(value, at: byteCount)
    entries[count] = Entry(hash: hash, start: UInt32(byteCount), length: UInt32(value.count), count: 1)
    byteCount += value.count
    count += 1
    slots[slot] = UInt32(count)
    if count * 2 > slots.count { growSlots() }
    return count >= Self.entryLimit || byteCount >= Self.byteLimit - Self.spareBytes
  }

  private func growSlots() {
    slots = GrowingBuffer(zeros: slots.count * 2)
    let mask = slots.count - 1
    for index in 0..<count {
      var slot = Int(truncatingIfNeeded: entries[index].hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(index + 1)
    }
  }

  /// Creates a run from the values and empties the table; nil if there are no values.
  func seal(in store: RunStore) throws -> ByteRun? {
    guard count > 0, let base = bytes.raw.baseAddress else { return nil }
    let values = (0..<count).map { index in
      ByteCount(
        start: base + Int(entries[index].start), length: Int(entries[index].length), count: entries[index].count)
    }
    let run = try ByteRun(order.sorted(values), in: order, store)
    (count, byteCount) = (0, 0)
    slots.clear()
    return run
  }
}
