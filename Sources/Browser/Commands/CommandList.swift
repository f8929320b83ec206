/// All commands of the program and its screens.
///
/// The keymap, the last line, the help, the palette and the manual derive from it.
package struct CommandList: Sendable {
  /// One declaration per name, in the order of the help.
  package let declarations: [CommandDeclaration]
  /// Every table of the keymap file, in its order.
  package let contexts: [KeyContext]
  /// The declarations of each screen, including those whose names several screens share.
  private let single: [CommandDeclaration]
  private let general: [BrowserCommand]

  /// The commands of the real program.
  package static let standard = CommandList(screens: ScreenList.standard)

  /// Collects the program's commands, the commands that open screens, and each screen's own commands.
  init(screens: [any Screen.Type]) {
    let general = BrowserCommand.all + screens.flatMap { $0.openers }
    self.init(general.map(\.declaration) + screens.flatMap { $0.declarations }, general: general)
  }

  package init(_ declarations: [CommandDeclaration], general: [BrowserCommand] = []) {
    single = declarations
    self.general = general
    self.declarations = Self.merged(declarations)
    let further = declarations.flatMap(\.keys.keys).filter { !KeyContext.shared.contains($0) }
    contexts = KeyContext.shared + Set(further).sorted { $0.name < $1.name }
  }

  /// Returns the help of a command in a context, in the words of the screen with that context.
  package func help(of command: Command, in context: KeyContext) -> String {
    let candidates = single.filter { $0.command == command }
    return (candidates.first { $0.keys[context] != nil } ?? candidates.first)?.help ?? ""
  }

  /// Returns the brief help of a command in a context, for a list in columns.
  func briefHelp(of command: Command, in context: KeyContext) -> String {
    let candidates = single.filter { $0.command == command }
    if let brief = candidates.lazy.compactMap(\.brief).first { return brief }
    let help = help(of: command, in: context)
    let end = [", or ", ", with ", ": "].compactMap { help.firstRange(of: $0)?.lowerBound }.min()
    return String(help[..<(end ?? help.endIndex)])
  }

  /// Returns the command with a name; nil if it does not exist.
  func command(named name: String) -> Command? {
    declarations.first { $0.command.rawValue == name }?.command
  }

  /// Returns the program's command with a name; nil if it does not exist.
  func general(_ command: Command) -> BrowserCommand? {
    general.first { $0.declaration.command == command }
  }

  /// Returns the context with a name; nil if it does not exist.
  func context(named name: String) -> KeyContext? { contexts.first { $0.name == name } }

  /// Merges the keys of commands that several screens declare under one name.
  private static func merged(_ declarations: [CommandDeclaration]) -> [CommandDeclaration] {
    var merged: [CommandDeclaration] = []
    var indices: [Command: Int] = [:]
    for declaration in declarations {
      if let index = indices[declaration.command] {
        merged[index].keys.merge(declaration.keys) { own, further in own + further.filter { !own.contains($0) } }
      } else {
        indices[declaration.command] = merged.count
        merged.append(declaration)
      }
    }
    return merged
  }
}

/// The declaration of a command, from which the keymap, the last line, the help, the palette and the manual derive.
package struct CommandDeclaration: Sendable {
  package var command: Command
  /// The help: one line in the imperative, without a full stop.
  package var help: String
  /// The help in a few words, if `help` is too long for a list in columns.
  var brief: String?
  /// The heading of the command in the help of its screen: `Moving`.
  var group = ""
  /// The words that find the command in the palette, in addition to its name: `q` for quit.
  package var aliases: [String]
  /// The default keys by context, in the notation of the keymap file; the last line shows the first one.
  package var keys: [KeyContext: [String]]

  /// Whether the command works on every screen: by a general key or, without a key, from the palette.
  var isForEveryPlace: Bool { keys.isEmpty || keys[.everywhere] != nil }

  package init(
    _ command: Command, _ help: String, brief: String? = nil, aliases: [String] = [], _ keys: [KeyContext: [String]] = [:]
  ) {
    self.command = command
    self.help = help
    self.brief = brief
    self.aliases = aliases
    self.keys = keys
  }
}
