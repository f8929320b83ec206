/// Reads the records of a delimited text, such as CSV or TSV.
///
/// The fields of a batch are the original bytes of the file, without quotes. An empty field is ``RecordField/Kind/null``. A quoted field is
/// ``RecordField/Kind/text`` even if it is empty. Any other field is ``RecordField/Kind/plain``. If all fields are quoted, quoted fields
/// that may be numbers are plain as well. An empty line is not a record, unless the table has a single column: then it is a record of NULL.
final class DelimitedReader: RecordReader, @unchecked Sendable {
  // Sendable because only one thread uses it at a time. Operations for any thread belong to the source.

  let dialect: DelimitedDialect?
  let firstTable: RecordTable
  private let rules: DelimitedDialect
  private let window: TextWindow
  private var line: Int
  private var hasKeptRecords = true
  /// The lines before the first record.
  private var preamble: FirstRecord
  let titles: TitleLines
  let skippedLines: Int

  var encoding: TextEncoding { window.text.encoding }
  var byteCount: Int? { window.text.source.byteCount }

  /// Creates a reader of a text from a sample of its beginning.
  ///
  /// - Throws: ``FileReadError`` if the text has no record, or more columns than SQLite allows.
  init(_ window: TextWindow, _ sample: TextSample, options: RecordReadingOptions) throws {
    self.window = window
    let detection = try DialectDetection.complete(sample, options: options, path: window.path)
    (rules, titles, skippedLines) = (detection.dialect, detection.titles, options.skippedLines ?? 0)
    dialect = rules
    let batch = sample.batch
    var scanner = DelimitedScanner(
      rules, base: batch.bytes, from: detection.offset, count: window.count, line: detection.line, isLast: window.isAtEnd)
    let first = try FirstRecord(&scanner, rules, after: titles.count, path: window.path)
    preamble = first
    firstTable = RecordTable(index: 0, name: nil, columns: first.columns)
    line = rules.hasHeader ? scanner.line : first.line
    window.finish(batch, keepingFrom: rules.hasHeader ? scanner.offset : first.offset)
  }

  func read(into batch: RecordBatch) throws -> Bool {
    batch.reset(for: firstTable)
    try window.begin(batch)
    swap(&batch.faults, &preamble.faults)
    swap(&batch.blankLineCount, &preamble.blankLineCount)
    swap(&batch.commentLineCount, &preamble.commentLineCount)
    var used = 0
    if !hasKeptRecords { try window.readOn(batch, unfinishedFrom: 0, line: line) }
    while true {
      used = scan(batch, from: used)
      if !batch.isEmpty || window.isAtEnd { break }
      try window.readOn(batch, unfinishedFrom: used, line: line)
    }
    hasKeptRecords = false
    window.finish(batch, keepingFrom: used)
    return !batch.isEmpty || batch.blankLineCount > 0 || batch.commentLineCount > 0
  }

  /// Scans all complete records, and returns the offset of their end.
  private func scan(_ batch: RecordBatch, from start: Int) -> Int {
    let columnCount = batch.columnCount
    var scanner = DelimitedScanner(rules, base: batch.bytes, from: start, count: window.count, line: line, isLast: window.isAtEnd)
    while !scanner.isAtEnd {
      let (begin, line) = (scanner.position, scanner.line)
      let fields = batch.nextFields()
      switch scanner.next(into: fields, room: columnCount) {
      case .record where scanner.fieldCount == columnCount:
        if scanner.hasDoubledQuotes { scanner.unquote(fields, count: columnCount) }
        if rules.quotesAll { Self.passOverQuotes(fields, count: columnCount, base: batch.bytes) }
        batch.finishRecord(line: line)
      case .record:
        let reason = RecordFault.Reason.fieldCount(found: scanner.fieldCount, expected: columnCount)
        batch.faults.append(scanner.fault(reason, at: begin, recordFrom: begin, line: line))
      case .blank where columnCount == 1:
        fields[0] = .null
        batch.finishRecord(line: line)
      case .blank: batch.blankLineCount += 1
      case .comment: batch.commentLineCount += 1
      case .fault(let reason, let place): batch.faults.append(scanner.fault(reason, at: place, recordFrom: begin, line: line))
      case .incomplete:
        self.line = scanner.line
        return scanner.offset
      }
    }
    line = scanner.line
    return scanner.offset
  }
}

extension DelimitedReader {
  /// Converts quoted fields that may be numbers to plain fields.
  private static func passOverQuotes(_ fields: UnsafeMutablePointer<RecordField>, count: Int, base: UnsafeMutablePointer<UInt8>) {
    for index in 0..<count where fields[index].kind == .text && fields[index].length > 0 {
      let first = base[fields[index].offset]
      guard first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else { continue }
      fields[index] = RecordField(.plain, offset: fields[index].offset, length: Int(fields[index].length))
    }
  }
}

/// The first record of a delimited text, which determines the number of columns.
private struct FirstRecord {
  var columns: [RecordColumn] = []
  /// The start of the record.
  var line = 1
  var offset = 0
  var faults: [RecordFault] = []
  var (blankLineCount, commentLineCount) = (0, 0)

  init(_ scanner: inout DelimitedScanner, _ dialect: DelimitedDialect, after titleCount: Int, path: String) throws {
    var titles = titleCount
    try withUnsafeTemporaryAllocation(of: RecordField.self, capacity: DialectDetection.mostFields) { room in
      guard let fields = room.baseAddress else { return }
      while !scanner.isAtEnd {
        (line, offset) = (scanner.line, scanner.offset)
        let begin = scanner.position
        switch scanner.next(into: fields, room: room.count) {
        case .record where titles > 0: titles -= 1
        case .record:
          let count = scanner.fieldCount
          if count >= room.count { throw FileReadError(kind: .tooManyColumns(count, line: line), path: path) }
          columns = dialect.hasHeader ? Self.columns(scanner.texts(of: fields)) : Self.numberedColumns(count)
          return
        case .fault(let reason, let place): faults.append(scanner.fault(reason, at: place, recordFrom: begin, line: line))
        case .blank: blankLineCount += 1
        case .comment: commentLineCount += 1
        case .incomplete: break
        }
      }
    }
  }

  private static func columns(_ names: [String]) -> [RecordColumn] {
    var naming = ColumnNaming()
    for name in names { naming.add(name) }
    return naming.columns
  }

  private static func numberedColumns(_ count: Int) -> [RecordColumn] {
    (0..<count).map { RecordColumn(name: "column\($0 + 1)", nameInFile: "column\($0 + 1)") }
  }
}
