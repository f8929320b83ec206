import Terminal

/// One screen as a value: its state, its commands, its drawing, and how it handles keys, the mouse and answers.
///
/// A screen knows no other screen. Every function that may change something receives a `ScreenContext`, through which it asks for whatever
/// is outside the screen, and sends intents to other screens. `draw` only reads.
protocol Screen: Sendable {
  /// The intents that the screen receives: an enum in its folder, or `Never`.
  associatedtype Intent: ScreenIntent = Never
  /// The screen's commands, in the order of the help.
  static var commands: [CommandBinding<Self>] { get }
  /// The commands whose hints come first on the last line.
  static var hintOrder: [Command] { get }
  /// The program's commands that show the screen from anywhere.
  static var openers: [BrowserCommand] { get }

  /// Returns the context in which keys are looked up.
  func keyContext(in workspace: Workspace) -> KeyContext
  /// Returns the title of the screen's help: `Keys in the grid`.
  func helpTitle(in workspace: Workspace) -> String
  /// What the screen is for, in a sentence or two at the head of its help.
  func purpose(in workspace: Workspace) -> String
  /// Where on the screen it lies.
  var placement: ScreenPlacement { get }
  /// Whether it shows what was found out in a copy of the rows, where the source makes one.
  var showsCopies: Bool { get }
  /// The rows that it takes of the screen where it stands beside the others.
  func guideRows(in area: Rect) -> Int
  /// The word beside the key of `back-out` on the last line; nil to leave it out.
  func backOutHint(in workspace: Workspace) -> String?

  /// Starts what the screen needs as soon as it is shown.
  mutating func start(_ context: inout ScreenContext<Self>)
  /// Adapts the screen to its area.
  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>)
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment)
  /// Draws what lies over all panes, such as a list at the caret.
  func drawOver(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment)
  /// Returns the title while the screen has the focus; nil for the title of the rows.
  func title(_ environment: ScreenEnvironment) -> StyledLine?
  /// Returns where the cursor is, which stands at the end of the last line while the screen has the focus; nil for nothing.
  func position(_ environment: ScreenEnvironment) -> String?

  /// Handles a key that is not a command, where plain characters are text; returns whether it did anything.
  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool
  /// Inserts a text that was pasted, or typed faster than it was handled.
  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>)
  /// Handles a press of the left button.
  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>)
  mutating func clickRight(at point: Point, area: Rect, _ context: inout ScreenContext<Self>)
  /// Handles the release of the left button, and its moves before that.
  mutating func release(at point: Point, area: Rect, _ context: inout ScreenContext<Self>)
  mutating func drag(to point: Point, area: Rect, _ context: inout ScreenContext<Self>)
  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>)

  /// Returns the label of a command's hint, where that depends on the state; nil to leave it out.
  func word(for hint: String, of command: Command) -> String?
  /// Returns the program's commands that the last line names besides the screen's own.
  func generalHints(_ environment: ScreenEnvironment) -> [GeneralHint]
  /// Undoes the innermost state of the screen: a list of completions, a selection; returns whether there was any.
  mutating func backOut(_ context: inout ScreenContext<Self>) -> Bool
  /// Handles an intent of another screen.
  mutating func receive(_ intent: Intent, _ context: inout ScreenContext<Self>)
  /// Takes note of a command that has been performed, by a screen that stands beside the others.
  mutating func note(_ command: Command, _ context: inout ScreenContext<Self>)
  /// Follows what has changed around the screen: called after every message, for the screen that has the keys.
  mutating func follow(_ context: inout ScreenContext<Self>)
  /// Returns whether a command may close the screen; one with something that would be lost says so, and stays the first time.
  mutating func prepareToClose(by command: Command, _ context: inout ScreenContext<Self>) -> Bool
  /// Ends what the screen began, before it is removed from the stack.
  mutating func willClose(_ context: inout ScreenContext<Self>)
  /// Updates the memory for the next start: called once for messages that arrive together.
  mutating func remember(_ context: inout ScreenContext<Self>)
  /// Returns whether the program can end; a screen with something to finish does so, or asks, and then ends the program.
  mutating func prepareToEnd(_ context: inout ScreenContext<Self>) -> Bool
}

extension Screen {
  static var hintOrder: [Command] { [] }
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

/// A command of the program that a screen's last line names.
struct GeneralHint: Sendable {
  var command: Command
  var word: String
  /// The command of the screen before which it is named; nil for the end.
  var before: Command?
}

/// Where a screen on the stack lies.
enum ScreenPlacement: Hashable, Sendable {
  /// Over all panes.
  case body
  /// Beside the rows where there is room, so that they stay in sight; else over all panes.
  case side
  /// Beside the rows and narrow, so that both have room on a screen of 80 columns too; else over all panes.
  case rail
  /// Over the grid where that has so many rows, so that what it is about stays in sight; else over all panes.
  case grid(rows: Int)
  /// In place of the hints.
  case lastLine
  /// Below them all, in room of its own: the others keep the keys, and it has those that they have no use for.
  case guide
}

extension ScreenPlacement {
  var isOverGrid: Bool { if case .grid = self { true } else { false } }

  /// Whether it lies beside the rows on a screen that is wide enough.
  var isPanel: Bool { self == .side || self == .rail }

  /// Returns whether it lies beside the rows on a screen of so many columns.
  func isBeside(columns: Int) -> Bool {
    switch self {
    case .side: columns >= ScreenLayout.wide
    case .rail: columns >= ScreenLayout.railed
    case .body, .grid, .lastLine, .guide: false
    }
  }
}

/// The number of a screen; never used twice.
package struct ScreenID: Hashable, Sendable {
  let number: Int

  // The panes, which are always there.
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
  /// Whether the panel under it had left the keys to the panes when it was opened, as it will have again.
  var restoresYieldedFocus = false
}
