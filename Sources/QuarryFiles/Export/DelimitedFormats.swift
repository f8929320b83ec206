/// Values between separators, in quotes where they need them.
protocol DelimitedFormat: RowFormat {
  static var separator: UInt8 { get }
  static func needsQuotes(_ bytes: UnsafeRawBufferPointer) -> Bool

  var columns: [String] { get }
}

extension DelimitedFormat {
  func start(_ out: inout ByteBuffer) {
    writeNames(columns, &out)
  }

  func startCell(_ index: Int, _ out: inout ByteBuffer) {
    if index > 0 { out.append(Self.separator) }
  }

  func text(_ bytes: UnsafeRawBufferPointer, _ out: inout ByteBuffer) {
    guard Self.needsQuotes(bytes) else { return out.append(bytes) }
    out.append(UInt8(ascii: "\""))
    out.append(bytes, doubling: UInt8(ascii: "\""))
    out.append(UInt8(ascii: "\""))
  }
}

/// Comma-separated values as the sqlite3 shell quotes them.
///
/// Values are quoted only where necessary: NULL is empty, and an empty text is `""`.
struct CSVFormat: DelimitedFormat {
  static var separator: UInt8 { UInt8(ascii: ",") }

  let columns: [String]

  static func needsQuotes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.isEmpty || bytes.contains(where: needsQuotes)
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case ...UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: ","), 0x7f...: true
    default: false
    }
  }
}

/// Tab-separated values with the quotes of CSV, where they are needed: around tabs, line ends, a leading quote and an empty text.
///
/// Spreadsheets copy and paste such cells. A backslash is a character as any other, so that paths of Windows stay what they are.
struct TSVFormat: DelimitedFormat {
  static var separator: UInt8 { UInt8(ascii: "\t") }

  let columns: [String]

  static func needsQuotes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch bytes.first {
    // A byte order mark at the beginning of a file is none of the text.
    case nil, UInt8(ascii: "\""), 0xEF: true
    default: bytes.contains { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    }
  }
}
