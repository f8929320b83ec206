/// Counts the different values that come first, up to a limit; later ones are no longer taken in, so that each count is exact.
///
/// Values are told apart by 64 bits of a hash. There are at most 65,535 of them.
struct FrequencyTable: Sendable {
  /// What a value is.
  enum Kind: UInt8, Sendable { case integer, real, text, blob }

  struct Entry: Sendable, BitwiseCopyable {
    var hash: UInt64
    var kind: Kind
    /// The bits of a number; of a text or blob where its beginning stands among the bytes.
    var bits: UInt64
    var length: UInt32
    var count: Int
  }

  private(set) var entries: [Entry] = []
  /// For each slot of an open hash table the first 16 bits of a hash and one more than the index of its entry, or 0.
  ///
  /// Of a value that is not in the table hardly ever more is looked at than these.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)
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
    if let index = index(of: hash) {
      entries.withUnsafeMutableBufferPointer { $0[index].count &+= 1 }
      return true
    }
    guard entries.count < limit else {
      isFull = true
      return false
    }
    add(make(&self))
    return true
  }

  mutating func entry(_ hash: UInt64, _ kind: Kind, bits: UInt64) -> Entry {
    Entry(hash: hash, kind: kind, bits: bits, length: 0, count: 1)
  }

  mutating func entry(_ hash: UInt64, _ kind: Kind, _ value: UnsafeRawBufferPointer) -> Entry {
    let start = bytes.count
    bytes.append(contentsOf: value.prefix(Self.prefixLimit))
    return Entry(hash: hash, kind: kind, bits: UInt64(start), length: UInt32(bytes.count - start), count: 1)
  }

  private mutating func add(_ entry: Entry) {
    entries.append(entry)
    if entries.count * 4 > slots.count { grow() } else { place(entries.count - 1) }
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
  func top(_ limit: Int, nulls: Int) -> [ValueCount] {
    // Only what may be among them is made into values.
    var order = entries.indices.sorted { entries[$0].count != entries[$1].count ? entries[$0].count > entries[$1].count : $0 < $1 }
    if isFull {
      order = Array(order.prefix(limit))
    } else if order.count > limit {
      let least = entries[order[limit - 1]].count
      order = Array(order.prefix { entries[$0].count >= least })
    }
    var lines = order.map { ValueCount(value(of: entries[$0]), entries[$0].count) }
    if nulls > 0 { lines.append(ValueCount(.value(.null), nulls)) }
    return Array(lines.sorted { $0.count != $1.count ? $0.count > $1.count : $0.value.precedes($1.value) }.prefix(limit))
  }
}

extension CountedValue {
  /// Makes a counted value of the kept beginning of a text, without a character that is cut through.
  init(beginning bytes: UnsafeRawBufferPointer) {
    let isCut = bytes.count >= FrequencyTable.prefixLimit
    let end = isCut ? bytes.suffix(4).lastIndex { $0 & 0xC0 != 0x80 } : nil
    guard let end, end > 0, bytes[end] >= 0x80 else {
      self.init(text: bytes)
      return
    }
    self.init(text: UnsafeRawBufferPointer(rebasing: bytes[..<end]))
  }

  /// Returns whether it comes before another value in SQLite's order.
  func precedes(_ other: CountedValue) -> Bool {
    if rank != other.rank { return rank < other.rank }
    switch (self, other) {
    case (.value(.integer(let one)), .value(.integer(let two))): return one < two
    case (.value(.real(let one)), .value(.real(let two))): return one < two
    case (.value(.integer(let one)), .value(.real(let two))): return NumberKey.compare(one, two) < 0
    case (.value(.real(let one)), .value(.integer(let two))): return NumberKey.compare(two, one) > 0
    case (.value(.text(let one)), .value(.text(let two))): return one.utf8.lexicographicallyPrecedes(two.utf8)
    default: return bytes.lexicographicallyPrecedes(other.bytes)
    }
  }

  private var rank: Int {
    switch self {
    case .value(.null): 0
    case .value(.integer), .value(.real), .bin: 1
    case .value(.text), .rawText: 2
    case .value(.blob): 3
    }
  }

  private var bytes: [UInt8] {
    switch self {
    case .value(.text(let text)): Array(text.utf8)
    case .value(.blob(let bytes)), .rawText(let bytes): bytes
    case .value, .bin: []
    }
  }
}
