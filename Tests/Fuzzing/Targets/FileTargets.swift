internal import Foundation
internal import QuarryChanges
internal import QuarryFiles

extension FuzzTarget {
  static let files = [
    FuzzTarget("csv") { try records($0, separator: UInt8(ascii: ",")) }, FuzzTarget("text-or-json") { try records($0, separator: nil) },
    FuzzTarget("change-record", changeRecord),
  ]

  /// A file has the same fields whether it arrives at once or in pieces.
  private static func records(_ bytes: [UInt8], separator: UInt8?) throws -> String? {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("quarry-fuzz-\(UUID())")
    try Data(bytes).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let options = RecordReadingOptions(separator: separator)
    let whole = fields(url.path, options, chunkLength: .max)
    return fields(url.path, options, chunkLength: 7) == whole ? nil : "other fields in pieces of 7 bytes"
  }

  private static func fields(_ path: String, _ options: RecordReadingOptions, chunkLength: Int) -> [[UInt8]] {
    var fields: [[UInt8]] = []
    do {
      let reader = try RecordFile.reader(of: ByteSource(path: path, chunkLength: chunkLength), options: options)
      let batch = RecordBatch()
      while try reader.read(into: batch) {
        for record in 0..<batch.count {
          for column in 0..<batch.columnCount { fields.append(content(of: batch.field(record, column), batch)) }
        }
      }
    } catch {
      fields.append(Array("\(error)".utf8))
    }
    return fields
  }

  private static func content(of field: RecordField, _ batch: RecordBatch) -> [UInt8] {
    switch field.kind {
    case .null: []
    case .integer: Array(String(field.integer).utf8)
    case .real: Array(String(field.real).utf8)
    case .text, .plain, .blob: Array("\(field.kind) ".utf8) + batch.bytes(of: field)
    }
  }

  /// The changes of a commit that are read lie inside its record.
  private static func changeRecord(_ bytes: [UInt8]) throws -> String? {
    var reader = RecordedBytesReader(bytes)
    while !reader.isAtEnd {
      let start = reader.position
      _ = try RecordedChange(from: &reader)
      if reader.position <= start || reader.position > bytes.count { return "a change ends at \(reader.position)" }
    }
    return nil
  }
}
