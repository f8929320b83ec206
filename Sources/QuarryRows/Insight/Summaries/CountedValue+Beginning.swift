extension CountedValue {
  /// Makes a counted value of the kept beginning of a text, without a character that is cut through.
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
