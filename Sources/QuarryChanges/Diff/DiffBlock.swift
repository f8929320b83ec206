internal import Libc
internal import QuarryEngine

/// Consecutive rows as bytes, so that equal rows are passed without reading their values.
///
/// A value is a byte for its storage class and eight for a number, or for the length of a text or blob, whose bytes follow.
package struct DiffBlock: Sendable {
  private let width: Int
  private var bytes: [UInt8] = []
  /// The ends of the rows in the bytes.
  private var ends: [Int] = []
  private var used: Int { ends.last ?? 0 }
  /// The ranges of keys whose rows follow.
  var rest: ArraySlice<KeyRange> = []

  /// The number of bytes from which a block gets no more rows.
  private static let capacity = 4 << 20

  fileprivate enum Tag: UInt8 {
    case null, integer, real, text, blob
  }

  /// Creates a block without rows.
  init(width: Int) {
    self.width = width
  }

  /// Creates a block of rows.
  init(_ rows: [[StoredValue]], width: Int) throws {
    self.init(width: width)
    for row in rows {
      append(size: row.reduce(0) { $0 + $1.withBorrowedValue(\.size) }) { room in
        var place = 0
        for value in row { value.withBorrowedValue { $0.write(to: room, at: &place) } }
      }
    }
  }

  /// The number of rows.
  var count: Int { ends.count }

  /// Whether the rows take so much memory that no more should be added.
  var isFull: Bool { used >= Self.capacity }

  // MARK: Writing

  /// Adds the current row of a statement.
  ///
  /// - Throws: `SQLITE_NOMEM`
  mutating func append(_ statement: Statement) throws {
    let values = try statement.borrowedValues(first: width)
    var size = 0
    for value in values { size += value.size }
    try MemoryRoom.require(size > Self.capacity ? size : 0)
    append(size: size) { room in
      var place = 0
      for value in values { value.write(to: room, at: &place) }
    }
  }

  @inline(__always)
  private mutating func append(size: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void) {
    let (start, end) = (used, used + size)
    if end > bytes.count { grow(to: max(end, 2 * bytes.count, 1 << 12)) }
    bytes.withUnsafeMutableBytes { write(UnsafeMutableRawBufferPointer(rebasing: $0[start..<end])) }
    ends.append(end)
  }

  /// Makes room without a loop over its bytes, which takes long in a build that is not optimized.
  private mutating func grow(to count: Int) {
    bytes = Array(unsafeUninitializedCapacity: count) { room, initializedCount in
      let room = UnsafeMutableRawBufferPointer(room)
      bytes.withUnsafeBytes { room.copyMemory(from: $0) }
      _ = UnsafeMutableRawBufferPointer(rebasing: room[bytes.count...]).initializeMemory(as: UInt8.self, repeating: 0)
      initializedCount = count
    }
  }

  // MARK: Sending

  /// The bytes of the rows, for another program.
  var content: ArraySlice<UInt8> { bytes[..<used] }

  /// Creates a block of rows that another program has sent.
  ///
  /// - Throws: ``DiffMessageError`` if the bytes are not so many rows.
  init(content: ArraySlice<UInt8>, width: Int, count: Int) throws(DiffMessageError) {
    guard width > 0, (0...content.count).contains(count) else { throw DiffMessageError() }
    self.width = width
    bytes = Array(content)
    ends.reserveCapacity(count)
    var place = 0
    for _ in 0..<count {
      for _ in 0..<width {
        guard let end = bytes.withUnsafeBytes({ Self.end(ofValueAt: place, in: $0) }) else { throw DiffMessageError() }
        place = end
      }
      ends.append(place)
    }
    if place != bytes.count { throw DiffMessageError() }
  }

  /// Returns the end of a value, or nil if there is no whole value.
  private static func end(ofValueAt place: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
    guard place < bytes.count, let tag = Tag(rawValue: bytes[place]) else { return nil }
    if tag == .null { return place + 1 }
    let content = place + 9
    guard content <= bytes.count else { return nil }
    guard tag == .text || tag == .blob else { return content }
    let length = bytes.loadUnaligned(fromByteOffset: place + 1, as: UInt64.self)
    return length <= UInt64(bytes.count - content) ? content + Int(length) : nil
  }

  // MARK: Reading

  /// Returns the values of a row.
  func values(at index: Int) -> [StoredValue] {
    bytes.withUnsafeBytes { bytes in
      var place = index == 0 ? 0 : ends[index - 1]
      return (0..<width).map { _ in StoredValue(bytes, at: &place) }
    }
  }

  /// Returns the number of rows from an index that are equal to those of another block.
  func equalCount(from index: Int, in other: DiffBlock, from otherIndex: Int) -> Int {
    bytes.withUnsafeBytes { bytes in
      other.bytes.withUnsafeBytes { others in
        guard let bytes = bytes.baseAddress, let others = others.baseAddress else { return 0 }
        let limit = min(ends.count - index, other.ends.count - otherIndex)
        var start = index == 0 ? 0 : ends[index - 1]
        var otherStart = otherIndex == 0 ? 0 : other.ends[otherIndex - 1]
        for passed in 0..<max(0, limit) {
          let (end, otherEnd) = (ends[index + passed], other.ends[otherIndex + passed])
          guard end - start == otherEnd - otherStart, memcmp(bytes + start, others + otherStart, end - start) == 0 else { return passed }
          (start, otherStart) = (end, otherEnd)
        }
        return max(0, limit)
      }
    }
  }
}

extension BorrowedValue {
  /// The number of bytes of the value in a block.
  @inline(__always)
  fileprivate var size: Int {
    switch self {
    case .null: 1
    case .integer, .real: 9
    case .text(let bytes), .blob(let bytes): 9 + bytes.count
    }
  }

  @inline(__always)
  fileprivate func write(to room: UnsafeMutableRawBufferPointer, at place: inout Int) {
    func write(_ tag: DiffBlock.Tag, _ number: UInt64) {
      room[place] = tag.rawValue
      room.storeBytes(of: number, toByteOffset: place + 1, as: UInt64.self)
      place += 9
    }
    switch self {
    case .null:
      room[place] = DiffBlock.Tag.null.rawValue
      place += 1
    case .integer(let value): write(.integer, UInt64(bitPattern: value))
    case .real(let value): write(.real, value.bitPattern)
    case .text(let bytes), .blob(let bytes):
      if case .text = self { write(.text, UInt64(bytes.count)) } else { write(.blob, UInt64(bytes.count)) }
      UnsafeMutableRawBufferPointer(rebasing: room[place...]).copyMemory(from: bytes)
      place += bytes.count
    }
  }
}

extension StoredValue {
  /// Reads a value of a block.
  fileprivate init(_ bytes: UnsafeRawBufferPointer, at place: inout Int) {
    let tag = DiffBlock.Tag(rawValue: bytes[place])
    place += 1
    guard let tag, tag != .null else {
      self = .null
      return
    }
    let number = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    place += 8
    switch tag {
    case .integer: self = .value(.integer(Int64(bitPattern: number)))
    case .real: self = .value(.real(Double(bitPattern: number)))
    default:
      let content = UnsafeRawBufferPointer(rebasing: bytes[place..<place + Int(number)])
      place += content.count
      if tag == .blob {
        self = .value(.blob(Array(content)))
      } else {
        self = String(validating: content, as: UTF8.self).map { .value(.text($0)) } ?? .rawText(Array(content))
      }
    }
  }
}

/// The rows to read as a block.
package struct DiffQuery: Sendable {
  /// The SELECT for the rows in a range of keys.
  var sql: @Sendable (KeyRange) -> SQLText
  /// The ranges, in the order of their keys.
  var ranges: ArraySlice<KeyRange>
  /// The number of columns, which begin with those of the key.
  var width: Int
  /// The number of columns of the key.
  var keyWidth: Int
  /// The maximum number of rows.
  var limit: Int

  /// Returns the ranges that follow the last row of a block.
  ///
  /// - Parameter index: The index of the range that contains the row.
  func rest(after block: DiffBlock, _ index: Int) -> ArraySlice<KeyRange> {
    let last = Array(block.values(at: block.count - 1).prefix(keyWidth))
    return [KeyRange(after: last, through: ranges[index].through)] + ranges[(index + 1)...]
  }
}

extension DiffBlock {
  /// Creates a block of the rows that a query's first range begins with.
  init(_ rows: [[StoredValue]], of query: DiffQuery) throws {
    try self.init(rows, width: query.width)
    rest = rows.count < query.limit ? query.ranges.dropFirst() : query.rest(after: self, query.ranges.startIndex)
  }
}

extension Database {
  /// Reads the rows of a query.
  func block(_ query: DiffQuery) throws -> DiffBlock {
    var block = DiffBlock(width: query.width)
    for index in query.ranges.indices {
      try scan(query.sql(query.ranges[index])) { statement in
        try block.append(statement)
        return block.count < query.limit && !block.isFull
      }
      guard block.count >= query.limit || block.isFull else { continue }
      block.rest = query.rest(after: block, index)
      return block
    }
    return block
  }
}
