extension TextBuffer {
  /// Returns `text` with every line end as a line feed.
  static func normalized(_ text: String) -> String {
    var text = text
    let bytes = text.withUTF8 { $0.contains(carriageReturn) ? withLineFeeds($0) : nil }
    return bytes.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  private static let carriageReturn: UInt8 = 0x0D

  private static func withLineFeeds(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var isAfterReturn = false
    for byte in text {
      if byte != TextLine.end || !isAfterReturn { bytes.append(byte == carriageReturn ? TextLine.end : byte) }
      isAfterReturn = byte == carriageReturn
    }
    return bytes
  }
}

extension TextLine {
  /// Returns the lines of a text whose line ends are line feeds; there is always one.
  static func lines(of text: String) -> [TextLine] {
    var text = text
    return text.withUTF8 { bytes in
      bytes.split(separator: end, omittingEmptySubsequences: false).map { TextLine(text: String(decoding: $0, as: UTF8.self)) }
    }
  }
}
