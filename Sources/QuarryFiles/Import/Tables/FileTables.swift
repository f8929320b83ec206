internal import QuarryEngine

/// Files as the tables of a private database, which goes with this object.
///
/// ```swift
/// let tables = try FileTables(["sales.csv", "-"])
/// try tables.start()            // the first rows of each file are there when it returns
/// let queue = try DatabaseQueue(path: tables.path)
/// try tables.wait()             // until all rows are
/// ```
///
/// The files are read one after the other in the background, and what was read can be queried meanwhile. Types are found in the first
/// megabyte of each, and a table is made anew where a later value does not fit. What is no record goes to a table of its own,
/// `sales_rejects`, of line, reason and record.
public final class FileTables: Sendable {
  /// The path of the private database.
  public var path: String { "\(folder.path)/tables.db" }

  private let folder: PrivateFolder
  private let queue: DatabaseQueue
  private let loads: [FileLoad]
  private let types: [String: ImportType]
  private let status: FileTableStatus
  private let state = Monitor(State())

  private struct State {
    var isStarted = false
    var isReading = false
    var isCancelled = false
    var failure: (any Error)?
  }

  /// Makes the private database, and opens the files.
  ///
  /// - Parameters:
  ///   - paths: The files; `-` for standard input.
  ///   - reading: What is known of how they are written.
  ///   - types: The types of columns, by their names; those of others are found by their values.
  /// - Throws: ``FileReadError``, ``DatabaseOpenError``, ``DatabaseError``
  public init(_ paths: [String], reading: RecordReadingOptions = RecordReadingOptions(), types: [String: ImportType] = [:]) throws {
    folder = try PrivateFolder()
    queue = try DatabaseQueue(path: "\(folder.path)/tables.db")
    try queue.withoutTransaction { db in
      db.busyTimeout = .untilStopped
      // A lost private database is no loss, and those who read it never wait for what is being written.
      try db.execute(sql: "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF")
    }
    let status = FileTableStatus()
    (self.types, self.status) = (types, status)
    loads = try paths.map { try FileLoad($0, reading: reading, types: types, status: status) }
  }

  deinit {
    cancel()
    if state.read(\.isStarted) { state.wait { $0.isReading ? nil : () } }
    try? queue.close()
  }

  // MARK: Reading

  /// Reads the first rows of each file, and begins to read the others in the background.
  ///
  /// - Parameter check: Is called several times a second while a pipe lets itself be waited for; what it throws ends the reading.
  /// - Throws: ``FileReadError``, ``DatabaseError``, what `check` throws.
  public func start(check: () throws -> Void = {}) throws {
    try queue.withoutTransaction { db in
      for load in loads { try load.readHead(in: db, check: check) }
    }
    if loads.allSatisfy(\.hasAllColumns) { try Self.checkTypes(types, among: status.tables) }
    state.change { ($0.isStarted, $0.isReading) = (true, true) }
    do throws(ThreadError) {
      try readRest()
    } catch {
      state.change { $0.isReading = false }
      throw error
    }
  }

  /// Begins to read the rest of the files in the background.
  private func readRest() throws(ThreadError) {
    _ = try WorkerThread { [queue, loads, types, state, status] in
      let result = Result {
        try queue.withoutTransaction { db in for load in loads { try load.readRest(in: db) } }
        try Self.checkTypes(types, among: status.tables)
      }
      // A load has threads of its own that end with it.
      for load in loads { load.stop() }
      state.change { state in
        if case .failure(let error) = result { state.failure = state.isCancelled ? CancellationError() : error }
        state.isReading = false
      }
      status.end()
    }
  }

  /// Checks that each type is that of a column.
  ///
  /// - Throws: ``FileReadError`` with the names that are near.
  private static func checkTypes(_ types: [String: ImportType], among tables: [FileTable]) throws {
    let columns = tables.flatMap { $0.columns.map(\.source) }
    guard let path = tables.first?.path, let name = types.keys.sorted().first(where: { name in !columns.contains { $0.isNamed(name) } })
    else { return }
    throw FileReadError(kind: .noColumn(name, nearest: NearestNames.to(name, among: columns.map(\.name))), path: path)
  }

  /// Waits until everything is read, or the reading has ended otherwise.
  ///
  /// - Parameter progress: Is called several times a second; what it throws is thrown, and ends the reading.
  /// - Throws: What has ended the reading: ``FileReadError``, ``DatabaseError``, `CancellationError` after ``cancel()``.
  public func wait(progress: (ImportProgress) throws -> Void = { _ in }) throws {
    while state.wait(upTo: .milliseconds(100), { $0.isReading ? nil : true }) == nil {
      do {
        try progress(self.progress)
      } catch {
        cancel()
        throw error
      }
    }
    if let failure = state.read(\.failure) { throw failure }
  }

  /// Ends the reading; the rows that were read stay.
  public func cancel() {
    state.change { $0.isCancelled = true }
    for load in loads { load.cancel() }
    // What waits for the lock of somebody who edits the rows.
    queue.interrupt()
  }

  // MARK: What is there

  /// How far the reading of all files has come.
  public var progress: ImportProgress { status.progress(of: loads) }

  /// The tables, in the order of the files.
  public var tables: [FileTable] { status.tables }

  /// How many times what is known of a table has changed.
  var changeCount: Int { status.changeCount }

  /// Whether files are still being read.
  public var isReading: Bool { state.read(\.isReading) }

  /// Returns an element at once, and another one each time that rows have been added or the reading has ended.
  ///
  /// Several changes that nobody has waited for make one.
  public func changes() -> AsyncStream<Void> { status.changes() }
}

/// A table that was made of a file.
public struct FileTable: Hashable, Sendable {
  /// Its name in the private database.
  public var name: String
  /// The path of the file, as it was given.
  public var path: String
  /// The key under which a JSON file has it, where it has several.
  public var nameInFile: String?
  /// How the fields of a delimited text are told apart; nil for JSON.
  public var dialect: DelimitedDialect?
  /// How the text is encoded.
  public var encoding: TextEncoding
  /// The columns with their types.
  public var columns: [ImportColumn] = []
  /// The rows that are there.
  public var rows = 0
  /// The number of pieces of the file that are no row.
  public var rejected = 0
  /// The first of them, a hundred at most.
  public var rejects: [ImportReject] = []
  /// The name of the table that has all of them; nil where there are none.
  public var rejectsTable: String?
  /// What a person should know, each a sentence.
  public var notes: [String] = []
  /// What of the file is in no row and no reject, each a sentence: empty lines, titles, comments.
  ///
  /// They are among the notes.
  public var losses: [String] = []
  /// Whether all its rows are there.
  public var isComplete = false
}
