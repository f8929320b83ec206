public import QuarryEngine
internal import Synchronization

/// The connections on which the rows of one database are read, and the counts that readers share.
///
/// ```swift
/// let connections = ReadConnections(foreground: try open(), background: try open(), secondReader: { try open() })
/// let reader = RowReader(RowSet(.table(TableReference(name: "events"))), on: connections)
/// ```
public final class ReadConnections: Sendable {
  /// Serves what is on the screen.
  public let foreground: DatabaseQueue
  /// Counts, searches and sorts, so that the foreground is never blocked by these.
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
    /// Tables with a key that cannot be had as values: they are read from the beginning.
    var unkeyed: Set<TableReference> = []
    /// The numbers of rows of whole tables, each with the state in which the background connection counted it.
    var counts: [TableReference: (rows: Int, state: DataState)] = [:]
  }

  /// Makes a pair of connections to the same database.
  ///
  /// - Parameters:
  ///   - secondReader: Opens a further connection to the same database, which shares the work when very many rows are sorted, narrowed or
  ///     searched; nil for none.
  ///   - views: Opens a connection that reads the rows of views and queries, so that a half-read one keeps no other connection at an old
  ///     state of the file; nil to read them on the foreground connection.
  ///   - exports: Opens a connection that reads what is written to files; nil to read it on the background connection.
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

  /// Makes a pair of one connection, which does all that is asked of either.
  ///
  /// - Parameter secondReader: Opens a further connection to the same database, which shares the work of very many rows; nil for none.
  public convenience init(_ queue: DatabaseQueue, secondReader: @escaping @Sendable () throws -> DatabaseQueue? = { nil }) {
    self.init(foreground: queue, background: queue, secondReader: secondReader)
  }

  /// Returns the connection on which views and queries are read by a cursor that stays open.
  func lasting() throws -> DatabaseQueue { try reader(\.views, opening: openViews, else: foreground) }

  /// Returns the connection on which rows are read that are written to a file: no count, search or order waits for that.
  func exporting() throws -> DatabaseQueue { try reader(\.export, opening: openExport, else: background) }

  /// Returns a connection that is opened when it is first needed, or the one that does its work where there is none.
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
        // The other connection waits for the lock, and can be stopped while it does.
        return other
      }
    }
  }

  /// Ends every read that lasts past its access, and with them the locks that they keep on the file: see ``Database/endLastingReads()``.
  ///
  /// - Throws: ``DatabaseError``
  public func endLastingReads() async throws {
    guard let views = state.withLock(\.views) else { return }
    try await views.withoutTransaction { $0.endLastingReads() }
  }

  /// The connection that helps the background connection; nil where none can be opened.
  private var secondReader: DatabaseQueue? {
    state.withLock { state in
      guard state.secondReader == nil, state.mayOpenSecondReader else { return state.secondReader }
      do {
        state.secondReader = try openSecondReader()
        state.mayOpenSecondReader = state.secondReader != nil
      } catch let error as DatabaseOpenError where error.kind == .isLocked {
        // It may be opened the next time.
      } catch {
        state.mayOpenSecondReader = false
      }
      return state.secondReader
    }
  }
}

// MARK: - Keys

extension ReadConnections {
  /// Reads a table from the beginning from now on, and not by its key.
  func forgetKey(of table: TableReference) {
    state.withLock { _ = $0.unkeyed.insert(table) }
  }

  /// Whether a table is read by its key, if it has one.
  func hasUsableKey(_ table: TableReference) -> Bool {
    state.withLock { !$0.unkeyed.contains(table) }
  }
}

// MARK: - Counts

extension ReadConnections {
  /// Counts the rows of a table, once for each state of the file.
  ///
  /// - Parameter database: The background connection.
  func count(of rows: KeysetRows, in current: DataState, _ database: Database) throws -> Int {
    if let count = knownCount(of: rows.reference, in: current) { return count }
    let count = try rows.count(in: database)
    // Where others have written meanwhile it is the number of no state.
    if try DataState(of: rows.reference.database, in: database) == current {
      state.withLock { $0.counts[rows.reference] = (count, current) }
    }
    return count
  }

  /// Returns about how many rows a table has; rows whose rowids have wide gaps are counted.
  func estimate(of rows: KeysetRows, _ bounds: RowIDBounds, in current: DataState, _ database: Database) throws -> Int {
    try knownCount(of: rows.reference, in: current) ?? bounds.span ?? count(of: rows, in: current, database)
  }

  /// Returns the number of a table's rows if it has been counted in this state of the background connection.
  func knownCount(of table: TableReference, in current: DataState) -> Int? {
    state.withLock { state in state.counts[table].flatMap { $0.state == current ? $0.rows : nil } }
  }
}

// MARK: - Work on both

/// Work on rows that several threads share, each of them reading on its own connection.
package protocol ParallelScan: Sendable {
  /// Whether there is so much of it that another connection pays off.
  var isLarge: Bool { get }

  /// Does parts of it until none is left, or another thread has failed.
  func work(in database: Database) throws

  /// Keeps all threads from beginning another part.
  func stop()

  /// Takes note that others have written, so that what is read from now on is of another state than what was read before.
  func noteChange()
}

extension ParallelScan {
  /// Does nothing: for work whose result is made anew once others have written.
  package func noteChange() {}
}

extension ReadConnections {
  /// Reads one state of the file on the background connection and, where there is much to read, on the second reader.
  ///
  /// The second reader looks at its version of the data before the background connection begins to read, and again once it reads itself.
  /// If it is the same, nobody has written between, and both read the same state; otherwise it takes no part.
  ///
  /// Where readers keep writers out, both connections read in slices: see ``ReadSlices``.
  ///
  /// - Parameters:
  ///   - name: The database as the connections name it.
  ///   - tries: How often work that is to be of one state is begun, before it goes on with whatever state there is.
  ///   - begin: Makes the work from what the background connection reads; nil for none.
  func readInParallel<Work: ParallelScan>(
    _ name: String, tries: Int, _ begin: @escaping @Sendable (Database) throws -> Work?
  ) async throws -> Work? {
    for _ in 0..<max(0, tries - 1) {
      do { return try await readInParallel(name, .ofOneState, begin) } catch is DataChanged {}
    }
    return try await readInParallel(name, .ofAnyState, begin)
  }

  /// Reads as ``readInParallel(_:tries:_:)`` does, once.
  ///
  /// - Throws: ``DataChanged`` where others have written meanwhile, and the work is to be of one state.
  package func readInParallel<Work: ParallelScan>(
    _ name: String, _ slicing: ReadSlicing, _ begin: @escaping @Sendable (Database) throws -> Work?
  ) async throws -> Work? {
    let secondReader = secondReader
    let before = try? await secondReader?.read { try DataState(of: name, in: $0) }
    let helper = Mutex<Task<(any Error)?, Never>?>(nil)
    return try await withTaskCancellationHandler {
      let work = try await background.read { database -> Work? in
        try database.inSlices(slicing, of: name) { slices -> Work? in
          guard let work = try begin(database) else { return nil }
          slices?.onChange = work.noteChange
          if let secondReader, let before, work.isLarge {
            helper.withLock { $0 = Task { await secondReader.help(work, in: before, of: name, slicing) } }
          }
          do { try work.work(in: database) } catch { work.stop(); throw error }
          return work
        }
      }
      let error = await helper.withLock(\.self)?.value
      // A helper that was stopped has failed at that.
      try Task.checkCancellation()
      if let error { throw error }
      return work
    } onCancel: {
      helper.withLock(\.self)?.cancel()
    }
  }

  /// Does work that reads nothing on the threads of both connections.
  func computeInParallel(_ work: some ParallelScan) async throws {
    let secondReader = work.isLarge ? secondReader : nil
    async let helped: Void? = secondReader?.withoutTransaction { try work.work(in: $0) }
    try await background.withoutTransaction { try work.work(in: $0) }
    try await helped
  }
}

extension DatabaseQueue {
  /// Takes part in work on a state of the file if this connection reads the same; returns the error at which its part has failed.
  fileprivate func help(
    _ work: some ParallelScan, in before: DataState, of name: String, _ slicing: ReadSlicing
  ) async -> (any Error)? {
    // A connection that cannot read at all leaves the work to the other.
    try? await read { database -> (any Error)? in
      guard try DataState(of: name, in: database) == before else { return nil }
      do {
        try database.inSlices(slicing, of: name) { slices in
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
