import QuarryEngine
import Synchronization

/// What requests run in: the data source, the readers of the rows that are shown, and the files of the program.
final class Services: Sendable {
  private let held: Mutex<any DataSource>
  private let open = Mutex<[GridID: OpenSet]>([:])
  /// The view that was compiled last: what is checked in the bar is opened next.
  private let compiledView = Mutex<CompiledRowView?>(nil)
  /// The transaction that is open, in whose sight rows are read.
  private let transaction = Mutex<OpenTransaction?>(nil)
  /// The files that have been told to be moved.
  let toldFiles = Mutex<[MovedFile]>([])
  /// The task that tells what others do to the source, and what each time waits for the end of what follows.
  let watch = Mutex(Watch())
  let storage: Storage
  let inbox: MessageQueue
  /// The clock by which runs are timed.
  let now: @Sendable () -> ContinuousClock.Instant

  init(source: any DataSource, storage: Storage, inbox: MessageQueue, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    held = Mutex(source)
    self.storage = storage
    self.inbox = inbox
    self.now = now
    listen(to: source)
  }

  deinit {
    watch.withLock(\.task)?.cancel()
  }

  /// Has the main loop told of locks that a source waits for, and of what others do to it.
  private func listen(to source: any DataSource) {
    source.onLockWait { [inbox] in inbox.post(.lockWaitChanged($0)) }
    followChanges(of: source)
  }

  var source: any DataSource { held.withLock(\.self) }

  /// Goes over to another source, which reads the same tables from other files; rows of queries stay those of the old one.
  func use(_ source: any DataSource) {
    held.withLock { $0 = source }
    listen(to: source)
    renewReaders()
  }

  /// Has the rows of tables read where the changes of a transaction are seen while it is open, and elsewhere when it is not.
  func noteTransaction(_ transaction: OpenTransaction?) {
    let isChanged = self.transaction.withLock { known in
      defer { known = transaction }
      return known != transaction
    }
    if isChanged { renewReaders() }
  }

  private func renewReaders() {
    let source = source
    for (id, set) in open.withLock(\.self) {
      guard case .table = set.base.source, let reader = try? source.reader(of: set.reader.rowSet) else { continue }
      set.reader.cancelBackgroundWork()
      open.withLock { $0[id]?.reader = reader }
    }
  }

  /// Ends what is read of tables in the background, which keeps locks on the file that no commit gets past: counts and searches.
  func stopBackgroundReading() {
    for set in openSets where set.base.sourceTable != nil { set.reader.cancelBackgroundWork() }
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
