/// A command of a screen, declared once: name, help, keys, hint, precondition and effect.
struct CommandBinding<Target: Screen>: Sendable {
  typealias Handler = @Sendable (inout Target, inout ScreenContext<Target>, _ count: Int?) -> Void
  /// Returns the reason why the command is not available, as a sentence; nil if it is available.
  typealias Obstacle = @Sendable (Target, ScreenEnvironment) -> String?

  private(set) var declaration: CommandDeclaration
  /// The label of the key in the last line; nil to omit the command there.
  let hint: String?
  /// Whether the last line shows the command, if this differs from whether it is available.
  private(set) var hintedWhen: (@Sendable (Target, ScreenEnvironment) -> Bool)?
  private(set) var obstacle: Obstacle
  let perform: Handler

  /// Declares a command.
  ///
  /// - Parameters:
  ///   - brief: The help in a few words, if the full help is too long for a list in columns.
  ///   - keys: The default keys by context, in the notation of the keymap file; the last line shows the first one.
  ///   - hintedWhen: Whether the last line shows the command; nil to show it while it is available.
  ///   - unless: Returns the reason why the command is not available; nil if it is available.
  init(
    _ name: Command, _ help: String, brief: String? = nil, aliases: [String] = [], keys: [KeyContext: [String]] = [:],
    hint: String? = nil, hintedWhen: (@Sendable (Target, ScreenEnvironment) -> Bool)? = nil,
    unless obstacle: @escaping Obstacle = { _, _ in nil },
    perform: @escaping Handler
  ) {
    declaration = CommandDeclaration(name, help, brief: brief, aliases: aliases, keys)
    self.hint = hint
    self.hintedWhen = hintedWhen
    self.obstacle = obstacle
    self.perform = perform
  }

  var name: Command { declaration.command }
}

extension Screen {
  /// Returns the screen's own command with this name.
  static func binding(of command: Command) -> CommandBinding<Self>? {
    commands.first { $0.name == command }
  }

  /// Returns whether the screen has a command with this name.
  ///
  /// - Parameter context: The context in which the command must have default keys; nil for any context.
  static func has(_ command: Command, boundIn context: KeyContext? = nil) -> Bool {
    commands.contains { $0.name == command && context.map($0.declaration.keys.keys.contains) ?? true }
  }

  /// The declarations of the screen's commands, for the help and the keymap.
  static var declarations: [CommandDeclaration] { commands.map(\.declaration) }

  /// Returns the reason why one of the screen's own commands is not available; nil if it is.
  func obstacle(to command: Command, _ environment: ScreenEnvironment) -> String? {
    Self.binding(of: command)?.obstacle(self, environment)
  }

  /// Returns the commands that the last line shows, with their labels.
  func hints(_ environment: ScreenEnvironment) -> [(Command, String)] {
    let general = generalHints(environment)
    let own = Self.hintedCommands.flatMap { binding -> [(Command, String)] in
      let before = general.filter { $0.before == binding.name }.map { ($0.command, $0.word) }
      guard let hint = binding.hint, let word = word(for: hint, of: binding.name) else { return before }
      let isHinted = binding.hintedWhen.map { $0(self, environment) } ?? (binding.obstacle(self, environment) == nil)
      return before + (isHinted ? [(binding.name, word)] : [])
    }
    return own + general.filter { $0.before == nil }.map { ($0.command, $0.word) }
  }
}

extension Array {
  /// Returns the commands with those of some names first, in the order of the names.
  func beginning<Target>(with names: [Command]) -> [Element] where Element == CommandBinding<Target> {
    names.compactMap { name in first { $0.name == name } } + filter { !names.contains($0.name) }
  }

  /// Returns the commands with a group of the help assigned to all of them, or only to commands with the given names.
  func grouped<Target>(_ group: String, only names: [Command]? = nil) -> [CommandBinding<Target>] where Element == CommandBinding<Target> {
    map { $0.grouped(group, only: names) }
  }
}

extension CommandBinding {
  /// Returns the command with another condition, checked after its own one.
  func also(unless further: @escaping Obstacle) -> CommandBinding {
    var binding = self
    binding.obstacle = { [obstacle] in obstacle($0, $1) ?? further($0, $1) }
    if let hintedWhen { binding.hintedWhen = { hintedWhen($0, $1) && further($0, $1) == nil } }
    return binding
  }

  fileprivate func grouped(_ group: String, only names: [Command]?) -> CommandBinding {
    guard names?.contains(name) ?? true else { return self }
    var binding = self
    binding.declaration.group = group
    return binding
  }

  /// The effect of a motion by a number of steps; negative steps move up.
  typealias Motion = @Sendable (inout Target, inout ScreenContext<Target>, Int) -> Void
  typealias Extent = @Sendable (Target) -> Int

  /// Returns the commands that move by a line and to the first or last line, for a list.
  static func lineMotions(
    in context: KeyContext, count: @escaping Extent, by move: @escaping Motion
  ) -> [CommandBinding] {
    [
      CommandBinding(.moveDown, "Move down", keys: [context: ["j", "down"]]) { move(&$0, &$1, $2 ?? 1) },
      CommandBinding(.moveUp, "Move up", keys: [context: ["k", "up"]]) { move(&$0, &$1, -($2 ?? 1)) },
      CommandBinding(.moveToTop, "Go to the top", keys: [context: ["g g", "ctrl-home", "home"]]) { screen, context, _ in
        move(&screen, &context, -count(screen))
      },
      CommandBinding(.moveToBottom, "Go to the bottom", keys: [context: ["G", "ctrl-end", "end"]]) { screen, context, _ in
        move(&screen, &context, count(screen))
      },
    ]
  }

  /// Returns the commands that move by a page and by half a page.
  ///
  /// - Parameter hintedWhen: Whether there is more than a page; nil to show the hint always.
  static func pageMotions(
    hint: String? = nil, hintedWhen: (@Sendable (Target, ScreenEnvironment) -> Bool)? = nil, height: @escaping Extent,
    by move: @escaping Motion
  ) -> [CommandBinding] {
    [
      CommandBinding(.halfPageDown, "Move down by half a page", keys: [.everywhere: ["ctrl-d"]]) { screen, context, _ in
        move(&screen, &context, max(1, height(screen) / 2))
      },
      CommandBinding(.halfPageUp, "Move up by half a page", keys: [.everywhere: ["ctrl-u"]]) { screen, context, _ in
        move(&screen, &context, -max(1, height(screen) / 2))
      },
      CommandBinding(
        .pageDown, "Move down by a page", keys: [.everywhere: ["ctrl-f", "pagedown"]], hint: hint, hintedWhen: hintedWhen
      ) { screen, context, _ in
        move(&screen, &context, height(screen))
      },
      CommandBinding(.pageUp, "Move up by a page", keys: [.everywhere: ["ctrl-b", "pageup"]]) { screen, context, _ in
        move(&screen, &context, -height(screen))
      },
    ]
  }
}

/// A screen of lines with a text search.
protocol SearchableScreen: Screen {
  /// The text of the last search; nil for none.
  var needle: String? { get }

  /// Searches for a text, or repeats the last search if `text` is empty; returns false if no line contains the text.
  mutating func find(_ text: String) -> Bool
  /// Moves to the next or the previous match; returns false without a match.
  mutating func findNext(backwards: Bool) -> Bool
}

/// A screen whose cursor moves to the line that contains a text.
protocol LineSearchableScreen: SearchableScreen {
  var needle: String? { get set }
  /// The texts of all lines.
  var searchedLines: [String] { get }
  /// The line of the cursor.
  var cursor: ListCursor { get }

  /// Moves the cursor to a line.
  mutating func move(to line: Int)
}

extension LineSearchableScreen {
  mutating func find(_ text: String) -> Bool {
    if !text.isEmpty { needle = text }
    return find(from: cursor.index, backwards: false)
  }

  mutating func findNext(backwards: Bool) -> Bool { find(from: cursor.index + (backwards ? -1 : 1), backwards: backwards) }

  private mutating func find(from start: Int, backwards: Bool) -> Bool {
    guard let needle, let index = LineSearch.index(of: needle, in: searchedLines, from: start, backwards: backwards) else { return false }
    move(to: index)
    return true
  }
}

extension CommandBinding where Target: SearchableScreen {
  /// Returns the commands that search the lines of a screen.
  static func searches(_ help: String, in context: KeyContext) -> [CommandBinding] {
    let needsNeedle: Obstacle = { screen, environment in environment.needsNeedle(screen.needle) }
    return [
      CommandBinding(.find, help, keys: [context: ["/", "f3"]], hint: "find") { _, context, _ in
        context.prompt("find", placeholder: "part of a line") { screen, context, text in
          let isFound = screen.find(text)
          context.notifyNotFound(screen.needle, isFound: isFound)
        }
      },
      CommandBinding(.findNext, "Go to the next match", keys: [context: ["n"]], unless: needsNeedle) { screen, context, _ in
        context.notifyNotFound(screen.needle, isFound: screen.findNext(backwards: false))
      },
      CommandBinding(.findPrevious, "Go to the previous match", keys: [context: ["N", "shift-f3"]], unless: needsNeedle) {
        screen, context, _ in
        context.notifyNotFound(screen.needle, isFound: screen.findNext(backwards: true))
      },
    ]
  }
}
