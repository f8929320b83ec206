internal import Synchronization

/// Reads a row set of any size: pages from any place, counts, searches, whole values.
///
///     let connections = ReadConnections(foreground: try open(), background: try open())
///     let reader = RowReader(RowSet(.table(TableReference(name: "Track"))), on: connections)
///     let first = try await reader.page(PageRequest(.first, limit: 50))
///     let next = try await reader.page(PageRequest(.after(first.rows[49].key), limit: 50))
///
/// Tables are read by key, never from the beginning; views and queries row by row as far as they are asked for, each row once. Where a
/// set has a filter or an order, the keys of all its rows are found in the background, and pages come from the table until they are there.
/// When a table has been changed by someone else the reader goes on with what is there now; when its columns have changed it throws.
public final class RowReader: Sendable {
  /// The rows that are read.
  public let rowSet: RowSet
  let connections: ReadConnections
  let state = Mutex(State())
  let foregroundWork = TaskBag()
  let backgroundWork = TaskBag()

  struct State: Sendable {
    var source: RowSource?
    var numbers = RowNumbers()
    var anchoring: Task<Void, Never>?
  }

  /// Makes a reader, which reads nothing yet.
  ///
  /// - Parameters:
  ///   - rowSet: the rows.
  ///   - connections: those of the database, which may be shared with other readers; rows that a statement has returned are read on their own.
  public init(_ rowSet: RowSet, on connections: ReadConnections) {
    self.rowSet = rowSet
    self.connections = if case .returned(let rows) = rowSet.source { rows.connections } else { connections }
  }

  var foreground: DatabaseQueue { connections.foreground }
  var background: DatabaseQueue { connections.background }

  deinit {
    foregroundWork.cancel()
    backgroundWork.cancel()
    cancelOrdering()
  }

  /// Ends the making of an order, or of what rows are found by their number with; it begins again when it is needed.
  public func cancelOrdering() {
    state.withLock { state in
      state.anchoring?.cancel()
      if case .ordered(let table)? = state.source { table.cancel() }
    }
  }

  /// The columns in order; hidden columns of virtual tables are left out, generated ones are there.
  ///
  /// - Throws: `DatabaseError`
  public func columns() async throws -> [RowSetColumn] {
    try await foregroundWork.run { [self] in try await source().columns }
  }

  /// Whether the rows are those that the source gave when they were first read, as those of views and queries are: to see what others have
  /// written since takes a new reader.
  ///
  /// - Throws: `DatabaseError`
  public func isSnapshot() async throws -> Bool {
    try await foregroundWork.run { [self] in
      if case .spooled = try await source() { true } else { false }
    }
  }

  /// A run of rows.
  ///
  /// Where rows are rare that the set keeps, or the page lies far on, finding a whole page takes time: see ``PageRequest/patience``.
  ///
  /// - Parameters:
  ///   - request: which rows, and how many.
  ///   - progress: is told how far the passing of rows is, while a page needs all those before it, or all of the set.
  /// - Throws: `DatabaseError`, also where the table is gone or its columns have changed since the reader was made.
  public func page(_ request: PageRequest, progress: @escaping @Sendable (RowProgress) -> Void = { _ in }) async throws -> RowPage {
    let request = PageRequest(request.position, limit: min(max(1, request.limit), Self.pageLimit), patience: request.patience)
    return try await foregroundWork.run { [self] in
      switch try await source() {
      case .table(let table): try await foreground.read { try self.page(request, of: table, in: $0) }
      case .ordered(let table): try await table.page(request, progress: progress)
      case .spooled(let rows): try await rows.page(request) { progress(RowProgress(rows: $0.value, total: $0.isExact ? $0.value : nil)) }
      }
    }
  }

  /// The greatest number of rows of a page.
  static let pageLimit = 10_000

  /// Ends what runs on the background connection for this reader (a count, a search, the finding of all rows of a set).
  public func cancelBackgroundWork() {
    cancelOrdering()
    backgroundWork.cancel()
  }

  /// Ends what runs on the foreground connection for this reader (a page of a slow view).
  public func cancelForegroundWork() {
    foregroundWork.cancel()
  }
}
