import QuarryEngine
import Synchronization

/// What requests run in: the connections, the readers of the rows that are shown, and the files of the program.
final class Services: Sendable {
  private let held: Mutex<Connections>
  private let open = Mutex<[GridID: OpenSet]>([:])
  /// The view that was compiled last: what is checked in the bar is opened next.
  private let compiledView = Mutex<CompiledRowView?>(nil)
  /// The files that have been told to be moved.
  let toldFiles = Mutex<[MovedFile]>([])
  let storage: Storage
  let inbox: MessageQueue
  /// The clock by which runs are timed.
  let now: @Sendable () -> ContinuousClock.Instant

  init(connections: Connections, storage: Storage, inbox: MessageQueue, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    held = Mutex(connections)
    self.storage = storage
    self.inbox = inbox
    self.now = now
  }

  var connections: Connections { held.withLock(\.self) }

  /// Goes over to other connections, which read the same tables from other files; rows of queries stay those of the old ones.
  func use(_ connections: Connections) {
    held.withLock { $0 = connections }
    for (id, set) in open.withLock(\.self) {
      guard case .table = set.base.source, let reader = try? connections.reader(of: set.reader.rowSet) else { continue }
      set.reader.cancelBackgroundWork()
      open.withLock { $0[id]?.reader = reader }
    }
  }

  /// Compiles a view, unless that has been done for the bar.
  func compile(_ view: RowView, for columns: FilterColumns) throws(RowViewError) -> CompiledRowView {
    if let known = compiledView.withLock(\.self), known.view == view, known.columns == columns { return known }
    let compiled = try view.compiled(for: columns)
    compiledView.withLock { $0 = compiled }
    return compiled
  }

  // MARK: Rows that are shown

  /// The rows of a grid: what reads them, all rows of the set that they are a view of, and how its columns are named.
  struct OpenSet: Sendable {
    var reader: RowReader
    var base: RowSet
    var filterColumns: FilterColumns
  }

  func openSet(_ id: GridID) -> OpenSet? {
    open.withLock { $0[id] }
  }

  /// Returns what reads all rows of a set for a grid; nil where none shows them.
  func openReader(of set: RowSet) -> RowReader? {
    open.withLock { $0.values.first { $0.reader.rowSet == set }?.reader }
  }

  /// Returns what reads the rows of a grid.
  ///
  /// - Throws: `CancellationError` where the grid is not shown any more.
  func reader(_ id: GridID) throws -> RowReader {
    guard let reader = openSet(id)?.reader else { throw CancellationError() }
    return reader
  }

  var openSets: [OpenSet] {
    open.withLock { Array($0.values) }
  }

  func keep(_ set: OpenSet, as id: GridID) {
    open.withLock { $0[id] = set }
  }

  func forget(_ id: GridID) {
    let set = open.withLock { $0.removeValue(forKey: id) }
    set?.reader.cancelBackgroundWork()
  }
}
