import QuarryChanges
import QuarryEngine
import QuarryFiles

extension Command {
  static let copyCommandLine: Command = "copy-command-line"
  static let viewAsText: Command = "view-as-text"
}

/// The rows of the grid as a command line, SQL or Swift code.
extension RowsCommands {
  static let replayCommands: [Binding] = [
    Binding(
      .viewAsText, "Show these rows as a command line, SQL or Swift code", brief: "Rows as text",
      aliases: ["replay", "shell", "swift", "code", "to sql"], keys: [.grid: ["g C"]], unless: needsQuery
    ) { _, context, _ in
      context.showTexts()
    },
    Binding(
      .copyCommandLine, "Copy the command line that prints these rows", brief: "Copy as command line", aliases: ["command line"],
      unless: { needsQuery($0, $1) ?? $1.options.opened.obstacle }
    ) { _, context, _ in
      context.copyCommandLine { grid, files throws(Problem) in try GridCommandLine(grid: grid).rows(files) }
    },
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

extension RowsContext {
  /// Shows the texts of the rows to choose from.
  fileprivate mutating func showTexts() {
    guard let grid else { return }
    let opened = environment.options.opened
    let note = environment.unprinted(of: grid)
    let table = grid.rowSet.sourceTable
    let line = Result { () throws(Problem) in
      if let obstacle = opened.obstacle ?? table.flatMap(environment.commandLineObstacle) { throw Problem(obstacle) }
      return try GridCommandLine(grid: grid).rows(opened)
    }
    let sql = Result { () throws(Problem) in try GridText(grid: grid).sql() }
    let swift = Result { () throws(Problem) in
      if let obstacle = environment.swiftObstacle(table) { throw Problem(obstacle) }
      return try GridText(grid: grid).swift(opened)
    }
    let items = [
      item("Command line", "copy it for a shell", line) { $1.copy($0, "the command line" + note) },
      item("SQL in the editor", "open it to change or run it", sql) { $1.send(SQLIntent.edit($0)) },
      item("SQL", "copy it", sql) { $1.copy($0, "the SQL" + note) },
      item("Swift", "copy a file for the library QuarryEngine", swift) { $1.copy($0, "the Swift file" + note) },
    ]
    present(
      Picker(title: "These rows as", placeholder: "type part of a name", items: items, cursor: items.firstIndex { $0.reason == nil } ?? 0))
  }

  /// Returns a line of the list, whose text is shown below the list.
  private func item(
    _ label: String, _ detail: String, _ text: Result<String, Problem>, _ perform: @escaping @Sendable (String, inout Self) -> Void
  ) -> PickerItem {
    switch text {
    case .failure(let problem): return PickerItem(label: label, detail: detail, reason: problem.text)
    case .success(let text):
      // The query is at the end of a Swift file, after the tables.
      let start = text.firstRange(of: "\nfunc ")?.lowerBound
      let preview = start.map { text[text.index(after: $0)...] } ?? text[...]
      return PickerItem(
        label: label, detail: detail, preview: String(preview), perform: handler { _, context in perform(text, &context) })
    }
  }

  private mutating func copy(_ text: String, _ title: String) {
    send(.copyToClipboard(CopyText(text: text, title: title)))
  }
}

extension ScreenContext {
  /// Copies a command line about the grid, or reports the reason why it is not available.
  mutating func copyCommandLine(_ make: (GridPane, OpenedFiles) throws(Problem) -> String) {
    guard let grid else { return }
    if let obstacle = grid.rowSet.sourceTable.flatMap(environment.commandLineObstacle) { return notify(obstacle, .warning) }
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
  /// Returns the reason why no command line can read a table; nil if one can.
  fileprivate func commandLineObstacle(_ table: TableReference) -> String? {
    guard workspace.files.isOnlyPrivate(table) else { return nil }
    return "\(table.name) is in the private database of this session, so no command line can read it"
  }

  /// Returns the reason why no Swift code can read a table, or the tables of a query; nil if it can.
  fileprivate func swiftObstacle(_ table: TableReference?) -> String? {
    guard workspace.files.isPrivate(table?.database ?? "main") else { return nil }
    return "the rows come from a file that is not a database, and the library QuarryEngine reads databases: export them to one first"
  }

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
