internal import QuarryEngine

extension Command {
  static let backUpDatabase: Command = "back-up-database"
}

extension BrowserCommand {
  /// The command for work that a verb of the command line does: it copies a command line for the open database.
  static let shell: [BrowserCommand] = [
    BrowserCommand(
      .backUpDatabase, "Copy a `quarry backup` command line that copies this database", brief: "Back up",
      aliases: ["backup", "snapshot", "copy database", "vacuum into"]
    ) { $0.copyShellCommand("backup", subject: "copy.db") }
  ]
}

extension Browser {
  /// Copies the command line of a verb that reads the main file, or shows a notice with the reason if that is not possible.
  ///
  /// - Parameter subject: The operand that the verb needs after the file: a path that the user replaces.
  fileprivate mutating func copyShellCommand(_ verb: String, subject: String) {
    if let obstacle = options.opened.obstacle { return notice = Notice(obstacle, .warning) }
    let main = OpenedFiles(Array(options.opened.files.prefix(1)))
    do throws(Problem) {
      let text = try CommandLineText(verb, of: main, subject: subject).text(main)
      requests.send(.copyToClipboard(CopyText(text: text, title: "`\(text)` for a shell")))
    } catch {
      notice = Notice(error.text, .warning)
    }
  }
}
