extension CountedValue {
  /// Creates a counted value from the stored beginning of a text, without an incomplete last character.
  init(beginning bytes: UnsafeRawBufferPointer) {
    let isCut = bytes.count >= FrequencyTable.prefixLimit
    let end = isCut ? bytes.suffix(4).lastIndex { $0 & 0xC0 != 0x80 } : nil
    guard let end, end > 0, bytes[end] >= 0x80 else {
      self.init(text: bytes)
      return
    }
    self.init(text: UnsafeRawBufferPointer(rebasing: bytes[..<end]))
  }
}
