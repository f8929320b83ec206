import Terminal

/// One thing on the screen, as a value: its state, its commands, what it draws, and what it does with keys, the mouse and answers.
///
/// A screen knows no other screen's state. What it wants done beyond its own it asks of the `ScreenContext` that every function which may
/// change something is given. `draw` only reads.
protocol Screen: Sendable {
  /// The commands that the screen performs, in the order of the help.
  static var commands: [CommandBinding<Self>] { get }
  /// The commands of the program that show the screen from anywhere.
  static var openers: [BrowserCommand] { get }

  /// The table of the keymap in which keys are looked up.
  func keyContext(in workspace: Workspace) -> KeyContext
  /// What the help of this screen is headed by: `Keys in the grid`.
  func helpTitle(in workspace: Workspace) -> String
  /// Where on the screen it lies.
  var placement: ScreenPlacement { get }
  /// The word beside the key of `back-out` on the last line; nil to leave it out.
  func backOutHint(in workspace: Workspace) -> String?

  /// Begins what the screen needs as soon as it is shown.
  mutating func start(_ context: inout ScreenContext<Self>)
  /// Fits the screen into the room that it has.
  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>)
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment)
  /// Draws what lies over all panes, such as a list at the caret.
  func drawOver(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment)
  /// Returns what the title says while the screen has the keys; nil for what it says of the rows.
  func title(_ environment: ScreenEnvironment) -> StyledLine?

  /// Handles a key that is no command, where plain characters are text; returns whether it meant anything.
  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool
  /// Puts in a text that was pasted, or typed faster than it could be met.
  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>)
  /// Handles a press of the left button at a point of the screen.
  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>)
  mutating func clickRight(at point: Point, area: Rect, _ context: inout ScreenContext<Self>)
  /// Handles the left button's release, and its moves before that.
  mutating func release(at point: Point, area: Rect, _ context: inout ScreenContext<Self>)
  mutating func drag(to point: Point, area: Rect, _ context: inout ScreenContext<Self>)
  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>)

  /// Returns the word for a command's hint, where that depends on the state; nil to leave it out.
  func word(for hint: String, of command: Command) -> String?
  /// The commands of the program that the last line names besides the screen's own.
  func generalHints(_ environment: ScreenEnvironment) -> [GeneralHint]
  /// Undoes the nearest of what the screen holds: a list of completions, a selection; returns whether there was anything.
  mutating func backOut(_ context: inout ScreenContext<Self>) -> Bool
  /// Follows what has changed around the screen: called after every message, for the screen that has the keys.
  mutating func follow(_ context: inout ScreenContext<Self>)
  /// Ends what the screen began, before it is taken off the stack.
  mutating func willClose(_ context: inout ScreenContext<Self>)
  /// Puts what is to be there at the next start into the memory: called once for all messages that have come together.
  mutating func remember(_ context: inout ScreenContext<Self>)
  /// Returns whether the program can end; a screen that has something to finish does so, or asks, and has the program end then.
  mutating func prepareToEnd(_ context: inout ScreenContext<Self>) -> Bool
}

extension Screen {
  static var openers: [BrowserCommand] { [] }
  func helpTitle(in workspace: Workspace) -> String { "Keys \(keyContext(in: workspace).place)" }
  var placement: ScreenPlacement { .body }
  func backOutHint(in workspace: Workspace) -> String? { "back" }

  mutating func start(_ context: inout ScreenContext<Self>) {}
  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {}
  func drawOver(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {}
  func title(_ environment: ScreenEnvironment) -> StyledLine? { nil }
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
  mutating func follow(_ context: inout ScreenContext<Self>) {}
  mutating func willClose(_ context: inout ScreenContext<Self>) {}
  mutating func remember(_ context: inout ScreenContext<Self>) {}
  mutating func prepareToEnd(_ context: inout ScreenContext<Self>) -> Bool { true }
}

/// A command of the program that a screen's last line names.
struct GeneralHint: Sendable {
  var command: Command
  var word: String
  /// The command of the screen that it stands before; nil for the end.
  var before: Command?
}

/// Where a screen of the stack lies.
enum ScreenPlacement: Hashable, Sendable {
  /// Over all panes.
  case body
  /// In place of the hints.
  case lastLine
}

/// The number of a screen; never used twice.
struct ScreenID: Hashable, Sendable {
  let number: Int

  // The panes, which are always there.
  static let catalog = ScreenID(number: 1)
  static let editor = ScreenID(number: 2)
  static let rows = ScreenID(number: 3)
}

/// A screen that is open, with the number that answers come back by.
struct OpenScreen: Sendable {
  let id: ScreenID
  var screen: any Screen
}
