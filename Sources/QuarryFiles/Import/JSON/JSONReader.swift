/// Reads the objects of a JSON text as records: the elements of an array or of an object's arrays, or a sequence of objects (NDJSON).
///
/// If an object contains one array of objects and other values, as in a typical API response, the records are the elements of the array.
///
/// Each key is a column. Any object may add new columns. Numbers that are not 64-bit integers remain text, which the typer converts to
/// reals. Nested values remain text, except `{"blob":"<base64>"}` and `{"text":"<base64>"}`, which are decoded to bytes. `true` is 1 and
/// `false` is 0. Only one batch of the text is in memory. `JSONScanner` and Foundation's decoder would need the whole text.
final class JSONReader: RecordReader, @unchecked Sendable {
  // Sendable because only one thread uses it at a time. Operations for any thread belong to the source.

  /// The next expected element of the text.
  private enum Place {
    /// The `[` of the only array, or the `{` of the tables.
    case beginning
    /// An element of an array, or the end of an empty one.
    case element(isFirst: Bool)
    case endOfElement
    /// A key of the tables, or the end of an empty object.
    case table(isFirst: Bool)
    case endOfTable
    /// An object of a sequence.
    case object
    /// Only whitespace.
    case end
  }

  /// The result of a step.
  private enum Step {
    case record
    case fault(RecordFault)
    case tableBegins(name: String)
    case tableEnds
    /// A member that is not part of the table.
    case passedOver(key: String)
    case moved
    case finished
  }

  private enum Pause {
    /// More input must be read.
    case starved
    /// The batch is complete.
    case full
    case finished
  }

  let firstTable = RecordTable(index: 0, name: nil)
  let dialect: DelimitedDialect? = nil
  let titles = TitleLines()
  let skippedLines = 0
  private let window: TextWindow
  private let shape: JSONShape
  private var place: Place
  private var table = RecordTable(index: -1, name: nil)
  private var columns = JSONColumns()
  private var record = JSONRecord()
  private var isTableEmpty = true
  /// The names of the tables so far.
  private var tableNames: Set<String> = []
  /// The number of records returned so far.
  private var recordCount = 0
  /// The position of the next text in the bytes kept for the next batch.
  private var position = TextPosition(offset: 0, line: 1, lineStart: 0)
  /// The position of the current element.
  private var element = TextPosition(offset: 0, line: 1, lineStart: 0)
  private var hasKeptRecords = true
  /// The number of bytes to scan first.
  ///
  /// Small if the previous batch ended with its table, because the next table may be as short.
  private var piece = Int.max
  private var endsWithTable = false

  var encoding: TextEncoding { window.text.encoding }
  var byteCount: Int? { window.text.source.byteCount }

  /// The maximum number of fields of a batch.
  ///
  /// An object of two bytes may have 2,000.
  private static let mostFields = 1 << 17

  /// Creates a reader of a text from a sample of its beginning.
  ///
  /// - Parameter isSequence: Whether each line has an object, unless the text indicates otherwise.
  /// - Throws: ``FileReadError``
  init(_ window: TextWindow, _ sample: TextSample, isSequence: Bool) throws {
    self.window = window
    shape = try JSONShape(sample, isSequence: isSequence)
    if case .sequence = shape { place = .object } else { place = .beginning }
    switch shape {
    case .tables: break
    case .member(let key): table = RecordTable(index: 0, name: key.withUnsafeBufferPointer(JSONColumns.text(of:)))
    case .array, .sequence: table.index = 0
    }
    window.finish(sample.batch, keepingFrom: 0)
  }

  func read(into batch: RecordBatch) throws -> Bool {
    batch.reset(for: table)
    try window.begin(batch, piece: piece)
    endsWithTable = false
    if !hasKeptRecords { try window.readOn(batch, unfinishedFrom: 0, line: position.line) }
    var pause = try scan(batch)
    while pause == .starved, batch.isEmpty, !window.isAtEnd {
      try window.readOn(batch, unfinishedFrom: position.offset, line: position.line)
      pause = try scan(batch)
    }
    hasKeptRecords = pause == .full
    piece = endsWithTable ? 1 << 10 : piece > 1 << 24 ? .max : piece * 4
    window.finish(batch, keepingFrom: position.offset)
    position.moveBack(by: position.offset)
    return !batch.isEmpty || !batch.passedOver.isEmpty || pause == .full
  }

  // MARK: - Steps

  /// Performs steps until the batch is full or more input must be read.
  private func scan(_ batch: RecordBatch) throws -> Pause {
    batch.bytes[window.count] = 0
    var cursor = JSONCursor(base: batch.bytes, from: position, count: window.count, isLast: window.isAtEnd)
    while true {
      let placeBefore = place
      do {
        switch try step(&cursor) {
        case .record: try add(to: batch)
        case .fault(let fault): batch.faults.append(fault)
        case .passedOver(let key): batch.passedOver.append(key)
        case .tableBegins where !batch.isEmpty:
          place = placeBefore
          endsWithTable = true
          return .full
        case .tableBegins(let name): begin(name, batch)
        case .tableEnds where isTableEmpty && batch.isEmpty:
          position = cursor.place
          endsWithTable = true
          return .full
        case .tableEnds, .moved: break
        case .finished:
          position = cursor.place
          return .finished
        }
      } catch JSONCursor.Stop.incomplete {
        return .starved
      } catch JSONCursor.Stop.fault(let fault) {
        if let pause = try recover(from: fault, at: &cursor, batch) { return pause }
      }
      position = cursor.place
      if batch.count * batch.columnCount >= Self.mostFields { return .full }
    }
  }

  private func step(_ cursor: inout JSONCursor) throws(JSONCursor.Stop) -> Step {
    cursor.skipBlanks()
    position = cursor.place
    element = position
    switch place {
    case .beginning: return try begin(&cursor)
    case .element(true) where cursor.take(UInt8(ascii: "]")): return endArray()
    case .element:
      let step = try readElement(&cursor)
      place = .endOfElement
      return step
    case .endOfElement:
      if cursor.take(UInt8(ascii: "]")) { return endArray() }
      try cursor.expect(UInt8(ascii: ","))
      place = .element(isFirst: false)
      return .moved
    case .table(true) where cursor.take(UInt8(ascii: "}")): return endTables()
    case .table: return try readKey(&cursor)
    case .endOfTable:
      if cursor.take(UInt8(ascii: "}")) { return endTables() }
      try cursor.expect(UInt8(ascii: ","))
      place = .table(isFirst: false)
      return .moved
    case .object: return try cursor.isAtEnd() ? .finished : readElement(&cursor)
    case .end:
      if try cursor.isAtEnd() { return .finished }
      throw .fault(.trailing)
    }
  }

  private func begin(_ cursor: inout JSONCursor) throws(JSONCursor.Stop) -> Step {
    switch shape {
    case .tables, .member:
      try cursor.expect(UInt8(ascii: "{"))
      place = .table(isFirst: true)
    case .array, .sequence:
      guard cursor.take(UInt8(ascii: "[")) else {
        _ = try cursor.value()
        place = .end
        return .fault(fault(.notAnObject, element, cursor))
      }
      place = .element(isFirst: true)
    }
    return .moved
  }

  private func endArray() -> Step {
    switch shape {
    case .tables:
      place = .endOfTable
      return .tableEnds
    case .member: place = .endOfTable
    case .array, .sequence: place = .end
    }
    return .moved
  }

  private func endTables() -> Step {
    place = .end
    return .moved
  }

  private func readElement(_ cursor: inout JSONCursor) throws(JSONCursor.Stop) -> Step {
    if case .sequence(true) = shape { cursor.isOneLine = true }
    defer { cursor.isOneLine = false }
    guard cursor.position.pointee == UInt8(ascii: "{") else {
      _ = try cursor.value()
      return .fault(fault(.notAnObject, element, cursor))
    }
    try record.read(&cursor, columns: &columns)
    return record.problem.map { .fault(fault($0.reason, $0.place, cursor)) } ?? .record
  }

  private func readKey(_ cursor: inout JSONCursor) throws(JSONCursor.Stop) -> Step {
    let start = try cursor.string()
    if cursor.halfCharacter != nil { throw .fault(.escape) }
    let bytes = UnsafeBufferPointer(start: start, count: cursor.position - 1 - start)
    let key = JSONColumns.text(of: bytes)
    var isTable = true
    if case .member(let only) = shape { isTable = bytes.elementsEqual(only) }
    try cursor.expect(UInt8(ascii: ":"))
    cursor.skipBlanks()
    guard isTable, cursor.take(UInt8(ascii: "[")) else {
      _ = try cursor.value()
      place = .endOfTable
      return .passedOver(key: key)
    }
    place = .element(isFirst: true)
    if case .member = shape { return .moved }
    return .tableBegins(name: key)
  }

  // MARK: - Records

  private func begin(_ name: String, _ batch: RecordBatch) {
    table = RecordTable(index: table.index + 1, name: name, isOnly: false, isNamesake: !tableNames.insert(name).inserted)
    columns = JSONColumns()
    record = JSONRecord()
    isTableEmpty = true
    batch.reset(for: table)
  }

  private func add(to batch: RecordBatch) throws {
    isTableEmpty = false
    let count = columns.naming.columns.count
    if count > table.columns.count {
      guard count < DialectDetection.mostFields else {
        throw FileReadError(kind: .tooManyKeys(count, line: element.line), path: window.path)
      }
      table.columns += columns.naming.columns[table.columns.count...]
      batch.widen(to: table)
    }
    record.write(to: batch)
    batch.finishRecord(line: element.line)
    recordCount += 1
  }

  // MARK: - Faults

  /// Skips the line of a fault if each line has its own object.
  ///
  /// Skips all remaining text if it is truncated.
  ///
  /// - Returns: The reason for a pause, or nil if the text continues at the cursor.
  /// - Throws: ``FileReadError`` if no later record can be recognized and all previous records have been returned.
  private func recover(from fault: JSONFault, at cursor: inout JSONCursor, _ batch: RecordBatch) throws -> Pause? {
    let place = cursor.place
    if case .sequence(true) = shape {
      guard cursor.goToNextLine(after: element) else { return .starved }
    } else if fault == .endsEarly {
      cursor.position = cursor.end
      self.place = .end
    } else if batch.isEmpty {
      cursor.position = min(cursor.end, max(cursor.position + 1, batch.bytes + element.offset + 1))
      let fault = self.fault(.invalidJSON(fault), place, cursor)
      throw FileReadError(kind: .unreadable(fault, records: recordCount), path: window.path)
    } else {
      return .full
    }
    batch.faults.append(self.fault(.invalidJSON(fault), place, cursor))
    return nil
  }

  /// Returns the fault of the element that ends at the cursor.
  private func fault(_ reason: RecordFault.Reason, _ place: TextPosition, _ cursor: JSONCursor) -> RecordFault {
    var bytes = UnsafeBufferPointer(start: cursor.base + element.offset, count: cursor.offset - element.offset)[...]
    while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
    return RecordFault(
      tableIndex: max(0, table.index), line: element.line, faultLine: place.line, column: place.column, reason: reason, bytes: Array(bytes))
  }
}
