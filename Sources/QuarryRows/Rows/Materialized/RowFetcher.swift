package import QuarryEngine
internal import Synchronization

/// Fetches the rows of a sequence one after the other, and puts them into a temporary database.
package protocol RowFetcher: Sendable {
  /// Fetches some of the next rows.
  ///
  /// - Parameters:
  ///   - wanted: How many rows there are to be, with those taken before; more may be taken, or less.
  ///   - taken: Returns how many have been taken; asked when it is this request's turn, since several may wait.
  ///   - note: Is called with what was taken, before another request gets its turn.
  /// - Throws: What the reading throws, after `note` was told of the rows before it.
  func fetch(
    upTo wanted: Int, after taken: @escaping @Sendable () -> RowNumber, to spool: RowSpool,
    _ note: @escaping @Sendable (RowChunk) -> Void
  ) async throws

  /// Is told that nothing more is wanted for now.
  func pause()
}

/// Rows that were taken in one go.
package struct RowChunk: Sendable {
  package var rows = 0
  /// Whether there are no more after them.
  package var isLast = false
  /// Why the reading has ended after them.
  var error: (any Error)?

  package init(rows: Int = 0, isLast: Bool = false, error: (any Error)? = nil) {
    (self.rows, self.isLast, self.error) = (rows, isLast, error)
  }
}

/// Takes rows by a cursor of a connection, which stays open for a while.
package final class CursorFetcher: RowFetcher {
  private let sequence: RowSequence
  private let source: DatabaseQueue
  private let state = Mutex(State())

  private struct State: Sendable {
    /// The cursor that stands after the rows taken.
    var cursor: LastingCursors.Token?
    /// What the first cursor read.
    var states: FileStates?
  }

  /// The number of rows that are read ahead where they come fast: a small result is then read to its end at once, and its cursor keeps no
  /// writer waiting.
  private static let readAhead = 1000

  /// How long that may take.
  private static let readAheadTime = Duration.milliseconds(5)

  /// How long a cursor stays open between two reads: while it does, others cannot write, or the write-ahead log grows.
  private static let idleTime = Duration.seconds(1)

  /// The number of rows after which other work gets its turn on the connection.
  private static let chunkLimit = 5000

  init(_ sequence: RowSequence, on source: DatabaseQueue) {
    self.sequence = sequence
    self.source = source
  }

  deinit {
    guard let cursor = state.withLock(\.cursor) else { return }
    // The cursor would keep its lock on the file.
    Task { [source] in try await source.withoutTransaction { $0.endCursor(cursor) } }
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

  /// Ends the cursor unless it goes on in a while; then the next rows begin with a cursor of their own.
  package func pause() {
    guard let cursor = state.withLock(\.cursor) else { return }
    Task { [weak self] in
      try await Task.sleep(for: Self.idleTime)
      guard let self, self.state.withLock({ $0.cursor == cursor }) else { return }
      try await self.source.withoutTransaction { $0.endCursor(cursor) }
    }
  }

  /// Takes the cursor of the last chunk back: if this chunk fails, the next one opens a cursor of its own.
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

  /// Opens a cursor and passes the rows that have been taken by an earlier one.
  private func openCursor(in database: Database, after taken: Int) throws -> Statement {
    try checkStates(in: database, taken: taken)
    let cursor = try sequence.makeCursor(in: database)
    for _ in 0..<taken {
      guard try cursor.step() else { break }
    }
    return cursor
  }

  /// Throws if the files have changed since the first rows were read: rows could be missing or come twice.
  private func checkStates(in database: Database, taken: Int) throws {
    let states = try FileStates(of: database)
    let known = state.withLock { state in
      if state.states == nil || taken == 0 { state.states = states }
      return state.states
    }
    guard known == states else { throw Self.changed }
  }

  /// What stops the taking of rows whose source has changed.
  package static var changed: DatabaseError {
    DatabaseError(DatabaseError.SQLITE_ABORT, "what these rows are made from has been changed since they were read: read them again")
  }
}
