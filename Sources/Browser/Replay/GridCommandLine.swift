import QuarryEngine
import QuarryRows

/// The command lines that print the contents of a grid.
struct GridCommandLine {
  let grid: GridPane

  /// Returns the command line that prints the rows of the grid: the visible columns, and the rows in their order.
  ///
  /// - Parameter opened: The opened files.
  /// - Throws: `Problem` with the reason why no command line is available.
  func rows(_ opened: OpenedFiles) throws(Problem) -> String {
    if let groups = try groupCommand(opened) { return try groups.text(opened) }
    let line =
      switch grid.rowSet.source {
      case .table(let table): try rowsCommand(table, opened)
      case .query, .returned: try listingCommand("query", showing: grid.layout.shown, opened)
      }
    return try line.text(opened)
  }

  /// Returns the command line that counts the values of a column in the rows of the grid.
  ///
  /// - Throws: `Problem` with the reason why no command line is available.
  func counts(_ column: RowSetColumn, _ opened: OpenedFiles) throws(Problem) -> String {
    let value = column.computed.map { $0.syntax.replacingComputed(in: grid.filterColumns).description } ?? column.name
    return try tableCommand("counts", value, opened).text(opened)
  }

  /// Returns the command line that profiles the columns of the grid.
  ///
  /// - Throws: `Problem` with the reason why no command line is available.
  func profile(_ opened: OpenedFiles) throws(Problem) -> String {
    try tableCommand("profile", nil, opened).text(opened)
  }

  /// Returns the command line that draws the rows of the grid.
  ///
  /// - Throws: `Problem` with the reason why no command line is available.
  func chart(_ spec: ChartSpec, _ opened: OpenedFiles) throws(Problem) -> String {
    let query = spec.query
    var line =
      switch grid.rowSet.source {
      case .table: try sqlCommand("chart", compiledView().applied(to: grid.rowSet).sqlText.queryString, opened)
      case .query, .returned: try listingCommand("chart", showing: Array(grid.columns.indices), opened)
      }
    func name(_ index: Int) throws(Problem) -> String {
      guard let name = grid.column(at: index)?.name else { throw Problem("the chart uses columns that the rows do not have") }
      let first = grid.columns.firstIndex { $0.name.isSameIdentifier(as: name) }
      if first != index { throw Problem("several columns are named “\(name)”") }
      return name
    }
    line.add("--kind", query.kind.rawValue)
    if let x = query.x { line.add("-x", try name(x)) }
    var ys: [String] = []
    for y in query.ys { ys.append(try name(y)) }
    if !ys.isEmpty { line.add("-y", Self.list(ys)) }
    if let series = query.series { line.add("--series", try name(series)) }
    // Without numeric columns, the option states that rows are counted: the verb would choose numeric columns itself.
    let isUsual = spec.aggregate == ChartSpec.firstAggregate(for: query)
    if query.kind != .histogram, !isUsual || query.ys.isEmpty { line.add("--gather", spec.aggregate.rawValue) }
    if let unit = spec.unit { line.add("--unit", unit.name) }
    if query.kind == .bar, !spec.isByValue { line.add("--order", "rows") }
    if spec.isLogarithmic { line.add("--log") }
    return try line.text(opened)
  }

  /// Returns a verb that reads the rows of a table that match the filter.
  private func tableCommand(_ verb: String, _ column: String?, _ opened: OpenedFiles) throws(Problem) -> CommandLineText {
    guard case .table(let table) = grid.rowSet.source else {
      throw Problem("quarry \(verb) reads tables and views, but these rows come from a statement")
    }
    return try tableCommand(verb, table, column, opened)
  }

  private func tableCommand(
    _ verb: String, _ table: TableReference, _ column: String?, naming computed: [ColumnExpression] = [], _ opened: OpenedFiles
  ) throws(Problem) -> CommandLineText {
    var line = try CommandLineText(verb, of: table, column.map { [$0] } ?? [], in: opened)
    try addFilter(of: rows, naming: computed, to: &line)
    return line
  }

  /// Adds the filter of rows, with the values of its parameters.
  private func addFilter(of rows: ViewedRows, naming computed: [ColumnExpression], to line: inout CommandLineText) throws(Problem) {
    let filter = try rows.filterText(naming: computed)
    if !filter.isBlank { line.add("--where", filter) }
    for parameter in try rows.compiledView().filter.parameters {
      if let value = rows.view.arguments[parameter.identity] { line.add(parameter: parameter.key, value) }
    }
  }

  /// Returns the `quarry group` command of groups; nil if the rows are no groups of a table, or if `group` has no word for their columns.
  private func groupCommand(_ opened: OpenedFiles) throws(Problem) -> CommandLineText? {
    guard let grouping = grid.grouping, case .table(let table) = grouping.source.rowSet.source, grouping.source.view.columns.isEmpty,
      grid.view.columns.isEmpty, grid.layout.shown == Array(grid.columns.indices)
    else { return nil }
    var line = try CommandLineText("group", of: table, in: opened)
    let shape = grouping.groups.shape
    if !shape.levels.isEmpty { line.add("--by", shape.levels.joined(separator: ", ")) }
    if shape.aggregates != ["count"] { line.add("--show", shape.aggregates.joined(separator: ", ")) }
    if let across = shape.across { line.add("--across", across) }
    let source = grouping.source
    try addFilter(of: ViewedRows(rowSet: source.rowSet, view: source.view, columns: source.columns), naming: [], to: &line)
    if !grid.view.filter.isBlank { line.add("--having", grid.view.filter) }
    if grid.view.sort != grouping.groups.defaultSort, !grid.view.sort.isBlank { line.add("--sort", grid.view.sort) }
    return line
  }

  /// Returns the `quarry rows` command of a table or view.
  private func rowsCommand(_ table: TableReference, _ opened: OpenedFiles) throws(Problem) -> CommandLineText {
    let shown = grid.layout.shown.compactMap { grid.column(at: $0) }
    let computed = shown.compactMap(\.computed)
    var line = try tableCommand("rows", table, nil, naming: computed, opened)
    if !grid.view.sort.isBlank { line.add("--sort", try rows.sortText(naming: computed)) }
    if grid.layout.shown != Array(grid.columns.indices) || !grid.view.columns.isEmpty {
      line.add("--columns", Self.list(shown.map { $0.computed?.writtenText ?? $0.name }))
    }
    return line
  }

  /// Returns a verb that reads the rows of a statement.
  private func listingCommand(_ verb: String, showing shown: [Int], _ opened: OpenedFiles) throws(Problem) -> CommandLineText {
    guard let listing = QueryListing(of: try compiledView().applied(to: grid.rowSet), showing: shown, of: grid.columns) else {
      throw Problem("these rows come from a statement with RETURNING: no command can read them again")
    }
    var line = try sqlCommand(verb, listing.sql, opened)
    for argument in listing.arguments { line.add(parameter: argument.key, argument.value) }
    return line
  }

  private func sqlCommand(_ verb: String, _ sql: String, _ opened: OpenedFiles) throws(Problem) -> CommandLineText {
    try CommandLineText(verb, of: opened, subject: sql)
  }

  private var rows: ViewedRows { ViewedRows(rowSet: grid.rowSet, view: grid.view, columns: grid.filterColumns) }

  private func compiledView() throws(Problem) -> CompiledRowView { try rows.compiledView() }

  /// Returns names in the syntax of `--columns`: separated by commas, in double quotes if necessary.
  private static func list(_ names: [String]) -> String {
    names.map { name in
      let isTrimmed = name.first?.isWhitespace == false && name.last?.isWhitespace == false
      let isPlain = isTrimmed && !name.contains { $0 == "," || $0 == "\"" }
      return isPlain ? name : "\"" + name.replacing("\"", with: "\"\"") + "\""
    }.joined(separator: ",")
  }
}

/// Rows of a set as seen through a view.
private struct ViewedRows {
  let rowSet: RowSet
  let view: RowView
  let columns: FilterColumns

  /// Compiles the view.
  func compiledView() throws(Problem) -> CompiledRowView {
    do throws(RowViewError) {
      return try view.compiled(for: columns)
    } catch {
      throw Problem(error.faults.errors.first?.sentence ?? "")
    }
  }

  /// Returns the sort keys, with the expressions of computed columns that the command line does not name.
  func sortText(naming computed: [ColumnExpression]) throws(Problem) -> String {
    do throws(FilterErrors) {
      return try FilterSort.text(view.sort, naming: computed, in: columns)
    } catch {
      throw Problem(error.errors.first?.sentence ?? "")
    }
  }

  /// Returns the filter as entered, together with the condition of a followed foreign key.
  ///
  /// - Parameter computed: The computed columns that the command line names; the others are replaced by their expressions.
  func filterText(naming computed: [ColumnExpression]) throws(Problem) -> String {
    var text = view.filter
    do throws(FilterErrors) {
      text = try Filter.text(text, naming: computed, in: columns)
    } catch {
      throw Problem(error.errors.first?.sentence ?? "")
    }
    for match in rowSet.matching {
      do throws(FilterErrors) {
        text = try Filter.text(text, adding: Filter.term(match.column, match.value, in: columns), in: columns)
      } catch {
        throw Problem(error.errors.first?.sentence ?? "")
      }
    }
    return text
  }
}

extension CommandLineText {
  /// Creates the command line of a verb that reads a table.
  ///
  /// - Parameter words: The words that follow the table.
  fileprivate init(_ verb: String, of table: TableReference, _ words: [String] = [], in opened: OpenedFiles) throws(Problem) {
    let paths = opened.paths(of: table.database)
    guard let file = paths.first else {
      throw Problem("“\(table.database)” is not one of the files that quarry was started with, so no command line can read its tables")
    }
    self.init(verb, file: file, others: Array(paths.dropFirst()), subject: table.name, further: words)
  }
}
