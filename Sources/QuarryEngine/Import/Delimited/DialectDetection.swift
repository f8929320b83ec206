/// Finds by the first records of a delimited text how its fields are separated, and whether the first one has the names of the columns.
///
/// **Separator**: of `,`, `;`, tab and `|` the one by which the most of the first records have as many fields as the first record has, which
/// has to have two at least; of several such ones the tab, which is seldom part of a text, else the one that makes more fields. If not even a
/// quarter of the records agree with the first, each line is one field.
///
/// **Header**: the first record has the names, unless one of its fields is a number or a date, which a name seldom is. It has them even so if
/// below a field that is neither stand nothing but numbers and dates.
///
/// **Quotes**: where every field has them, they are a habit of the program that wrote the file, and tell no text from a number.
///
/// **End of a line**: LF, unless the text has none, but CR.
///
/// A first line such as `sep=;`, which Excel writes and reads, says what the separator is, and is no record.
struct DialectDetection {
  /// A field of a record that was looked at.
  private typealias Fields = [[UInt8]]

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
  static func complete(
    _ sample: TextSample, options: RecordReadingOptions, path: String
  ) throws -> (dialect: DelimitedDialect, start: (offset: Int, line: Int)) {
    while true {
      let detection = DialectDetection(sample, options: options)
      if let dialect = detection.dialect() { return (dialect, detection.start) }
      if try !sample.readMore() { throw detection.failure(path: path) }
    }
  }

  /// Where the first record begins.
  private var start: (offset: Int, line: Int) { hint.map { ($0.length, 2) } ?? (0, 1) }

  /// Returns the dialect; nil where not one record has been read whole.
  private func dialect() -> DelimitedDialect? {
    guard let (separator, records) = separated(), let first = records.first else { return nil }
    return DelimitedDialect(
      separator: separator, hasHeader: options.hasHeader ?? Self.isHeader(first, above: records.dropFirst()), lineEnd: lineEnd,
      quotesAll: quotesAll(separator))
  }

  /// Returns whether several records were looked at, and all their fields stand in quotes but for empty ones.
  private func quotesAll(_ separator: UInt8?) -> Bool {
    var (isQuoted, records) = (true, 0)
    forEachRecord(separatedBy: separator) { fields in
      records += 1
      isQuoted = isQuoted && fields.contains { $0.kind == .text } && !fields.contains { $0.kind == .plain }
    }
    return isQuoted && records > 1
  }

  /// Returns why a text that has been read to its end has no record.
  private func failure(path: String) -> FileReadError {
    let (_, fault) = scan(separatedBy: options.separator)
    return FileReadError(kind: fault.map { .unreadable($0, records: 0) } ?? .empty, path: path)
  }

  // MARK: - Separator

  private func separated() -> (UInt8?, [Fields])? {
    if let separator = options.separator ?? hint?.separator {
      let records = records(separatedBy: separator)
      return records.isEmpty ? nil : (separator, records)
    }
    let candidates = DelimitedDialect.knownSeparators.map { ($0, records(separatedBy: $0)) }
    let agreeing = candidates.filter { Self.agreement($0.1) >= 0.25 }
    // Of equals, the first one stays.
    let best = agreeing.reduce(agreeing.first) { best, next in
      guard let best, Self.isBetter(next, than: best) else { return best }
      return next
    }
    if let best { return best }
    let lines = records(separatedBy: nil)
    return lines.isEmpty ? nil : (nil, lines)
  }

  /// Returns how many of the records have as many fields as the first one, of 1; 0 where that has only one.
  private static func agreement(_ records: [Fields]) -> Double {
    guard let first = records.first, first.count > 1 else { return 0 }
    return Double(records.count { $0.count == first.count }) / Double(records.count)
  }

  private static func isBetter(_ next: (separator: UInt8, records: [Fields]), than best: (separator: UInt8, records: [Fields])) -> Bool {
    let (one, other) = (agreement(next.records), agreement(best.records))
    if one != other { return one > other }
    if next.separator == tab || best.separator == tab { return next.separator == tab }
    return (next.records.first?.count ?? 0) > (best.records.first?.count ?? 0)
  }

  private static let tab = UInt8(ascii: "\t")

  private func records(separatedBy separator: UInt8?) -> [Fields] { scan(separatedBy: separator).records }

  /// Returns the first records, and what comes before them and is none; a later one that is at fault stands there without a field.
  private func scan(separatedBy separator: UInt8?) -> (records: [Fields], firstFault: RecordFault?) {
    var records: [Fields] = []
    let fault = forEachRecord(separatedBy: separator) { fields in records.append(fields.map(bytes)) }
    return (records, fault)
  }

  /// Calls `body` with the fields of each of the first records, with none for a later one that is at fault, and returns the fault of what
  /// comes before them.
  @discardableResult
  private func forEachRecord(
    separatedBy separator: UInt8?, _ body: (UnsafeBufferPointer<RecordField>) -> Void
  ) -> RecordFault? {
    sample.withTerminator {
      let dialect = DelimitedDialect(separator: separator, hasHeader: false, lineEnd: lineEnd)
      var scanner = DelimitedScanner(
        dialect, base: sample.batch.bytes, from: start.offset, count: sample.count, line: start.line, isLast: sample.isLast)
      var (count, fault): (Int, RecordFault?) = (0, nil)
      withUnsafeTemporaryAllocation(of: RecordField.self, capacity: Self.mostFields) { room in
        guard let fields = room.baseAddress else { return }
        while !scanner.isAtEnd, count < Self.mostRecords {
          let (begin, line) = (scanner.position, scanner.line)
          switch scanner.next(into: fields, room: room.count) {
          case .record:
            body(UnsafeBufferPointer(start: fields, count: min(scanner.fieldCount, room.count)))
            count += 1
          case .fault where count > 0:
            body(UnsafeBufferPointer(start: fields, count: 0))
            count += 1
          case .fault(let reason, let place): fault = fault ?? scanner.fault(reason, at: place, recordFrom: begin, line: line)
          case .blank: break
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

  // MARK: - Header

  private static func isHeader(_ first: Fields, above others: ArraySlice<Fields>) -> Bool {
    let values = first.map(isValue)
    if !values.contains(true) { return first.contains { !$0.isEmpty } }
    let records = others.filter { $0.count == first.count }
    return first.indices.contains { index in
      guard !values[index], !first[index].isEmpty else { return false }
      let below = records.map { $0[index] }.filter { !$0.isEmpty }
      return !below.isEmpty && below.allSatisfy(isValue)
    }
  }

  /// Returns whether a field is a number such as `-1.5e3`, or begins as a date does: `2024-05-31`.
  private static func isValue(_ field: [UInt8]) -> Bool {
    let shape = field.prefix(10).map { (0x30...0x39).contains($0) ? UInt8(ascii: "0") : $0 }
    return shape == Array("0000-00-00".utf8) || isNumber(field)
  }

  private static func isNumber(_ field: [UInt8]) -> Bool {
    field.contains { (0x30...0x39).contains($0) } && field.allSatisfy { "0123456789+-.,eE".utf8.contains($0) }
      && field.first.map { !"eE,".utf8.contains($0) } == true
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
