import Foundation
import QuarryFiles
import Testing

/// A field as a test writes it down.
enum ReadField: Hashable {
  case null
  case text(String)
  case plain(String)
  case integer(Int64)
  case real(Double)
  case blob([UInt8])
  /// A text that is not UTF-8.
  case bytes([UInt8])

  /// Takes a field of a batch; a number of JSON that is no integer as the real that its column makes of it.
  init(_ field: RecordField, _ batch: RecordBatch, isJSON: Bool) {
    switch field.kind {
    case .null: self = .null
    case .integer: self = .integer(field.integer)
    case .real: self = .real(field.real)
    case .text: self = Self.text(of: batch.bytes(of: field)).map { .text($0) } ?? .bytes(Array(batch.bytes(of: field)))
    case .plain where isJSON && ExactDecimal.real(batch.bytes(of: field)) != nil:
      self = .real(ExactDecimal.real(batch.bytes(of: field)) ?? .nan)
    case .plain: self = Self.text(of: batch.bytes(of: field)).map { .plain($0) } ?? .bytes(Array(batch.bytes(of: field)))
    case .blob: self = .blob(Array(batch.bytes(of: field)))
    }
  }

  private static func text(of bytes: UnsafeRawBufferPointer) -> String? { String(validating: bytes, as: UTF8.self) }
}

/// All that a reader makes of a file.
struct ReadFile {
  struct Table: Equatable {
    var name: String?
    var columns: [String]
    /// Each record has a field for each column that the table has in the end.
    var rows: [[ReadField]]
    /// The lines on which the records begin.
    var lines: [Int]
  }

  var tables: [Table] = []
  var faults: [RecordFault] = []
  var blankLineCount = 0
  var commentLineCount = 0
  var titles = TitleLines()
  var passedOver: [String] = []
  var batchCount = 0
  var dialect: DelimitedDialect?
  var encoding = TextEncoding.utf8
  /// Why the rest could not be read.
  var failure: FileReadError.Kind?

  var rows: [[ReadField]] { tables.first?.rows ?? [] }
  var columns: [String] { tables.first?.columns ?? [] }
  var lines: [Int] { tables.first?.lines ?? [] }

  /// Reads a file to its end.
  ///
  /// - Parameters:
  ///   - chunkLength: the most bytes that come from the file at once.
  ///   - byteCapacity: how many bytes a batch has room for at first.
  init(
    path: String, options: RecordReadingOptions = RecordReadingOptions(), chunkLength: Int = .max, byteCapacity: Int = 1 << 18
  ) throws {
    do {
      let reader = try RecordFile.reader(of: ByteSource(path: path, chunkLength: chunkLength), options: options)
      (dialect, encoding, titles) = (reader.dialect, reader.encoding, reader.titles)
      if reader.dialect != nil { tables = [Table(columns: reader.firstTable.columns.map(\.name), rows: [], lines: [])] }
      let batch = RecordBatch(byteCapacity: byteCapacity)
      while try reader.read(into: batch) { add(batch) }
    } catch let error as FileReadError {
      failure = error.kind
    }
    for index in tables.indices {
      let width = tables[index].columns.count
      tables[index].rows = tables[index].rows.map { $0 + Array(repeating: .null, count: width - $0.count) }
    }
  }

  /// Reads bytes as a file.
  init(
    _ bytes: some Collection<UInt8>, options: RecordReadingOptions = RecordReadingOptions(), chunkLength: Int = .max,
    byteCapacity: Int = 1 << 18
  ) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("quarry-" + UUID().uuidString)
    try Data(bytes).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try self.init(path: url.path, options: options, chunkLength: chunkLength, byteCapacity: byteCapacity)
  }

  private mutating func add(_ batch: RecordBatch) {
    batchCount += 1
    faults += batch.faults
    blankLineCount += batch.blankLineCount
    commentLineCount += batch.commentLineCount
    passedOver += batch.passedOver
    guard batch.table.index >= 0 else { return }
    while tables.count <= batch.table.index { tables.append(Table(columns: [], rows: [], lines: [])) }
    let index = batch.table.index
    tables[index].name = batch.table.name
    tables[index].columns = batch.table.columns.map(\.name)
    for record in 0..<batch.count {
      tables[index].rows.append((0..<batch.columnCount).map { ReadField(batch.field(record, $0), batch, isJSON: dialect == nil) })
      tables[index].lines.append(batch.line(of: record))
    }
  }
}

/// Reads a text as a file.
func read(_ text: String, _ options: RecordReadingOptions = RecordReadingOptions()) throws -> ReadFile {
  try ReadFile(text.utf8, options: options)
}

/// Reads a text as it is, byte by byte, and by three bytes, and expects the same of each; returns it.
func readInPieces(_ text: some Collection<UInt8>, _ options: RecordReadingOptions = RecordReadingOptions()) throws -> ReadFile {
  let whole = try ReadFile(text, options: options)
  for (chunkLength, byteCapacity) in [(1, 1), (3, 1), (Int.max, 7)] {
    let pieces = try ReadFile(text, options: options, chunkLength: chunkLength, byteCapacity: byteCapacity)
    #expect(pieces.tables == whole.tables && pieces.faults == whole.faults, "in pieces of \(chunkLength)")
    #expect(pieces.failure == whole.failure && pieces.blankLineCount == whole.blankLineCount && pieces.dialect == whole.dialect)
    #expect(pieces.passedOver == whole.passedOver && pieces.commentLineCount == whole.commentLineCount && pieces.titles == whole.titles)
  }
  return whole
}

/// Runs `body` with the path of a file that has a text.
func withFile<Value>(_ text: String, _ body: (String) throws -> Value) throws -> Value {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("quarry-" + UUID().uuidString)
  try Data(text.utf8).write(to: url)
  defer { try? FileManager.default.removeItem(at: url) }
  return try body(url.path)
}
