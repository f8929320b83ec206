import QuarryChanges
import QuarryRows
import Terminal

/// The pane of rows: the grid with its filter bar, and the results of statements as tabs above it.
///
/// It lays them out, and passes keys and answers to its session values. Each of these owns its state.
package struct RowsScreen: Screen {
  package var opening = OpeningSession()
  package var filter = FilterSession()
  var find = FindSession()
  package var following = FollowSession()
  var summary = SummarySession()
  package var results = ResultTabs()
  var saved = SavedStaging()
  /// Whether the person has been informed about changes of tables that are read from files.
  var didWarnAboutCopies = false
  /// Whether the program quits as soon as the export is complete.
  var quitsOnceWritten = false
  /// The column whose header the mouse button was pressed on, until the pointer moves.
  var pressedHeader: Int?
  /// The pane's area on the screen.
  private(set) var area = Rect.none

  func keyContext(in workspace: Workspace) -> KeyContext {
    isTyping(in: workspace) ? .bar : workspace.grid?.grouping == nil ? .grid : .groups
  }
  func purpose(in workspace: Workspace) -> String {
    if isTyping(in: workspace) {
      return filter.bar.isOfColumn
        ? "Type a name, = and an expression, such as: minutes = seconds / 60. Filters and sort keys can use the name."
        : "Type a condition, such as: price > 10 and name ~ blue. Quarry checks it as you type; Tab completes columns and values."
    }
    return workspace.grid?.grouping != nil
      ? "Groups of rows: divide them, add sums and means, make columns of the values of a level, and open the rows of a group."
      : "The rows of a table, a view or a query: find, filter, sort, change and copy them, and follow their foreign keys."
  }
  func backOutHint(in workspace: Workspace) -> String? { isTyping(in: workspace) ? "leave" : nil }

  /// Returns whether the filter bar has the focus within the pane.
  func isTyping(in workspace: Workspace) -> Bool { filter.isOpen(under: workspace.shownGrid) }

  /// Returns the view that the grid will have once the requested rows have arrived.
  func pendingView(in workspace: Workspace) -> RowView? {
    workspace.grid.map(opening.view)
  }

  func generalHints(_ environment: ScreenEnvironment) -> [GeneralHint] {
    if isTyping(in: environment.workspace) { return [] }
    // The key that follows a search or a selection comes first.
    let next =
      environment.grid?.selection != nil
      ? [GeneralHint(command: .copyAs, word: "copy as", before: .editCell)]
      : environment.grid?.search.hits != nil ? [GeneralHint(command: .findNext, word: "next", before: .editCell)] : []
    let filtered =
      environment.grid?.view.filter.isBlank == false ? [GeneralHint(command: .dropLastFilter, word: "unfilter", before: .sortColumn)] : []
    return next + filtered + [
      GeneralHint(command: .nextPane, word: environment.hasSidePanel ? "panel" : "catalog", before: .copy),
      GeneralHint(command: .jumpToTable, word: "table"),
      GeneralHint(command: .close, word: environment.isEditorShown ? "close editor" : "quit"),
    ]
  }

  static let commands: [CommandBinding<Self>] = RowsCommands.all
  static let hintedCommands: [CommandBinding<Self>] = commands.beginning(
    with: [.openGroup, .groupRows, .addAggregate, .pivot, .editCell, .filter, .countValues, .find, .openRecord, .sortColumn])

  /// Returns the area of the grid.
  func gridArea(_ environment: ScreenEnvironment) -> Rect { RowsLayout(area, filter, environment).grid }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    self.area = area
    let gridArea = gridArea(context.environment)
    let appearance = context.appearance
    let glyphs = appearance.glyphs
    let staged = context.workspace.staged
    context.workspace.changeGrid { grid in
      grid.extent = grid.extent(in: gridArea)
      grid.show(newRows: grid.rowSet.sourceTable.map(staged.newRows) ?? [])
      if grid.emptyTimes.areHidden != appearance.hidesEmptyTimes { grid.toggleEmptyTimes(glyphs: glyphs) }
      grid.fitColumns()
      grid.revealCursor()
      grid.noteTimes(staged: staged)
      grid.growColumns(staged: staged, glyphs: glyphs)
      grid.growLabels(staged: staged, glyphs: glyphs)
      grid.revealCursor()
    }
  }

  mutating func remember(_ context: inout ScreenContext<Self>) {
    warnAboutCopies(&context)
    readCommittedValues(&context)
    saved.save(&context)
  }

  mutating func prepareToEnd(_ context: inout ScreenContext<Self>) -> Bool {
    waitForImport(&context) && askAboutWrittenFile(&context) && saved.askAboutStaged(&context) && context.askAboutCopies()
  }

  mutating func follow(_ context: inout ScreenContext<Self>) {
    dismissUnfocusedBar(&context)
    if context.environment.focus != .catalog { opening.keepPreview() }
    context.followLens()
    rememberView(&context)
    following.keep(&context)
    summary.follow(&context)
  }

  /// Saves the view of the current table in the memory.
  private func rememberView(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let table = grid.rowSet.rememberedTable, !isTyping(in: context.workspace) else { return }
    let hidden = grid.layout.hidden.sorted().compactMap { grid.column(at: $0)?.name }
    let arguments = grid.view.filter.isBlank ? [:] : grid.view.arguments
    let stored = arguments.sorted { $0.key < $1.key }.map { StoredArgument($0.key, $0.value) }
    context.workspace.memory[table] = SessionMemory.TableView(
      filter: grid.view.filter, sort: grid.view.sort, hidden: hidden, frozen: grid.layout.frozen, arguments: stored.isEmpty ? nil : stored,
      columns: grid.view.columns.isEmpty ? nil : grid.view.columns, showsReferences: grid.lens == nil ? nil : true)
  }

  // MARK: Keys

  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool {
    guard isTyping(in: context.workspace) else { return false }
    if key.isPlainCharacter, case .character(let character) = key.code {
      filter.acceptImplicitPair(character)
    }
    filter.edit(&context) { $0.handle(key) }
    return true
  }

  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>) {
    guard isTyping(in: context.workspace) else { return paste(CopiedText(text), &context) }
    var left = 0
    if isTyped, let first = text.first { filter.acceptImplicitPair(first) }
    filter.edit(&context) { field in
      left = field.insert(text)
      return true
    }
    context.notifyLeftOut(left)
  }

  /// Closes the list of completions, closes the bar, stops reading rows to edit, ends the selection or the following, or goes back from
  /// groups to their rows.
  mutating func backOut(_ context: inout ScreenContext<Self>) -> Bool {
    if isTyping(in: context.workspace), filter.bar.completions != nil {
      filter.change { $0.closeList() }
    } else if isTyping(in: context.workspace) {
      abandonBar(&context)
    } else if !context.environment.stagingReads.isEmpty {
      context.send(BrowserIntent.stop(byEscape: true))
    } else if opening.isOfGroups, context.grid?.grouping != nil {
      context.send(BrowserIntent.stop(byEscape: true))
    } else if context.grid?.selection != nil {
      context.workspace.changeGrid { $0.selection = nil }
    } else if following.end != nil {
      following.leave(&context)
    } else if context.grid?.grouping != nil || context.grid?.isOfGroup == true, !opening.history.back.isEmpty {
      goBack(&context)
    } else {
      return false
    }
    return true
  }

  // MARK: Reads of the grid

  /// Changes the current grid, and issues the reads that it requests.
  mutating func change(_ context: inout ScreenContext<Self>, _ body: (inout GridPane) -> [GridRequest]) {
    context.changeGrid(body)
  }
}
