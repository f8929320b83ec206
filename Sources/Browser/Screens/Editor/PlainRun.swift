/// Steps over what is a character a scalar, each as wide as all of its script: to measure any other character takes a hundred times as long.
struct PlainRun {
  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var stop: TextLine.Stop
  /// Where the last character stepped over begins.
  private var last: TextLine.Stop

  init(bytes: UnsafeBufferPointer<UInt8>, stop: TextLine.Stop) {
    self.bytes = bytes
    self.stop = stop
    last = stop
  }

  /// Goes on to the first character that is not plain, or as far as neither is exceeded.
  mutating func advance(untilOffset end: Int, column limit: Int) {
    while stop.offset < end, stop.column < limit {
      if skipWords(atMost: min(end - stop.offset, limit - stop.column)) { continue }
      guard let (length, columns) = Self.plainScalar(in: bytes, at: stop.offset) else { break }
      guard columns <= limit - stop.column else { return }
      last = stop
      stop.offset += length
      stop.column += columns
    }
    // What is not plain may be a mark on the character before it.
    if stop.offset < bytes.count, Self.plainScalar(in: bytes, at: stop.offset) == nil { stop = last }
  }

  /// Steps over eight bytes at a time as long as all are ASCII and none is a tab.
  private mutating func skipWords(atMost count: Int) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let raw = UnsafeRawBufferPointer(bytes)
    var skipped = 0
    while skipped + 8 <= count {
      let word = raw.loadUnaligned(fromByteOffset: stop.offset + skipped, as: UInt64.self)
      // A byte that is a tab borrows from its highest bit.
      let tabs = (word ^ (ones &* UInt64(TextLine.tab))) &- ones
      guard (word | tabs) & (ones << 7) == 0 else { break }
      skipped += 8
    }
    guard skipped > 0 else { return false }
    stop = TextLine.Stop(offset: stop.offset + skipped, column: stop.column + skipped)
    last = TextLine.Stop(offset: stop.offset - 1, column: stop.column - 1)
    return true
  }

  /// The bytes and the cells of the scalar at a place in valid UTF-8; nil for a tab, and for what is of varying width or joins others.
  private static func plainScalar(in bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> (length: Int, columns: Int)? {
    let first = bytes[place]
    if first < 0x80 { return first == TextLine.tab ? nil : (1, 1) }
    if first < 0xE0 {
      let value = UInt32(first & 0x1F) << 6 | UInt32(bytes[place + 1] & 0x3F)
      return isNarrow(value) ? (2, 1) : nil
    }
    guard first < 0xF0 else { return nil }
    let value = UInt32(first & 0x0F) << 12 | UInt32(bytes[place + 1] & 0x3F) << 6 | UInt32(bytes[place + 2] & 0x3F)
    return isWide(value) ? (3, 2) : nil
  }

  /// Latin, Greek and Cyrillic letters.
  private static func isNarrow(_ value: UInt32) -> Bool {
    switch value {
    case 0xA1...0xAC, 0xAE...0x24F, 0x386...0x3FF, 0x400...0x482, 0x48A...0x52F: true
    default: false
    }
  }

  /// Whether a plain character of two cells ends at a place.
  static func isWide(before place: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard place >= 3, bytes[place - 3] >= 0xE0, let (length, columns) = plainScalar(in: bytes, at: place - 3) else { return false }
    return length == 3 && columns == 2
  }

  /// Kana, Chinese characters and syllables of Hangul.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x3001...0x3002, 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF5E: true
    default: false
    }
  }
}
