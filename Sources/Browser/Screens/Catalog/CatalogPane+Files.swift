import QuarryEngine
import QuarryFiles
import QuarrySources

/// Showing files as tables while they are being read.
extension CatalogPane {
  /// Begins to show the rows of files as they are read; does nothing where the tables are made of no files.
  func followFiles(_ context: inout ScreenContext<Self>) {
    guard context.workspace.source.roles.fileTables else { return }
    ask(FollowFiles(), &context)
  }

  private func ask(_ request: FollowFiles, _ context: inout ScreenContext<Self>) {
    context.ask(request) { pane, context, state in
      pane.note(state, &context)
    } then: { pane, context, result in
      switch result {
      case .success(let state?): pane.finish(state, &context)
      // The last rows are still being written; the final state is reported after that.
      case .failure(.stopped): pane.ask(FollowFiles(isStopped: true), &context)
      case .failure(let problem): context.notify(problem.text, .error)
      case .success(nil): break
      }
    }
  }

  /// Records which tables have been read, and shows the first rows of a table as soon as they are available.
  private func note(_ state: FollowFiles.State, _ context: inout ScreenContext<Self>) {
    let known = context.workspace.files.tables
    context.workspace.files.tables = state.tables
    context.workspace.files.areReading = true
    if known.isEmpty, context.isSilent, let table = state.tables.first { context.notify("\(table.fileName): \(table.reading)") }
    if known.filter({ $0.rows > 0 }).map(\.name) != state.tables.filter({ $0.rows > 0 }).map(\.name) { context.noteWriting() }
    reopen(known, state.tables, &context)
  }

  private func finish(_ state: FollowFiles.State, _ context: inout ScreenContext<Self>) {
    let known = context.workspace.files.tables
    context.workspace.files.tables = state.tables
    context.workspace.files.areReading = false
    context.noteWriting()
    reopen(known, state.tables, &context)
    let (text, role) = state.summary
    context.announce(text, role)
  }

  /// Reopens the visible rows if their table has been recreated with other types.
  private func reopen(_ known: [FileTable], _ tables: [FileTable], _ context: inout ScreenContext<Self>) {
    guard let shown = context.grid?.table, shown.database == "main" else { return }
    let before = known.first { $0.name == shown.name }?.columns.map(\.declaredType)
    let now = tables.first { $0.name == shown.name }?.columns.map(\.declaredType)
    guard let before, let now, before != now else { return }
    context.send(RowsIntent.reopen(shown))
  }
}

extension FollowFiles.State {
  /// What was read of the files, in a sentence.
  ///
  ///     sales.csv: 1,204,000 rows, separator “;”, header: yes
  ///     stopped: 20,000 rows of sales.csv were read
  fileprivate var summary: (text: String, role: Role) {
    let rows = tables.map { "\(Plural.of($0.rows, "row")) of \($0.fileName)" }.joined(separator: ", ")
    let verb = tables.reduce(0) { $0 + $1.rows } == 1 ? "was" : "were"
    if problem == .stopped { return ("stopped: \(rows.isEmpty ? "nothing was read" : "\(rows) \(verb) read")", .warning) }
    if let problem { return (rows.isEmpty ? problem.text : "\(problem.text.withoutFullStop); \(rows) \(verb) read", .error) }
    let fault = tables.compactMap(\.rejection).first ?? tables.compactMap(\.renaming).first
    let losses = tables.count == 1 ? tables[0].losses : tables.compactMap(\.loss)
    return (([fault ?? counts] + losses).joined(separator: "; "), fault == nil && losses.isEmpty ? .muted : .warning)
  }

  /// The number of rows, and how the files were read.
  private var counts: String {
    let files = Set(tables.map(\.path)).count
    if files > 2 || tables.count > 2 {
      let all = tables.reduce(0) { $0 + $1.rows }
      return "\(Plural.of(tables.count, "table")) of \(Plural.of(files, "file")): \(Plural.of(all, "row"))"
    }
    return tables.map(\.summary).joined(separator: "; ")
  }
}
