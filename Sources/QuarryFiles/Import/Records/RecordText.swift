internal import QuarryEngine

/// Writes a record in the format of its file, so that a rejected record can be corrected and imported again.
struct RecordText {
  /// The dialect of a delimited text, or nil for JSON.
  let dialect: DelimitedDialect?

  /// Returns a record in the format of its file: the fields of a line, or an object.
  func text(of record: Int, in batch: RecordBatch) -> [UInt8] {
    var out = ByteBuffer(capacity: 256)
    if let dialect {
      for column in 0..<batch.columnCount {
        if column > 0, let separator = dialect.separator { out.append(separator) }
        append(batch.field(record, column), of: batch, to: &out)
      }
    } else {
      appendObject(record, of: batch, to: &out)
    }
    return Array(out.bytes)
  }

  /// Returns stored values as a record in the format of the file.
  ///
  /// - Parameter names: The names of their columns in the file.
  func text(of values: [DatabaseValue], names: [String]) -> [UInt8] {
    var out = ByteBuffer(capacity: 256)
    if let dialect {
      let format = CSVFormat(columns: names)
      for (column, value) in values.enumerated() {
        if column > 0, let separator = dialect.separator { out.append(separator) }
        format.write(value, &out)
      }
    } else {
      let present = zip(names, values).filter { $0.1 != .null }
      let format = JSONFormat(columns: present.map(\.0), isArray: false)
      format.startRow(&out, isFirst: true)
      for (place, member) in present.enumerated() {
        format.startCell(place, &out)
        format.write(member.1, &out)
      }
      out.append("}")
    }
    return Array(out.bytes)
  }

  private func append(_ field: RecordField, of batch: RecordBatch, to out: inout ByteBuffer) {
    switch field.kind {
    case .null: break
    case .integer: out.append(decimal: field.integer)
    case .real: out.append(real: field.real)
    case .plain where dialect?.quotesAll != true: out.append(batch.bytes(of: field))
    case .plain, .text, .blob:
      out.append(UInt8(ascii: "\""))
      out.append(batch.bytes(of: field), doubling: UInt8(ascii: "\""))
      out.append(UInt8(ascii: "\""))
    }
  }

  /// Appends an object with the keys of the record.
  ///
  /// A nested value is a string, as it would be stored.
  private func appendObject(_ record: Int, of batch: RecordBatch, to out: inout ByteBuffer) {
    let present = (0..<batch.columnCount).filter { !batch.field(record, $0).isAbsent }
    let format = JSONFormat(columns: present.map { batch.table.columns[$0].nameInFile }, isArray: false)
    format.startRow(&out, isFirst: true)
    for (place, column) in present.enumerated() {
      let field = batch.field(record, column)
      format.startCell(place, &out)
      switch field.kind {
      case .null: format.null(&out)
      case .integer: out.append(decimal: field.integer)
      case .real: format.real(field.real, &out)
      case .text: format.text(batch.bytes(of: field), &out)
      case .plain: out.append(batch.bytes(of: field))
      case .blob: format.blob(batch.bytes(of: field), &out)
      }
    }
    out.append("}")
  }
}
