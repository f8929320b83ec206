/// A format of delimited values, quoted if necessary.
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

/// Comma-separated values, quoted like in the sqlite3 shell.
///
/// Values are quoted only if necessary. NULL is empty, and an empty text is `""`.
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

/// Tab-separated values, quoted like CSV only if necessary: with tabs, line ends, a leading quote or an empty text.
///
/// Spreadsheets copy and paste such cells. A backslash is an ordinary character, so that Windows paths are unchanged.
struct TSVFormat: DelimitedFormat {
  static var separator: UInt8 { UInt8(ascii: "\t") }

  let columns: [String]

  static func needsQuotes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch bytes.first {
    // A byte order mark at the beginning of a file is not part of the text.
    case nil, UInt8(ascii: "\""), 0xEF: true
    default: bytes.contains { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    }
  }
}
