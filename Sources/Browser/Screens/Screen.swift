import Terminal

/// A screen as a value: its state, its commands, its drawing, and its handlers of keys, the mouse and answers.
///
/// A screen does not know any other screen. Every function that may change something receives a `ScreenContext`. The screen uses it to
/// request everything outside the screen, and to send intents to other screens. `draw` only reads.
protocol Screen: Sendable {
  /// The intents that the screen receives: an enum in its folder, or `Never`.
  associatedtype Intent: ScreenIntent = Never
  /// The screen's commands, in the order of the help.
  static var commands: [CommandBinding<Self>] { get }
  /// The commands in the order of their hints on the last line.
  static var hintedCommands: [CommandBinding<Self>] { get }
  /// The program's commands that show the screen from anywhere.
  static var openers: [BrowserCommand] { get }

  /// Returns the context in which keys are looked up.
  func keyContext(in workspace: Workspace) -> KeyContext
  /// Returns the title of the screen's help: `Keys in the grid`.
  func helpTitle(in workspace: Workspace) -> String
  /// Returns the purpose of the screen, in one or two sentences at the top of its help.
  func purpose(in workspace: Workspace) -> String
  /// The position on the screen.
  var placement: ScreenPlacement { get }
  /// Whether the screen shows results from a copy of the rows, if the source makes one.
  var showsCopies: Bool { get }
  /// Returns the height of the screen if it is a guide below the panes.
  func guideRows(in area: Rect) -> Int
  /// Returns the label for the key of `back-out` in the last line; nil to omit it.
  func backOutHint(in workspace: Workspace) -> String?

  /// Starts the requests that the screen needs as soon as it is visible.
  mutating func start(_ context: inout ScreenContext<Self>)
  /// Adapts the screen to its area.
  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>)
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment)
  /// Draws the parts that overlap all panes, such as a list at the caret.
  func drawOver(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment)
  /// Returns the title while the screen has the focus; nil for the title of the rows.
  func title(_ environment: ScreenEnvironment) -> StyledLine?
  /// Returns the position of the cursor, shown at the end of the last line while the screen has the focus; nil for none.
  func position(_ environment: ScreenEnvironment) -> String?

  /// Handles a key that is not a command, in a context where plain characters are text; returns whether it had an effect.
  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool
  /// Inserts a text that was pasted, or typed faster than the program handles keys.
  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>)
  /// Handles a press of the left button.
  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>)
  mutating func clickRight(at point: Point, area: Rect, _ context: inout ScreenContext<Self>)
  /// Handles the release of the left button, and `drag` the moves before it.
  mutating func release(at point: Point, area: Rect, _ context: inout ScreenContext<Self>)
  mutating func drag(to point: Point, area: Rect, _ context: inout ScreenContext<Self>)
  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>)

  /// Returns the label of a command's hint, which may depend on the state; nil to omit the hint.
  func word(for hint: String, of command: Command) -> String?
  /// Returns the program's commands that the last line shows in addition to the screen's own.
  func generalHints(_ environment: ScreenEnvironment) -> [GeneralHint]
  /// Undoes the innermost state of the screen: a list of completions, a selection; returns whether there was any.
  mutating func backOut(_ context: inout ScreenContext<Self>) -> Bool
  /// Handles an intent of another screen.
  mutating func receive(_ intent: Intent, _ context: inout ScreenContext<Self>)
  /// Records that a command was performed; called for the guide below the panes.
  mutating func note(_ command: Command, _ context: inout ScreenContext<Self>)
  /// Updates the screen after changes around it: called after every message, for the screen with the focus.
  mutating func follow(_ context: inout ScreenContext<Self>)
  /// Returns whether a command may close the screen.
  ///
  /// A screen with unsaved input shows a warning and stays open the first time.
  mutating func prepareToClose(by command: Command, _ context: inout ScreenContext<Self>) -> Bool
  /// Ends the work that the screen began, before it is removed from the stack.
  mutating func willClose(_ context: inout ScreenContext<Self>)
  /// Updates the memory for the next session: called once for messages that arrive together.
  mutating func remember(_ context: inout ScreenContext<Self>)
  /// Returns whether the program can end.
  ///
  /// A screen with unfinished work completes it, or asks the person, and then ends the program.
  mutating func prepareToEnd(_ context: inout ScreenContext<Self>) -> Bool
}

extension Screen {
  static var hintedCommands: [CommandBinding<Self>] { commands }
  static var openers: [BrowserCommand] { [] }
  func helpTitle(in workspace: Workspace) -> String { "Keys \(keyContext(in: workspace).place)" }
  func purpose(in workspace: Workspace) -> String { "" }
  var placement: ScreenPlacement { .body }
  var showsCopies: Bool { false }
  func guideRows(in area: Rect) -> Int { 0 }
  func backOutHint(in workspace: Workspace) -> String? { "back" }

  mutating func start(_ context: inout ScreenContext<Self>) {}
  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {}
  func drawOver(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {}
  func title(_ environment: ScreenEnvironment) -> StyledLine? { nil }
  func position(_ environment: ScreenEnvironment) -> String? { environment.workspace.position(environment.appearance) }
  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool { false }
  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>) {}
  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {}
  mutating func clickRight(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {}
  mutating func release(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {}
  mutating func drag(to point: Point, area: Rect, _ context: inout ScreenContext<Self>) {}
  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) {}
  func word(for hint: String, of command: Command) -> String? { hint }
  func generalHints(_ environment: ScreenEnvironment) -> [GeneralHint] { [] }
  mutating func backOut(_ context: inout ScreenContext<Self>) -> Bool { false }
  mutating func note(_ command: Command, _ context: inout ScreenContext<Self>) {}
  mutating func follow(_ context: inout ScreenContext<Self>) {}
  mutating func prepareToClose(by command: Command, _ context: inout ScreenContext<Self>) -> Bool { true }
  mutating func willClose(_ context: inout ScreenContext<Self>) {}
  mutating func remember(_ context: inout ScreenContext<Self>) {}
  mutating func prepareToEnd(_ context: inout ScreenContext<Self>) -> Bool { true }
}

extension Screen where Intent == Never {
  mutating func receive(_ intent: Never, _ context: inout ScreenContext<Self>) {}
}

/// A command of the program that a screen's last line shows.
struct GeneralHint: Sendable {
  var command: Command
  var word: String
  /// The command of the screen that follows it; nil to show it at the end.
  var before: Command?
}

/// The position of a screen on the stack.
enum ScreenPlacement: Hashable, Sendable {
  /// Above all panes.
  case body
  /// Beside the rows if there is room, so that they stay visible; otherwise above all panes.
  case side
  /// Beside the rows and narrow, so that both fit on a screen of 80 columns; otherwise above all panes.
  case rail
  /// Above the grid if the grid has at least `rows` rows, so that its subject stays visible; otherwise above all panes.
  case grid(rows: Int)
  /// In the last line, in place of the hints.
  case lastLine
  /// Below all panes, in an area of its own.
  ///
  /// The panes keep the focus, and the guide gets the keys that they do not use.
  case guide
}

extension ScreenPlacement {
  var isOverGrid: Bool { if case .grid = self { true } else { false } }

  /// Whether the screen is beside the rows on a wide enough terminal.
  var isPanel: Bool { self == .side || self == .rail }

  /// Returns whether the screen is beside the rows on a terminal of this width.
  func isBeside(columns: Int) -> Bool {
    switch self {
    case .side: columns >= ScreenLayout.wide
    case .rail: columns >= ScreenLayout.railed
    case .body, .grid, .lastLine, .guide: false
    }
  }
}

/// The number of a screen; never reused.
package struct ScreenID: Hashable, Sendable {
  let number: Int

  // The panes, which are always open.
  package static let catalog = ScreenID(number: 1)
  package static let editor = ScreenID(number: 2)
  package static let rows = ScreenID(number: 3)

  /// The panes from left to right and from top to bottom.
  static let panes: [ScreenID] = [.catalog, .editor, .rows]
}

/// An open screen, with the number that routes answers to it.
package struct OpenScreen: Sendable {
  let id: ScreenID
  var screen: any Screen
  /// Whether the panel below the screen had yielded the focus to the panes when the screen was opened.
  ///
  /// The panel yields it again afterwards.
  var restoresYieldedFocus = false
}
