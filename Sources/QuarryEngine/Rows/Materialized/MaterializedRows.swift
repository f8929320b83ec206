internal import Synchronization

/// The rows of a view or a query, taken from it as far as they are asked for and kept in a temporary database, so that each is made once.
final class MaterializedRows: Sendable {
  let columns: [RowSetColumn]
  private let sequence: RowSequence
  private let source: DatabaseQueue
  private let spool: RowSpool
  private let progress: Mutex<Progress>

  private struct Progress: Sendable {
    var taken = 0
    var isComplete = false
    /// The cursor that stands after the rows taken.
    var cursor: LastingCursors.Token?
    /// What the first cursor read.
    var states: FileStates?
  }

  /// The number of rows that are taken beyond those asked for, where they come fast: a small result is then read to its end at once, and
  /// its cursor keeps no writer waiting.
  private static let readAhead = 1000

  /// How long that may take.
  private static let readAheadTime = Duration.milliseconds(5)

  /// How long a cursor waits for somebody to ask for its next rows: as long as it does, others cannot write, or their log grows.
  private static let idleTime = Duration.seconds(1)

  /// The number of rows after which others get their turn on the connection.
  private static let chunkLimit = 5000

  init(_ sequence: RowSequence, source: DatabaseQueue) throws {
    self.sequence = sequence
    self.source = source
    columns = sequence.columns
    spool = try RowSpool(width: columns.count)
    progress = Mutex(Progress())
  }

  /// The rows that a statement has returned, all of which are there.
  init(_ returned: ReturnedRows, _ sequence: RowSequence) {
    self.sequence = sequence
    columns = sequence.columns
    spool = returned.spool
    source = returned.spool.queue
    progress = Mutex(Progress(taken: returned.count, isComplete: true))
  }

  var store: DatabaseQueue { spool.queue }
  var rows: KeysetRows { spool.rows }

  deinit {
    guard let cursor = progress.withLock(\.cursor) else { return }
    // The cursor would keep its lock on the file.
    Task { [source] in try await source.withoutTransaction { $0.endCursor(cursor) } }
  }

  /// How many rows there are, as far as they have been taken.
  var count: RowNumber {
    progress.withLock { $0.isComplete ? .exact($0.taken) : .atLeast($0.taken) }
  }
}

// MARK: - Reading what has been taken

extension MaterializedRows {
  func page(_ request: PageRequest, progress: @Sendable (RowNumber) -> Void) async throws -> RowPage {
    let number = try await number(of: request, progress: progress)
    let count = count
    let (limit, rows) = (request.limit, rows)
    var page = try await store.read { database in
      switch request.position {
      case .before: try rows.page(request.position, limit: limit, in: database)
      case .last: try rows.page(.last, limit: limit, in: database)
      default: try rows.page(.from(.position(number)), limit: limit, in: database)
      }
    }
    if page.reachesStart {
      page.firstNumber = .exact(0)
    } else if case .position(let index)? = page.rows.first?.key {
      page.firstNumber = .exact(index)
    }
    page.reachesEnd = page.reachesEnd && count.isExact
    return page
  }

  /// Takes what a page needs, and returns the number of its first row.
  private func number(of request: PageRequest, progress: @Sendable (RowNumber) -> Void) async throws -> Int {
    switch request.position {
    case .first:
      return try await take(from: 0, request.limit, progress)
    case .number(let number):
      let first = try await take(from: max(0, number), request.limit, progress)
      return min(first, max(0, count.value - 1))
    case .from(let key):
      return try await take(from: index(of: key), request.limit, progress)
    case .after(let key):
      return try await take(from: Self.sum(index(of: key), 1), request.limit, progress)
    case .before(let key):
      return try index(of: key)
    case .last:
      return try await take(from: .max, request.limit, progress)
    }
  }

  /// Takes the rows of a page, and one more to tell whether there are more.
  private func take(from first: Int, _ limit: Int, _ progress: @Sendable (RowNumber) -> Void) async throws -> Int {
    try await take(through: Self.sum(first, limit), progress: progress)
    return first
  }

  private static func sum(_ first: Int, _ second: Int) -> Int {
    let (sum, overflows) = first.addingReportingOverflow(second)
    return overflows ? .max : sum
  }

  func index(of key: RowKey) throws -> Int {
    guard case .position(let index) = key else {
      throw DatabaseError(DatabaseError.SQLITE_MISUSE, "the key is not one of this set of rows")
    }
    return max(0, index)
  }
}

// MARK: - Taking rows

extension MaterializedRows {
  /// Takes rows until the one at this index is there, or until there are no more.
  func take(through index: Int, progress report: @Sendable (RowNumber) -> Void = { _ in }) async throws {
    let wanted = Self.sum(index, 1)
    while !count.isExact, count.value < wanted {
      try await source.withoutTransaction { [self] in try takeChunk(upTo: wanted, from: $0) }
      report(count)
    }
    endCursorWhenIdle()
  }

  /// Ends the cursor unless it goes on in a while; then the next rows begin with a cursor of their own.
  private func endCursorWhenIdle() {
    guard let cursor = progress.withLock(\.cursor) else { return }
    Task { [weak self] in
      try await Task.sleep(for: Self.idleTime)
      guard let self, self.progress.withLock({ $0.cursor == cursor }) else { return }
      try await self.source.withoutTransaction { $0.endCursor(cursor) }
    }
  }

  /// Takes the next rows; those taken before an error stay.
  private func takeChunk(upTo wanted: Int, from database: Database) throws {
    guard !count.isExact, count.value < wanted else { return }
    let cursor = try resumeCursor(in: database) ?? openCursor(in: database)
    let chunk = try store.write { try copy(cursor, upTo: wanted - count.value, to: $0) }
    progress.withLock {
      $0.taken += chunk.rows
      $0.isComplete = chunk.isLast
      $0.cursor = chunk.isLast || chunk.error != nil ? nil : database.keepRunning(cursor)
    }
    if let error = chunk.error { throw error }
  }

  /// The cursor of the last chunk, taken back: where this one fails, the next begins with a cursor of its own.
  private func resumeCursor(in database: Database) -> Statement? {
    let token = progress.withLock { progress in
      defer { progress.cursor = nil }
      return progress.cursor
    }
    return token.flatMap { database.resume($0) }
  }

  private func copy(_ cursor: Statement, upTo wanted: Int, to store: Database) throws -> Chunk {
    let start = ContinuousClock.now
    var chunk = Chunk()
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

  /// A cursor that stands after the rows that have been taken: at the beginning, but where one has been interrupted.
  private func openCursor(in database: Database) throws -> Statement {
    try checkStates(in: database)
    let cursor = try database.makeStatement(sql: sequence.sql)
    for (index, argument) in sequence.arguments.enumerated() {
      try cursor.bind(argument, at: index + 1)
    }
    for _ in 0..<count.value {
      guard try cursor.step() else { break }
    }
    return cursor
  }

  /// Rows of two states would be lost between them, or come twice.
  private func checkStates(in database: Database) throws {
    let states = try database.fileStates()
    let known = progress.withLock { progress in
      if progress.states == nil || progress.taken == 0 { progress.states = states }
      return progress.states
    }
    guard known == states else {
      throw DatabaseError(DatabaseError.SQLITE_ABORT, "what these rows are made from has been changed since they were read: read them again")
    }
  }

  private struct Chunk {
    var rows = 0
    var isLast = false
    var error: (any Error)?
  }
}
