/// A command's one declaration, from which keymap, footer, help, palette and README derive.
public struct CommandDeclaration: Sendable {
  public var command: Command
  /// One line, a sentence without a stop, in the imperative.
  public var help: String
  /// Words for it in the palette besides its name: `q` for quit.
  public var aliases: [String]
  /// The default keys by context, in the notation of the keymap file; the first is the one that the footer shows.
  public var keys: [CommandContext: [String]]
  /// Whether a number typed before it is its argument.
  public var takesCount: Bool

  init(
    _ command: Command, _ help: String, aliases: [String] = [], takesCount: Bool = false, _ keys: [CommandContext: [String]] = [:]
  ) {
    self.command = command
    self.help = help
    self.aliases = aliases
    self.takesCount = takesCount
    self.keys = keys
  }
}

extension CommandDeclaration {
  /// Every command, in the order of the help.
  public static let all: [CommandDeclaration] = everywhere + moves + catalog + grid + views + sql + record + bars

  private static let everywhere: [CommandDeclaration] = [
    .init(.help, "Show the keys that work here", [.everywhere: ["?", "f1"], .bar: ["f1"], .form: ["f1"]]),
    .init(.palette, "Choose from all commands", [.everywhere: [":", "f10"]]),
    .init(.jumpToTable, "Jump to a table by name", [.everywhere: ["ctrl-p"]]),
    .init(.chooseTheme, "Choose a theme, with a live preview", aliases: ["theme"]),
    .init(.toggleCatalog, "Show or hide the catalog", [.everywhere: ["g c"]]),
    .init(.nextPane, "Go to the next pane", [.everywhere: ["tab", "ctrl-w w"]]),
    .init(.previousPane, "Go to the previous pane", [.everywhere: ["shift-tab"]]),
    .init(.paneLeft, "Go to the pane on the left", [.everywhere: ["ctrl-w h", "ctrl-w left"]]),
    .init(.paneDown, "Go to the pane below", [.everywhere: ["ctrl-w j", "ctrl-w down"]]),
    .init(.paneUp, "Go to the pane above", [.everywhere: ["ctrl-w k", "ctrl-w up"]]),
    .init(.paneRight, "Go to the pane on the right", [.everywhere: ["ctrl-w l", "ctrl-w right"]]),
    .init(.stop, "Stop what runs, else copy the selection", [.everywhere: ["ctrl-c"]]),
    .init(.backOut, "Back out by one step; never quits", [.everywhere: ["escape"]]),
    .init(.refresh, "Read the rows and the catalog again", [.everywhere: ["R"], .grid: ["f5"]]),
    .init(.redraw, "Paint the screen anew", [.everywhere: ["ctrl-l"]]),
    .init(.suspend, "Suspend the program", [.everywhere: ["ctrl-z"]]),
    .init(.close, "Close this screen; the last one leaves", [.everywhere: ["q"]]),
    .init(.quit, "Quit", aliases: ["q"], [.everywhere: ["ctrl-q", "Z Z"]]),
  ]

  private static let moves: [CommandDeclaration] = [
    .init(
      .moveDown, "Move down", takesCount: true, [.catalog: ["j", "down"], .grid: ["j", "down"], .record: ["j", "down"], .form: ["down"]]),
    .init(.moveUp, "Move up", takesCount: true, [.catalog: ["k", "up"], .grid: ["k", "up"], .record: ["k", "up"], .form: ["up"]]),
    .init(.moveLeft, "Move left", takesCount: true, [.grid: ["h", "left", "b"]]),
    .init(.moveRight, "Move right", takesCount: true, [.grid: ["l", "right", "w"]]),
    .init(.moveToStart, "Go to the first column", [.grid: ["0", "^", "home"]]),
    .init(.moveToEnd, "Go to the last column", [.grid: ["$", "end"]]),
    .init(
      .moveToTop, "Go to the top, or to the row of the number typed before it", takesCount: true,
      [.catalog: ["g g", "ctrl-home", "home"], .grid: ["g g", "ctrl-home"], .record: ["g g", "ctrl-home", "home"]]),
    .init(
      .moveToBottom, "Go to the bottom, or to the row of the number typed before it", takesCount: true,
      [.catalog: ["G", "ctrl-end", "end"], .grid: ["G", "ctrl-end"], .record: ["G", "ctrl-end", "end"]]),
    .init(.moveToPercent, "Go to so many hundredths of the rows", takesCount: true, [.grid: ["%"]]),
    .init(.backToRow, "Go back to the row where the cursor was", [.grid: ["`"]]),
    .init(.halfPageDown, "Move down by half a page", [.everywhere: ["ctrl-d"]]),
    .init(.halfPageUp, "Move up by half a page", [.everywhere: ["ctrl-u"]]),
    .init(.pageDown, "Move down by a page", [.everywhere: ["ctrl-f", "pagedown"], .form: ["pagedown"]]),
    .init(.pageUp, "Move up by a page", [.everywhere: ["ctrl-b", "pageup"], .form: ["pageup"]]),
  ]

  private static let catalog: [CommandDeclaration] = [
    .init(.open, "Open the table, or unfold the group", [.catalog: ["enter", "l", "right"]]),
    .init(.fold, "Fold the group", [.catalog: ["h", "left"]]),
    .init(.narrow, "Narrow the list by name", [.catalog: ["/", "f3"]]),
    .init(.details, "Show columns, keys, indexes, triggers and DDL", [.catalog: ["i", "f2"], .grid: ["i", "f2"]]),
  ]

  private static let grid: [CommandDeclaration] = [
    .init(.openRecord, "Show this row as a record", [.grid: ["enter", "K"]]),
    .init(.find, "Find a text in the rows, in a record or in the details of a table", [.grid: ["/", "f3"], .record: ["/", "f3"]]),
    .init(.findNext, "Go to the next hit", [.grid: ["n"], .record: ["n"]]),
    .init(.findPrevious, "Go to the previous hit", [.grid: ["N", "shift-f3"], .record: ["N", "shift-f3"]]),
    .init(.findSameValue, "Go to the next row with this value", [.grid: ["*"]]),
    .init(.goToColumn, "Go to a column by name", [.grid: ["c"]]),
    .init(.hideColumn, "Hide this column", [.grid: ["-"]]),
    .init(.showAllColumns, "Show all columns", [.grid: ["g -"]]),
    .init(.fitColumn, "Fit this column to its values", [.grid: ["_"]]),
    .init(.narrowColumn, "Make this column narrower", takesCount: true, [.grid: ["<"]]),
    .init(.widenColumn, "Make this column wider", takesCount: true, [.grid: [">"]]),
    .init(.freezeColumns, "Freeze the columns up to here, or let them go", [.grid: ["z f"]]),
    .init(.selectCells, "Select cells", [.grid: ["v"]]),
    .init(.selectRows, "Select rows", [.grid: ["V"]]),
    .init(.extendLeft, "Extend the selection to the left", [.grid: ["shift-left"]]),
    .init(.extendDown, "Extend the selection downwards", [.grid: ["shift-down"]]),
    .init(.extendUp, "Extend the selection upwards", [.grid: ["shift-up"]]),
    .init(.extendRight, "Extend the selection to the right", [.grid: ["shift-right"]]),
    .init(.copy, "Copy the value, the selection, or the DDL in the details of a table", [.grid: ["y"], .record: ["y"]]),
    .init(.copyRow, "Copy the row, or all lines of the details", [.grid: ["Y"], .record: ["Y"]]),
    .init(.copyAs, "Copy as CSV, TSV, JSON, Markdown or INSERT", [.grid: ["g y"]]),
    .init(.followForeignKey, "Go to the row that this foreign key refers to", [.grid: ["g d", "f12"], .record: ["g d", "f12"]]),
    .init(.referringRows, "Show the rows that refer to this one", [.grid: ["g r", "shift-f12"], .record: ["g r", "shift-f12"]]),
    .init(.goBack, "Go back to where you came from", [.grid: ["ctrl-o", "backspace"], .record: ["ctrl-o", "backspace"]]),
    .init(.goForward, "Go forward again", [.grid: ["g o"]]),
  ]

  private static let views: [CommandDeclaration] = [
    .init(.filter, "Write a filter, or leave the filter bar", [.grid: ["&", "f6"], .catalog: ["&", "f6"], .editor: ["f6"], .bar: ["f6"]]),
    .init(.filterColumn, "Filter on this column", [.grid: ["f"]]),
    .init(.includeValue, "Keep only the rows with this value", [.grid: ["="]]),
    .init(.excludeValue, "Leave the rows with this value out", [.grid: ["!"]]),
    .init(.dropLastFilter, "Drop the last condition of the filter", [.grid: ["F"]]),
    .init(.dropFilter, "Drop the filter", [.grid: ["g F"]]),
    .init(.keepFilter, "Keep the filter under a name", [.bar: ["alt-s"]]),
    .init(.chooseFilter, "Choose a filter kept under a name", [.bar: ["alt-o"]]),
    .init(.editAsSQL, "Write filter and order as SQL in the editor", [.grid: ["g e"]]),
    .init(.sortColumn, "Sort by this column: upwards, downwards, not at all", [.grid: ["s"]]),
    .init(.sortFurther, "Sort by this column too, after the others", [.grid: ["S"]]),
    .init(.naturalOrder, "Show the rows in their natural order", [.grid: ["g S"]]),
    .init(.sortBar, "Write what the rows are sorted by", [.grid: ["g s"]]),
  ]

  private static let sql: [CommandDeclaration] = [
    .init(.editSQL, "Write SQL, or leave the editor", aliases: ["sql"], [.everywhere: ["f4", "g q"], .editor: ["f4"]]),
    .init(.runStatement, "Run the selection, or the statement under the caret", [.editor: ["f5"]]),
    .init(.runAll, "Run all statements", [.editor: ["shift-f5"]]),
    .init(.explain, "Say how SQLite finds these rows", [.grid: ["g x"]]),
    .init(.nextBuffer, "Go to the next text", [.editor: ["alt-n"]]),
    .init(.closeBuffer, "Close the text", [.editor: ["alt-w"]]),
    .init(.openFile, "Open an .sql file", [.editor: ["alt-o"]]),
    .init(.saveFile, "Save the text among the statements, or in a file", [.editor: ["alt-s"]]),
    .init(.editExternally, "Edit the text in $VISUAL", [.editor: ["alt-e"]]),
    .init(.undo, "Undo the last change", [.editor: ["alt-z", "ctrl-_"]]),
    .init(.redo, "Do again what was undone", [.editor: ["alt-y"]]),
    .init(.comment, "Make the lines comments, or SQL again", [.editor: ["alt-/"]]),
    .init(.unindent, "Move the selected lines to the left", [.editor: ["shift-tab"]]),
    .init(.statements, "Choose a saved statement and run it", [.everywhere: ["f9"], .grid: ["g l"]]),
    .init(.history, "Choose from what was run before", [.everywhere: ["f8"], .grid: ["g h"]]),
    .init(.parameters, "Fill in the parameters again", [.everywhere: ["f7"], .grid: ["g p"]]),
    .init(.nextResult, "Go to the next result", [.grid: ["g t"]]),
    .init(.previousResult, "Go to the result before", [.grid: ["g T"]]),
    .init(.commit, "Keep what the open transaction has changed"),
    .init(.rollBack, "Undo what the open transaction has changed"),
  ]

  private static let record: [CommandDeclaration] = [
    .init(.nextRecord, "Go to the next record", takesCount: true, [.record: ["]", "alt-down"]]),
    .init(.previousRecord, "Go to the previous record", takesCount: true, [.record: ["[", "alt-up"]]),
  ]

  private static let bars: [CommandDeclaration] = [
    .init(.accept, "Take what is chosen or written", [.form: ["enter"], .bar: ["enter"]]),
    .init(.complete, "Complete what stands before the caret", [.bar: ["tab"], .editor: ["tab"]]),
    .init(.historyOlder, "Go to an older text, or up in a list", [.bar: ["up"]]),
    .init(.historyNewer, "Go to a newer text, or down in a list", [.bar: ["down"]]),
    .init(.applyReplacement, "Mend the text as offered", [.bar: ["alt-enter"]]),
    .init(.changeType, "Read the field as another type", [.form: ["alt-t"]]),
    .init(.nextChoice, "Fill in the next value that is offered", [.form: ["alt-down"]]),
    .init(.previousChoice, "Fill in the value offered before", [.form: ["alt-up"]]),
    .init(.explainPlan, "Say how SQLite reads the rows", [.bar: ["alt-l"], .editor: ["alt-l"]]),
  ]
}
