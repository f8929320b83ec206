/// Finds by the first records of a delimited text how its fields are separated, and whether the first one has the names of the columns.
///
/// **Separator**: of `,`, `;`, tab and `|` the one by which the most of the first records have as many fields as the first record has, which
/// has to have two at least; of several such ones, the one that makes more fields. If not even a quarter of the records agree with the first,
/// each line is one field.
///
/// **Header**: the first record has the names, unless one of its fields is a number or a date, which a name seldom is. It has them even so if
/// below a field that is neither stand nothing but numbers and dates.
///
/// **End of a line**: LF, unless the text has none, but CR.
struct DialectDetection {
  /// A field of a record that was looked at.
  private typealias Fields = [[UInt8]]

  /// The most fields that a record is looked at for: one more than SQLite allows columns.
  static let mostFields = 2001
  private static let mostRecords = 32

  private let options: RecordReadingOptions
  private let batch: RecordBatch
  private let count: Int
  private let isLast: Bool
  private let lineEnd: UInt8

  /// Looks at the text that lies in a batch.
  init(_ batch: RecordBatch, count: Int, isLast: Bool, options: RecordReadingOptions) {
    (self.options, self.batch, self.count, self.isLast) = (options, batch, count, isLast)
    let text = UnsafeBufferPointer(start: batch.bytes, count: count)
    lineEnd = !text.contains(0x0A) && text.contains(0x0D) ? 0x0D : 0x0A
  }

  /// Returns the dialect; nil where not one record has been read whole.
  func dialect() -> DelimitedDialect? {
    guard let (separator, records) = separated(), let first = records.first else { return nil }
    return DelimitedDialect(
      separator: separator, hasHeader: options.hasHeader ?? Self.isHeader(first, above: records.dropFirst()), lineEnd: lineEnd)
  }

  /// Returns why a text that has been read to its end has no record.
  func failure(path: String) -> FileReadError {
    let dialect = DelimitedDialect(separator: options.separator, hasHeader: false, lineEnd: lineEnd)
    var scanner = DelimitedScanner(dialect, base: batch.bytes, from: 0, count: count, line: 1, isLast: true)
    return withUnsafeTemporaryAllocation(of: RecordField.self, capacity: 1) { room in
      while !scanner.isAtEnd, let fields = room.baseAddress {
        let (begin, line) = (scanner.position, scanner.line)
        if case .fault(let reason, let place) = scanner.next(into: fields, room: 1) {
          return FileReadError(kind: .unreadable(scanner.fault(reason, at: place, recordFrom: begin, line: line)), path: path)
        }
      }
      return FileReadError(kind: .empty, path: path)
    }
  }

  // MARK: - Separator

  private func separated() -> (UInt8?, [Fields])? {
    if let separator = options.separator {
      let records = records(separatedBy: separator)
      return records.isEmpty ? nil : (separator, records)
    }
    let candidates = DelimitedDialect.knownSeparators.map { ($0, records(separatedBy: $0)) }
    let agreeing = candidates.filter { Self.agreement($0.1) >= 0.25 }
    // Of equals, the first one stays.
    let best = agreeing.reduce(agreeing.first) { best, next in
      guard let best, Self.isBetter(next.1, than: best.1) else { return best }
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

  private static func isBetter(_ records: [Fields], than others: [Fields]) -> Bool {
    let (one, other) = (agreement(records), agreement(others))
    return one == other ? (records.first?.count ?? 0) > (others.first?.count ?? 0) : one > other
  }

  /// Returns the first records; one that is at fault stands there without a field, unless it is the first.
  private func records(separatedBy separator: UInt8?) -> [Fields] {
    let dialect = DelimitedDialect(separator: separator, hasHeader: false, lineEnd: lineEnd)
    var scanner = DelimitedScanner(dialect, base: batch.bytes, from: 0, count: count, line: 1, isLast: isLast)
    var records: [Fields] = []
    withUnsafeTemporaryAllocation(of: RecordField.self, capacity: Self.mostFields) { room in
      guard let fields = room.baseAddress else { return }
      while !scanner.isAtEnd, records.count < Self.mostRecords {
        switch scanner.next(into: fields, room: room.count) {
        case .record: records.append((0..<min(scanner.fieldCount, room.count)).map { bytes(of: fields[$0]) })
        case .fault: if !records.isEmpty { records.append([]) }
        case .blank: break
        case .incomplete: return
        }
      }
    }
    return records
  }

  private func bytes(of field: RecordField) -> [UInt8] {
    field.kind == .null ? [] : Array(UnsafeBufferPointer(start: batch.bytes + field.offset, count: Int(field.length)))
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
