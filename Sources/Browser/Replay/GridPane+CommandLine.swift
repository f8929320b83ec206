import QuarryEngine

extension GridPane {
  /// Returns the command line that prints the rows of the grid: those columns that are shown, and the rows in their order.
  ///
  /// - Parameter opened: The files that are open.
  /// - Throws: Why there is none.
  func commandLine(_ opened: OpenedFiles) throws(Problem) -> String {
    var line =
      switch rowSet.source {
      case .table(let table): try rowsCommand(table, opened)
      case .query, .returned: try queryCommand(opened)
      }
    line.add(opened.options)
    guard let text = line.text else { throw Problem("a value holds a NUL, which no command line can carry") }
    return text
  }

  /// Returns the `quarry rows` of a table or view.
  private func rowsCommand(_ table: TableReference, _ opened: OpenedFiles) throws(Problem) -> CommandLineText {
    let paths = opened.paths(of: table.database)
    guard let file = paths.first else {
      throw Problem("“\(table.database)” is none of the files that quarry was started with, so no command line reads its tables")
    }
    var line = CommandLineText("rows", file: file, others: Array(paths.dropFirst()), subject: table.name)
    let compiled = try compiledView()
    let filter = try filterText()
    if !filter.isBlank { line.add("--where", filter) }
    if !view.sort.isBlank { line.add("--sort", view.sort) }
    if layout.shown != Array(columns.indices) || !view.columns.isEmpty {
      line.add("--columns", Self.list(layout.shown.map { columns[$0].name }))
    }
    for parameter in compiled.filter.parameters {
      if let value = view.arguments[parameter.identity] { line.add(parameter: parameter.key, value) }
    }
    return line
  }

  /// Returns the `quarry query` of a statement's rows.
  private func queryCommand(_ opened: OpenedFiles) throws(Problem) -> CommandLineText {
    let rows = try compiledView().applied(to: rowSet)
    guard let file = opened.files.first?.path else { throw Problem("no file is open that a command line could name") }
    guard let listing = QueryListing(of: rows, showing: layout.shown, of: columns) else {
      throw Problem("a statement with RETURNING gave these rows: no command reads them again")
    }
    var line = CommandLineText("query", file: file, others: opened.files.dropFirst().map(\.path), subject: listing.sql)
    for argument in listing.arguments { line.add(parameter: argument.key, argument.value) }
    return line
  }

  private func compiledView() throws(Problem) -> CompiledRowView {
    do throws(RowViewError) {
      return try view.compiled(for: filterColumns)
    } catch {
      throw Problem(error.faults.errors.first?.sentence ?? "")
    }
  }

  /// The filter as it was written, and with it the condition of a foreign key that was followed.
  private func filterText() throws(Problem) -> String {
    var text = view.filter
    for match in rowSet.matching {
      do throws(FilterErrors) {
        text = try Filter.text(text, adding: Filter.term(match.column, match.value, in: filterColumns), in: filterColumns)
      } catch {
        throw Problem(error.errors.first?.sentence ?? "")
      }
    }
    return text
  }

  /// Returns names as `--columns` takes them: between commas, in double quotes where one needs them.
  private static func list(_ names: [String]) -> String {
    names.map { name in
      let isTrimmed = name.first?.isWhitespace == false && name.last?.isWhitespace == false
      let isPlain = isTrimmed && !name.contains { $0 == "," || $0 == "\"" }
      return isPlain ? name : "\"" + name.replacing("\"", with: "\"\"") + "\""
    }.joined(separator: ",")
  }
}
