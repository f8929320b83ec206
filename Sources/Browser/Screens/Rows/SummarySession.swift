import QuarryChanges
package import QuarryRows
import Synchronization
import Terminal

/// The summary of the selected cells.
///
/// It is available immediately for a few loaded cells. Otherwise it grows while the cells are read.
///
///     none ──selection of loaded cells──▶ complete
///      ▲  ╲                                  ▲
///      │   ╲──other selection──▶ reading ────┘ all are read
///      └── no selection ──────────── │
///                                    └─ stopped: it keeps the values read so far
struct SummarySession: Hashable, Sendable {
  /// The summary; nil without a selection.
  private(set) var summary: SelectionSummary?

  /// Forgets the summary; returns whether there was one.
  mutating func clear() -> Bool {
    defer { summary = nil }
    return summary != nil
  }

  /// Sets the summary of cells that are all loaded.
  mutating func complete(_ summary: SelectionSummary) { self.summary = summary }

  /// Begins the summary of cells that have to be read; returns false if it is already running or complete.
  mutating func begin(_ summary: SelectionSummary) -> Bool {
    guard self.summary?.subject != summary.subject else { return false }
    self.summary = summary
    return true
  }

  /// Updates the summary with the cells read so far, unless the selection has changed.
  mutating func receive(_ values: ValueSummary, of subject: SelectionSummary.Subject, isComplete: Bool) {
    guard summary?.subject == subject else { return }
    summary?.values = values
    summary?.isComplete = isComplete
  }

  /// Updates the summary to match the selection.
  mutating func follow(_ context: inout RowsContext) {
    guard let grid = context.grid, let subject = grid.summarySubject(context.workspace), grid.obstacleUntilArrival == nil else {
      if clear() { context.supersede(SummarizeSelection.slot) }
      return
    }
    let column = grid.selection?.isWholeRows == true ? grid.currentColumn?.name : nil
    if let values = grid.summaryOfLoaded(subject, context.workspace.staged) {
      context.supersede(SummarizeSelection.slot)
      return complete(SelectionSummary(subject: subject, column: column, values: values, isComplete: true))
    }
    let isOfFile = grid.hasStagedRows(context.workspace.staged)
    guard begin(SelectionSummary(subject: subject, column: column, isOfFile: isOfFile)),
      let request = SummarizeSelection(subject, of: grid)
    else { return }
    context.ask(request) { rows, _, report in
      rows.summary.receive(report.values, of: subject, isComplete: false)
    } then: { rows, context, result in
      switch result {
      case .success(let values): rows.summary.receive(values, of: subject, isComplete: true)
      // The summary keeps the values read so far.
      case .failure(.stopped): break
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }
}

extension RowsScreen {
  func position(_ environment: ScreenEnvironment) -> String? {
    guard let summary = summary.summary else { return environment.workspace.position(environment.appearance) }
    return summary.words(columns: environment.size.columns - Self.hintColumns, environment.appearance)
  }

  /// The columns of the last line that are reserved for the key hints beside a summary.
  private static let hintColumns = 26
}

extension GridPane {
  /// The largest number of loaded cells that are summarized again after each key.
  private static let fewCells = 5_000

  /// Returns the cells to summarize; nil without a selection.
  fileprivate func summarySubject(_ workspace: Workspace) -> SelectionSummary.Subject? {
    guard selection != nil, let rows = selectedRange else { return nil }
    return SelectionSummary.Subject(
      grid: id, rows: rows, columns: editedColumns, fileChanges: workspace.source.fileChanges, stagedRevision: workspace.edits.revision)
  }

  /// Returns the summary of the selected cells with their staged values; nil if they are many, or not all loaded completely.
  fileprivate func summaryOfLoaded(_ subject: SelectionSummary.Subject, _ staged: StagedChanges) -> ValueSummary? {
    guard let rows = selectedRows, rows.lowerBound >= 0, rows.upperBound < rowCount,
      rows.count <= Self.fewCells / max(1, subject.columns.count)
    else { return nil }
    var summarizer = ValueSummarizer()
    for row in rows {
      let line = shownRow(at: row, staged)
      for column in subject.columns {
        let cell = line.cell(column)
        // SQLite has not assigned the value yet.
        if cell.automatic != nil { continue }
        guard let value = cell.value.wholeValue else { return nil }
        summarizer.add(value, by: self.column(at: column)?.collation ?? .binary)
      }
    }
    return summarizer.result
  }

  /// Returns whether the table has staged changes.
  fileprivate func hasStagedRows(_ staged: StagedChanges) -> Bool { table.map { staged.counts(of: $0).changes > 0 } ?? false }
}

/// A request that reads the selected cells and summarizes them.
package struct SummarizeSelection: Request {
  let grid: GridID
  package let first: RowKey
  package let last: RowKey
  package let columns: [Int]
  /// The collation of each column.
  let collations: [TextCollation]
  /// The number of rows; nil if unknown.
  let count: Int?

  /// Creates a request for rows of the file; nil if all selected rows are new.
  init?(_ subject: SelectionSummary.Subject, of grid: GridPane) {
    guard case .range(let first, let last, _) = subject.rows else { return nil }
    (self.grid, self.first, self.last, columns, count) = (subject.grid, first, last, subject.columns, grid.selectedCount)
    collations = columns.map { grid.column(at: $0)?.collation ?? .binary }
  }

  /// The summary of the cells read so far.
  package struct Report: ActivityReport {
    var values: ValueSummary
    var progress: RowProgress

    package init(values: ValueSummary, progress: RowProgress) {
      (self.values, self.progress) = (values, progress)
    }

    func badge(of activity: Activity) -> String? { progress.badge(of: activity) }
  }

  static let slot = RequestSlot("summary of the selection")
  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { Activity(name: "adding up", urgency: .background) }

  /// The number of rows between two progress reports.
  private static let reportInterval = 20_000

  func run(in services: Services, report: @escaping @Sendable (Report) -> Void) async throws -> ValueSummary {
    let state = Mutex((summarizer: ValueSummarizer(), rows: 0))
    let start = services.now()
    try await services.reader(grid).forEachRow(from: first, through: last, columns: columns) { values in
      let news = state.withLock { state in
        for (value, collation) in zip(values, collations) { state.summarizer.add(value, by: collation) }
        state.rows += 1
        return state.rows % Self.reportInterval == 0 ? (state.rows, state.summarizer.result) : nil
      }
      guard let (rows, values) = news else { return }
      report(Report(values: values, progress: RowProgress(rows: rows, total: count, elapsed: services.now() - start)))
    }
    return state.withLock(\.summarizer.result)
  }
}
