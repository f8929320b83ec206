/// Comma-separated values as the sqlite3 shell quotes them.
///
/// Values are quoted only where necessary: NULL is empty, and an empty text is `""`.
struct CSVFormat: RowFormat {
  let columns: [String]

  func start(_ out: inout ByteBuffer) {
    for (index, column) in columns.enumerated() {
      startCell(index, &out)
      var column = column
      column.withUTF8 { text(UnsafeRawBufferPointer($0), &out) }
    }
    endRow(&out)
  }

  func startCell(_ index: Int, _ out: inout ByteBuffer) {
    if index > 0 { out.append(UInt8(ascii: ",")) }
  }

  func text(_ bytes: UnsafeRawBufferPointer, _ out: inout ByteBuffer) {
    guard Self.needsQuotes(bytes) else { return out.append(bytes) }
    out.append(UInt8(ascii: "\""))
    out.append(bytes, doubling: UInt8(ascii: "\""))
    out.append(UInt8(ascii: "\""))
  }

  private static func needsQuotes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.isEmpty || bytes.contains(where: needsQuotes)
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case ...UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: ","), 0x7f...: true
    default: false
    }
  }
}

/// Tab-separated values, a row a line whatever is in them: tabs and line ends are written `\t`, `\n` and `\r`, a backslash `\\`.
struct TSVFormat: RowFormat {
  let columns: [String]

  func start(_ out: inout ByteBuffer) {
    for (index, column) in columns.enumerated() {
      startCell(index, &out)
      var column = column
      column.withUTF8 { text(UnsafeRawBufferPointer($0), &out) }
    }
    endRow(&out)
  }

  func startCell(_ index: Int, _ out: inout ByteBuffer) {
    if index > 0 { out.append(UInt8(ascii: "\t")) }
  }

  func text(_ bytes: UnsafeRawBufferPointer, _ out: inout ByteBuffer) {
    out.append(pieces: bytes) { source, destination in
      var length = 0
      for byte in source {
        let letter = Self.escape(byte)
        if letter != 0 {
          destination[length] = UInt8(ascii: "\\")
          length &+= 1
        }
        destination[length] = letter == 0 ? byte : letter
        length &+= 1
      }
      return length
    }
  }

  /// Returns what stands for a byte after a backslash, 0 where it stands for itself.
  private static func escape(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "\t"): UInt8(ascii: "t")
    case UInt8(ascii: "\n"): UInt8(ascii: "n")
    case UInt8(ascii: "\r"): UInt8(ascii: "r")
    case UInt8(ascii: "\\"): UInt8(ascii: "\\")
    default: 0
    }
  }
}
