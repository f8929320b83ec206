internal import QuarryEngine

/// A table of exact counts of the first distinct values, up to a limit; later values are not added.
///
/// Values are distinguished by 64 bits of a hash. The table contains at most 65,535 values.
package struct FrequencyTable: Sendable {
  /// The storage class of a value.
  enum Kind: UInt8, Sendable { case integer, real, text, blob }

  struct Entry: Sendable, BitwiseCopyable {
    // In this order an entry takes half of a cache line.
    var hash: UInt64
    /// The bits of a number; the offset in `bytes` of the beginning of a text or blob.
    var bits: UInt64
    var count: Int
    var length: UInt32
    var kind: Kind
  }

  private(set) var entries: [Entry] = []
  /// For each slot of an open hash table, the first 16 bits of a hash and one more than the index of its entry, or 0.
  ///
  /// For a value that is not in the table, hardly more is examined than this.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)
  /// A Bloom filter of the entries, created when the table is full; empty before that.
  ///
  /// At 8 KiB it stays in the processor's cache, and most values that are not in the table need no access to the slots.
  private var filter: [UInt64] = []
  private var bytes: [UInt8] = []
  private let limit: Int
  /// Whether some values were not added.
  private(set) var isFull = false

  /// The number of bytes stored of a long value.
  package static let prefixLimit = 256

  init(limit: Int) {
    self.limit = limit
  }

  /// Counts a value; returns whether it was counted.
  @inline(__always)
  mutating func count(_ hash: UInt64, _ make: (inout FrequencyTable) -> Entry) -> Bool {
    guard mayHave(hash) else { return false }
    if let index = index(of: hash) {
      entries.withUnsafeMutableBufferPointer { $0[index].count &+= 1 }
      return true
    }
    guard entries.count < limit else {
      close()
      return false
    }
    add(make(&self))
    return true
  }

  mutating func entry(_ hash: UInt64, _ kind: Kind, bits: UInt64) -> Entry {
    Entry(hash: hash, bits: bits, count: 1, length: 0, kind: kind)
  }

  mutating func entry(_ hash: UInt64, _ kind: Kind, _ value: UnsafeRawBufferPointer) -> Entry {
    let start = bytes.count
    bytes.append(contentsOf: value.prefix(Self.prefixLimit))
    return Entry(hash: hash, bits: UInt64(start), count: 1, length: UInt32(bytes.count - start), kind: kind)
  }

  /// Stops adding values.
  private mutating func close() {
    guard !isFull else { return }
    isFull = true
    filter = Array(repeating: 0, count: slots.count / 8)
    for entry in entries { addToFilter(entry.hash) }
  }

  private mutating func addToFilter(_ hash: UInt64) {
    let (word, bit) = Self.place(of: hash, words: filter.count)
    filter[word] |= bit
  }

  /// Returns whether the table may contain a value with a hash.
  @inline(__always)
  private func mayHave(_ hash: UInt64) -> Bool {
    filter.withUnsafeBufferPointer { filter in
      if filter.isEmpty { return true }
      let (word, bit) = Self.place(of: hash, words: filter.count)
      return filter[word] & bit != 0
    }
  }

  @inline(__always)
  private static func place(of hash: UInt64, words: Int) -> (word: Int, bit: UInt64) {
    (Int(truncatingIfNeeded: hash >> 22) & (words - 1), 1 << (hash >> 16 & 63))
  }

  private mutating func add(_ entry: Entry) {
    entries.append(entry)
    if !filter.isEmpty { addToFilter(entry.hash) }
    if entries.count * 2 > slots.count { grow() } else { place(entries.count - 1) }
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for index in entries.indices { place(index) }
  }

  private mutating func place(_ index: Int) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: entries[index].hash) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = Self.tag(entries[index].hash) | UInt32(truncatingIfNeeded: index + 1)
  }

  @inline(__always)
  private static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) & 0xFFFF_0000 }

  /// Adds the counts of another table.
  mutating func merge(_ other: FrequencyTable) {
    isFull = isFull || other.isFull
    for entry in other.entries {
      if let index = index(of: entry.hash) {
        entries[index].count += entry.count
      } else {
        var entry = entry
        if entry.kind == .text || entry.kind == .blob {
          let start = Int(entry.bits)
          entry.bits = UInt64(bytes.count)
          bytes += other.bytes[start..<start + Int(entry.length)]
        }
        add(entry)
      }
    }
  }

  @inline(__always)
  private func index(of hash: UInt64) -> Int? {
    let tag = Self.tag(hash)
    return slots.withUnsafeBufferPointer { slots in
      let mask = slots.count - 1
      var slot = Int(truncatingIfNeeded: hash) & mask
      while slots[slot] != 0 {
        if slots[slot] & 0xFFFF_0000 == tag {
          let index = Int(slots[slot] & 0xFFFF) - 1
          if entries[index].hash == hash { return index }
        }
        slot = (slot + 1) & mask
      }
      return nil
    }
  }

  /// Returns the value of an entry; long values are shortened.
  func value(of entry: Entry) -> CountedValue {
    switch entry.kind {
    case .integer: return .value(.integer(Int64(bitPattern: entry.bits)))
    case .real: return .value(.real(Double(bitPattern: entry.bits)))
    case .text: return beginning(of: entry).withUnsafeBytes { CountedValue(beginning: $0) }
    case .blob: return .value(.blob(Array(beginning(of: entry))))
    }
  }

  private func beginning(of entry: Entry) -> ArraySlice<UInt8> {
    bytes[Int(entry.bits)..<Int(entry.bits) + Int(entry.length)]
  }

  /// The numbers in order with their counts.
  var numbers: [NumberCount] {
    var (integers, reals): ([NumberCount], [NumberCount]) = ([], [])
    for entry in entries {
      switch entry.kind {
      case .integer: integers.append(NumberCount(key: NumberKey.key(of: Int64(bitPattern: entry.bits)), isReal: false, count: entry.count))
      case .real: reals.append(NumberCount(key: NumberKey.key(of: Double(bitPattern: entry.bits)), isReal: true, count: entry.count))
      case .text, .blob: break
      }
    }
    return .merging(integers.sorted { $0.key < $1.key }, reals.sorted { $0.key < $1.key })
  }

  /// Returns the most frequent values, including NULL if there is any.
  ///
  /// Values with the same count are in SQLite's order. If the table is incomplete, values that came first take precedence.
  func top(_ limit: Int, nulls: Int, in order: ByteOrder) -> [ValueCount] {
    func isBefore(_ one: Entry, _ other: Entry) -> Bool {
      one.count != other.count ? one.count > other.count : precedes(one, other, in: order)
    }
    // Only listed entries are converted to values.
    let chosen = isFull ? first(limit) { $0.count > $1.count }.sorted(by: isBefore) : first(limit, isBefore)
    var lines = chosen.map { ValueCount(value(of: $0), $0.count) }
    if nulls > 0 { lines.insert(ValueCount(.value(.null), nulls), at: lines.firstIndex { $0.count <= nulls } ?? lines.count) }
    return Array(lines.prefix(limit))
  }

  /// Returns the entries that come first in an order; among equal entries, the earliest.
  private func first(_ limit: Int, _ isBefore: (Entry, Entry) -> Bool) -> [Entry] {
    var chosen: [Entry] = []
    for entry in entries {
      if chosen.count >= limit {
        guard let last = chosen.last, isBefore(entry, last) else { continue }
        chosen.removeLast()
      }
      chosen.insert(entry, at: chosen.lastIndex { !isBefore(entry, $0) }.map { $0 + 1 } ?? 0)
    }
    return chosen
  }

  /// Returns whether the value of an entry comes before another in SQLite's order; long values are compared by their beginnings.
  private func precedes(_ one: Entry, _ other: Entry, in order: ByteOrder) -> Bool {
    switch (one.kind, other.kind) {
    case (.integer, .integer): Int64(bitPattern: one.bits) < Int64(bitPattern: other.bits)
    case (.real, .real): Double(bitPattern: one.bits) < Double(bitPattern: other.bits)
    case (.integer, .real): NumberKey.compare(Int64(bitPattern: one.bits), Double(bitPattern: other.bits)) < 0
    case (.real, .integer): NumberKey.compare(Int64(bitPattern: other.bits), Double(bitPattern: one.bits)) > 0
    case (.text, .text): compare(one, other, in: order) < 0
    case (.blob, .blob): compare(one, other, in: .bytes) < 0
    default: one.kind.rawValue < other.kind.rawValue
    }
  }

  private func compare(_ one: Entry, _ other: Entry, in order: ByteOrder) -> Int {
    bytes.withUnsafeBytes { bytes in
      func beginning(_ entry: Entry) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[Int(entry.bits)..<Int(entry.bits) + Int(entry.length)])
      }
      return order.compare(beginning(one), beginning(other))
    }
  }
}
