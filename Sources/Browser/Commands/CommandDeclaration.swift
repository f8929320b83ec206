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

extension CommandDeclaration {
  /// Every command, in the order of the help.
  public static let all: [CommandDeclaration] = merged(single)

  /// The commands of the program and of each screen, also those of one name that several screens have.
  private static let single = BrowserCommand.all.map(\.declaration) + ScreenList.declarations

  /// Returns what a command does in a context, as the screen says that it belongs to there.
  static func help(of command: Command, in context: KeyContext) -> String {
    let candidates = single.filter { $0.command == command }
    return (candidates.first { $0.keys[context] != nil } ?? candidates.first)?.help ?? ""
  }

  /// Returns the command of a name; nil where there is none.
  static func command(named name: String) -> Command? {
    all.first { $0.command.rawValue == name }?.command
  }

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
