public import QuarryEngine
internal import Synchronization

/// The connections for reading the rows of one database, and the counts shared by readers.
///
/// ```swift
/// let connections = ReadConnections(foreground: try open(), background: try open(), secondReader: { try open() })
/// let reader = RowReader(RowSet(.table(TableReference(name: "events"))), on: connections)
/// ```
public final class ReadConnections: Sendable {
  /// The connection for the visible rows.
  public let foreground: DatabaseQueue
  /// The connection for counting, searching and sorting, so that these never block the foreground.
  public let background: DatabaseQueue
  private let openSecondReader: @Sendable () throws -> DatabaseQueue?
  private let openViews: @Sendable () throws -> DatabaseQueue?
  private let openExport: @Sendable () throws -> DatabaseQueue?
  private let state = Mutex(State())

  private struct State {
    var secondReader: DatabaseQueue?
    var mayOpenSecondReader = true
    var views: DatabaseQueue?
    var export: DatabaseQueue?
    /// The tables whose keys cannot be read as values, so that they are read from the beginning.
    var unkeyed: Set<TableReference> = []
    /// The numbers of rows of whole tables, with the state in which the background connection counted them.
    var counts: [TableReference: (rows: Int, state: DataState)] = [:]
    /// The rows of the last computation, with the states of the files that the background connection read.
    var computed: (source: RowSet.Source, states: FileStates, rows: ReturnedRows)?
  }

  /// Creates a pair of connections to the same database.
  ///
  /// - Parameters:
  ///   - secondReader: Opens another connection to the same database, which shares the work when very many rows are sorted, filtered or
  ///     searched; nil for none.
  ///   - views: Opens a connection for the rows of views and queries, so that a partly read query holds no other connection at an old state
  ///     of the file; nil to use the foreground connection.
  ///   - exports: Opens a connection for reading rows that are written to files; nil to use the background connection.
  public init(
    foreground: DatabaseQueue, background: DatabaseQueue, secondReader: @escaping @Sendable () throws -> DatabaseQueue? = { nil },
    views: @escaping @Sendable () throws -> DatabaseQueue? = { nil }, exports: @escaping @Sendable () throws -> DatabaseQueue? = { nil }
  ) {
    self.foreground = foreground
    self.background = background
    openSecondReader = secondReader
    openViews = views
    openExport = exports
  }

  /// Creates a pair that uses one connection for both purposes.
  ///
  /// - Parameter secondReader: Opens another connection to the same database, which shares the work on very many rows; nil for none.
  public convenience init(_ queue: DatabaseQueue, secondReader: @escaping @Sendable () throws -> DatabaseQueue? = { nil }) {
    self.init(foreground: queue, background: queue, secondReader: secondReader)
  }

  /// Returns the connection that reads views and queries with a cursor that stays open.
  func lasting() throws -> DatabaseQueue { try reader(\.views, opening: openViews, else: foreground) }

  /// Returns the connection for rows that are written to a file, so that no count, search or sort waits for it.
  func exporting() throws -> DatabaseQueue { try reader(\.export, opening: openExport, else: background) }

  /// Returns a connection, opened when first needed, or `other` if `open` returns nil or the database is locked.
  private func reader(
    _ place: any WritableKeyPath<State, DatabaseQueue?> & Sendable, opening open: () throws -> DatabaseQueue?, else other: DatabaseQueue
  ) throws -> DatabaseQueue {
    try state.withLock { state in
      if let reader = state[keyPath: place] { return reader }
      do {
        let reader = try open() ?? other
        state[keyPath: place] = reader
        return reader
      } catch let error as DatabaseOpenError where error.kind == .isLocked {
        // The other connection waits for the lock, and can be interrupted meanwhile.
        return other
      }
    }
  }

  /// Ends all reads that outlast their access, which releases their locks on the file: see ``Database/endLastingReads()``.
  ///
  /// - Throws: ``DatabaseError``
  public func endLastingReads() async throws {
    guard let views = state.withLock(\.views) else { return }
    try await views.withoutTransaction { $0.endLastingReads() }
  }

  /// The connection that assists the background connection; nil if none can be opened.
  var secondReader: DatabaseQueue? {
    state.withLock { state in
      guard state.secondReader == nil, state.mayOpenSecondReader else { return state.secondReader }
      do {
        state.secondReader = try openSecondReader()
        state.mayOpenSecondReader = state.secondReader != nil
      } catch let error as DatabaseOpenError where error.kind == .isLocked {
        // Opening may succeed the next time.
      } catch {
        state.mayOpenSecondReader = false
      }
      return state.secondReader
    }
  }
}

// MARK: - Keys

extension ReadConnections {
  /// Reads a table from the beginning from now on, instead of by its key.
  func forgetKey(of table: TableReference) {
    state.withLock { _ = $0.unkeyed.insert(table) }
  }

  /// Returns whether a table is read by its key, if it has one.
  func hasUsableKey(_ table: TableReference) -> Bool {
    state.withLock { !$0.unkeyed.contains(table) }
  }
}

// MARK: - Counts

extension ReadConnections {
  /// Counts the rows of a table, but only once per state of the file.
  ///
  /// - Parameter database: The background connection.
  func count(of rows: KeysetRows, in current: DataState, _ database: Database) throws -> Int {
    if let count = knownCount(of: rows.reference, in: current) { return count }
    let count = try rows.count(in: database)
    // If another connection has written meanwhile, the number belongs to no state.
    if try DataState(of: rows.reference.database, in: database) == current {
      state.withLock { $0.counts[rows.reference] = (count, current) }
    }
    return count
  }

  /// Returns the approximate number of rows of a table; the rows are counted if their rowids have wide gaps.
  func estimate(of rows: KeysetRows, _ bounds: RowIDBounds, in current: DataState, _ database: Database) throws -> Int {
    try knownCount(of: rows.reference, in: current) ?? bounds.span ?? count(of: rows, in: current, database)
  }

  /// Returns the number of a table's rows if it has been counted in this state of the background connection.
  func knownCount(of table: TableReference, in current: DataState) -> Int? {
    state.withLock { state in state.counts[table].flatMap { $0.state == current ? $0.rows : nil } }
  }
}

// MARK: - Computed rows

extension ReadConnections {
  /// Returns the kept rows of a query if they were computed in these states of the files.
  func knownRows(of source: RowSet.Source, in states: FileStates) -> ReturnedRows? {
    state.withLock { state in state.computed.flatMap { $0.source == source && $0.states == states ? $0.rows : nil } }
  }

  /// Keeps the computed rows of a query until others are computed.
  func keep(_ rows: ReturnedRows, of source: RowSet.Source, in states: FileStates) {
    state.withLock { $0.computed = (source, states, rows) }
  }
}

// MARK: - Parallel work

/// A scan of rows that several threads share, each with its own connection.
package protocol ParallelScan: Sendable {
  /// Whether there is enough work for another connection to be worthwhile.
  var isLarge: Bool { get }

  /// Processes parts until none is left, another thread has failed, or the rest is left to other threads.
  func work(in database: Database) throws

  /// Prevents all threads from starting another part.
  func stop()

  /// Records that another connection has written, so that the following rows are of another state than the preceding ones.
  func noteChange()
}

extension ParallelScan {
  /// Does nothing, for work that starts again after external changes.
  package func noteChange() {}
}

extension ReadConnections {
  /// Reads one state of the file on the background connection and, if there is much to read, on the second reader.
  ///
  /// The second reader checks its version of the data before the background connection begins to read, and again when it begins to read
  /// itself. If the version is unchanged, both read the same state. Otherwise the second reader does not take part.
  ///
  /// If reads block writers, both connections read in slices: see ``ReadSlices``. If other connections continue to write, the background
  /// connection reads the rest alone: see ``Database/leavesRest``.
  ///
  /// - Parameters:
  ///   - name: The name of the database in the connections.
  ///   - tries: The number of attempts to read one state, before the work continues without that guarantee.
  ///   - begin: Creates the work on the background connection; nil for no work.
  func readInParallel<Work: ParallelScan>(
    _ name: String, tries: Int, _ begin: @escaping @Sendable (Database) throws -> Work?
  ) async throws -> Work? {
    let last = max(0, tries - 1)
    for changes in 0..<last {
      do { return try await readInParallel(name, .ofOneState, after: changes, begin) } catch is DataChanged {}
    }
    return try await readInParallel(name, .ofAnyState, after: last, begin)
  }

  /// Reads like ``readInParallel(_:tries:_:)``, with one attempt.
  ///
  /// - Parameter changes: The number of external changes that have ended earlier attempts.
  /// - Throws: ``DataChanged`` if another connection has written meanwhile and the work requires one state.
  package func readInParallel<Work: ParallelScan>(
    _ name: String, _ slicing: ReadSlicing, after changes: Int = 0, _ begin: @escaping @Sendable (Database) throws -> Work?
  ) async throws -> Work? {
    let secondReader = changes < ReadSlices.manyChanges ? secondReader : nil
    let before = try? await secondReader?.read { try DataState(of: name, in: $0) }
    let helper = Mutex<Task<(any Error)?, Never>?>(nil)
    return try await withTaskCancellationHandler {
      let work = try await background.read { database -> Work? in
        try database.inSlices(slicing, of: name) { slices -> Work? in
          guard let work = try begin(database) else { return nil }
          slices?.onChange = work.noteChange
          if let secondReader, let before, work.isLarge {
            helper.withLock {
              $0 = Task(executorPreference: TaskThreads.shared) { await secondReader.help(work, in: before, of: name, slicing) }
            }
          }
          do { try work.work(in: database) } catch { work.stop(); throw error }
          return work
        }
      }
      let error = await helper.withLock(\.self)?.value
      // A helper that was cancelled fails with that error.
      try Task.checkCancellation()
      if let error { throw error }
      return work
    } onCancel: {
      helper.withLock(\.self)?.cancel()
    }
  }

  /// Performs work that does not read the database, on the threads of both connections.
  func computeInParallel(_ work: some ParallelScan) async throws {
    let secondReader = work.isLarge ? secondReader : nil
    async let helped: Void? = secondReader?.withoutTransaction { try work.work(in: $0) }
    try await background.withoutTransaction { try work.work(in: $0) }
    try await helped
  }
}

extension DatabaseQueue {
  /// Takes part in work on a state of the file if this connection reads the same state; returns the error of its part.
  fileprivate func help(
    _ work: some ParallelScan, in before: DataState, of name: String, _ slicing: ReadSlicing
  ) async -> (any Error)? {
    // If this connection cannot read at all, the other one does the work.
    try? await read { database -> (any Error)? in
      guard try DataState(of: name, in: database) == before else { return nil }
      do {
        try database.inSlices(slicing, of: name, isHelper: true) { slices in
          slices?.onChange = work.noteChange
          try work.work(in: database)
        }
        return nil
      } catch {
        work.stop()
        return error
      }
    }
  }
}
