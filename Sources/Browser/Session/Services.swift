import QuarryChanges
import QuarryEngine
import QuarryRows
package import QuarrySources
import Synchronization

/// The context in which requests run: the data source, the readers of the grids' rows, and the program's files.
package final class Services: Sendable {
  private let held: Mutex<any DataSource>
  private let open = Mutex<[GridID: OpenSet]>([:])
  /// The number of times that the readers were replaced because of a new source or transaction.
  private let renewals = Atomic<Int>(0)
  /// The last compiled view, which the check in the bar shares with the opening of the rows.
  private let compiledView = Mutex<CompiledRowView?>(nil)
  /// The open transaction, whose connection reads the rows of tables.
  private let transaction = Mutex<OpenTransaction?>(nil)
  /// The moved files that have been reported.
  let reportedFiles = Mutex<[MovedFile]>([])
  /// The task that reports external changes of the source, and the delay between two reports.
  let watch = Mutex(Watch())
  let storage: Storage
  let inbox: MessageQueue
  /// The clock that measures runs.
  let now: @Sendable () -> ContinuousClock.Instant

  package init(source: any DataSource, storage: Storage, inbox: MessageQueue, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    held = Mutex(source)
    self.storage = storage
    self.inbox = inbox
    self.now = now
    listen(to: source)
  }

  deinit {
    watch.withLock(\.task)?.cancel()
  }

  /// Reports the source's lock waits, its copies and its external changes to the main loop.
  private func listen(to source: any DataSource) {
    source.watch?.onLockWait { [inbox] in inbox.post(.lockWaitChanged($0)) }
    source.insight?.onCopy { [inbox] in inbox.post(.copyChanged($0)) }
    followChanges(of: source)
  }

  var source: any DataSource { held.withLock(\.self) }

  // Screens offer no command that needs a missing role of the source; a request that needs one anyway fails.
  var statements: any StatementRunning { get throws { try require(\.statements, "does not run statements") } }
  var edits: any RowEditing { get throws { try require(\.edits, "cannot be edited") } }
  var commits: any CommitRecording { get throws { try require(\.commits, "does not record commits") } }
  var insight: any DataInsight { get throws { try require(\.insight, "does not count or search") } }
  var health: any HealthChecking { get throws { try require(\.health, "cannot be checked") } }
  var files: any FileImporting { get throws { try require(\.files, "does not import files") } }

  var designs: any TableDesigning { get throws { try require(\.designs, "does not change the definitions of tables") } }

  private func require<Role>(_ role: KeyPath<any DataSource, Role?>, _ lack: String) throws -> Role {
    let source = source
    guard let role = source[keyPath: role] else { throw DataSourceError("\(source.name) \(lack)") }
    return role
  }

  /// Switches to another source, which reads the same tables from other files; rows of queries remain those of the former source.
  package func use(_ source: any DataSource) {
    let former = LastReference(
      held.withLock { held in
        defer { held = source }
        return held
      })
    listen(to: source)
    renewReaders()
    former.dropElsewhere()
  }

  /// Reads the rows of tables within the open transaction, so that its changes are visible.
  func noteTransaction(_ transaction: OpenTransaction?) {
    let isChanged = self.transaction.withLock { known in
      defer { known = transaction }
      return known != transaction
    }
    if isChanged { renewReaders() }
  }

  private func renewReaders() {
    renewals.add(1, ordering: .sequentiallyConsistent)
    let former = LastReference(open.withLock(\.self))
    former.use { sets in
      for (id, set) in sets {
        guard let reader = renewedReader(of: set) else { continue }
        set.reader.cancelBackgroundWork()
        open.withLock { $0[id]?.reader = reader }
      }
    }
    former.dropElsewhere()
  }

  /// Returns a reader of the current source for a table's rows, which fails if the table no longer has the grid's columns.
  private func renewedReader(of set: OpenSet) -> RowReader? {
    guard case .table = set.base.source, let reader = try? source.reader(of: set.reader.rowSet) else { return nil }
    reader.requireColumns(set.columns)
    return reader
  }

  /// Cancels background reads of tables (counts and searches) whose locks would block a commit.
  func stopBackgroundReading() {
    for set in openSets where set.base.sourceTable != nil { set.reader.cancelBackgroundWork() }
  }

  /// Compiles a view, unless the bar has already done so.
  func compile(_ view: RowView, for columns: FilterColumns) throws(RowViewError) -> CompiledRowView {
    if let known = compiledView.withLock(\.self), known.view == view, known.columns == columns { return known }
    let compiled = try view.compiled(for: columns)
    compiledView.withLock { $0 = compiled }
    return compiled
  }

  // MARK: Open rows

  /// The rows of a grid: their reader, the unfiltered set, and its column names.
  package struct OpenSet: Sendable {
    var reader: RowReader
    var base: RowSet
    /// The columns of the reader's rows at the time of opening.
    var columns: [RowSetColumn]
    var filterColumns: FilterColumns
    /// The table that the rows of a query come from; nil for other rows.
    var origin: ResultTable?
  }

  func openSet(_ id: GridID) -> OpenSet? {
    open.withLock { $0[id] }
  }

  /// Returns the reader of all rows of a set for a grid; nil if no grid shows them.
  func openReader(of set: RowSet) -> RowReader? {
    open.withLock { $0.values.first { $0.reader.rowSet == set }?.reader }
  }

  /// Returns the reader of a grid's rows.
  ///
  /// - Throws: `CancellationError` if the grid no longer exists.
  func reader(_ id: GridID) throws -> RowReader {
    guard let reader = openSet(id)?.reader else { throw CancellationError() }
    return reader
  }

  package var openSets: [OpenSet] {
    open.withLock { Array($0.values) }
  }

  func keep(_ set: OpenSet, as id: GridID) {
    open.withLock { $0[id] = set }
  }

  /// Stores the rows of a grid; if the readers have been replaced since `renewal`, the rows are read from the current source.
  func keep(_ set: OpenSet, as id: GridID, openedAt renewal: Int) {
    keep(set, as: id)
    if renewal != self.renewal, let reader = renewedReader(of: set) { open.withLock { $0[id]?.reader = reader } }
  }

  /// The number of times that the readers were replaced.
  var renewal: Int { renewals.load(ordering: .sequentiallyConsistent) }

  func forget(_ id: GridID) {
    let set = LastReference(open.withLock { $0.removeValue(forKey: id) })
    set.use { $0?.reader.cancelBackgroundWork() }
    set.dropElsewhere()
  }
}
