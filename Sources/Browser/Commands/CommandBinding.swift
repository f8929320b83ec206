/// A command of a screen, declared once: name, help, keys, hint, when it can be performed, and what it does.
struct CommandBinding<Target: Screen>: Sendable {
  typealias Handler = @Sendable (inout Target, inout ScreenContext<Target>, _ count: Int?) -> Void
  /// Returns why the command cannot be performed now, as a sentence; nil where it can.
  typealias Obstacle = @Sendable (Target, ScreenEnvironment) -> String?

  let declaration: CommandDeclaration
  /// The word beside the key on the last line; nil for a command that is not named there.
  let hint: String?
  /// Whether the last line names it now, where that is another question than whether it can be performed.
  let hintedWhen: (@Sendable (Target, ScreenEnvironment) -> Bool)?
  let obstacle: Obstacle
  let perform: Handler

  /// - Parameters:
  ///   - keys: The default keys by context, in the notation of the keymap file; the first is the one that the last line shows.
  ///   - hintedWhen: Whether the last line names it now; nil for whenever it can be performed.
  ///   - unless: Returns why the command cannot be performed now; nil where it can.
  init(
    _ name: Command, _ help: String, aliases: [String] = [], keys: [KeyContext: [String]] = [:], hint: String? = nil,
    hintedWhen: (@Sendable (Target, ScreenEnvironment) -> Bool)? = nil, unless obstacle: @escaping Obstacle = { _, _ in nil },
    perform: @escaping Handler
  ) {
    declaration = CommandDeclaration(name, help, aliases: aliases, keys)
    self.hint = hint
    self.hintedWhen = hintedWhen
    self.obstacle = obstacle
    self.perform = perform
  }

  var name: Command { declaration.command }
}

extension Screen {
  /// Returns the screen's own command of a name.
  static func binding(of command: Command) -> CommandBinding<Self>? {
    commands.first { $0.name == command }
  }

  /// Whether the screen has a command of a name.
  ///
  /// - Parameter context: Where the command must have keys by default; nil for anywhere.
  static func has(_ command: Command, boundIn context: KeyContext? = nil) -> Bool {
    commands.contains { $0.name == command && context.map($0.declaration.keys.keys.contains) ?? true }
  }

  /// What the help and the keymap need of the screen's commands.
  static var declarations: [CommandDeclaration] { commands.map(\.declaration) }
}

extension CommandBinding {
  /// What a motion does: a number of steps, negative ones upwards.
  typealias Motion = @Sendable (inout Target, inout ScreenContext<Target>, Int) -> Void
  typealias Extent = @Sendable (Target) -> Int

  /// Returns the commands that move by a line and to the ends, for a screen that is a list of lines.
  static func lineMotions(
    in context: KeyContext, hints: (down: String?, up: String?) = (nil, nil), count: @escaping Extent, by move: @escaping Motion
  ) -> [CommandBinding] {
    [
      CommandBinding(.moveDown, "Move down", keys: [context: ["j", "down"]], hint: hints.down) { move(&$0, &$1, $2 ?? 1) },
      CommandBinding(.moveUp, "Move up", keys: [context: ["k", "up"]], hint: hints.up) { move(&$0, &$1, -($2 ?? 1)) },
      CommandBinding(.moveToTop, "Go to the top", keys: [context: ["g g", "ctrl-home", "home"]]) { screen, context, _ in
        move(&screen, &context, -count(screen))
      },
      CommandBinding(.moveToBottom, "Go to the bottom", keys: [context: ["G", "ctrl-end", "end"]]) { screen, context, _ in
        move(&screen, &context, count(screen))
      },
    ]
  }

  /// Returns the commands that move by a page and by half of one.
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

/// A screen of lines in which a text can be looked for.
protocol SearchableScreen: Screen {
  /// What was looked for last; nil for nothing.
  var needle: String? { get }

  /// Looks for a text; an empty one looks again for the last. Returns false where it is in no line.
  mutating func find(_ text: String) -> Bool
  /// Goes to the next hit, or the one before. Returns false where there is none.
  mutating func findNext(backwards: Bool) -> Bool
}

extension CommandBinding where Target: SearchableScreen {
  /// Returns the commands that look for a text in the lines of a screen.
  static func searches(_ help: String, in context: KeyContext) -> [CommandBinding] {
    let needsNeedle: Obstacle = { screen, environment in environment.needsNeedle(screen.needle) }
    return [
      CommandBinding(.find, help, keys: [context: ["/", "f3"]], hint: "find") { _, context, _ in
        context.prompt("find", placeholder: "a part of a line") { screen, context, text in
          let isFound = screen.find(text)
          context.notifyNotFound(screen.needle, isFound: isFound)
        }
      },
      CommandBinding(.findNext, "Go to the next hit", keys: [context: ["n"]], unless: needsNeedle) { screen, context, _ in
        context.notifyNotFound(screen.needle, isFound: screen.findNext(backwards: false))
      },
      CommandBinding(.findPrevious, "Go to the previous hit", keys: [context: ["N", "shift-f3"]], unless: needsNeedle) {
        screen, context, _ in
        context.notifyNotFound(screen.needle, isFound: screen.findNext(backwards: true))
      },
    ]
  }
}
