/// Detects the dialect of a delimited text from its first records: the separator, and whether the first record is a header.
///
/// **Separator**: The candidates are `,`, `;`, tab and `|`. The detection chooses the candidate for which the most records have as many
/// fields as the first record, which must have at least two. Of several equal candidates it prefers the tab, which seldom occurs in text,
/// and then the one with more fields. If less than a quarter of the records agree with the first, each line is one field.
///
/// **Title**: Lines of one field before records that agree. See ``TitleLines``.
///
/// **Header**: See ``HeaderDetection``.
///
/// **Quotes**: If every field is quoted, quotes do not distinguish text from numbers.
///
/// **End of line**: LF, unless the text contains no LF but CR.
///
/// A first line such as `sep=;`, which Excel writes and reads, specifies the separator and is not a record.
struct DialectDetection {
  /// A scanned record.
  ///
  /// A malformed record has no fields.
  struct Record {
    var fields: HeaderDetection.Fields
    var offset: Int
    var line: Int
    /// Whether the record follows an empty line.
    var followsBlank = false
  }

  /// The detected dialect.
  struct Result {
    var dialect: DelimitedDialect
    /// The position of the titles, and of the first record after them.
    var offset: Int
    var line: Int
    var titles = TitleLines()
  }

  /// The records for a candidate separator.
  private struct Candidate {
    var separator: UInt8?
    var records: [Record]
    /// The number of leading records that are titles.
    var titleCount: Int

    var body: ArraySlice<Record> { records.dropFirst(titleCount) }
    var width: Int { body.first?.fields.count ?? 0 }
    /// The fraction of records with as many fields as the first one that is not a title, or 0 if that has only one field.
    var agreement: Double { width > 1 ? Double(body.count { $0.fields.count == width }) / Double(records.count) : 0 }
  }

  /// The maximum number of fields to scan in a record: one more than SQLite's column limit.
  static let mostFields = 2001
  private static let mostRecords = 32

  private let options: RecordReadingOptions
  private let sample: TextSample
  private let lineEnd: UInt8
  private let hint: SeparatorHint?

  /// Scans the beginning of a text.
  init(_ sample: TextSample, options: RecordReadingOptions) {
    (self.options, self.sample) = (options, sample)
    lineEnd = !sample.text.contains(0x0A) && sample.text.contains(0x0D) ? 0x0D : 0x0A
    hint = SeparatorHint(sample.text)
  }

  /// Detects the dialect and the position of the first record.
  ///
  /// Reads as much of the text as needed.
  ///
  /// - Throws: ``FileReadError`` if the text has no record.
  static func complete(_ sample: TextSample, options: RecordReadingOptions, path: String) throws -> Result {
    while true {
      let detection = DialectDetection(sample, options: options)
      if let result = detection.result() { return result }
      if try !sample.readMore() { throw detection.failure(path: path) }
    }
  }

  /// The position at which the first record may begin, or nil if it has not been read yet.
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

  /// Returns the detected dialect, or nil if no complete record has been read.
  private func result() -> Result? {
    guard let start, let found = separated(from: start), let first = found.body.first else { return nil }
    let hasHeader =
      options.hasHeader
      ?? HeaderDetection(first.fields, above: found.body.dropFirst().map(\.fields)).isHeader(knowing: options.knownNames)
    var dialect = DelimitedDialect(
      separator: found.separator, hasHeader: hasHeader, lineEnd: lineEnd, quotesAll: quotesAll(found.separator, from: first),
      comment: options.comment)
    dialect.isHeaderGiven = options.hasHeader != nil
    let titles = TitleLines(found.records.prefix(found.titleCount))
    return Result(dialect: dialect, offset: start.offset, line: start.line, titles: titles)
  }

  /// Returns whether there are several records and all nonempty fields are quoted.
  private func quotesAll(_ separator: UInt8?, from first: Record) -> Bool {
    var (isQuoted, records) = (true, 0)
    forEachRecord(separatedBy: separator, from: (first.offset, first.line)) { fields, _ in
      records += 1
      isQuoted = isQuoted && fields.contains { $0.kind == .text } && !fields.contains { $0.kind == .plain }
    }
    return isQuoted && records > 1
  }

  /// Returns the reason why a completely read text has no record.
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
    // Of equal candidates, the first one is chosen.
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
    // If the user says that there is no header, or where the first record begins, there is no title.
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

  /// Calls `body` with the fields of each of the first records, or with no fields for a malformed record that is not the first.
  ///
  /// Returns the fault before the first record.
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

/// A first line that specifies the separator: `sep=;`.
private struct SeparatorHint {
  let separator: UInt8
  /// The length of the line in bytes, including its end.
  let length: Int

  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard text.count > 5, text.prefix(4).elementsEqual("sep=".utf8), text[4] < 0x80, text[4] != 0x22 else { return nil }
    let end = text[5...]
    guard end.first == 0x0A || end.starts(with: [0x0D, 0x0A]) else { return nil }
    (separator, length) = (text[4], end.first == 0x0A ? 6 : 7)
  }
}
