internal import QuarryEngine
internal import Synchronization

/// The loading of one file into tables of a private database.
final class FileLoad: @unchecked Sendable {
  // Sendable because only the writing thread uses its mutable state.

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

  /// Whether no later record can add columns, as records of JSON may.
  var hasAllColumns: Bool { reader?.dialect != nil }
  /// The size of the file in bytes, or nil for a pipe.
  var byteCount: Int? { stream.byteCount }
  /// The number of bytes that have been read and written.
  var bytesRead: Int { bytes.load(ordering: .relaxed) }

  /// Creates the tables from the first records: from a megabyte, or from the first records of a pipe.
  ///
  /// - Throws: ``FileReadError`` if there are no records.
  func readHead(in db: Database, check: () throws -> Void) throws {
    let head = try stream.head(bytes: byteCount == nil ? 1 : Importer.headSize, check: check)
    reader = head.reader
    if hasOnlyFaults(head) { throw head.failure(path: path) }
    let typing = RecordTyping(isOfText: head.reader.dialect != nil, types)
    self.typing = typing
    for block in head.blocks { _ = typing.type(block.records) }
    // All of them determine the types.
    let blocks = head.blocks.map { RecordStream.Block(records: $0.records, types: typing.types(of: $0.records.table)) }
    stream.resume { typing.type($0) }
    try db.inTransaction { db in
      if blocks.isEmpty { try makeEmptyTable(head.reader, in: db) }
      for block in blocks { try write(block, in: db) }
    }
    publish()
  }

  /// Returns whether a JSON file contains faults but no record.
  private func hasOnlyFaults(_ head: RecordStream.Head) -> Bool {
    guard head.reader.dialect == nil, let last = head.blocks.last, last.records.sourceOffset >= byteCount ?? .max else { return false }
    return head.blocks.allSatisfy { $0.records.count == 0 } && head.blocks.contains { !$0.records.faults.isEmpty }
  }

  /// Creates a table without rows, with the columns named in the file.
  private func makeEmptyTable(_ reader: any RecordReader, in db: Database) throws {
    let table = reader.firstTable
    if table.columns.isEmpty { throw FileReadError(kind: .empty, path: path) }
    try fill(of: table, reader).makeEmpty(table.columns, in: db)
  }

  /// Writes all remaining records in small transactions, so that readers see them soon.
  ///
  /// - Throws: ``FileReadError`` if the file cannot be read to its end. The rows read before remain.
  func readRest(in db: Database) throws {
    do {
      while let block = try stream.next(check: {}) {
        try db.inTransaction { db in try write(block, in: db) }
        stream.recycle(block)
        // The previous tables are complete and have been published.
        fills.last?.publish()
        status.notify()
      }
    } catch let error as FileReadError {
      if case .unreadable(let fault, _) = error.kind { try fills.last?.reject(fault, in: db) }
      publish()
      throw error
    }
    for fill in fills {
      // The thread that infers types has ended.
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

  /// Cancels reading from any thread.
  func cancel() {
    stream.cancel()
  }

  /// Stops the threads.
  func stop() {
    stream.stop()
  }
}

/// Infers the types of a file's records, which may belong to several tables.
final class RecordTyping: @unchecked Sendable {
  // Sendable because only one thread at a time uses it.
  private let isOfText: Bool
  private let given: [String: ImportType]
  private var typers: [Int: RecordTyper] = [:]

  init(isOfText: Bool, _ given: [String: ImportType]) {
    (self.isOfText, self.given) = (isOfText, given)
  }

  /// Types records, and returns the types of their table's columns.
  func type(_ batch: RecordBatch) -> [ImportType] {
    typer(of: batch.table).type(batch)
    return types(of: batch.table)
  }

  /// Returns the types of a table's columns inferred so far.
  func types(of table: RecordTable) -> [ImportType] { typer(of: table).types }

  /// Returns notes about the types of a table, by its index in the file.
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
