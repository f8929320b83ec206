#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The bytes of a text or blob where a run keeps them, and how often they were counted.
struct ByteCount: BitwiseCopyable {
  var start: UnsafeRawPointer
  var length: Int
  var count: Int

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: length) }
}

/// Different texts, or blobs, in the order of their bytes, each with how often it was counted.
final class ByteRun: @unchecked Sendable {
  // Sendable because it is never changed.
  /// Where each value begins among the bytes, and where the last ends.
  private let starts: UnsafeBufferPointer<Int>
  private let counts: UnsafeBufferPointer<Int>
  private let bytes: UnsafeRawPointer
  private let memory: RunMemory

  /// Makes a run of values in their order.
  init(_ values: [ByteCount], in store: RunStore) throws {
    var starts: [Int] = [0]
    starts.reserveCapacity(values.count + 1)
    for value in values { starts.append(starts[starts.count - 1] + value.length) }
    let size = starts[values.count]
    let text = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, size), alignment: 16)
    defer { text.deallocate() }
    for (value, start) in zip(values, starts) where value.length > 0 {
      UnsafeMutableRawBufferPointer(rebasing: text[start...]).copyMemory(from: value.bytes)
    }
    memory = try starts.withUnsafeBytes { starts in
      try values.map(\.count).withUnsafeBytes { try store.keep([starts, $0, UnsafeRawBufferPointer(rebasing: text[..<size])]) }
    }
    let word = MemoryLayout<Int>.stride
    let (first, second) = ((values.count + 1) * word, (2 * values.count + 1) * word)
    self.starts = UnsafeRawBufferPointer(rebasing: memory.bytes[..<first]).bindMemory(to: Int.self)
    counts = UnsafeRawBufferPointer(rebasing: memory.bytes[first..<second]).bindMemory(to: Int.self)
    guard let base = memory.bytes.baseAddress else { throw DatabaseError(DatabaseError.SQLITE_NOMEM) }
    bytes = base + second
  }

  /// The number of values.
  var count: Int { counts.count }

  /// Returns a value; it is good as long as the run.
  func value(at index: Int) -> ByteCount {
    let start = starts[index]
    return ByteCount(start: bytes + start, length: starts[index + 1] - start, count: counts[index])
  }

  /// Returns the index of the first value that does not come before some bytes; that of the end for nil.
  func lowerBound(of bytes: UnsafeRawBufferPointer?) -> Int {
    guard let bytes else { return count }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if ByteOrder.compare(value(at: middle).bytes, bytes) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns how many rows were counted of the values with these indexes.
  func total(of range: Range<Int>) -> Int { counts[range].reduce(0, +) }
}

/// The order of SQLite's collation BINARY, which is that of blobs too.
enum ByteOrder {
  /// Returns less than 0 if the first comes first, 0 if both are the same, more than 0 if the second comes first.
  @inline(__always)
  static func compare(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    let count = min(first.count, second.count)
    if count > 0, let one = first.baseAddress, let other = second.baseAddress {
      let order = memcmp(one, other, count)
      if order != 0 { return Int(order) }
    }
    return first.count - second.count
  }

  @inline(__always)
  static func areSame(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Bool {
    guard first.count == second.count else { return false }
    guard let one = first.baseAddress, let other = second.baseAddress, first.count > 0 else { return true }
    return memcmp(one, other, first.count) == 0
  }

  private struct Entry: BitwiseCopyable {
    /// The eight bytes that follow what all values begin with.
    var key: UInt64
    var index: UInt32
  }

  /// Sorts values; those that are the same stay beside each other.
  static func sorted(_ values: [ByteCount]) -> [ByteCount] {
    guard values.count > 1 else { return values }
    let shared = sharedPrefix(values)
    let entries = UnsafeMutableBufferPointer<Entry>.allocate(capacity: values.count)
    let room = UnsafeMutableBufferPointer<Entry>.allocate(capacity: values.count)
    defer {
      entries.deallocate()
      room.deallocate()
    }
    for (index, value) in values.enumerated() { entries[index] = Entry(key: key(value, from: shared), index: UInt32(index)) }
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

  /// Returns how many bytes all values begin with.
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
  /// Returns the sorted values with those that are the same as one.
  func joined() -> [ByteCount] {
    var result: [ByteCount] = []
    result.reserveCapacity(count)
    for value in self {
      if let last = result.last, ByteOrder.areSame(last.bytes, value.bytes) {
        result[result.count - 1].count += value.count
      } else {
        result.append(value)
      }
    }
    return result
  }
}
