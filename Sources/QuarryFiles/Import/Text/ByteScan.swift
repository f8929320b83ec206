/// Searches bytes, eight at a time.
enum ByteScan {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Returns a word with eight copies of a byte.
  static func repeated(_ byte: UInt8) -> UInt64 { ones &* UInt64(byte) }

  /// Returns the position of the first of two bytes, each given as a repeated word.
  ///
  /// One must exist, followed by at least seven readable bytes.
  @inline(__always)
  static func first(
    of first: UInt64, or second: UInt64, from start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var place = start
    while true {
      let word = word(at: place)
      let found = zeroBytes(word ^ first) | zeroBytes(word ^ second)
      if found != 0 { return place + found.trailingZeroBitCount / 8 }
      place += 8
    }
  }

  /// Returns the position of a byte, given as a repeated word, or `end` if the byte does not occur before it.
  static func first(
    of byte: UInt64, orEnd end: UnsafeMutablePointer<UInt8>, from start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let value = UInt8(truncatingIfNeeded: byte)
    return UnsafeMutableBufferPointer(start: start, count: end - start).firstIndex(of: value).map { start + $0 } ?? end
  }

  /// Returns the position of the first byte that ends a run of ordinary characters in a JSON string: a quote, a backslash or a byte below
  /// 0x20.
  @inline(__always)
  static func firstSpecialInString(from start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    var place = start
    while true {
      let word = word(at: place)
      let control = (word &- ones &* 0x20) & ~word & highBits
      let found = zeroBytes(word ^ (ones &* 0x22)) | zeroBytes(word ^ (ones &* 0x5C)) | control
      if found != 0 { return place + found.trailingZeroBitCount / 8 }
      place += 8
    }
  }

  /// Moves bytes to an earlier position, up to a byte given as a repeated word, and returns their number.
  ///
  /// The byte must exist, followed by at least seven readable bytes.
  @inline(__always)
  static func move(from start: UnsafeMutablePointer<UInt8>, to destination: UnsafeMutablePointer<UInt8>, upTo byte: UInt64) -> Int {
    var count = 0
    while true {
      let word = word(at: start + count)
      let found = zeroBytes(word ^ byte)
      if found == 0 {
        store(word, at: destination + count)
        count += 8
        continue
      }
      // The bytes after the destination have not been read yet and must be preserved.
      let length = found.trailingZeroBitCount / 8
      let mask = (UInt64(1) << UInt64(length * 8)) &- 1
      store((word & mask) | (self.word(at: destination + count) & ~mask), at: destination + count)
      return count + length
    }
  }

  /// Returns the number of occurrences of a byte between two positions.
  @inline(__always)
  static func count(_ byte: UInt8, from start: UnsafeMutablePointer<UInt8>, to end: UnsafeMutablePointer<UInt8>) -> Int {
    var count = 0
    for each in UnsafeBufferPointer(start: start, count: max(0, end - start)) where each == byte { count &+= 1 }
    return count
  }

  @inline(__always)
  private static func word(at place: UnsafeMutablePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  private static func store(_ word: UInt64, at place: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(place).storeBytes(of: word.littleEndian, as: UInt64.self)
  }

  /// Returns a word whose lowest set bit is in the first zero byte.
  ///
  /// Higher bits have no meaning.
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    (word &- ones) & ~word & highBits
  }
}
