import QuarryEngine

// What the engine is asked while a filter or an order is written.

/// Says of a text in the bar what is wrong with it, or what SQLite will do.
struct CheckView: Request {
  let grid: GridID
  let view: RowView
  let text: RowView.Text

  static func slot(_ grid: GridID) -> RequestSlot { RequestSlot("check", grid.number) }
  var slot: RequestSlot? { Self.slot(grid) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> ViewReport {
    guard let open = services.openSet(grid) else { throw CancellationError() }
    var report = ViewReport()
    do throws(RowViewError) {
      let compiled = try services.compile(view, for: open.filterColumns)
      report.sql = compiled.queryString(of: text)
      report.advice = text == .filter ? compiled.remarks : []
      report.isBeginningOfName = text == .filter && compiled.filter.isBeginningOfName
      report.parameters = text == .filter ? compiled.parameters(of: open.base.sourceTable) : []
      report.plan = try? await services.source.reader(of: compiled.applied(to: open.base)).plan().summary
      if report.isBeginningOfName {
        let sentence = "The name of a column begins so: Enter looks for the word in all columns"
        report.advice.insert(TextRemark(range: 0..<view.filter.utf8.count, sentence: sentence, mended: []), at: 0)
      }
    } catch {
      report.faults = error.faults.errors.map { TextRemark($0, in: view[error.text]) }
    }
    return report
  }
}

/// Says what may stand at the caret, values of a column among it.
struct CompleteView: Request {
  let grid: GridID
  let view: RowView
  let text: RowView.Text
  /// A number of bytes.
  let caret: Int

  private static let valueLimit = 50

  static func slot(_ grid: GridID) -> RequestSlot { RequestSlot("completion", grid.number) }
  var slot: RequestSlot? { Self.slot(grid) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [Completion] {
    guard let open = services.openSet(grid) else { throw CancellationError() }
    let found =
      text == .filter
      ? Filter.completions(of: view.filter, at: caret, columns: open.filterColumns)
      : FilterSort.completions(of: view.sort, at: caret, columns: open.filterColumns)
    var items: [FilterCompletion] = []
    if let request = found.values {
      let values = try? await services.source.backgroundReader(of: open.base)
        .distinctValues(of: request.column, prefix: request.prefix, limit: Self.valueLimit)
      items += (values?.values ?? []).compactMap { request.completion(for: $0) }
    }
    return (items + found.items).map(Completion.init)
  }
}

/// Writes the SELECT that gives the rows of a grid, with its values in place.
struct WriteQuery: Request {
  let grid: GridID

  var slot: RequestSlot? { RequestSlot("query") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> String {
    try services.reader(grid).rowSet.sqlText.queryString
  }
}

extension CompiledRowView {
  fileprivate var remarks: [TextRemark] { filter.advice.map { TextRemark($0, in: filter.text) } }

  /// The parameters of the filter; the values of the columns of a table or view are offered for those that are compared with one.
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
  fileprivate init(_ error: FilterError, in text: String) {
    self.init(range: error.range, sentence: error.description, mended: error.replacements.map { $0.applied(to: text) })
  }

  fileprivate init(_ advice: FilterAdvice, in text: String) {
    self.init(range: advice.range, sentence: advice.sentence, mended: advice.replacements.map { $0.applied(to: text) })
  }
}

extension Completion {
  init(_ completion: FilterCompletion) {
    self.init(label: completion.text, detail: completion.detail, range: completion.range, replacement: completion.text)
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
  /// Whether the rows next to one are found without many others being passed, or are passed anyway.
  func findsNeighbours(of set: RowSet) -> Bool {
    sorts || kind == .search || set.filter == nil && set.matching.isEmpty
  }

  /// The plan for the lamp beside the bar.
  fileprivate var summary: PlanSummary {
    let lamp: PlanSummary.Lamp =
      switch (kind, sorts) {
      case (.search, false): .search
      case (.search, true): .sort
      case (.scan, false): .scan
      case (.scan, true): .scanAndSort
      }
    let found = index.map { "the index \($0) leads to the rows" } ?? "the table's key leads to the rows"
    let sentence = (kind == .scan ? "every row is looked at" : found) + (sorts ? ", and what is kept is sorted" : "")
    return PlanSummary(lamp: lamp, sentence: sentence, index: suggestedIndex)
  }
}
