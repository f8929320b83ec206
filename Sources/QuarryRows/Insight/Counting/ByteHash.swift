/// A hash of bytes, and one of numbers, with a key that differs from run to run.
struct ByteHash {
  private let first: UInt64
  private let second: UInt64

  /// The hash with the key of this process.
  static let own = ByteHash(first: .random(in: .min ... .max) | 1, second: .random(in: .min ... .max) | 1)

  /// Returns a hash whose 64 bits are practically random.
  @inline(__always)
  func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    guard count > 0, let start = bytes.baseAddress else { return Self.mix(first, second) }
    if count <= 16 {
      let (low, high) = Self.ends(start, count)
      return Self.mix(Self.mix(low ^ first, high ^ second) ^ UInt64(truncatingIfNeeded: count), second)
    }
    var state = first
    var offset = 0
    while offset + 16 <= count {
      state = Self.mix(Self.word(start, offset) ^ second, Self.word(start, offset + 8) ^ state)
      offset += 16
    }
    return Self.mix(
      Self.mix(Self.word(start, count - 16) ^ second, Self.word(start, count - 8) ^ state) ^ UInt64(truncatingIfNeeded: count), first)
  }

  /// Returns the hash of 64 bits.
  @inline(__always)
  func hash(_ bits: UInt64) -> UInt64 { Self.mix(Self.mix(bits ^ first, second), first) }

  /// Returns the bytes as two words, which may overlap.
  @inline(__always)
  private static func ends(_ start: UnsafeRawPointer, _ count: Int) -> (UInt64, UInt64) {
    if count >= 8 { return (word(start, 0), word(start, count - 8)) }
    if count >= 4 {
      return (
        UInt64(start.loadUnaligned(as: UInt32.self)), UInt64(start.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
      )
    }
    let middle = UInt64(start.load(fromByteOffset: count / 2, as: UInt8.self))
    let last = UInt64(start.load(fromByteOffset: count - 1, as: UInt8.self))
    return (UInt64(start.load(as: UInt8.self)) | middle << 8 | last << 16, 0)
  }

  @inline(__always)
  private static func word(_ start: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  @inline(__always)
  private static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let product = first.multipliedFullWidth(by: second)
    return product.high ^ product.low
  }
}
