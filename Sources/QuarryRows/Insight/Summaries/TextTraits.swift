/// Properties of a text or its bytes that one pass over them determines.
enum TextTraits {
  /// Returns the number of characters as counted by SQLite's `length()`, and whether all bytes are ASCII and none is NUL.
  @inline(__always)
  static func length(of bytes: UnsafeRawBufferPointer) -> (characters: Int, isPlain: Bool) {
    guard let start = bytes.baseAddress else { return (0, true) }
    let count = bytes.count
    var odd: UInt64 = 0
    var offset = 0
    while offset + 8 <= count {
      let word = start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      odd |= (word | ((word &- 0x0101_0101_0101_0101) & ~word)) & 0x8080_8080_8080_8080
      offset += 8
    }
    while offset < count {
      let byte = start.load(fromByteOffset: offset, as: UInt8.self)
      if byte == 0 || byte >= 0x80 { odd = 1 }
      offset += 1
    }
    return odd == 0 ? (count, true) : (characters(bytes), false)
  }

  /// Counts characters up to the first NUL.
  private static func characters(_ bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    var index = 0
    while index < bytes.count, bytes[index] != 0 {
      let first = bytes[index]
      index += 1
      if first >= 0xC0 { while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 } }
      count += 1
    }
    return count
  }

  /// Returns whether a text is a number as people write it: only digits with a sign, a decimal point and an exponent.
  @inline(__always)
  static func isNumber(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = bytes.first, first <= 0x39, bytes.count <= 40 else { return false }
    return isWrittenNumber(bytes)
  }

  private static func isWrittenNumber(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    func skip(_ characters: StaticString) -> Bool {
      guard let byte = rest.first, characters.withUTF8Buffer({ $0.contains(byte) }) else { return false }
      rest = rest.dropFirst()
      return true
    }
    func digits() -> Int {
      let count = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }.count
      rest = rest.dropFirst(count)
      return count
    }
    _ = skip("+-")
    var count = digits()
    if skip(".") { count += digits() }
    guard count > 0 else { return false }
    if skip("eE") {
      _ = skip("+-")
      guard digits() > 0 else { return false }
    }
    return rest.isEmpty
  }

  /// Returns whether a text begins or ends with a blank.
  @inline(__always)
  static func hasBlanks(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = bytes.first, let last = bytes.last else { return false }
    return isBlank(first) || isBlank(last)
  }

  @inline(__always)
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }
}

/// The minimum and maximum of several texts or blobs; only the beginning of long ones.
struct ByteEnds: Sendable {
  private var least: [UInt8]?
  private var greatest: [UInt8] = []
  private var leastKey: UInt64 = 0
  private var greatestKey: UInt64 = 0
  private let order: ByteOrder

  init(_ order: ByteOrder = .bytes) {
    self.order = order
  }

  private static let limit = FrequencyTable.prefixLimit

  /// The minimum and maximum; nil if there are no values.
  var ends: (least: [UInt8], greatest: [UInt8])? { least.map { ($0, greatest) } }

  @inline(__always)
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    // The first eight bytes nearly always suffice if texts are compared by bytes.
    let key = order.isOfBytes ? Self.key(bytes) : 0
    if least != nil, key > leastKey, key < greatestKey { return }
    addNearEnd(bytes, key)
  }

  private mutating func addNearEnd(_ bytes: UnsafeRawBufferPointer, _ key: UInt64) {
    if least == nil || key <= leastKey {
      let isLess = least.map { least in least.withUnsafeBytes { order.compare(bytes, $0) < 0 } } ?? true
      if isLess { (least, leastKey) = (Array(bytes.prefix(Self.limit)), key) }
    }
    guard key >= greatestKey, greatest.withUnsafeBytes({ order.compare(bytes, $0) }) >= 0 else { return }
    greatestKey = key
    let beginning = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.limit))
    // In the memory of the last one, because in an ascending column each value is the maximum.
    if beginning.count == greatest.count {
      greatest.withUnsafeMutableBytes { $0.copyMemory(from: beginning) }
    } else {
      greatest.removeAll(keepingCapacity: true)
      greatest.append(contentsOf: beginning)
    }
  }

  mutating func merge(_ other: ByteEnds) {
    guard let ends = other.ends else { return }
    for end in [ends.least, ends.greatest] { end.withUnsafeBytes { add($0) } }
  }

  @inline(__always)
  private static func key(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    if bytes.count >= 8, let start = bytes.baseAddress { return UInt64(bigEndian: start.loadUnaligned(as: UInt64.self)) }
    var key: UInt64 = 0
    for index in 0..<bytes.count { key |= UInt64(bytes[index]) << UInt64(56 - 8 * index) }
    return key
  }
}
