internal import ArgumentParser
internal import QuarryEngine
internal import QuarryRows

/// Options for the filter and order of printed rows.
struct ViewOptions: ParsableArguments {
  @OptionGroup private var narrowing: NarrowingOptions

  var parameters: ParameterOptions { narrowing.parameters }

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Sort by these keys, for example “-Milliseconds, Name”.", valueName: "keys"),
    completion: .sortKeys)
  private var sort = ""

  /// Whether all rows are selected in their natural order.
  var isPlain: Bool { narrowing.isPlain && sort.isEmpty }

  /// Compiles the filter and the order, including the values of parameters.
  ///
  /// - Parameter computed: The texts of computed columns, whose names the filter and the order can use.
  func compile(_ columns: FilterColumns, computed: [String] = []) throws -> CompiledRowView {
    try narrowing.compile(columns, sort: sort, computed: computed)
  }
}

/// Options for filtering rows.
struct NarrowingOptions: ParsableArguments {
  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp("Filter rows, for example “Milliseconds > 300000 and Name ~ love”.", valueName: "filter"), completion: .filter)
  private var filter = ""

  @OptionGroup private(set) var parameters: ParameterOptions

  /// Whether all rows are selected.
  var isPlain: Bool { filter.isEmpty && parameters.parameters.isEmpty }

  /// Compiles the filter and an order, including the values of parameters.
  func compile(_ columns: FilterColumns, sort: String = "", computed: [String] = []) throws -> CompiledRowView {
    var view = RowView(filter: filter, sort: sort, columns: computed)
    let compiled = try compile(view, columns)
    view.arguments = try values(for: compiled.filter.parameters)
    for advice in compiled.filter.advice { StandardError.write("quarry: \(advice.report(on: filter))\n") }
    return view.arguments.isEmpty ? compiled : try compile(view, columns)
  }

  /// Returns the condition of the filter, without the values of its parameters; nil for all rows.
  func condition(_ columns: FilterColumns) throws -> SQLText? { try Filter.compile(filter, columns: columns).expression?.sqlText }

  private func compile(_ view: RowView, _ columns: FilterColumns) throws -> CompiledRowView {
    do throws(RowViewError) {
      return try view.compiled(for: columns)
    } catch {
      throw Failure.usage(error.faults.report(on: view[error.text]))
    }
  }

  /// Returns the values of the filter's parameters, by the identity of each.
  private func values(for asked: [FilterParameter]) throws -> [String: DatabaseValue] {
    let wanted = asked.map(WantedParameter.init)
    try parameters.refuseStrays(among: wanted)
    let values = try parameters.values(for: wanted)
    return Dictionary(zip(asked.map(\.identity), values.compactMap(\.self)), uniquingKeysWith: { first, _ in first })
  }
}

extension CompiledRowView {
  /// Appends the SQL after the table.
  ///
  /// ```sql
  ///  WHERE (Milliseconds > ?) ORDER BY Name, rowid
  /// ```
  ///
  /// - Parameter tieBreaker: An additional order for rows with equal sort keys, after the columns of a table.
  func append(to sql: inout SQLText, tieBreaker: Column<Int>? = nil) {
    if let condition = filter.sqlText {
      sql.append(" WHERE ")
      sql.append(condition)
    }
    let order = RowOrder(sort.totalOrderings + [tieBreaker].compactMap { $0?.ordering })
    guard !isPlain, !order.isNatural else { return }
    sql.append(" ORDER BY ")
    sql.append(order.sqlText)
  }
}

extension FilterHint {
  /// Returns the advice about a probable mistake, with replacements.
  func report(on text: String) -> String {
    ([sentence] + replacements.map { "  try: \($0.applied(to: text))" }).joined(separator: "\n")
  }
}

extension FilterErrors {
  /// Returns the errors, each with its position in the text and suggested replacements.
  func report(on text: String) -> String {
    errors.map { error in
      let excerpt = SQLExcerpt(text, offset: error.range.lowerBound).map { "\n\($0)" } ?? ""
      let offers = error.replacements.map { $0.applied(to: text) }
      let offer = offers.isEmpty ? "" : "\n  try: \(offers.joined(separator: "\n  or:  "))"
      return "\(error)\(excerpt)\(offer)"
    }.joined(separator: "\n")
  }
}

extension SQLText {
  /// The output of `--show-sql`: the statement, with its arguments as comments.
  var listing: String {
    let comments = values.enumerated().map { "-- ?\($0.offset + 1) = \($0.element.sqlLiteral)\n" }
    return "\(sql);\n" + comments.joined()
  }
}
