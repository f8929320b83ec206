import QuarryEngine
import QuarryRows
import Terminal

extension Command {
  static let addColumn: Command = "add-column"
}

/// Computed columns.
extension RowsScreen {
  /// Opens the bar for a new computed column, or for the text of the computed column under the cursor.
  mutating func editComputedColumn(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let view = pendingView(in: context.workspace) else { return }
    beginBar(.column(grid.computedIndex(of: grid.column) ?? view.columns.count), &context)
  }

  /// Hides the column under the cursor, or removes it from the view if it is computed.
  mutating func hideColumn(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    if let index = grid.computedIndex(of: grid.column) { return removeComputedColumn(at: index, &context) }
    context.workspace.changeGrid { grid in
      grid.hideColumn()
      grid.revealCursor()
    }
  }

  private mutating func removeComputedColumn(at index: Int, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let name = grid.currentColumn?.name, var view = pendingView(in: context.workspace) else { return }
    let (text, count) = (view[.column(index)], view.columns.count)
    view[.column(index)] = ""
    guard view.columns.count < count else { return }
    if let user = view.textWithError(in: grid.filterColumns) { return context.notify(context.environment.sentence(on: name, usedBy: user)) }
    let table = grid.rowSet.sourceTable
    context.workspace.memory.keep(removed: text, for: table)
    context.workspace.changeGrid { $0.hideColumn() }
    show(view, &context)
    let keys = context.environment
    context.notify("\(name) removed: \(keys.keyHint(.addColumn)) \(keys.keyHint(.historyOlder, in: .bar)) writes it again")
  }

  /// Moves the cursor to the computed column of the bar, as soon as it is shown.
  mutating func goToColumn(of text: RowView.Text, in view: RowView, _ context: inout ScreenContext<Self>) {
    guard case .column = text, let grid = context.grid, !view[text].isBlank else { return }
    let name = ColumnExpression.name(in: view[text], columns: grid.filterColumns) ?? view[text]
    if opening.isReplacing(grid.id), opening.note(column: name) { return }
    context.workspace.changeGrid { $0.moveToColumn(named: name) }
  }

  /// Shows values as computed columns, in place of computed columns that show other values.
  ///
  /// A value that is shown already keeps its column, with its name.
  mutating func show(_ shown: [FilterSyntax], insteadOf former: [FilterSyntax], _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, var view = pendingView(in: context.workspace) else { return }
    if case .path(_, let path)? = shown.first(where: { !$0.isReachable })?.kind { return context.notifyUnreachable(path) }
    let computed = grid.columns.compactMap(\.computed)
    let texts = shown.map { value in computed.first { $0.syntax == value }?.writtenText ?? value.description }
    let removed = Set(computed.filter { former.contains($0.syntax) }.map(\.writtenText))
    view.columns = view.columns.filter { !removed.contains($0) } + texts
    if let user = view.textWithError(in: grid.filterColumns) {
      return context.notify(context.environment.sentence(on: "a removed column", usedBy: user))
    }
    show(view, &context)
  }
}

extension RowView {
  /// Returns a text that does not compile, because another one does not define a name any more; nil if all do.
  fileprivate func textWithError(in columns: FilterColumns) -> Text? {
    do throws(RowViewError) {
      let compiled = try compiled(for: columns)
      return compiled.computed.count < self.columns.count ? .column(0) : nil
    } catch {
      return error.text
    }
  }
}

extension ScreenEnvironment {
  /// Returns the reason why a computed column cannot be removed.
  fileprivate func sentence(on name: String, usedBy text: RowView.Text) -> String {
    switch text {
    case .filter: "the filter uses \(name): \(keyHint(.dropFilter)) removes the filter"
    case .sort: "the rows are sorted by \(name): \(keyHint(.naturalOrder)) removes the sorting"
    case .column: "another computed column uses \(name): remove that one first"
    }
  }
}

extension FilterSyntax {
  /// Whether SQLite can address it, if it is a path in JSON.
  fileprivate var isReachable: Bool { if case .path(_, let path) = kind { path.isReachable } else { true } }
}
