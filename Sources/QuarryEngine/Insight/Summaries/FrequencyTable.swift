/// Counts the different values that come first, up to a limit; later ones are no longer taken in, so that each count is exact.
///
/// Values are told apart by 64 bits of a hash. There are at most 65,535 of them.
struct FrequencyTable: Sendable {
  /// What a value is.
  enum Kind: UInt8, Sendable { case integer, real, text, blob }

  struct Entry: Sendable, BitwiseCopyable {
    // In this order an entry takes half of a cache line.
    var hash: UInt64
    /// The bits of a number; of a text or blob where its beginning stands among the bytes.
    var bits: UInt64
    var count: Int
    var length: UInt32
    var kind: Kind
  }

  private(set) var entries: [Entry] = []
  /// For each slot of an open hash table the first 16 bits of a hash and one more than the index of its entry, or 0.
  ///
  /// Of a value that is not in the table hardly ever more is looked at than these.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)
  /// A Bloom filter of the entries, made when the table is full; empty before that.
  ///
  /// At 8 KiB it stays in the processor's cache, and most values that are not in the table need no look at the slots.
  private var filter: [UInt64] = []
  private var bytes: [UInt8] = []
  private let limit: Int
  /// Whether there were values that were not taken in.
  private(set) var isFull = false

  /// The number of bytes of a long value that are kept.
  static let prefixLimit = 256

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

  /// Takes in no more values.
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

  /// Returns whether the table may have a value of a hash.
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

  /// Adds what another table has counted.
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

  /// Returns the value of an entry, a long one shortened.
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

  /// Returns the numbers in their order with their counts.
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

  /// Returns the most frequent values, with NULL among them where there is any.
  ///
  /// Values of one count are in SQLite's order; where that is not all there are, in the order in which they came.
  func top(_ limit: Int, nulls: Int, in order: ByteOrder) -> [ValueCount] {
    // Only what may be among them is made into values.
    var chosen = mostFrequent(limit)
    if !isFull, let last = chosen.last {
      let least = entries[last].count
      chosen = entries.indices.filter { entries[$0].count >= least }
    }
    var lines = chosen.map { ValueCount(value(of: entries[$0]), entries[$0].count) }
    if nulls > 0 { lines.append(ValueCount(.value(.null), nulls)) }
    return Array(lines.sorted { $0.count != $1.count ? $0.count > $1.count : $0.value.precedes($1.value, in: order) }.prefix(limit))
  }

  /// Returns the indexes of the most frequent values; of those of one count the ones that came first.
  private func mostFrequent(_ limit: Int) -> [Int] {
    var chosen: [Int] = []
    for (index, entry) in entries.enumerated() {
      if chosen.count == limit {
        guard let last = chosen.last, entries[last].count < entry.count else { continue }
        chosen.removeLast()
      }
      let place = chosen.lastIndex { entries[$0].count >= entry.count }.map { $0 + 1 } ?? 0
      chosen.insert(index, at: place)
    }
    return chosen
  }
}
