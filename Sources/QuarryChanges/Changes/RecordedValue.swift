internal import QuarryEngine

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

  /// Reads an integer, or returns nil and reads nothing if the next value is not one.
  mutating func integer() -> Int64? {
    guard position < bytes.count, bytes[position] == RecordedBytes.Tag.integer.rawValue, bytes.count - position > 8 else { return nil }
    let number = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position + 1, as: UInt64.self) }
    position += 9
    return Int64(bitPattern: UInt64(littleEndian: number))
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

  /// The value for display.
  ///
  /// A text that is not UTF-8 is a blob of its bytes.
  var databaseValue: DatabaseValue {
    bytes.withUnsafeBytes { value in
      switch Self.tag(of: value) {
      case .integer: .integer(Int64(bitPattern: Self.number(of: value)))
      case .real: .real(Double(bitPattern: Self.number(of: value)))
      case .text: String(validating: Self.content(of: value), as: UTF8.self).map { .text($0) } ?? .blob(Array(Self.content(of: value)))
      case .blob: .blob(Array(Self.content(of: value)))
      case .null: .null
      }
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
    try bytes.withUnsafeBytes { try Self.bind($0, to: statement, at: index) }
  }

  /// Binds an encoded value to a parameter, with indexes from 1.
  static func bind(_ value: UnsafeRawBufferPointer, to statement: Statement, at index: Int) throws {
    switch tag(of: value) {
    case .integer: try statement.bindInteger(Int64(bitPattern: number(of: value)), at: index)
    case .real: try statement.bindReal(Double(bitPattern: number(of: value)), at: index)
    case .text: try statement.bindText(content(of: value), at: index)
    case .blob: try statement.bindBlob(content(of: value), at: index)
    case .null: try statement.bindNull(at: index)
    }
  }

  /// Returns whether SQL can distinguish an encoded value from all others: it cannot distinguish 0.0 from -0.0.
  static func isExpressibleInSQL(_ value: UnsafeRawBufferPointer) -> Bool {
    tag(of: value) != .real || Double(bitPattern: number(of: value)) != 0
  }

  static func tag(of value: UnsafeRawBufferPointer) -> RecordedBytes.Tag { RecordedBytes.Tag(rawValue: value.first ?? 0) ?? .null }

  private static func number(of value: UnsafeRawBufferPointer) -> UInt64 {
    value.count > 8 ? UInt64(littleEndian: value.loadUnaligned(fromByteOffset: 1, as: UInt64.self)) : 0
  }

  /// The bytes of a text or a blob.
  private static func content(of value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var start = 1
    while start < value.count, value[start] >= 0x80 { start += 1 }
    return UnsafeRawBufferPointer(rebasing: value[min(start + 1, value.count)...])
  }
}
