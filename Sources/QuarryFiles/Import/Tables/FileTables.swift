internal import QuarryEngine

/// Files loaded as tables of a private database, which is deleted with this object.
///
/// ```swift
/// let tables = try FileTables(["sales.csv", "-"])
/// try tables.start()            // the first rows of each file are there when it returns
/// let queue = try DatabaseQueue(path: tables.path)
/// try tables.wait()             // until all rows are
/// ```
///
/// The files are read one after another in the background. Rows that have been read can be queried meanwhile. Types are inferred from the
/// first megabyte of each file. A table is created again if a later value does not match its type. Parts that cannot be parsed go to a
/// separate table with a line, reason and record: `sales_rejects`.
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

  /// Creates the private database and opens the files.
  ///
  /// - Parameters:
  ///   - paths: The paths of the files, or `-` for standard input.
  ///   - reading: The known options of the file format.
  ///   - types: The types of columns by name. Missing types are inferred from the values.
  /// - Throws: ``FileReadError``, ``DatabaseOpenError``, ``DatabaseError``
  public init(_ paths: [String], reading: RecordReadingOptions = RecordReadingOptions(), types: [String: ImportType] = [:]) throws {
    folder = try PrivateFolder()
    queue = try DatabaseQueue(path: "\(folder.path)/tables.db")
    try queue.withoutTransaction { db in
      db.busyTimeout = .untilStopped
      // A private database need not survive a crash. Its readers never wait for the writer.
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

  /// Reads the first rows of each file, and begins to read the remaining rows in the background.
  ///
  /// - Parameter check: Called several times a second while waiting for a pipe. An error that it throws ends the read.
  /// - Throws: ``FileReadError``, ``DatabaseError``, or any error thrown by `check`.
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
      // The threads of a load end with it.
      for load in loads { load.stop() }
      state.change { state in
        if case .failure(let error) = result { state.failure = state.isCancelled ? CancellationError() : error }
        state.isReading = false
      }
      status.end()
    }
  }

  /// Checks that each type belongs to an existing column.
  ///
  /// - Throws: ``FileReadError`` with similar names.
  private static func checkTypes(_ types: [String: ImportType], among tables: [FileTable]) throws {
    let columns = tables.flatMap { $0.columns.map(\.source) }
    guard let path = tables.first?.path, let name = types.keys.sorted().first(where: { name in !columns.contains { $0.isNamed(name) } })
    else { return }
    throw FileReadError(kind: .noColumn(name, nearest: NearestNames.to(name, among: columns.map(\.name))), path: path)
  }

  /// Waits until all rows have been read, or reading has ended with an error.
  ///
  /// - Parameter progress: Called several times a second. An error that it throws is thrown and ends the read.
  /// - Throws: The error that has ended the read: ``FileReadError``, ``DatabaseError``, or `CancellationError` after ``cancel()``.
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

  /// Cancels reading.
  ///
  /// The rows read so far remain.
  public func cancel() {
    state.change { $0.isCancelled = true }
    for load in loads { load.cancel() }
    // Interrupts a wait for the lock of a connection that edits the rows.
    queue.interrupt()
  }

  // MARK: State

  /// The progress of reading all files.
  public var progress: ImportProgress { status.progress(of: loads) }

  /// The tables, in the order of the files.
  public var tables: [FileTable] { status.tables }

  /// The number of changes of the table descriptions.
  var changeCount: Int { status.changeCount }

  /// Whether files are still being read.
  public var isReading: Bool { state.read(\.isReading) }

  /// Returns a stream with an immediate element, and another one each time that rows were added or reading has ended.
  ///
  /// Several changes between two reads of the stream are combined.
  public func changes() -> AsyncStream<Void> { status.changes() }
}

/// A table loaded from a file.
public struct FileTable: Hashable, Sendable {
  /// The name of the table in the private database.
  public var name: String
  /// The path of the file as given.
  public var path: String
  /// The key of the table in a JSON file with several tables.
  ///
  /// Otherwise nil.
  public var nameInFile: String?
  /// The dialect of a delimited text, or nil for JSON.
  public var dialect: DelimitedDialect?
  /// The encoding of the text.
  public var encoding: TextEncoding
  /// The columns with their types.
  public var columns: [ImportColumn] = []
  /// The number of rows read so far.
  public var rows = 0
  /// The number of rejected parts of the file.
  public var rejected = 0
  /// The first rejects, at most 100.
  public var rejects: [ImportReject] = []
  /// The name of the table with all rejects, or nil if there are none.
  public var rejectsTable: String?
  /// Notes for the user, one sentence each.
  public var notes: [String] = []
  /// The parts of the file that are in no row and no reject, one sentence each: empty lines, titles, comments.
  ///
  /// The notes include them.
  public var losses: [String] = []
  /// Whether all rows have been read.
  public var isComplete = false
}
