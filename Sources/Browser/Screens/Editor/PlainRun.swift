/// A run of characters with a single scalar and a width known from their script.
///
/// Measuring other characters takes a hundred times as long.
struct PlainRun {
  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var stop: TextLine.Stop
  /// The start of the last skipped character.
  private var last: TextLine.Stop

  init(bytes: UnsafeBufferPointer<UInt8>, stop: TextLine.Stop) {
    self.bytes = bytes
    self.stop = stop
    last = stop
  }

  /// Advances to the first character that is not plain, or to the last one within both limits.
  mutating func advance(untilOffset end: Int, column limit: Int) {
    while stop.offset < end, stop.column < limit {
      if skipWords(atMost: min(end - stop.offset, limit - stop.column)) { continue }
      guard let (length, columns) = Self.plainScalar(in: bytes, at: stop.offset) else { break }
      guard columns <= limit - stop.column else { return }
      last = stop
      stop.offset += length
      stop.column += columns
    }
    // A character that is not plain may be a combining mark of the previous one.
    if stop.offset < bytes.count, Self.plainScalar(in: bytes, at: stop.offset) == nil { stop = last }
  }

  /// Skips eight bytes at a time while all of them are ASCII without tabs.
  private mutating func skipWords(atMost count: Int) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let raw = UnsafeRawBufferPointer(bytes)
    var skipped = 0
    while skipped + 8 <= count {
      let word = raw.loadUnaligned(fromByteOffset: stop.offset + skipped, as: UInt64.self)
      // A tab byte borrows from its highest bit.
      let tabs = (word ^ (ones &* UInt64(TextLine.tab))) &- ones
      guard (word | tabs) & (ones << 7) == 0 else { break }
      skipped += 8
    }
    guard skipped > 0 else { return false }
    stop = TextLine.Stop(offset: stop.offset + skipped, column: stop.column + skipped)
    last = TextLine.Stop(offset: stop.offset - 1, column: stop.column - 1)
    return true
  }

  /// Returns the bytes and columns of a plain scalar at an offset in valid UTF-8.
  ///
  /// Returns nil for a tab, a variable width, or a joining scalar.
  private static func plainScalar(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> (length: Int, columns: Int)? {
    let first = bytes[offset]
    if first < 0x80 { return first == TextLine.tab ? nil : (1, 1) }
    if first < 0xE0 {
      let value = UInt32(first & 0x1F) << 6 | UInt32(bytes[offset + 1] & 0x3F)
      return isNarrow(value) ? (2, 1) : nil
    }
    guard first < 0xF0 else { return nil }
    let value = UInt32(first & 0x0F) << 12 | UInt32(bytes[offset + 1] & 0x3F) << 6 | UInt32(bytes[offset + 2] & 0x3F)
    return isWide(value) ? (3, 2) : nil
  }

  /// Returns whether a scalar is a Latin, Greek or Cyrillic letter.
  private static func isNarrow(_ value: UInt32) -> Bool {
    switch value {
    case 0xA1...0xAC, 0xAE...0x24F, 0x386...0x3FF, 0x400...0x482, 0x48A...0x52F: true
    default: false
    }
  }

  /// Returns whether a plain character of two columns ends at an offset.
  static func isWide(before offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard offset >= 3, bytes[offset - 3] >= 0xE0, let (length, columns) = plainScalar(in: bytes, at: offset - 3) else { return false }
    return length == 3 && columns == 2
  }

  /// Returns whether a scalar is Kana, a Chinese character or a Hangul syllable.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x3001...0x3002, 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF5E: true
    default: false
    }
  }
}
