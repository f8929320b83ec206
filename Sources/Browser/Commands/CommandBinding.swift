/// A command of a screen, declared once: name, help, keys, hint, precondition and effect.
struct CommandBinding<Target: Screen>: Sendable {
  typealias Handler = @Sendable (inout Target, inout ScreenContext<Target>, _ count: Int?) -> Void
  /// Returns why the command is not available now, as a sentence; nil where it is.
  typealias Obstacle = @Sendable (Target, ScreenEnvironment) -> String?

  private(set) var declaration: CommandDeclaration
  /// The word beside the key on the last line; nil for a command that is not named there.
  let hint: String?
  /// Whether the last line names it now, where that differs from whether it is available.
  let hintedWhen: (@Sendable (Target, ScreenEnvironment) -> Bool)?
  let obstacle: Obstacle
  let perform: Handler

  /// Declares a command.
  ///
  /// - Parameters:
  ///   - brief: The help in a few words, where it is too long for a list in columns.
  ///   - keys: The default keys by context, in the notation of the keymap file; the first is the one that the last line shows.
  ///   - hintedWhen: Whether the last line names it now; nil for whenever it is available.
  ///   - unless: Returns why the command is not available now; nil where it is.
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
  /// Returns the screen's own command of that name.
  static func binding(of command: Command) -> CommandBinding<Self>? {
    commands.first { $0.name == command }
  }

  /// Returns whether the screen has a command of that name.
  ///
  /// - Parameter context: The context in which the command must have default keys; nil for any.
  static func has(_ command: Command, boundIn context: KeyContext? = nil) -> Bool {
    commands.contains { $0.name == command && context.map($0.declaration.keys.keys.contains) ?? true }
  }

  /// What the help and the keymap need to know of the screen's commands.
  static var declarations: [CommandDeclaration] { commands.map(\.declaration) }

  /// Returns why a command of the screen's own is not available now; nil where it is.
  func obstacle(to command: Command, _ environment: ScreenEnvironment) -> String? {
    Self.binding(of: command)?.obstacle(self, environment)
  }

  /// Returns the commands that the last line names, with their labels.
  func hints(_ environment: ScreenEnvironment) -> [(Command, String)] {
    let general = generalHints(environment)
    let first = Self.hintOrder.compactMap(Self.binding)
    let own = (first + Self.commands.filter { !Self.hintOrder.contains($0.name) }).flatMap { binding -> [(Command, String)] in
      let before = general.filter { $0.before == binding.name }.map { ($0.command, $0.word) }
      guard let hint = binding.hint, let word = word(for: hint, of: binding.name) else { return before }
      let isHinted = binding.hintedWhen.map { $0(self, environment) } ?? (binding.obstacle(self, environment) == nil)
      return before + (isHinted ? [(binding.name, word)] : [])
    }
    return own + general.filter { $0.before == nil }.map { ($0.command, $0.word) }
  }
}

extension Array {
  /// Returns the commands with what the help puts them under; only those of some names, where these are given.
  func grouped<Target>(_ group: String, only names: [Command]? = nil) -> [CommandBinding<Target>] where Element == CommandBinding<Target> {
    map { $0.grouped(group, only: names) }
  }
}

extension CommandBinding {
  fileprivate func grouped(_ group: String, only names: [Command]?) -> CommandBinding {
    guard names?.contains(name) ?? true else { return self }
    var binding = self
    binding.declaration.group = group
    return binding
  }

  /// What a motion does: a number of steps, negative ones upwards.
  typealias Motion = @Sendable (inout Target, inout ScreenContext<Target>, Int) -> Void
  typealias Extent = @Sendable (Target) -> Int

  /// Returns the commands that move by a line and to either end, for a screen that is a list of lines.
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
  static func pageMotions(hint: String? = nil, height: @escaping Extent, by move: @escaping Motion) -> [CommandBinding] {
    [
      CommandBinding(.halfPageDown, "Move down by half a page", keys: [.everywhere: ["ctrl-d"]]) { screen, context, _ in
        move(&screen, &context, max(1, height(screen) / 2))
      },
      CommandBinding(.halfPageUp, "Move up by half a page", keys: [.everywhere: ["ctrl-u"]]) { screen, context, _ in
        move(&screen, &context, -max(1, height(screen) / 2))
      },
      CommandBinding(.pageDown, "Move down by a page", keys: [.everywhere: ["ctrl-f", "pagedown"]], hint: hint) { screen, context, _ in
        move(&screen, &context, height(screen))
      },
      CommandBinding(.pageUp, "Move up by a page", keys: [.everywhere: ["ctrl-b", "pageup"]]) { screen, context, _ in
        move(&screen, &context, -height(screen))
      },
    ]
  }
}

/// A screen of lines that can be searched for a text.
protocol SearchableScreen: Screen {
  /// The text last searched for; nil for none.
  var needle: String? { get }

  /// Searches for a text, or for the last one where `text` is empty; returns false where no line contains it.
  mutating func find(_ text: String) -> Bool
  /// Moves to the next match, or the previous one; returns false where there is none.
  mutating func findNext(backwards: Bool) -> Bool
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
