internal import Libc
internal import QuarryEngine

/// The order of texts with one of SQLite's collations; blobs are ordered by their bytes.
package struct ByteOrder: Hashable, Sendable {
  let collation: TextCollation
  /// The byte order of the database's texts, which BINARY compares; nil for UTF-8.
  ///
  /// The texts are read as UTF-8 in any case.
  var utf16: UTF16Order?

  init(collation: TextCollation, utf16: UTF16Order? = nil) {
    (self.collation, self.utf16) = (collation, collation == .binary ? utf16 : nil)
  }

  /// The order of the bytes of a code unit.
  enum UTF16Order: Hashable, Sendable {
    case littleEndian, bigEndian

    /// Creates the byte order from the result of `PRAGMA encoding`.
    init?(encoding: String) {
      switch encoding.asciiLowercased {
      case "utf-16le": self = .littleEndian
      case "utf-16be": self = .bigEndian
      default: return nil
      }
    }
  }

  /// Whether values are ordered by their bytes.
  var isOfBytes: Bool { collation == .binary && utf16 == nil }

  /// The order of the collation BINARY, which also orders blobs.
  package static let bytes = ByteOrder(collation: .binary)

  /// Returns a negative number if the first comes first, 0 if both are equal, a positive number if the second comes first.
  @inline(__always)
  func compare(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    switch collation {
    case .binary where utf16 != nil: compareUnits(first, second)
    case .binary: Self.compareBytes(first, second)
    case .nocase: Self.compareFolded(first, second)
    case .rtrim: Self.compareBytes(TextCollation.withoutBlanksAtEnd(first), TextCollation.withoutBlanksAtEnd(second))
    }
  }

  func compare(_ first: [UInt8], _ second: [UInt8]) -> Int {
    first.withUnsafeBytes { first in second.withUnsafeBytes { compare(first, $0) } }
  }

  @inline(__always)
  private static func compareBytes(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    let count = min(first.count, second.count)
    if count > 0, let one = first.baseAddress, let other = second.baseAddress {
      let order = memcmp(one, other, count)
      if order != 0 { return Int(order) }
    }
    return first.count - second.count
  }

  /// Compares texts as if by the bytes of their UTF-16, which the first different code units determine.
  private func compareUnits(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    let count = min(first.count, second.count)
    guard var index = (0..<count).first(where: { first[$0] != second[$0] }) else { return first.count - second.count }
    while index > 0, first[index] & 0xC0 == 0x80 || second[index] & 0xC0 == 0x80 { index -= 1 }
    let (one, other) = (Self.units(first, at: index), Self.units(second, at: index))
    func place(_ unit: UInt16) -> Int { Int(utf16 == .littleEndian ? unit.byteSwapped : unit) }
    return one.0 == other.0 ? place(one.1) - place(other.1) : place(one.0) - place(other.0)
  }

  /// Returns the UTF-16 code units of a UTF-8 character; the second is 0 if the character has only one.
  private static func units(_ bytes: UnsafeRawBufferPointer, at index: Int) -> (UInt16, UInt16) {
    func bits(_ offset: Int) -> UInt32 { index + offset < bytes.count ? UInt32(bytes[index + offset] & 0x3F) : 0 }
    let lead = UInt32(bytes[index])
    switch lead {
    case ..<0x80: return (UInt16(lead), 0)
    case ..<0xE0: return (UInt16((lead & 0x1F) << 6 | bits(1)), 0)
    case ..<0xF0: return (UInt16(truncatingIfNeeded: (lead & 0x0F) << 12 | bits(1) << 6 | bits(2)), 0)
    default:
      let rest = ((lead & 0x07) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3)) &- 0x10000
      return (UInt16(truncatingIfNeeded: 0xD800 | rest >> 10 & 0x3FF), UInt16(truncatingIfNeeded: 0xDC00 | rest & 0x3FF))
    }
  }

  private static func compareFolded(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    for index in 0..<min(first.count, second.count) {
      let (one, other) = (first[index].asciiLowercased, second[index].asciiLowercased)
      if one != other { return Int(one) - Int(other) }
      // After a byte 0, SQLite compares only lengths.
      if one == 0 { break }
    }
    return first.count - second.count
  }

  @inline(__always)
  package func areSame(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Bool {
    guard collation == .binary else { return compare(first, second) == 0 }
    guard first.count == second.count else { return false }
    guard let one = first.baseAddress, let other = second.baseAddress, first.count > 0 else { return true }
    return memcmp(one, other, first.count) == 0
  }

  /// Returns a hash that is the same for equal values.
  @inline(__always)
  func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    collation == .binary ? ByteHash.own.hash(bytes) : hashFolded(bytes)
  }

  private func hashFolded(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard collation == .nocase else { return ByteHash.own.hash(TextCollation.withoutBlanksAtEnd(bytes)) }
    return withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 16) { folded in
      let end = bytes.firstIndex(of: 0) ?? bytes.count
      for index in bytes.indices { folded[index] = index < end ? bytes[index].asciiLowercased : 0 }
      return ByteHash.own.hash(UnsafeRawBufferPointer(folded))
    }
  }

  private struct Entry: BitwiseCopyable {
    /// The eight bytes after the prefix shared by all values.
    var key: UInt64
    var index: UInt32
  }

  /// Sorts values; equal values become adjacent.
  func sorted(_ values: [ByteCount]) -> [ByteCount] {
    guard values.count > 1 else { return values }
    guard isOfBytes else { return values.sorted { compare($0.bytes, $1.bytes) < 0 } }
    let shared = Self.sharedPrefix(values)
    let entries = UnsafeMutableBufferPointer<Entry>.allocate(capacity: values.count)
    let room = UnsafeMutableBufferPointer<Entry>.allocate(capacity: values.count)
    defer {
      entries.deallocate()
      room.deallocate()
    }
    for (index, value) in values.enumerated() { entries[index] = Entry(key: Self.key(value, from: shared), index: UInt32(index)) }
    KeySorting.sort(entries, room) { $0.key }
    var start = 0
    while start < entries.count {
      var end = start + 1
      while end < entries.count, entries[end].key == entries[start].key { end += 1 }
      if end - start > 1 { entries[start..<end].sort { compare(values[Int($0.index)].bytes, values[Int($1.index)].bytes) < 0 } }
      start = end
    }
    return entries.map { values[Int($0.index)] }
  }

  /// Returns the number of bytes in the prefix shared by all values.
  private static func sharedPrefix(_ values: [ByteCount]) -> Int {
    let first = values[0].bytes
    var shared = first.count
    for value in values {
      shared = min(shared, value.length)
      var index = 0
      while index < shared, value.bytes[index] == first[index] { index += 1 }
      shared = index
      if shared == 0 { break }
    }
    return shared
  }

  private static func key(_ value: ByteCount, from offset: Int) -> UInt64 {
    let count = value.length - offset
    if count >= 8 { return UInt64(bigEndian: value.start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
    var key: UInt64 = 0
    for index in 0..<max(0, count) { key |= UInt64(value.bytes[offset + index]) << UInt64(56 - 8 * index) }
    return key
  }
}

extension [ByteCount] {
  /// Returns the sorted values with equal ones combined.
  func joined(in order: ByteOrder) -> [ByteCount] {
    var result: [ByteCount] = []
    result.reserveCapacity(count)
    for value in self {
      if let last = result.last, order.areSame(last.bytes, value.bytes) {
        result[result.count - 1].count += value.count
      } else {
        result.append(value)
      }
    }
    return result
  }
}
