internal import ArgumentParser
internal import QuarryEngine
internal import QuarryRows

struct GroupVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "group", abstract: "Group the rows of a table, and print a row for each group, or a pivot.",
    discussion: """
      Values can follow foreign keys, as in a filter: GenreId.Name. Group dates by year, quarter, month, week or day, as in \
      month(InvoiceDate), and numbers by ranges, as in range(UnitPrice, 10). Aggregates are count, sum, total, avg, min, max and \
      group_concat; count(distinct x) counts different values. A name can precede a value: "revenue = sum(UnitPrice * Quantity)".

      --where selects rows before they are grouped; --having and --sort use the columns of the result. Without --by, all rows are one \
      group. With --across, each value gets a column; at most 60 do, the most frequent ones, and one column is about all others.
      """)

  @OptionGroup var subject: InsightOptions

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Group by these values, for example “GenreId.Name, UnitPrice”.", valueName: "values"),
    completion: .columnList)
  var by = ""

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Print these values of each group, for example “count, sum(Milliseconds)”.", valueName: "aggregates"),
    completion: .columnList)
  var show = "count"

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Print a column for each value of this one.", valueName: "value"), completion: .columns)
  var across: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Print only these groups, for example “count > 10”.", valueName: "filter"))
  var having = ""

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Sort by these columns of the result, for example “-count”.", valueName: "keys"))
  var sort = ""

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Print at most this many groups.", valueName: "n"), transform: RowsVerb.rowCount)
  var limit: Int?

  @Flag(help: "Print the SQL statement and its arguments, and run nothing.")
  var showSQL = false

  @OptionGroup var format: FormatOptions

  func run() throws {
    let shape = GroupShape(levels: try texts(by, .level(0)), aggregates: try texts(show, .aggregate(0)), across: across)
    let subject = try subject.open { _, columns in
      let whole = GroupShape(levels: shape.levels + [across].compactMap(\.self), aggregates: shape.aggregates)
      return [try whole.compiled(of: RowSet(.query(sql: "")), columns: columns).sqlText]
    }
    let output = try format.output.open(databases: subject.databases)
    let groups = try groups(shape, of: subject)
    let rows = try view(of: groups).applied(to: groups.rowSet)
    if showSQL {
      try output.write(limited(rows.sqlText).listing)
    } else if let computed = try InsightOptions.waiting({ try await subject.connections.computedRows(of: rows) }) {
      var stored = rows
      stored.source = .returned(computed)
      try print(limited(stored.sqlText), of: subject, on: computed.connections, to: output)
    } else {
      try print(limited(rows.sqlText), of: subject, on: subject.connections, to: output)
    }
    try output.finish()
  }

  /// Compiles the texts, and reads the values of a pivot.
  private func groups(_ shape: GroupShape, of subject: InsightOptions.Subject) throws -> CompiledGroups {
    do {
      return try InsightOptions.waiting {
        try await subject.connections.groups(shape, of: subject.rows, columns: subject.columns)
      }
    } catch let error as GroupError {
      throw Failure.usage("\(error.part.option): \(error.faults.report(on: shape[error.part] ?? ""))")
    }
  }

  /// Returns the values of a list.
  private func texts(_ list: String, _ part: GroupShape.Part) throws -> [String] {
    let texts = GroupShape.texts(list)
    guard texts.contains("") else { return texts }
    throw Failure.usage("\(part.option): A value is missing before or after a comma: \(list)")
  }

  /// Returns the SELECT of the rows to print.
  private func limited(_ sql: SQLText) -> SQLText {
    var sql = sql
    if let limit { sql.append(" LIMIT \(limit)" as SQLText) }
    return sql
  }

  /// Compiles `--having` and `--sort`.
  private func view(of groups: CompiledGroups) throws -> CompiledRowView {
    let view = RowView(filter: having, sort: sort.allSatisfy(\.isWhitespace) ? groups.defaultSort : sort)
    let compiled: CompiledRowView
    do throws(RowViewError) { compiled = try view.compiled(for: groups.filterColumns) } catch {
      throw Failure.usage(report(error, on: view))
    }
    if let parameter = compiled.filter.parameters.first {
      throw Failure.usage("--having: \(parameter.identity) has no value here: parameters are for --where")
    }
    for advice in compiled.filter.advice { StandardError.write("quarry: --having: \(advice.report(on: having))\n") }
    return compiled
  }

  /// Reports errors of `--having` or `--sort`, which may name values that are not printed.
  private func report(_ error: RowViewError, on view: RowView) -> String {
    let option = error.text == .filter ? "--having" : "--sort"
    let report = "\(option): \(error.faults.report(on: view[error.text]))"
    let isOther = error.faults.errors.contains {
      [.unknownColumn, .unknownFunction, .comparedLiterals, .unexpected].contains($0.kind)
    }
    guard isOther else { return report }
    return "\(report)\n\(option) uses the columns of the result. Add others to --show, and quote names that are numbers: \"1997\"."
  }

  private func print(
    _ sql: SQLText, of subject: InsightOptions.Subject, on connections: ReadConnections, to output: VerbOutput
  ) throws {
    let table = subject.schema.entry.reference
    do {
      try connections.background.read { db in
        if try db.readsKeepWritersOut(of: table.database) { output.hold() }
        let statement = try db.makeStatement(sql: sql.sql)
        try statement.setArguments(sql.arguments)
        try format.chosen.print(statement, table: table.name, in: db, to: output)
      }
    } catch let error where !VerbOutput.isFault(error) {
      try? output.release()
      throw error
    }
    try output.release()
  }
}

extension GroupShape.Part {
  /// The option that contains the text.
  fileprivate var option: String {
    switch self {
    case .level: "--by"
    case .aggregate: "--show"
    case .across: "--across"
    }
  }
}
