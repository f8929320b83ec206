internal import QuarryEngine

/// The bytes that represent the values of the levels of a group, equal if SQLite considers the values equal.
///
/// Each value is a byte for its storage class, the length of a text or blob in 4 bytes, and its bytes. An integer represents the real that
/// equals it.
struct GroupKey: ~Copyable {
  private let memory = GrowingBuffer<UInt8>(zeros: 256)
  private var count = 0
  /// The levels, as bits from the lowest, whose real is represented by an integer.
  private(set) var wholeReals: UInt64 = 0

  /// The number of levels that can be represented.
  static let mostLevels = 64

  /// The bytes, valid until the key changes.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory.raw[..<count]) }

  mutating func clear() { (count, wholeReals) = (0, 0) }

  /// Appends the value of a level.
  @inline(__always)
  mutating func append(_ value: BorrowedValue, level: Int) {
    switch value {
    case .null: append(.null, length: 0)
    case .integer(let integer): append(.integer, UInt64(bitPattern: integer))
    case .real(let real):
      if let whole = Int64(exactly: real) {
        append(.integer, UInt64(bitPattern: whole))
        wholeReals |= 1 << UInt64(level)
      } else {
        append(.real, real.bitPattern)
      }
    case .text(let bytes): append(.text, bytes)
    case .blob(let bytes): append(.blob, bytes)
    }
  }

  private enum Kind: UInt8 {
    case null, integer, real, text, blob

    /// The number of bytes between the storage class and the value.
    var headSize: Int { self == .text || self == .blob ? 4 : 0 }
  }

  @inline(__always)
  private mutating func append(_ kind: Kind, length: Int) {
    memory.grow(to: count + 1 + length)
    memory[count] = kind.rawValue
    count += 1
  }

  @inline(__always)
  private mutating func append(_ kind: Kind, _ bits: UInt64) {
    append(kind, length: 8)
    withUnsafeBytes(of: bits) { memory.write($0, at: count) }
    count += 8
  }

  @inline(__always)
  private mutating func append(_ kind: Kind, _ bytes: UnsafeRawBufferPointer) {
    append(kind, length: kind.headSize + bytes.count)
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: bytes.count)) { memory.write($0, at: count) }
    memory.write(bytes, at: count + kind.headSize)
    count += kind.headSize + bytes.count
  }

  /// Returns the values that a key represents.
  static func values(of key: UnsafeRawBufferPointer, wholeReals: UInt64) -> [StoredValue] {
    var values: [StoredValue] = []
    var offset = 0
    while offset < key.count {
      let kind = Kind(rawValue: key[offset]) ?? .null
      let start = offset + 1 + kind.headSize
      let length =
        switch kind {
        case .null: 0
        case .integer, .real: 8
        case .text, .blob: Int(key.loadUnaligned(fromByteOffset: offset + 1, as: UInt32.self))
        }
      let isReal = wholeReals >> UInt64(values.count) & 1 == 1
      values.append(value(kind, UnsafeRawBufferPointer(rebasing: key[start..<start + length]), isReal: isReal))
      offset = start + length
    }
    return values
  }

  private static func value(_ kind: Kind, _ bytes: UnsafeRawBufferPointer, isReal: Bool) -> StoredValue {
    switch kind {
    case .null: return .null
    case .integer:
      let integer = bytes.loadUnaligned(as: Int64.self)
      return .value(isReal ? .real(Double(integer)) : .integer(integer))
    case .real: return .value(.real(bytes.loadUnaligned(as: Double.self)))
    case .text: return String(validating: bytes, as: UTF8.self).map { .value(.text($0)) } ?? .rawText(Array(bytes))
    case .blob: return .value(.blob(Array(bytes)))
    }
  }
}
