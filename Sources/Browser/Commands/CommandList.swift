/// All commands that there are: those of the program and those of its screens.
///
/// Keymap, footer, help, palette and the tables of README derive from it.
public struct CommandList: Sendable {
  /// One declaration a name, in the order of the help.
  public let declarations: [CommandDeclaration]
  /// Every table of the keymap file, in its order.
  public let contexts: [KeyContext]
  /// The declarations of each screen, also those of one name that several screens have.
  private let single: [CommandDeclaration]
  private let general: [BrowserCommand]

  /// The commands of the program that people are given.
  public static let standard = CommandList(screens: ScreenList.standard)

  /// Gathers the program's commands, those that open a screen, and each screen's own.
  init(screens: [any Screen.Type]) {
    let general = BrowserCommand.all + screens.flatMap { $0.openers }
    self.init(general.map(\.declaration) + screens.flatMap { $0.declarations }, general: general)
  }

  init(_ declarations: [CommandDeclaration], general: [BrowserCommand] = []) {
    single = declarations
    self.general = general
    self.declarations = Self.merged(declarations)
    let further = declarations.flatMap(\.keys.keys).filter { !KeyContext.shared.contains($0) }
    contexts = KeyContext.shared + Set(further).sorted { $0.name < $1.name }
  }

  /// Returns what a command does in a context, as the screen says that it belongs to there.
  func help(of command: Command, in context: KeyContext) -> String {
    let candidates = single.filter { $0.command == command }
    return (candidates.first { $0.keys[context] != nil } ?? candidates.first)?.help ?? ""
  }

  /// Returns the command of a name; nil where there is none.
  func command(named name: String) -> Command? {
    declarations.first { $0.command.rawValue == name }?.command
  }

  /// Returns the command of the program of a name; nil where there is none.
  func general(_ command: Command) -> BrowserCommand? {
    general.first { $0.declaration.command == command }
  }

  /// Returns the table of the keymap file of a name; nil where there is none.
  func context(named name: String) -> KeyContext? { contexts.first { $0.name == name } }

  /// Puts the keys of commands that several screens have under one name together.
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

/// A command's one declaration, from which keymap, footer, help, palette and README derive.
public struct CommandDeclaration: Sendable {
  public var command: Command
  /// One line, a sentence without a stop, in the imperative.
  public var help: String
  /// Words for it in the palette besides its name: `q` for quit.
  public var aliases: [String]
  /// The default keys by context, in the notation of the keymap file; the first is the one that the footer shows.
  public var keys: [KeyContext: [String]]

  init(
    _ command: Command, _ help: String, aliases: [String] = [], _ keys: [KeyContext: [String]] = [:]
  ) {
    self.command = command
    self.help = help
    self.aliases = aliases
    self.keys = keys
  }
}
