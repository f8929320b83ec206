import QuarryEngine
package import QuarryRows
import QuarrySources

// The requests that check and complete a filter or an order while the person types.

/// A request that checks a text in the bar: it finds the faults, or SQLite's plan for reading the rows.
package struct CheckView: Request {
  package let grid: GridID
  package let view: RowView
  package let text: RowView.Text

  static func slot(_ grid: GridID) -> RequestSlot { RequestSlot("check", grid.number) }
  var slot: RequestSlot? { Self.slot(grid) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> ViewReport {
    guard let open = services.openSet(grid) else { throw CancellationError() }
    var report = ViewReport()
    do throws(RowViewError) {
      let column = try compiledColumn(open.filterColumns)
      let compiled = try services.compile(view, for: open.filterColumns)
      report.sql = column?.sqlText.queryString ?? compiled.queryString(of: text)
      report.advice = text == .filter ? compiled.remarks : []
      report.isBeginningOfName = text == .filter && compiled.filter.isBeginningOfName
      report.parameters = text == .filter ? compiled.parameters(of: open.base.sourceTable) : []
      report.plan = try? await plan(of: compiled, open, services)
      if report.isBeginningOfName {
        let sentence =
          compiled.filter.syntax?.isPath == true
          ? "An operator may follow; Enter shows the rows where the value is true"
          : "A column name starts with this: press Enter to search all columns for the word"
        report.advice.insert(TextRemark(range: 0..<view.filter.utf8.count, sentence: sentence, mended: []), at: 0)
      }
    } catch {
      note(error, open.filterColumns, in: &report)
    }
    return report
  }

  /// Returns the plan; nil for a computed column of otherwise unchanged rows, unless its aggregates read a whole table for each row.
  private func plan(of compiled: CompiledRowView, _ open: Services.OpenSet, _ services: Services) async throws -> PlanSummary? {
    let plan = try await services.source.reader(of: compiled.applied(to: open.base)).plan()
    guard case .column = text, compiled.rowFilter == nil, compiled.order.isNatural, plan.scannedChild == nil else { return plan.summary }
    return nil
  }

  /// Compiles the computed column in the bar, and the later ones, which may use its name; nil if the bar has another text.
  private func compiledColumn(_ columns: FilterColumns) throws(RowViewError) -> ColumnExpression? {
    guard case .column(let index) = text, view.columns.indices.contains(index) else { return nil }
    let column = try view.compiledColumn(at: index, for: columns)
    for later in view.columns.indices.dropFirst(index + 1) { _ = try view.compiledColumn(at: later, for: columns) }
    return column
  }

  private func note(_ error: RowViewError, _ columns: FilterColumns, in report: inout ViewReport) {
    let written = view[error.text]
    guard case .column = text, error.text != text else {
      report.faults = error.faults.errors.map { TextRemark($0, in: written) }
      let columns = if case .column(let index) = text { view.columns(before: index, of: columns) } else { columns }
      if error.text == text, let continuation = error.faults.continuation(of: written, { completions(of: $0, in: columns) }) {
        report.isUnfinished = true
        report.continuation = continuation.words
      }
      return
    }
    report.faults = [TextRemark(error, in: view, withoutNameOf: text, columns)]
  }

  /// Returns the completions at the end of a text.
  private func completions(of written: String, in columns: FilterColumns) -> FilterCompletions {
    text.completions(of: written, at: written.utf8.count, columns: columns)
  }
}

extension TextRemark {
  /// Creates the remark on a computed column whose name another text of the view uses.
  fileprivate init(_ error: RowViewError, in view: RowView, withoutNameOf text: RowView.Text, _ columns: FilterColumns) {
    let (written, user) = (view[text], view[error.text])
    let fault = error.faults.errors.first
    let missing = fault?.kind == .unknownColumn ? fault.map { String(decoding: Array(user.utf8)[$0.range], as: UTF8.self) } : nil
    let name = ColumnExpression.name(in: written, columns: columns)
    let expression = name == nil ? written : String(written.drop { $0 != "=" }.dropFirst().drop { $0 == " " })
    let sentence = missing.map { "The \(error.text.noun) uses the name \($0), which no column would have." }
    self.init(
      range: 0..<(name == nil ? written : String(written.prefix { $0 != "=" })).utf8.count,
      sentence: sentence ?? "The \(error.text.noun) would have an error: \(fault?.sentence ?? "")",
      mended: missing.map { ["\($0) = \(expression)"] } ?? [])
  }
}

extension RowView.Text {
  /// The name of the text in sentences.
  var noun: String {
    switch self {
    case .filter: "filter"
    case .sort: "sort"
    case .column: "computed column"
    }
  }

  /// Returns the completions at a caret of the text.
  func completions(of written: String, at caret: Int, columns: FilterColumns) -> FilterCompletions {
    switch self {
    case .filter: Filter.completions(of: written, at: caret, columns: columns)
    case .sort: FilterSort.completions(of: written, at: caret, columns: columns)
    case .column: ColumnExpression.completions(of: written, at: caret, columns: columns)
    }
  }
}

extension FilterContinuation {
  /// The possible continuations, for the line below the bar.
  var words: String {
    let most = 12
    let others = texts.count > most ? ["…"] : []
    return ([column.map { "a value of \($0)" }].compactMap(\.self) + texts.prefix(most) + others).joined(separator: "  ")
  }
}

/// A request that finds the completions at the caret, including values of a column.
package struct CompleteView: Request {
  package let grid: GridID
  package let view: RowView
  package let text: RowView.Text
  /// The caret as a byte offset.
  package let caret: Int
  /// The configured label columns of tables, by the table's name in lowercase.
  var labels: [String: [String]] = [:]

  private static let valueLimit = 50

  static func slot(_ grid: GridID) -> RequestSlot { RequestSlot("completion", grid.number) }
  var slot: RequestSlot? { Self.slot(grid) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [Completion] {
    guard let open = services.openSet(grid) else { throw CancellationError() }
    let columns = if case .column(let index) = text { view.columns(before: index, of: open.filterColumns) } else { open.filterColumns }
    let found = text.completions(of: view[text], at: caret, columns: columns)
    async let named = found.values.map { NamedValues(request: $0, set: open.base, labels: labels) }?.read(in: services) ?? []
    let values = try await values(found.values, of: open.base, services)
    let known = Set(values.map(\.replacement))
    return values + (await named).filter { !known.contains($0.replacement) } + found.items.map { Completion($0) }
  }

  private func values(_ request: FilterValueRequest?, of set: RowSet, _ services: Services) async throws -> [Completion] {
    guard let request else { return [] }
    let found = try? await services.source.backgroundReader(of: set)
      .distinctValues(of: request.column, prefix: request.prefix, limit: Self.valueLimit)
    return (found?.values ?? []).compactMap { value in
      request.completion(for: value).map { Completion($0, value: Completion.ColumnValue(column: request.column, value: value)) }
    }
  }

  /// Returns the slot of the names behind the values that are offered.
  static func namesSlot(_ grid: GridID) -> RequestSlot { RequestSlot("names of completions", grid.number) }
}

/// A request that writes the SELECT of a grid's rows, with its values inlined.
struct WriteQuery: Request {
  let grid: GridID

  var slot: RequestSlot? { RequestSlot("query") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> String {
    try services.reader(grid).rowSet.sqlText.queryString
  }
}

extension CompiledRowView {
  fileprivate var remarks: [TextRemark] { filter.advice.map { TextRemark($0, in: filter.text) } }

  /// Returns the parameters of the filter; a parameter compared with a column of a table or view offers the values of the column.
  fileprivate func parameters(of table: TableReference?) -> [FormParameter] {
    filter.parameters.map { parameter in
      let column = table.flatMap { table in parameter.column.map { ParameterChoices.column(table, $0) } }
      return FormParameter(
        identity: parameter.identity, token: parameter.token, typeName: parameter.type?.formName ?? "any", reading: parameter.reading,
        choices: column)
    }
  }
}

extension TextRemark {
  init(_ error: FilterError, in text: String) {
    self.init(range: error.range, sentence: error.description, mended: error.replacements.map { $0.applied(to: text) })
  }

  init(_ advice: FilterHint, in text: String) {
    self.init(range: advice.range, sentence: advice.sentence, mended: advice.replacements.map { $0.applied(to: text) })
  }
}

extension Completion {
  init(_ completion: FilterCompletion, value: ColumnValue? = nil) {
    self.init(
      label: completion.text, detail: completion.detail, range: completion.range, replacement: completion.text, value: value)
  }
}

extension ExpressionType {
  var formName: String {
    switch self {
    case .integer: "integer"
    case .real: "real"
    case .numeric: "number"
    case .text: "text"
    case .blob: "blob"
    case .boolean: "0 or 1"
    case .date: "date"
    case .any, .null: "any"
    }
  }
}

extension ReadPlan {
  /// Returns whether reading the neighbors of a row is fast, or unavoidable.
  func findsNeighbors(of set: RowSet) -> Bool {
    sorts || kind == .search || set.filter == nil && set.matching.isEmpty
  }

  /// The plan, for the lamp beside the bar.
  fileprivate var summary: PlanSummary {
    let lamp: PlanSummary.Lamp =
      switch (kind, sorts) {
      case (.search, false): .search
      case (.search, true): .sort
      case (.scan, false): .scan
      case (.scan, true): .scanAndSort
      }
    let found = index.map { "SQLite uses the index \($0)" } ?? "SQLite uses the table's key"
    let child = scannedChild.map { "for each row SQLite reads the whole table \($0), whose foreign key has no index" }
    let sentence = child ?? (kind == .scan ? "SQLite scans every row" : found) + (sorts ? ", and sorts the result" : "")
    return PlanSummary(lamp: lamp, sentence: sentence, index: suggestedIndex)
  }
}
