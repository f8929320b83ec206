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
