#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Rows that were read one after the other, and are sorted among themselves.
///
/// It is filled by one thread, sorted by another, and from then on only read.
final class SortedRun: @unchecked Sendable {
  /// A row: the first bytes of its key, its rowid, and where the rest of its key is kept.
  struct Entry {
    var prefix: UInt64
    var id: Int64
    /// The place of the tail behind its length; 0 for no tail.
    var tail: UInt32
  }

  private(set) var entries: UnsafeMutableBufferPointer<Entry>
  private(set) var count = 0
  private var tails: [UInt8] = [0]
  /// Whether a key without a tail comes after those that have the same prefix and one.
  private let areBareLast: Bool

  /// The greatest number of rows of a run: what they take lies above what `malloc` keeps for itself when it is given back.
  static let limit = 1 << 21

  init(_ rules: [SortRule]) {
    areBareLast = rules[0].isDescending
    entries = .allocate(capacity: 1024)
  }

  deinit {
    entries.deallocate()
  }

  /// About how many bytes are kept.
  var size: Int { count * MemoryLayout<Entry>.stride + tails.count }

  /// Whether there are so many rows, or so long keys that the places of more of them may not be kept.
  func isFull(_ limit: Int) -> Bool { count >= limit || tails.count > 1 << 28 }

  func append(_ key: borrowing SortKey, id: Int64) {
    var tail = 0
    if !key.tail.isEmpty {
      tail = tails.count
      withUnsafeBytes(of: UInt32(clamping: key.tail.count)) { tails.append(contentsOf: $0) }
      tails.append(contentsOf: key.tail)
    }
    if count == entries.count { grow() }
    entries.initializeElement(at: count, to: Entry(prefix: key.prefix, id: id, tail: UInt32(tail)))
    count += 1
  }

  private func grow() {
    let larger = UnsafeMutableBufferPointer<Entry>.allocate(capacity: min(entries.count * 2, max(entries.count + 1, Self.limit)))
    _ = larger.moveInitialize(fromContentsOf: entries)
    entries.deallocate()
    entries = larger
  }

  /// Sorts the rows, those of one key by their rowids.
  func sort() {
    tails.withUnsafeBytes { tails in
      entries[..<count].sort { first, second in
        if first.prefix != second.prefix { return first.prefix < second.prefix }
        if first.tail == 0, second.tail == 0 { return first.id < second.id }
        let order = Self.compare(Self.tail(first, tails), Self.tail(second, tails), areBareLast: areBareLast)
        return order != 0 ? order < 0 : first.id < second.id
      }
    }
  }

  /// Whether a row comes before one of another run that has the same prefix.
  func precedes(_ entry: Entry, _ other: SortedRun, _ otherEntry: Entry) -> Bool {
    let order = tails.withUnsafeBytes { tails in
      other.tails.withUnsafeBytes { otherTails in
        Self.compare(Self.tail(entry, tails), Self.tail(otherEntry, otherTails), areBareLast: areBareLast)
      }
    }
    return order != 0 ? order < 0 : entry.id < otherEntry.id
  }

  private static func tail(_ entry: Entry, _ tails: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard entry.tail > 0 else { return nil }
    let start = Int(entry.tail)
    let count = Int(tails.loadUnaligned(fromByteOffset: start, as: UInt32.self))
    return UnsafeRawBufferPointer(rebasing: tails[start + 4..<start + 4 + count])
  }

  /// Less than 0 where the first tail comes first, more where the second does.
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
