internal import ArgumentParser
internal import QuarryEngine

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

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
      Browse.self, TablesVerb.self, SchemaVerb.self, RowsVerb.self, QueryVerb.self, FilterCheckVerb.self, ThemesVerb.self, KeysVerb.self,
      ConfigVerb.self,
    ],
    defaultSubcommand: Browse.self)
}

extension Quarry {
  /// Returns why a word is neither a file nor a verb; nil where it is a file, or no verb is spelt like it.
  static func misspeltVerb(_ word: String) -> Failure? {
    let near = NearestNames.to(word, among: configuration.subcommands.map { $0._commandName })
    guard !near.isEmpty, !FileManager.default.fileExists(atPath: word) else { return nil }
    let verbs = near.map { "quarry \($0)" }.joined(separator: " or ")
    return Failure(status: .cannotOpen, message: "There is no file “\(word)”. Did you mean \(verbs)?")
  }
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
