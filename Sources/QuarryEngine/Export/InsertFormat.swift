/// An INSERT statement a row, which SQLite reads back as the same values.
///
/// ```sql
/// INSERT INTO tags(id,title) VALUES(1,'it''s');
/// ```
struct InsertFormat: RowFormat {
  private let head: [UInt8]

  init(columns: [String], table: String) {
    let names = columns.map(SQLIdentifier.quoted).joined(separator: ",")
    head = Array("INSERT INTO \(SQLIdentifier.quoted(table))(\(names)) VALUES".utf8)
  }

  func start(_ out: inout ByteBuffer) {}

  func startRow(_ out: inout ByteBuffer, isFirst: Bool) {
    out.append(head)
  }

  func startCell(_ index: Int, _ out: inout ByteBuffer) {
    out.append(UInt8(ascii: index > 0 ? "," : "("))
  }

  func endRow(_ out: inout ByteBuffer) {
    out.append(");\n")
  }

  func null(_ out: inout ByteBuffer) {
    out.append("NULL")
  }

  /// Writes a text literal, or where one would end early or be no text, at a NUL or a byte that is not UTF-8, a cast of its bytes.
  func text(_ bytes: UnsafeRawBufferPointer, _ out: inout ByteBuffer) {
    if bytes.contains(0) || UTF8Validation.firstFault(in: bytes) != nil {
      out.append("CAST(")
      out.append(blobLiteral: bytes)
      out.append(" AS TEXT)")
    } else {
      out.append(UInt8(ascii: "'"))
      out.append(bytes, doubling: UInt8(ascii: "'"))
      out.append(UInt8(ascii: "'"))
    }
  }
}
