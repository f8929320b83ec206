package import QuarryEngine
internal import Synchronization

/// A fetcher of the rows of a sequence, one after the other, which stores them in a temporary database.
package protocol RowFetcher: Sendable {
  /// Fetches some of the next rows.
  ///
  /// - Parameters:
  ///   - wanted: The required number of rows, including those fetched before; more or fewer may be fetched.
  ///   - taken: Returns the number of rows fetched so far; called when this request has its turn, because several may wait.
  ///   - note: Called with the fetched rows before another request has its turn.
  /// - Throws: Any error of the reading, after `note` was called with the rows before it.
  func fetch(
    upTo wanted: Int, after taken: @escaping @Sendable () -> RowNumber, to spool: RowSpool,
    _ note: @escaping @Sendable (RowChunk) -> Void
  ) async throws

  /// Pauses, because no more rows are needed for now.
  func pause()

  /// The number of all rows, if it is known before they are fetched.
  var total: Int? { get }
}

extension RowFetcher {
  package var total: Int? { nil }
}

/// Rows fetched in one request.
package struct RowChunk: Sendable {
  package var rows = 0
  /// Whether no rows follow.
  package var isLast = false
  /// The error that ended the reading after these rows.
  var error: (any Error)?
  /// The progress of reading that has returned no rows yet.
  var progress: RowProgress?

  package init(rows: Int = 0, isLast: Bool = false, error: (any Error)? = nil) {
    (self.rows, self.isLast, self.error) = (rows, isLast, error)
  }

  init(progress: RowProgress) { self.progress = progress }
}

/// A fetcher that reads rows with a cursor of a connection, which stays open for a while.
package final class CursorFetcher: RowFetcher {
  private let sequence: RowSequence
  private let source: DatabaseQueue
  private let state = Mutex(State())

  private struct State: Sendable {
    /// The cursor after the fetched rows.
    var cursor: LastingCursors.Token?
    /// The states that the first cursor read.
    var states: FileStates?
  }

  /// The number of rows to read ahead if they are read quickly, so that a small result is read to its end, and its cursor blocks no writer.
  private static let readAhead = 1000

  /// The maximum duration of reading ahead.
  private static let readAheadTime = Duration.milliseconds(5)

  /// The maximum time for which a cursor stays open between two reads, because it blocks writers or makes the write-ahead log grow.
  private static let idleTime = Duration.seconds(1)

  /// The number of rows after which other work may use the connection.
  private static let chunkLimit = 5000

  init(_ sequence: RowSequence, on source: DatabaseQueue) {
    self.sequence = sequence
    self.source = source
  }

  deinit {
    guard let cursor = state.withLock(\.cursor) else { return }
    // The cursor would retain its lock on the file.
    Task(executorPreference: TaskThreads.shared) { [source] in try await source.withoutTransaction { $0.endCursor(cursor) } }
  }

  package func fetch(
    upTo wanted: Int, after taken: @escaping @Sendable () -> RowNumber, to spool: RowSpool,
    _ note: @escaping @Sendable (RowChunk) -> Void
  ) async throws {
    try await source.withoutTransaction { [self] database in
      let count = taken()
      guard !count.isExact, count.value < wanted else { return }
      let cursor = try resumeCursor(in: database) ?? openCursor(in: database, after: count.value)
      let chunk = try spool.queue.write { try copy(cursor, upTo: wanted - count.value, to: spool, in: $0) }
      state.withLock { $0.cursor = chunk.isLast || chunk.error != nil ? nil : database.keepRunning(cursor) }
      note(chunk)
      if let error = chunk.error { throw error }
    }
  }

  /// Ends the cursor unless it continues soon; the next rows are then read with a new cursor.
  package func pause() {
    guard let cursor = state.withLock(\.cursor) else { return }
    Task(executorPreference: TaskThreads.shared) { [weak self] in
      try await Task.pause(for: Self.idleTime)
      guard let self, self.state.withLock({ $0.cursor == cursor }) else { return }
      try await self.source.withoutTransaction { $0.endCursor(cursor) }
    }
  }

  /// Resumes the cursor of the last chunk; if this chunk fails, the next one opens a new cursor.
  private func resumeCursor(in database: Database) -> Statement? {
    let token = state.withLock { state in
      defer { state.cursor = nil }
      return state.cursor
    }
    return token.flatMap { database.resume($0) }
  }

  private func copy(_ cursor: Statement, upTo wanted: Int, to spool: RowSpool, in store: Database) throws -> RowChunk {
    let start = ContinuousClock.now
    var chunk = RowChunk()
    do {
      while chunk.rows < Self.chunkLimit, chunk.rows < wanted || readsAhead(after: chunk.rows, since: start) {
        guard try cursor.step() else {
          chunk.isLast = true
          break
        }
        try spool.append(cursor, in: store)
        chunk.rows += 1
      }
    } catch {
      chunk.error = error
    }
    return chunk
  }

  private func readsAhead(after rows: Int, since start: ContinuousClock.Instant) -> Bool {
    rows < Self.readAhead && ContinuousClock.now - start < Self.readAheadTime
  }

  /// Opens a cursor and skips the rows fetched by an earlier one.
  private func openCursor(in database: Database, after taken: Int) throws -> Statement {
    try checkStates(in: database, taken: taken)
    let cursor = try sequence.makeCursor(in: database)
    for _ in 0..<taken {
      guard try cursor.step() else { break }
    }
    return cursor
  }

  /// Throws if the files have changed since the first rows were read, because rows could be missing or repeated.
  private func checkStates(in database: Database, taken: Int) throws {
    let states = try FileStates(of: database)
    let known = state.withLock { state in
      if state.states == nil || taken == 0 { state.states = states }
      return state.states
    }
    guard known == states else { throw Self.changed }
  }

  /// The error that ends fetching when the source of the rows has changed.
  package static var changed: DatabaseError {
    DatabaseError(DatabaseError.SQLITE_ABORT, "the source of these rows has changed since they were read: read them again")
  }
}
