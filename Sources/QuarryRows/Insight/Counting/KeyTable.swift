/// Distinct byte sequences, numbered in the order in which they were found.
///
/// It is an open hash table, which grows by doubling. Short keys are stored beside each other, so that finding one touches little memory.
struct KeyTable: ~Copyable {
  private struct Entry: BitwiseCopyable {
    /// A short key with its length in the last byte; otherwise the position among the bytes, and the length with a mark.
    var words: (UInt64, UInt64)
  }

  /// A key that is stored in its entry, with half of its hash.
  struct ShortKey: BitwiseCopyable {
    fileprivate let words: (UInt64, UInt64)
    fileprivate let tag: UInt64

    /// Returns nil if the key is too long.
    @inline(__always)
    init?(_ key: UnsafeRawBufferPointer) {
      guard key.count <= KeyTable.shortLength else { return nil }
      (words, tag) = (KeyTable.words(of: key), KeyTable.tag(of: key))
    }

    /// The bytes of the key.
    @inline(__always)
    func withBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
      try withUnsafeBytes(of: words) { try body(UnsafeRawBufferPointer(rebasing: $0[..<Int(words.1 >> 56)])) }
    }
  }

  private(set) var count = 0
  private let entries = GrowingBuffer<Entry>()
  /// The keys that are not short.
  private let bytes = GrowingBuffer<UInt8>()
  private var byteCount = 0
  /// For each slot of the hash table, half of a hash above one more than the number of a key, or 0.
  private var slots = GrowingBuffer<UInt64>(zeros: 128)

  /// The length up to which a key is short.
  fileprivate static let shortLength = 15
  private static let mark: UInt64 = 0xFF << 56

  /// The memory in bytes.
  var size: Int { entries.size + bytes.size + slots.size }

  /// Returns the number of a key, which is ``count`` before the call if the key is new.
  @inline(__always)
  mutating func number(of key: UnsafeRawBufferPointer) -> Int {
    let (slot, tag) = place(of: key)
    return slots[slot] == 0 ? add(key, slot, tag) : Self.number(in: slots[slot])
  }

  /// Returns the number of a key; nil if it has not been added.
  @inline(__always)
  func known(_ key: UnsafeRawBufferPointer) -> Int? {
    let (slot, _) = place(of: key)
    return slots[slot] == 0 ? nil : Self.number(in: slots[slot])
  }

  /// Returns the content of the slot at which the search of a key begins, for ``known(_:in:)``.
  @inline(__always)
  func firstSlot(of key: ShortKey) -> UInt64 { slots[Int(truncatingIfNeeded: key.tag) & (slots.count &- 1)] }

  /// Returns the number of a key if it is the key of this slot.
  @inline(__always)
  func known(_ key: ShortKey, in slot: UInt64) -> Int? {
    guard slot != 0, slot >> 32 == key.tag, case let number = Self.number(in: slot), entries[number].words == key.words else { return nil }
    return number
  }

  /// Returns the bytes of a key, valid until the next one is added.
  subscript(number: Int) -> UnsafeRawBufferPointer {
    let words = entries[number].words
    guard words.1 & Self.mark == Self.mark else {
      let start = number * MemoryLayout<Entry>.stride
      return UnsafeRawBufferPointer(rebasing: entries.raw[start..<start + Int(words.1 >> 56)])
    }
    return UnsafeRawBufferPointer(rebasing: bytes.raw[Int(words.0)..<Int(words.0) + Int(words.1 & ~Self.mark)])
  }

  @inline(__always)
  private static func number(in slot: UInt64) -> Int { Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) &- 1 }

  /// Returns the slot of a key, or the free slot for it, and half of its hash.
  @inline(__always)
  private func place(of key: UnsafeRawBufferPointer) -> (slot: Int, tag: UInt64) {
    let tag = Self.tag(of: key)
    let words = key.count <= Self.shortLength ? Self.words(of: key) : nil
    let mask = slots.count &- 1
    var slot = Int(truncatingIfNeeded: tag) & mask
    while slots[slot] != 0 {
      if slots[slot] >> 32 == tag, isKey(Self.number(in: slots[slot]), words, key) { break }
      slot = (slot &+ 1) & mask
    }
    return (slot, tag)
  }

  @inline(__always)
  private func isKey(_ number: Int, _ words: (UInt64, UInt64)?, _ key: UnsafeRawBufferPointer) -> Bool {
    if let words { return entries[number].words == words }
    return ByteOrder.bytes.areSame(self[number], key)
  }

  @inline(__always)
  fileprivate static func tag(of key: UnsafeRawBufferPointer) -> UInt64 { ByteHash.own.hash(key) >> 32 }

  @inline(__always)
  fileprivate static func words(of key: UnsafeRawBufferPointer) -> (UInt64, UInt64) {
    var words: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: key) }
    words.1 |= UInt64(key.count) << 56
    return words
  }

  private mutating func add(_ key: UnsafeRawBufferPointer, _ slot: Int, _ tag: UInt64) -> Int {
    let number = count
    entries.grow(to: number + 1)
    if key.count <= Self.shortLength {
      entries[number] = Entry(words: Self.words(of: key))
    } else {
      bytes.grow(to: byteCount + key.count)
      bytes.write(key, at: byteCount)
      entries[number] = Entry(words: (UInt64(byteCount), UInt64(key.count) | Self.mark))
      byteCount += key.count
    }
    count += 1
    slots[slot] = tag << 32 | UInt64(count)
    if count * 2 > slots.count { growSlots() }
    return number
  }

  private mutating func growSlots() {
    let larger = GrowingBuffer<UInt64>(zeros: slots.count * 2)
    let mask = larger.count - 1
    for index in 0..<slots.count where slots[index] != 0 {
      var slot = Int(truncatingIfNeeded: slots[index] >> 32) & mask
      while larger[slot] != 0 { slot = (slot + 1) & mask }
      larger[slot] = slots[index]
    }
    slots = larger
  }
}
