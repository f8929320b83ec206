internal import ArgumentParser

/// The command tree.
struct Quarry: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quarry",
    abstract: "Browse SQLite databases on a full screen, or query them from the command line.",
    usage: """
      quarry [<file> ...] [<options>]
      quarry <verb> <arguments> [<options>]
      """,
    version: "quarry 0.1.0",
    subcommands: [
      Browse.self, TablesVerb.self, SchemaVerb.self, RowsVerb.self, QueryVerb.self, FilterCheckVerb.self, ThemesVerb.self, KeysVerb.self, ConfigVerb.self,
    ],
    defaultSubcommand: Browse.self)
}

/// What `quarry --help` says.
enum HelpText {
  /// Returns a message of the parser; that for the whole program is followed by what it says of the full screen.
  static func complete(_ text: String) -> String {
    guard text == Quarry.helpMessage() else { return text }
    let screen = Quarry.helpMessage(for: Browse.self)
    guard let options = screen.firstRange(of: "ARGUMENTS:") else { return text }
    return text + "\nFULL SCREEN, with no verb\n\n" + screen[options.lowerBound...]
  }
}
