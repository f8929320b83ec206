/// Something a person can ask for, by the kebab-case name that the keymap file, the palette, the help and README use.
public enum Command: String, CaseIterable, Hashable, Sendable {
  // Everywhere.
  case help, palette, quit, close, stop, redraw, suspend, refresh
  case backOut = "back-out"
  case jumpToTable = "jump-to-table"
  case chooseTheme = "choose-theme"
  case nextPane = "next-pane"
  case previousPane = "previous-pane"
  case paneLeft = "pane-left"
  case paneDown = "pane-down"
  case paneUp = "pane-up"
  case paneRight = "pane-right"
  case toggleCatalog = "toggle-catalog"
  // Moves.
  case moveLeft = "move-left"
  case moveDown = "move-down"
  case moveUp = "move-up"
  case moveRight = "move-right"
  case moveToStart = "move-to-start"
  case moveToEnd = "move-to-end"
  case moveToTop = "move-to-top"
  case moveToBottom = "move-to-bottom"
  case moveToPercent = "move-to-percent"
  case backToRow = "back-to-row"
  case halfPageDown = "half-page-down"
  case halfPageUp = "half-page-up"
  case pageDown = "page-down"
  case pageUp = "page-up"
  // Catalog.
  case open
  case fold
  case narrow
  case details
  // Grid.
  case openRecord = "open-record"
  case find
  case findNext = "find-next"
  case findPrevious = "find-previous"
  case findSameValue = "find-same-value"
  case goToColumn = "go-to-column"
  case hideColumn = "hide-column"
  case showAllColumns = "show-all-columns"
  case fitColumn = "fit-column"
  case narrowColumn = "narrow-column"
  case widenColumn = "widen-column"
  case freezeColumns = "freeze-columns"
  case filter
  case filterColumn = "filter-column"
  case includeValue = "include-value"
  case excludeValue = "exclude-value"
  case dropLastFilter = "drop-last-filter"
  case dropFilter = "drop-filter"
  case editAsSQL = "edit-as-sql"
  case sortColumn = "sort-column"
  case sortFurther = "sort-further"
  case naturalOrder = "natural-order"
  case sortBar = "sort-bar"
  case selectCells = "select-cells"
  case selectRows = "select-rows"
  case extendLeft = "extend-left"
  case extendDown = "extend-down"
  case extendUp = "extend-up"
  case extendRight = "extend-right"
  case copy
  case copyRow = "copy-row"
  case copyAs = "copy-as"
  case followForeignKey = "follow-foreign-key"
  case referringRows = "referring-rows"
  case goBack = "go-back"
  case goForward = "go-forward"
  // SQL.
  case editSQL = "edit-sql"
  case runStatement = "run-statement"
  case runAll = "run-all"
  case explain
  case nextBuffer = "next-buffer"
  case closeBuffer = "close-buffer"
  case editExternally = "edit-externally"
  case openFile = "open-file"
  case saveFile = "save-file"
  case comment
  case unindent
  case undo, redo
  case statements, history
  case parameters
  case nextResult = "next-result"
  case previousResult = "previous-result"
  case commit
  case rollBack = "rollback"
  // Record.
  case nextRecord = "next-record"
  case previousRecord = "previous-record"
  // Bars, pickers and prompts.
  case accept
  case complete
  case historyOlder = "history-older"
  case historyNewer = "history-newer"
  case applyReplacement = "apply-replacement"
  case explainPlan = "explain-plan"
  case keepFilter = "keep-filter"
  case chooseFilter = "choose-filter"
  case changeType = "change-type"
  case nextChoice = "next-choice"
  case previousChoice = "previous-choice"
}

/// Where a key is pressed: the tables of the keymap file. A key of the context itself goes before one of `everywhere`.
public enum CommandContext: String, CaseIterable, Hashable, Sendable {
  case everywhere, catalog, grid, record, editor, bar, form

  /// Whether plain characters are text here, so that only other keys can be commands.
  public var takesText: Bool {
    switch self {
    case .editor, .bar, .form: true
    case .everywhere, .catalog, .grid, .record: false
    }
  }
}
