internal import QuarryEngine
internal import Synchronization

/// The reading of one file into tables of a private database.
final class FileLoad: @unchecked Sendable {
  // Sendable because what changes is used by the one thread that writes.

  private let path: String
  private let stream: RecordStream
  private let types: [String: ImportType]
  private var typing: RecordTyping?
  private let status: FileTableStatus
  private var reader: (any RecordReader)?
  private var fills: [FileTableFill] = []
  private let bytes = Atomic<Int>(0)

  /// Opens a file.
  ///
  /// - Throws: ``FileReadError``
  init(_ path: String, reading: RecordReadingOptions, types: [String: ImportType], status: FileTableStatus) throws {
    (self.path, self.types, self.status) = (path, types, status)
    stream = try RecordStream(path: path, options: reading)
  }

  /// Whether later records bring no new columns: those of JSON may.
  var hasAllColumns: Bool { reader?.dialect != nil }
  /// The size of the file; nil for a pipe.
  var byteCount: Int? { stream.byteCount }
  /// How much of it has been read and written.
  var bytesRead: Int { bytes.load(ordering: .relaxed) }

  /// Makes the tables of the first records: of a megabyte, or of the first that a pipe has.
  ///
  /// - Throws: ``FileReadError`` where there are none.
  func readHead(in db: Database, check: () throws -> Void) throws {
    let head = try stream.head(bytes: byteCount == nil ? 1 : Importer.headSize, check: check)
    reader = head.reader
    if hasOnlyFaults(head) { throw head.failure(path: path) }
    let typing = RecordTyping(isOfText: head.reader.dialect != nil, types)
    self.typing = typing
    for block in head.blocks { _ = typing.type(block.records) }
    // Types are decided by all of them.
    let blocks = head.blocks.map { RecordStream.Block(records: $0.records, types: typing.types(of: $0.records.table)) }
    stream.resume { typing.type($0) }
    try db.inTransaction { db in
      if blocks.isEmpty { try makeEmptyTable(head.reader, in: db) }
      for block in blocks { try write(block, in: db) }
    }
    publish()
  }

  /// Returns whether a JSON file has faults and no record.
  private func hasOnlyFaults(_ head: RecordStream.Head) -> Bool {
    guard head.reader.dialect == nil, let last = head.blocks.last, last.records.sourceOffset >= byteCount ?? .max else { return false }
    return head.blocks.allSatisfy { $0.records.count == 0 } && head.blocks.contains { !$0.records.faults.isEmpty }
  }

  /// Makes a table without rows, of the columns that the file names.
  private func makeEmptyTable(_ reader: any RecordReader, in db: Database) throws {
    let table = reader.firstTable
    if table.columns.isEmpty { throw FileReadError(kind: .empty, path: path) }
    try fill(of: table, reader).makeEmpty(table.columns, in: db)
  }

  /// Writes all other records, so few at a time that those who read see them soon.
  ///
  /// - Throws: ``FileReadError`` where the file cannot be read to its end; what was read before stays.
  func readRest(in db: Database) throws {
    do {
      while let block = try stream.next(check: {}) {
        try db.inTransaction { db in try write(block, in: db) }
        stream.recycle(block)
        // Those before it are complete, and have been told.
        fills.last?.publish()
        status.notify()
      }
    } catch let error as FileReadError {
      if case .unreadable(let fault, _) = error.kind { try fills.last?.reject(fault, in: db) }
      publish()
      throw error
    }
    for fill in fills {
      // The thread that types has ended.
      fill.noteTypes(typing?.notes(on: fill.index) ?? [])
      fill.complete()
    }
    status.notify()
  }

  private func write(_ block: RecordStream.Block, in db: Database) throws {
    guard let reader else { return }
    try fill(of: block.records.table, reader).write(block, in: db)
    bytes.store(block.records.sourceOffset, ordering: .relaxed)
  }

  private func publish() {
    for fill in fills { fill.publish() }
    status.notify()
  }

  private func fill(of table: RecordTable, _ reader: any RecordReader) -> FileTableFill {
    if let last = fills.last, last.index == table.index { return last }
    fills.last?.complete()
    let fill = FileTableFill(table, of: path, reader, given: types, status)
    fills.append(fill)
    return fill
  }

  /// Ends the reading, from any thread.
  func cancel() {
    stream.cancel()
  }

  /// Ends the threads.
  func stop() {
    stream.stop()
  }
}

/// Types the records of a file that may have several tables.
final class RecordTyping: @unchecked Sendable {
  // Sendable because one thread at a time has it.
  private let isOfText: Bool
  private let given: [String: ImportType]
  private var typers: [Int: RecordTyper] = [:]

  init(isOfText: Bool, _ given: [String: ImportType]) {
    (self.isOfText, self.given) = (isOfText, given)
  }

  /// Types records, and returns the types of the columns of their table.
  func type(_ batch: RecordBatch) -> [ImportType] {
    typer(of: batch.table).type(batch)
    return types(of: batch.table)
  }

  /// Returns the types of the columns of a table, as far as they are known.
  func types(of table: RecordTable) -> [ImportType] { typer(of: table).types }

  /// What is to be said of the types of a table, by its number in the file.
  func notes(on table: Int) -> [String] { typers[table]?.notes ?? [] }

  private func typer(of table: RecordTable) -> RecordTyper {
    if let typer = typers[table.index] { return typer }
    let given = given
    let typer = RecordTyper(isOfText: isOfText) { column in
      if let type = given.first(where: { column.isNamed($0.key) })?.value { return .given(type) }
      return .found
    }
    typers[table.index] = typer
    return typer
  }
}
