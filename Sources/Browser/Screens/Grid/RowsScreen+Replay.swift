import QuarryEngine

extension Command {
  static let copyCommandLine: Command = "copy-command-line"
}

/// Copying the command line that shows what is on the screen.
extension RowsScreen {
  static let replayCommands: [Binding] = [
    Binding(
      .copyCommandLine, "Copy the command line that prints these rows", brief: "Copy as command line",
      aliases: ["replay", "shell", "command line"], keys: [.grid: ["g C"]],
      unless: needs(needsQuery, "what is open is no file that a command line could name") { !$1.options.opened.files.isEmpty }
    ) { _, context, _ in
      copyCommandLine(&context)
    }
  ]

  private static func copyCommandLine(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    do throws(Problem) {
      let text = try grid.commandLine(context.environment.options.opened)
      context.send(.copyToClipboard(CopyText(text: text, title: "the command line" + context.environment.unprinted)))
    } catch {
      context.notify(error.text, .warning)
    }
  }
}

extension ScreenEnvironment {
  /// What the rows on the screen have that a command line does not print, in parentheses; nothing where they are the same.
  fileprivate var unprinted: String {
    if workspace.transaction != nil { return " (which reads the file without the open transaction)" }
    return workspace.staged.isEmpty ? "" : " (which reads the file without what is staged)"
  }
}
