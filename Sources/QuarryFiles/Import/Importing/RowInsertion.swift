internal import QuarryEngine

/// A statement that writes records of a file into a table, one or several at once.
final class RowInsertion {
  private let statement: Statement
  private let places: [Int]
  private var scratch = ByteBuffer(capacity: 64)

  /// Prepares the statement.
  ///
  /// - Parameter places: The indexes in the file of the columns for a row's parameters, in order.
  init(sql: String, places: [Int], in db: Database) throws {
    statement = try db.makeStatement(sql: sql, options: .persistent)
    self.places = places
  }

  /// Inserts as many records as the statement has rows.
  ///
  /// The types of the columns determine how the values are bound.
  func insert(_ records: Range<Int>, of batch: RecordBatch, as types: [ImportType]) throws {
    var parameter = 1
    for record in records {
      for column in places {
        try bind(record, column, of: batch, as: types, at: parameter)
        parameter += 1
      }
    }
    try statement.step()
    try statement.reset()
  }

  @inline(__always)
  private func bind(_ record: Int, _ column: Int, of batch: RecordBatch, as types: [ImportType], at index: Int) throws {
    // A JSON column that was not known yet when this record was read.
    guard column < batch.columnCount else { return try statement.bindNull(at: index) }
    let field = batch.field(record, column)
    switch field.kind {
    case .null: try statement.bindNull(at: index)
    case .integer where types[column] != .text: try statement.bindInteger(field.integer, at: index)
    case .real where types[column] != .text: try statement.bindReal(field.real, at: index)
    case .integer, .real: try bindWritten(field, at: index)
    case .plain where types[column] == .blob:
      let bytes = batch.bytes(of: field)
      guard let blob = Self.blob(spelledBy: bytes) else { return try statement.bindLentText(bytes, at: index) }
      try blob.withUnsafeBytes { try statement.bindBlob($0, at: index) }
    case .plain, .text: try statement.bindLentText(batch.bytes(of: field), at: index)
    case .blob: try statement.bindBlob(batch.bytes(of: field), at: index)
    }
  }

  /// Binds a number as its text.
  private func bindWritten(_ field: RecordField, at index: Int) throws {
    scratch.truncate(to: 0)
    if field.kind == .integer { scratch.append(decimal: field.integer) } else { scratch.append(real: field.real) }
    try statement.bindText(scratch.bytes, at: index)
  }

  /// Returns the bytes of a text in hexadecimal notation such as `x'00ff'`, or nil for any other text.
  private static func blob(spelledBy text: UnsafeRawBufferPointer) -> [UInt8]? {
    guard text.count >= 3, text.count % 2 == 1, text[0] | 0x20 == UInt8(ascii: "x"), text[1] == UInt8(ascii: "'"),
      text[text.count - 1] == UInt8(ascii: "'")
    else { return nil }
    return [UInt8](hexadecimal: text.dropFirst(2).dropLast())
  }
}

extension DatabaseError {
  /// Whether the error concerns only one row, so that another row can be written.
  var isOfRow: Bool {
    switch resultCode {
    case Self.SQLITE_CONSTRAINT, Self.SQLITE_MISMATCH, Self.SQLITE_TOOBIG, Self.SQLITE_ERROR: true
    default: false
    }
  }
}
