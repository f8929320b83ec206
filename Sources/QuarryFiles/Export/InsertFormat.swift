internal import QuarryEngine

/// One INSERT statement per row, which SQLite reads back as the same values.
///
/// ```sql
/// INSERT INTO tags(id,title) VALUES(1,'it''s');
/// ```
struct InsertFormat: RowFormat {
  private let head: [UInt8]
  private let reals = RealLiterals()

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

  func real(_ value: Double, _ out: inout ByteBuffer) {
    reals.write(value, to: &out)
  }

  func text(_ bytes: UnsafeRawBufferPointer, _ out: inout ByteBuffer) {
    out.append(sqlText: bytes)
  }
}
