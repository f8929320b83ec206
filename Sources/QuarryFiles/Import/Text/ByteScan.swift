/// Searches in bytes, eight at a time.
enum ByteScan {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Returns a word of a byte eight times.
  static func repeated(_ byte: UInt8) -> UInt64 { ones &* UInt64(byte) }

  /// Returns the place of the first byte that is one of two, each given eight times; there has to be one, and seven bytes of any kind after
  /// it.
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

  /// Returns the place of a byte, given eight times; `end` where it is not before that.
  static func first(
    of byte: UInt64, orEnd end: UnsafeMutablePointer<UInt8>, from start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let value = UInt8(truncatingIfNeeded: byte)
    return UnsafeMutableBufferPointer(start: start, count: end - start).firstIndex(of: value).map { start + $0 } ?? end
  }

  /// Returns the place of the first byte that ends a run of ordinary characters in a JSON string: a quote, a backslash, a byte below 0x20.
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

  /// Moves bytes to a place that lies before them, up to a byte that is given eight times, and returns how many there were; there has to be
  /// such a byte, and seven bytes of any kind after it.
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
      // What lies behind the bytes at the destination has not been read yet, and stays.
      let length = found.trailingZeroBitCount / 8
      let mask = (UInt64(1) << UInt64(length * 8)) &- 1
      store((word & mask) | (self.word(at: destination + count) & ~mask), at: destination + count)
      return count + length
    }
  }

  /// Returns how often a byte stands between two places.
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

  /// Returns a word whose lowest bit that is set is in the first byte that is 0; bits above it mean nothing.
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    (word &- ones) & ~word & highBits
  }
}
