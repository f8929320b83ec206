/// All commands: those of the program and those of its screens.
///
/// Keymap, last line, help, palette and manual derive from it.
package struct CommandList: Sendable {
  /// One declaration per name, in the order of the help.
  package let declarations: [CommandDeclaration]
  /// Every table of the keymap file, in its order.
  package let contexts: [KeyContext]
  /// The declarations of each screen, with those of a name that several screens use.
  private let single: [CommandDeclaration]
  private let general: [BrowserCommand]

  /// The commands of the real program.
  package static let standard = CommandList(screens: ScreenList.standard)

  /// Collects the program's commands, those that open screens, and each screen's own.
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

  /// Returns what a command does in a context, in the words of the screen that has that context.
  package func help(of command: Command, in context: KeyContext) -> String {
    let candidates = single.filter { $0.command == command }
    return (candidates.first { $0.keys[context] != nil } ?? candidates.first)?.help ?? ""
  }

  /// Returns what a command does in a context in a few words, for a list in columns.
  func briefHelp(of command: Command, in context: KeyContext) -> String {
    let candidates = single.filter { $0.command == command }
    if let brief = candidates.lazy.compactMap(\.brief).first { return brief }
    let help = help(of: command, in: context)
    let end = [", or ", ", with ", ": "].compactMap { help.firstRange(of: $0)?.lowerBound }.min()
    return String(help[..<(end ?? help.endIndex)])
  }

  /// Returns the command of a name; nil where there is none.
  func command(named name: String) -> Command? {
    declarations.first { $0.command.rawValue == name }?.command
  }

  /// Returns the program's command of that name; nil where there is none.
  func general(_ command: Command) -> BrowserCommand? {
    general.first { $0.declaration.command == command }
  }

  /// Returns the context of that name; nil where there is none.
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

/// The declaration of a command, from which keymap, last line, help, palette and manual derive.
package struct CommandDeclaration: Sendable {
  package var command: Command
  /// One line in the imperative, without a full stop.
  package var help: String
  /// The same in a few words, where the help is too long for a list in columns.
  var brief: String?
  /// What the help puts it under on the screen that it belongs to: `Moving`.
  var group = ""
  /// Words for it in the palette besides its name: `q` for quit.
  package var aliases: [String]
  /// The default keys by context, in the notation of the keymap file; the first is the one that the footer shows.
  package var keys: [KeyContext: [String]]

  /// Whether it works on every screen: by a key that does, or without one, from the palette.
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
