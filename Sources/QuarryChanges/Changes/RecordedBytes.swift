internal import QuarryEngine

/// Encoded values of a record, with their exact storage classes and bytes, including texts that are not UTF-8.
///
/// The bytes are in memory of their own, so that a row is written without checks of an array for each of its values.
struct RecordedBytes: ~Copyable {
  /// The number of bytes.
  private(set) var count = 0
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// The byte before the content of a value.
  enum Tag: UInt8 {
    case null, integer, real, text, blob
  }

  /// The byte before the change of a row.
  enum ChangeCode: UInt8 {
    case insert = 1
    case update, delete
  }

  /// The maximum number of bytes before the content of a value: its tag and its size.
  private static let longestHead = 11

  init(_ bytes: [UInt8] = []) {
    append(bytes)
  }

  deinit { memory.deallocate() }

  /// A copy of the bytes.
  var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

  /// Calls `body` with the bytes.
  @inline(__always)
  borrowing func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(rebasing: memory[0..<count]))
  }

  /// Appends the values of a row lent by SQLite.
  mutating func append(_ values: some Collection<BorrowedValue>) {
    var size = 0
    for value in values { size += Self.longestHead + value.contentCount }
    reserve(size)
    for value in values { write(value) }
  }

  /// Appends a value lent by SQLite.
  mutating func append(_ value: BorrowedValue) {
    reserve(Self.longestHead + value.contentCount)
    write(value)
  }

  /// Appends a value.
  mutating func append(_ value: DatabaseValue) {
    value.withBorrowedValue { append($0) }
  }

  /// Appends encoded values.
  mutating func append(_ other: UnsafeRawBufferPointer) {
    reserve(other.count)
    write(other)
  }

  /// Appends encoded values.
  mutating func append(_ other: some Collection<UInt8>) {
    if other.withContiguousStorageIfAvailable({ append(UnsafeRawBufferPointer($0)) }) != nil { return }
    reserve(other.count)
    for byte in other { write(byte) }
  }

  /// Returns the index after the value that begins at an index.
  static func end(ofValueAt start: Int, in bytes: UnsafeRawBufferPointer) throws(RecordDamage) -> Int {
    guard start < bytes.count, let tag = Tag(rawValue: bytes[start]) else { throw RecordDamage() }
    var (end, size) = (start + 1, 0)
    switch tag {
    case .null: break
    case .integer, .real: size = 8
    case .text, .blob: size = try number(at: &end, in: bytes)
    }
    guard size <= bytes.count - end else { throw RecordDamage() }
    return end + size
  }

  /// Reads a number in a variable-length encoding, and moves the index after it.
  @inline(__always)
  static func number(at index: inout Int, in bytes: UnsafeRawBufferPointer) throws(RecordDamage) -> Int {
    var (number, shift) = (0, 0)
    while index < bytes.count, shift < 63 {
      let byte = bytes[index]
      index += 1
      number |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
    throw RecordDamage()
  }

  /// Returns whether an encoded value is the same as a value lent by SQLite.
  @inline(__always)
  static func isValue(_ encoded: UnsafeRawBufferPointer, _ value: BorrowedValue) -> Bool {
    switch value {
    case .null: isNull(encoded)
    case .integer(let number): isNumber(encoded, .integer, UInt64(bitPattern: number))
    case .real(let number): isNumber(encoded, .real, number.bitPattern)
    case .text(let text): isContent(encoded, .text, text)
    case .blob(let blob): isContent(encoded, .blob, blob)
    }
  }

  @inline(__always)
  private static func isNumber(_ encoded: UnsafeRawBufferPointer, _ tag: Tag, _ number: UInt64) -> Bool {
    encoded.count == 9 && encoded[0] == tag.rawValue && encoded.loadUnaligned(fromByteOffset: 1, as: UInt64.self) == number.littleEndian
  }

  @inline(__always)
  private static func isContent(_ encoded: UnsafeRawBufferPointer, _ tag: Tag, _ content: UnsafeRawBufferPointer) -> Bool {
    var (head, rest) = (2, content.count)
    while rest > 0x7F {
      rest >>= 7
      head += 1
    }
    guard encoded.count == head + content.count, encoded[0] == tag.rawValue else { return false }
    return UnsafeRawBufferPointer(rebasing: encoded[head...]).hasSameBytes(as: content)
  }

  /// Returns whether an encoded value is NULL.
  static func isNull(_ value: UnsafeRawBufferPointer) -> Bool { value.first == Tag.null.rawValue }

  /// Appends a number in a variable-length encoding.
  mutating func append(count: Int) {
    reserve(Self.longestHead)
    write(count: count)
  }

  /// Appends a single byte.
  mutating func append(byte: UInt8) {
    reserve(1)
    write(byte)
  }

  /// Appends four bytes that are to be replaced by a number.
  mutating func appendRoomForNumber() {
    reserve(4)
    memory.storeBytes(of: 0, toByteOffset: count, as: UInt32.self)
    count += 4
  }

  /// Appends the update of one cell of a row with a rowid.
  mutating func appendUpdate(of rowID: Int64, _ column: Int, from old: UnsafeRawBufferPointer, to new: BorrowedValue) {
    reserve(4 * Self.longestHead + old.count + new.contentCount)
    write(ChangeCode.update.rawValue)
    write(.integer, UInt64(bitPattern: rowID))
    write(count: 1)
    write(count: column)
    write(old)
    write(new)
  }

  /// Removes all bytes.
  mutating func removeAll() {
    count = 0
  }

  /// Removes the bytes from an index on.
  mutating func truncate(to count: Int) {
    self.count = min(count, self.count)
  }

  /// Replaces four bytes by a number.
  mutating func store(_ number: UInt32, at index: Int) {
    memory.storeBytes(of: number.littleEndian, toByteOffset: index, as: UInt32.self)
  }
}

/// Writing into reserved memory.
extension RecordedBytes {
  /// Makes room for more bytes.
  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if memory.count - count < more { grow(by: more) }
  }

  private mutating func grow(by more: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(64, memory.count * 2, count + more), alignment: 16)
    if count > 0 { larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[0..<count])) }
    memory.deallocate()
    memory = larger
  }

  @inline(__always)
  private mutating func write(_ value: BorrowedValue) {
    switch value {
    case .null: write(Tag.null.rawValue)
    case .integer(let number): write(.integer, UInt64(bitPattern: number))
    case .real(let number): write(.real, number.bitPattern)
    case .text(let text): write(.text, text)
    case .blob(let blob): write(.blob, blob)
    }
  }

  @inline(__always)
  private mutating func write(_ byte: UInt8) {
    memory[count] = byte
    count += 1
  }

  @inline(__always)
  private mutating func write(_ tag: Tag, _ number: UInt64) {
    write(tag.rawValue)
    memory.storeBytes(of: number.littleEndian, toByteOffset: count, as: UInt64.self)
    count += 8
  }

  @inline(__always)
  private mutating func write(_ tag: Tag, _ content: UnsafeRawBufferPointer) {
    write(tag.rawValue)
    write(count: content.count)
    write(content)
  }

  @inline(__always)
  private mutating func write(_ content: UnsafeRawBufferPointer) {
    guard let source = content.baseAddress, let start = memory.baseAddress else { return }
    (start + count).copyMemory(from: source, byteCount: content.count)
    count += content.count
  }

  @inline(__always)
  private mutating func write(count: Int) {
    var rest = UInt64(count)
    while rest > 0x7F {
      write(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    write(UInt8(truncatingIfNeeded: rest))
  }
}

extension BorrowedValue {
  /// The number of bytes of the value without its storage class and its size.
  @inline(__always)
  fileprivate var contentCount: Int {
    switch self {
    case .null: 0
    case .integer, .real: 8
    case .text(let bytes), .blob(let bytes): bytes.count
    }
  }
}
