/// Finds by the first records of a delimited text how its fields are separated, and whether the first one has the names of the columns.
///
/// **Separator**: of `,`, `;`, tab and `|` the one by which the most of the first records have as many fields as the first record has, which
/// has to have two at least; of several such ones the tab, which is seldom part of a text, else the one that makes more fields. If not even a
/// quarter of the records agree with the first, each line is one field.
///
/// **Title**: lines of one field before records that agree: see ``TitleLines``.
///
/// **Header**: see ``HeaderDetection``.
///
/// **Quotes**: where every field has them, they are a habit of the program that wrote the file, and tell no text from a number.
///
/// **End of a line**: LF, unless the text has none, but CR.
///
/// A first line such as `sep=;`, which Excel writes and reads, says what the separator is, and is no record.
struct DialectDetection {
  /// A record that was looked at; one that is at fault has no fields.
  struct Record {
    var fields: HeaderDetection.Fields
    var offset: Int
    var line: Int
    /// Whether an empty line stands before it.
    var followsBlank = false
  }

  /// What was found.
  struct Result {
    var dialect: DelimitedDialect
    /// Where the titles begin, and the first record behind them.
    var offset: Int
    var line: Int
    var titles = TitleLines()
  }

  /// The records as a separator makes them.
  private struct Candidate {
    var separator: UInt8?
    var records: [Record]
    /// How many of the first records are titles.
    var titleCount: Int

    var body: ArraySlice<Record> { records.dropFirst(titleCount) }
    var width: Int { body.first?.fields.count ?? 0 }
    /// How many of the records have as many fields as the first one that is no title, of 1; 0 where that has only one.
    var agreement: Double { width > 1 ? Double(body.count { $0.fields.count == width }) / Double(records.count) : 0 }
  }

  /// The most fields that a record is looked at for: one more than SQLite allows columns.
  static let mostFields = 2001
  private static let mostRecords = 32

  private let options: RecordReadingOptions
  private let sample: TextSample
  private let lineEnd: UInt8
  private let hint: SeparatorHint?

  /// Looks at the beginning of a text.
  init(_ sample: TextSample, options: RecordReadingOptions) {
    (self.options, self.sample) = (options, sample)
    lineEnd = !sample.text.contains(0x0A) && sample.text.contains(0x0D) ? 0x0D : 0x0A
    hint = SeparatorHint(sample.text)
  }

  /// Finds the dialect by as much of a text as that takes, and where its first record begins.
  ///
  /// - Throws: ``FileReadError`` where the text has no record.
  static func complete(_ sample: TextSample, options: RecordReadingOptions, path: String) throws -> Result {
    while true {
      let detection = DialectDetection(sample, options: options)
      if let result = detection.result() { return result }
      if try !sample.readMore() { throw detection.failure(path: path) }
    }
  }

  /// Where the first record may begin; nil where that has not been read.
  private var start: (offset: Int, line: Int)? {
    guard let skipped = options.skippedLines, skipped > 0 else { return hint.map { ($0.length, 2) } ?? (0, 1) }
    var (rest, count) = (sample.text[...], 0)
    while count < skipped {
      guard let end = rest.firstIndex(of: lineEnd) else { return nil }
      rest = rest[(end + 1)...]
      count += 1
    }
    return (rest.startIndex, skipped + 1)
  }

  /// Returns what is found; nil where not one record has been read whole.
  private func result() -> Result? {
    guard let start, let found = separated(from: start), let first = found.body.first else { return nil }
    let hasHeader =
      options.hasHeader
      ?? HeaderDetection(first.fields, above: found.body.dropFirst().map(\.fields)).isHeader(knowing: options.knownNames)
    let dialect = DelimitedDialect(
      separator: found.separator, hasHeader: hasHeader, lineEnd: lineEnd, quotesAll: quotesAll(found.separator, from: first),
      comment: options.comment)
    let titles = TitleLines(found.records.prefix(found.titleCount))
    return Result(dialect: dialect, offset: start.offset, line: start.line, titles: titles)
  }

  /// Returns whether several records were looked at, and all their fields stand in quotes but for empty ones.
  private func quotesAll(_ separator: UInt8?, from first: Record) -> Bool {
    var (isQuoted, records) = (true, 0)
    forEachRecord(separatedBy: separator, from: (first.offset, first.line)) { fields, _ in
      records += 1
      isQuoted = isQuoted && fields.contains { $0.kind == .text } && !fields.contains { $0.kind == .plain }
    }
    return isQuoted && records > 1
  }

  /// Returns why a text that has been read to its end has no record.
  private func failure(path: String) -> FileReadError {
    guard let start else { return FileReadError(kind: .noRecordAfter(lines: options.skippedLines ?? 0), path: path) }
    let fault = forEachRecord(separatedBy: options.separator, from: start) { _, _ in }
    return FileReadError(kind: fault.map { .unreadable($0, records: 0) } ?? .empty, path: path)
  }

  // MARK: - Separator

  private func separated(from start: (offset: Int, line: Int)) -> Candidate? {
    if let separator = options.separator ?? hint?.separator {
      let candidate = candidate(separator, from: start)
      return candidate.records.isEmpty ? nil : candidate
    }
    let candidates = DelimitedDialect.knownSeparators.map { candidate($0, from: start) }.filter { $0.agreement >= 0.25 }
    // Of equals, the first one stays.
    let best = candidates.reduce(candidates.first) { best, next in
      guard let best, Self.isBetter(next, than: best) else { return best }
      return next
    }
    if let best { return best }
    let lines = Candidate(separator: nil, records: records(separatedBy: nil, from: start), titleCount: 0)
    return lines.records.isEmpty ? nil : lines
  }

  private func candidate(_ separator: UInt8, from start: (offset: Int, line: Int)) -> Candidate {
    let records = records(separatedBy: separator, from: start)
    // Whoever says that there is no header, or where the first record begins, knows of no title.
    let mayHaveTitle = options.skippedLines == nil && options.hasHeader != false
    return Candidate(separator: separator, records: records, titleCount: mayHaveTitle ? TitleLines.count(in: records) : 0)
  }

  private static func isBetter(_ next: Candidate, than best: Candidate) -> Bool {
    let (one, other) = (next.agreement, best.agreement)
    if one != other { return one > other }
    if next.separator == tab || best.separator == tab { return next.separator == tab }
    return next.width > best.width
  }

  private static let tab = UInt8(ascii: "\t")

  private func records(separatedBy separator: UInt8?, from start: (offset: Int, line: Int)) -> [Record] {
    var records: [Record] = []
    forEachRecord(separatedBy: separator, from: start) { fields, place in
      var record = place
      record.fields = fields.map(bytes)
      records.append(record)
    }
    return records
  }

  /// Calls `body` with the fields of each of the first records, with none for a later one that is at fault, and returns the fault of what
  /// comes before them.
  @discardableResult
  private func forEachRecord(
    separatedBy separator: UInt8?, from start: (offset: Int, line: Int), _ body: (UnsafeBufferPointer<RecordField>, Record) -> Void
  ) -> RecordFault? {
    sample.withTerminator {
      let dialect = DelimitedDialect(separator: separator, hasHeader: false, lineEnd: lineEnd, comment: options.comment)
      var scanner = DelimitedScanner(
        dialect, base: sample.batch.bytes, from: start.offset, count: sample.count, line: start.line, isLast: sample.isLast)
      var (count, fault, followsBlank): (Int, RecordFault?, Bool) = (0, nil, false)
      withUnsafeTemporaryAllocation(of: RecordField.self, capacity: Self.mostFields) { room in
        guard let fields = room.baseAddress else { return }
        while !scanner.isAtEnd, count < Self.mostRecords {
          let begin = scanner.position
          let place = Record(fields: [], offset: scanner.offset, line: scanner.line, followsBlank: followsBlank)
          let outcome = scanner.next(into: fields, room: room.count)
          followsBlank = outcome == .blank
          switch outcome {
          case .record:
            body(UnsafeBufferPointer(start: fields, count: min(scanner.fieldCount, room.count)), place)
            count += 1
          case .fault where count > 0:
            body(UnsafeBufferPointer(start: fields, count: 0), place)
            count += 1
          case .fault(let reason, let at): fault = fault ?? scanner.fault(reason, at: at, recordFrom: begin, line: place.line)
          case .blank, .comment: break
          case .incomplete: return
          }
        }
      }
      return fault
    }
  }

  private func bytes(of field: RecordField) -> [UInt8] {
    field.kind == .null ? [] : Array(UnsafeBufferPointer(start: sample.batch.bytes + field.offset, count: Int(field.length)))
  }
}

/// A first line that says how the fields are separated: `sep=;`.
private struct SeparatorHint {
  let separator: UInt8
  /// The number of bytes that the line has, with its end.
  let length: Int

  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard text.count > 5, text.prefix(4).elementsEqual("sep=".utf8), text[4] < 0x80, text[4] != 0x22 else { return nil }
    let end = text[5...]
    guard end.first == 0x0A || end.starts(with: [0x0D, 0x0A]) else { return nil }
    (separator, length) = (text[4], end.first == 0x0A ? 6 : 7)
  }
}
