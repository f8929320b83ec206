internal import QuarryEngine
internal import Synchronization

/// A computation of the rows of a query by other means than SQLite's, which takes less time if there are many rows.
///
/// All computations are equal, because the query determines the rows.
struct RowComputation: Hashable, Sendable {
  /// Computes the rows in no particular order; nil if only SQLite can compute them.
  let rows: @Sendable (ReadConnections, _ progress: @escaping @Sendable (RowProgress) -> Void) async throws -> ReturnedRows?

  init(
    _ rows: @escaping @Sendable (ReadConnections, _ progress: @escaping @Sendable (RowProgress) -> Void) async throws -> ReturnedRows?
  ) {
    self.rows = rows
  }

  static func == (left: RowComputation, right: RowComputation) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}

extension ReadConnections {
  /// Returns the computed rows of a query, without the filter and the order of the set; nil if SQLite computes them.
  ///
  /// The connections keep the rows of the last computation as long as no file changes.
  ///
  /// - Throws: `DatabaseError`, `CancellationError`.
  package func computedRows(
    of set: RowSet, progress: @escaping @Sendable (RowProgress) -> Void = { _ in }
  ) async throws -> ReturnedRows? {
    guard let computation = set.computation else { return nil }
    let states = try await background.read { try FileStates(of: $0) }
    if let known = knownRows(of: set.source, in: states) { return known }
    guard let rows = try await computation.rows(self, progress) else { return nil }
    if try await background.read({ try FileStates(of: $0) }) == states { keep(rows, of: set.source, in: states) }
    return rows
  }
}

/// A fetcher of the rows of a query that are computed all at once, or else by SQLite, one after the other.
final class ComputedFetcher: RowFetcher {
  private let rowSet: RowSet
  private let connections: ReadConnections
  private let sequence: RowSequence
  /// The fetcher of the computed rows with their number, or of SQLite's.
  private let chosen = Mutex<(fetcher: CursorFetcher, count: Int?)?>(nil)

  /// - Parameter sequence: The rows as SQLite computes them.
  init(_ sequence: RowSequence, of rowSet: RowSet, on connections: ReadConnections) {
    (self.sequence, self.rowSet, self.connections) = (sequence, rowSet, connections)
  }

  func fetch(
    upTo wanted: Int, after taken: @escaping @Sendable () -> RowNumber, to spool: RowSpool,
    _ note: @escaping @Sendable (RowChunk) -> Void
  ) async throws {
    let fetcher = try await fetcher { note(RowChunk(progress: $0)) }
    try await fetcher.fetch(upTo: wanted, after: taken, to: spool, note)
  }

  func pause() { chosen.withLock(\.self)?.fetcher.pause() }

  /// The number of computed rows, unless a filter leaves some of them out.
  var total: Int? { rowSet.filter == nil ? chosen.withLock(\.self)?.count : nil }

  private func fetcher(progress: @escaping @Sendable (RowProgress) -> Void) async throws -> CursorFetcher {
    if let fetcher = chosen.withLock(\.self)?.fetcher { return fetcher }
    let fetcher: CursorFetcher
    var count: Int?
    if let rows = try await connections.computedRows(of: rowSet, progress: progress) {
      fetcher = CursorFetcher(RowSequence(returned: rows, of: rowSet), on: rows.connections.background)
      count = rows.count
    } else {
      fetcher = CursorFetcher(sequence, on: try connections.lasting())
    }
    return chosen.withLock { chosen in
      // Another request may have computed the rows meanwhile.
      let first = chosen ?? (fetcher, count)
      chosen = first
      return first.fetcher
    }
  }
}
