internal import QuarryEngine

/// Encoded values of a record, with their exact storage classes and bytes, including texts that are not UTF-8.
struct RecordedBytes: Hashable, Sendable {
  private(set) var bytes: [UInt8]

  fileprivate enum Tag: UInt8 {
    case null, integer, real, text, blob
  }

  init(_ bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  /// Appends a value lent by SQLite.
  mutating func append(_ value: BorrowedValue) {
    switch value {
    case .null: bytes.append(Tag.null.rawValue)
    case .integer(let number): append(.integer, UInt64(bitPattern: number))
    case .real(let number): append(.real, number.bitPattern)
    case .text(let text): append(.text, text)
    case .blob(let blob): append(.blob, blob)
    }
  }

  /// Appends a value.
  mutating func append(_ value: DatabaseValue) {
    value.withBorrowedValue { append($0) }
  }

  /// Appends encoded values.
  mutating func append(_ other: some Sequence<UInt8>) {
    bytes.append(contentsOf: other)
  }

  /// Returns the index after the value that begins at an index.
  static func end(ofValueAt start: Int, in bytes: UnsafeRawBufferPointer) throws(RecordDamage) -> Int {
    guard start < bytes.count, let tag = Tag(rawValue: bytes[start]) else { throw RecordDamage() }
    var (end, size) = (start + 1, 0)
    switch tag {
    case .null: break
    case .integer, .real: size = 8
    case .text, .blob:
      var shift = 0
      while end < bytes.count, shift < 63 {
        let byte = bytes[end]
        end += 1
        size |= Int(byte & 0x7F) << shift
        shift += 7
        if byte < 0x80 { break }
      }
    }
    guard size <= bytes.count - end else { throw RecordDamage() }
    return end + size
  }

  /// Returns whether an encoded value is NULL.
  static func isNull(_ value: UnsafeRawBufferPointer) -> Bool { value.first == Tag.null.rawValue }

  /// Appends a number in a variable-length encoding.
  mutating func append(count: Int) {
    var rest = UInt64(count)
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a single byte.
  mutating func append(byte: UInt8) {
    bytes.append(byte)
  }

  /// Removes all bytes.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  private mutating func append(_ tag: Tag, _ number: UInt64) {
    bytes.append(tag.rawValue)
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ tag: Tag, _ content: UnsafeRawBufferPointer) {
    bytes.append(tag.rawValue)
    append(count: content.count)
    bytes.append(contentsOf: content)
  }
}

/// Decodes ``RecordedBytes`` from the front.
package struct RecordedBytesReader {
  private let bytes: [UInt8]
  package private(set) var position: Int

  /// Creates a reader that begins at an index.
  package init(_ bytes: [UInt8], from position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  /// Whether all bytes have been read.
  package var isAtEnd: Bool { position >= bytes.count }

  /// Reads a byte.
  mutating func byte() throws(RecordDamage) -> UInt8 {
    guard position < bytes.count else { throw RecordDamage() }
    defer { position += 1 }
    return bytes[position]
  }

  /// Reads a number.
  mutating func count() throws(RecordDamage) -> Int {
    var (result, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let next = try byte()
      guard shift < 63 else { throw RecordDamage() }
      result |= UInt64(next & 0x7F) << shift
      if next < 0x80 { break }
      shift += 7
    }
    guard let count = Int(exactly: result) else { throw RecordDamage() }
    return count
  }

  /// Reads a value.
  mutating func value() throws(RecordDamage) -> RecordedValue {
    let start = position
    guard let tag = RecordedBytes.Tag(rawValue: try byte()) else { throw RecordDamage() }
    switch tag {
    case .null: break
    case .integer, .real: _ = try content(8)
    case .text, .blob: _ = try content(count())
    }
    return RecordedValue(bytes: bytes[start..<position])
  }

  /// Reads a number of values.
  mutating func values(_ count: Int) throws(RecordDamage) -> [RecordedValue] {
    var values: [RecordedValue] = []
    for _ in 0..<count { values.append(try value()) }
    return values
  }

  /// Reads the remaining values.
  mutating func rest() throws(RecordDamage) -> [RecordedValue] {
    var values: [RecordedValue] = []
    while !isAtEnd { values.append(try value()) }
    return values
  }

  /// Reads a number of bytes.
  mutating func bytes(_ count: Int) throws(RecordDamage) -> [UInt8] {
    Array(try content(count))
  }

  private mutating func content(_ count: Int) throws(RecordDamage) -> ArraySlice<UInt8> {
    guard count <= bytes.count - position else { throw RecordDamage() }
    defer { position += count }
    return bytes[position..<position + count]
  }
}

/// An error for a record that cannot be decoded.
package struct RecordDamage: Error, CustomStringConvertible {
  package var description: String { "the record of this commit is damaged" }
}

/// One value of a record.
///
/// Two values are equal only if SQLite stores exactly the same.
struct RecordedValue: Hashable, Sendable {
  /// The encoded value, after the tag of its storage class.
  let bytes: ArraySlice<UInt8>

  /// The NULL value.
  static let null = RecordedValue(bytes: [RecordedBytes.Tag.null.rawValue])

  /// Whether the value is NULL.
  var isNull: Bool { bytes.first == RecordedBytes.Tag.null.rawValue }

  /// The bytes of a text or a blob.
  private var content: ArraySlice<UInt8> {
    var rest = bytes.dropFirst()
    while let byte = rest.popFirst(), byte >= 0x80 {}
    return rest
  }

  private var number: UInt64 {
    bytes.withUnsafeBytes { $0.count > 8 ? UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 1, as: UInt64.self)) : 0 }
  }

  /// The value for display.
  ///
  /// A text that is not UTF-8 is a blob of its bytes.
  var databaseValue: DatabaseValue {
    switch RecordedBytes.Tag(rawValue: bytes.first ?? 0) {
    case .integer: .integer(Int64(bitPattern: number))
    case .real: .real(Double(bitPattern: number))
    case .text: String(validating: content, as: UTF8.self).map { .text($0) } ?? .blob(Array(content))
    case .blob: .blob(Array(content))
    case .null, nil: .null
    }
  }

  /// The exact stored value.
  var storedValue: StoredValue {
    let value = databaseValue
    guard RecordedBytes.Tag(rawValue: bytes.first ?? 0) == .text, case .blob(let text) = value else { return .value(value) }
    return .rawText(text)
  }

  /// Binds the value to a parameter, with indexes from 1.
  func bind(to statement: Statement, at index: Int) throws {
    switch RecordedBytes.Tag(rawValue: bytes.first ?? 0) {
    case .integer: try statement.bindInteger(Int64(bitPattern: number), at: index)
    case .real: try statement.bindReal(Double(bitPattern: number), at: index)
    case .text: try content.withUnsafeBytes { try statement.bindText($0, at: index) }
    case .blob: try content.withUnsafeBytes { try statement.bindBlob($0, at: index) }
    case .null, nil: try statement.bindNull(at: index)
    }
  }
}
