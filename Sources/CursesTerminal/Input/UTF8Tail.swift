/// The end of bytes that are cut anywhere.
enum UTF8Tail {
  /// Returns how many bytes at the end begin a scalar that has not ended.
  static func unfinished(_ bytes: ArraySlice<UInt8>) -> Int {
    for (offset, byte) in bytes.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      let length = byte < 0xC2 || byte > 0xF4 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      return length > offset + 1 ? offset + 1 : 0
    }
    return 0
  }
}
