internal import Libc

/// A run of rows that were read one after the other, sorted among themselves.
///
/// One thread fills it, one sorts it, and from then on it is only read.
final class SortedRun: @unchecked Sendable {
  /// A row: the first bytes of its key, the representation of its rowid, and the position of the rest of its key.
  struct Entry {
    var prefix: UInt64
    /// The difference between the rowid and the minimum rowid of the table, or its index in `ids`.
    fileprivate var row: UInt32
    /// The offset of the tail, which begins with its length; 0 for no tail.
    fileprivate var tail: UInt32
  }

  @exclusivity(unchecked) private(set) var entries: UnsafeMutableBufferPointer<Entry>
  @exclusivity(unchecked) private(set) var count = 0
  @exclusivity(unchecked) private var tails: [UInt8] = [0]
  /// The minimum rowid; nil if the range of rowids exceeds four bytes.
  private let least: Int64?
  /// The rowids, if four bytes do not suffice.
  @exclusivity(unchecked) private var ids: [Int64] = []
  /// Whether a key without a tail comes after keys with the same prefix and a tail.
  private let areBareLast: Bool

  /// The capacity allocated at once, large enough that `malloc` returns it to the system when it is freed.
  static let room = 1 << 21

  /// Creates an empty run.
  ///
  /// - Parameter bounds: The minimum and maximum possible rowid.
  init(_ rules: SortRules, _ bounds: RowIDBounds) {
    areBareLast = rules.first.isDescending
    least = UInt32(exactly: UInt64(bitPattern: bounds.greatest &- bounds.least)) == nil ? nil : bounds.least
    entries = .allocate(capacity: 1024)
  }

  deinit {
    entries.deallocate()
  }

  /// The approximate number of bytes in use.
  var size: Int { count * MemoryLayout<Entry>.stride + tails.count + ids.count * MemoryLayout<Int64>.stride }

  /// The number of bytes of key tails.
  var tailSize: Int { tails.count }

  /// Returns whether the run has `limit` rows, or such long keys that the offsets of more could overflow.
  func isFull(_ limit: Int) -> Bool { count >= limit || tails.count > 1 << 28 }

  @discardableResult
  @inline(__always)
  func append(_ key: borrowing SortKey, id: Int64) -> Entry {
    var tail = 0
    if !key.tail.isEmpty {
      tail = tails.count
      withUnsafeBytes(of: UInt32(clamping: key.tail.count)) { tails.append(contentsOf: $0) }
      tails.append(contentsOf: key.tail)
    }
    if count == entries.count { grow() }
    if least == nil { ids.append(id) }
    let row = least.map { UInt32(truncatingIfNeeded: id &- $0) } ?? UInt32(truncatingIfNeeded: count)
    let entry = Entry(prefix: key.prefix, row: row, tail: UInt32(tail))
    entries.initializeElement(at: count, to: entry)
    count += 1
    return entry
  }

  /// Returns the rowid of a row.
  @inline(__always)
  func id(of entry: Entry) -> Int64 {
    if let least { least &+ Int64(entry.row) } else { ids[Int(entry.row)] }
  }

  /// Increases the capacity: in small steps at first, because most sets are small, and then to the full size.
  private func grow() {
    let capacity = entries.count < Self.room / 16 ? entries.count * 2 : max(Self.room, entries.count * 2)
    let larger = UnsafeMutableBufferPointer<Entry>.allocate(capacity: capacity)
    _ = larger.moveInitialize(fromContentsOf: entries)
    entries.deallocate()
    entries = larger
  }

  /// Sorts the rows by key, and rows with the same key by rowid.
  func sort() {
    sortByPrefix()
    tails.withUnsafeBytes { tails in
      var start = 0
      while start < count {
        var end = start + 1
        while end < count, entries[end].prefix == entries[start].prefix { end += 1 }
        if end - start > 1 { sortByRest(start..<end, tails) }
        start = end
      }
    }
  }

  /// Sorts by the prefixes alone, from the last byte to the first; rows with the same prefix stay in reading order.
  private func sortByPrefix() {
    var room = UnsafeMutableBufferPointer<Entry>.allocate(capacity: max(1, count))
    for shift in stride(from: 0 as UInt64, to: 64, by: 8) {
      var offsets = [Int](repeating: 0, count: 256)
      for entry in entries[..<count] { offsets[Int(entry.prefix >> shift & 0xFF)] += 1 }
      // A byte that all prefixes share changes nothing.
      if offsets.contains(count) { continue }
      var next = 0
      for byte in offsets.indices { (offsets[byte], next) = (next, next + offsets[byte]) }
      offsets.withUnsafeMutableBufferPointer { offsets in
        for entry in entries[..<count] {
          let byte = Int(entry.prefix >> shift & 0xFF)
          room.initializeElement(at: offsets[byte], to: entry)
          offsets[byte] += 1
        }
      }
      swap(&entries, &room)
    }
    room.deallocate()
  }

  /// Sorts rows with the same prefix.
  private func sortByRest(_ range: Range<Int>, _ tails: UnsafeRawBufferPointer) {
    entries[range].sort { first, second in
      if first.tail == 0, second.tail == 0 { return id(of: first) < id(of: second) }
      let order = Self.compare(Self.tail(first, tails), Self.tail(second, tails), areBareLast: areBareLast)
      return order != 0 ? order < 0 : id(of: first) < id(of: second)
    }
  }

  /// Returns the row at an index; nil if the index is out of range.
  func row(at index: Int) -> SortedRow? {
    (0..<count).contains(index) ? SortedRow(run: self, entry: entries[index]) : nil
  }

  /// Returns whether a row comes before a row of this or another run.
  func precedes(_ entry: Entry, _ other: SortedRun, _ otherEntry: Entry) -> Bool {
    if entry.prefix != otherEntry.prefix { return entry.prefix < otherEntry.prefix }
    if entry.tail == 0, otherEntry.tail == 0 { return id(of: entry) < other.id(of: otherEntry) }
    let order = tails.withUnsafeBytes { tails in
      other.tails.withUnsafeBytes { otherTails in
        Self.compare(Self.tail(entry, tails), Self.tail(otherEntry, otherTails), areBareLast: areBareLast)
      }
    }
    return order != 0 ? order < 0 : id(of: entry) < other.id(of: otherEntry)
  }

  private static func tail(_ entry: Entry, _ tails: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard entry.tail > 0 else { return nil }
    let start = Int(entry.tail)
    let count = Int(tails.loadUnaligned(fromByteOffset: start, as: UInt32.self))
    return UnsafeRawBufferPointer(rebasing: tails[start + 4..<start + 4 + count])
  }

  /// Returns a negative number if the first tail comes first, a positive number if the second does.
  private static func compare(_ first: UnsafeRawBufferPointer?, _ second: UnsafeRawBufferPointer?, areBareLast: Bool) -> Int {
    guard let first, let second else {
      if (first == nil) == (second == nil) { return 0 }
      return (first == nil) == areBareLast ? 1 : -1
    }
    let count = min(first.count, second.count)
    if count > 0, let one = first.baseAddress, let other = second.baseAddress {
      let order = memcmp(one, other, count)
      if order != 0 { return Int(order) }
    }
    return first.count - second.count
  }
}
