import QuarryChanges
import QuarryEngine
import QuarryFiles

extension Command {
  static let copyCommandLine: Command = "copy-command-line"
}

/// Copying the command line that prints the rows of the grid.
extension RowsCommands {
  static let replayCommands: [Binding] = [
    Binding(
      .copyCommandLine, "Copy the command line that prints these rows", brief: "Copy as command line",
      aliases: ["replay", "shell", "command line"], keys: [.grid: ["g C"]],
      unless: { needsQuery($0, $1) ?? $1.options.opened.obstacle }
    ) { _, context, _ in
      context.copyCommandLine { grid, files throws(Problem) in try GridCommandLine(grid: grid).rows(files) }
    }
  ]
}

extension CommandBinding where Target: Screen {
  /// Creates the command that copies the command line for a screen about the rows.
  ///
  /// - Parameter make: Creates the command line.
  static func copyingCommandLine(
    _ help: String, in place: KeyContext,
    _ make: @escaping @Sendable (Target, GridPane, OpenedFiles) throws(Problem) -> String
  ) -> Self {
    CommandBinding(
      .copyCommandLine, help, keys: [place: ["g C"]],
      unless: { $1.options.opened.obstacle }
    ) { screen, context, _ in
      context.copyCommandLine { grid, files throws(Problem) in try make(screen, grid, files) }
    }
  }
}

extension ScreenContext {
  /// Copies a command line about the grid, or reports the reason why it is not available.
  mutating func copyCommandLine(_ make: (GridPane, OpenedFiles) throws(Problem) -> String) {
    guard let grid else { return }
    if let table = grid.rowSet.sourceTable, environment.workspace.files.isOnlyPrivate(table) {
      return notify("\(table.name) is in the private database of this session, so no command line can read it", .warning)
    }
    copyCommandLine(of: grid) { files throws(Problem) in try make(grid, files) }
  }

  /// Copies a command line, or reports the reason why it is not available.
  ///
  /// - Parameter grid: The grid that the command line prints; nil for all tables.
  mutating func copyCommandLine(of grid: GridPane? = nil, _ make: (OpenedFiles) throws(Problem) -> String) {
    do throws(Problem) {
      let text = try make(environment.options.opened)
      send(.copyToClipboard(CopyText(text: text, title: "the command line" + environment.unprinted(of: grid))))
    } catch {
      notify(error.text, .warning)
    }
  }
}

extension ScreenEnvironment {
  /// Returns the differences between the rows on the screen and the printed rows, in parentheses; empty if they are the same.
  fileprivate func unprinted(of grid: GridPane?) -> String {
    if workspace.source.transaction != nil { return " (without the changes of the open transaction)" }
    if !workspace.staged.isEmpty { return " (without the staged changes)" }
    if workspace.files.haveChangedCopies { return " (it reads the file again, without your changes)" }
    let file = grid?.rowSet.sourceTable.flatMap(workspace.files.file)
    if file?.isComplete == false { return " (it reads the whole file)" }
    return options.opened.files.contains { $0.path == "-" } ? " (it reads standard input again)" : ""
  }
}
