import Essentials
import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources

// The requests of running statements.

/// A request that determines the requirements of a run: arguments for parameters, confirmation.
struct PrepareRun: Request {
  let request: SQLRequest

  struct Answer: Sendable {
    var result: Result<PreparedRun, SQLFault>
    /// The reason why the failure was not added to the history; nil if it was added, or should not be.
    var unsaved: Problem?
  }

  var slot: RequestSlot? { RequestSlot("preparation") }
  var activity: Activity? { Activity(name: "compiling", urgency: .change) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> Answer {
    do {
      try await services.requireSameFiles()
      return Answer(result: .success(PreparedRun(try await services.statements.prepare(request.statements.map(\.sql)))))
    } catch let error as StatementFailure {
      return failure(await services.fault(describing: error.cause, of: request.statements[error.index], at: error.index), in: services)
    } catch {
      return failure(await services.fault(describing: error, of: request.statements[0], at: 0), in: services)
    }
  }

  private func failure(_ fault: SQLFault, in services: Services) -> Answer {
    var entry = HistoryEntry(of: request.statements[fault.statement], in: services)
    entry.error = fault.sentence
    return Answer(result: .failure(fault), unsaved: request.isKept ? services.storage.keep(entry) : nil)
  }
}

/// An action that runs the statements of a request until one fails.
struct RunStatements: Action {
  let request: SQLRequest
  let inputs: [String: ParameterInput]
  /// The initial number of rows of each grid.
  let limit: Int
  /// Whether committed changes are recorded, so that they can be undone.
  var isRecorded = true

  enum Report: ActivityReport {
    case running(Duration)
    /// The statement with this index has ended.
    case ended(Int, StatementOutcome)

    func badge(of activity: Activity) -> String? {
      if case .running(let elapsed) = self { "\(activity.name) for \(elapsed.words)" } else { nil }
    }
  }

  struct Answer: Sendable {
    var transaction: OpenTransaction?
    /// The reason why some runs were not added to the history; nil if all were added, or should not be.
    var unsaved: Problem?
    /// The reason why the last statement was not run: its record would exceed the size limit.
    var tooLarge: ChangesTooLarge?
  }

  var queue: ActionQueue { .script }
  var activity: Activity? { Activity(name: "running", urgency: .change) }

  func run(in services: Services, report: @escaping @Sendable (Report) -> Void) async throws -> Answer {
    let ticking = Task(executorPreference: TaskThreads.shared) {
      let start = services.now()
      while true {
        try await Task.pause(for: .milliseconds(500))
        report(.running(services.now() - start))
      }
    }
    defer { ticking.cancel() }
    if await services.source.statements?.transaction() != nil { services.stopBackgroundReading() }
    if !isRecorded { await services.source.commits?.skipRecording() }
    var answer = Answer()
    for (index, part) in request.statements.enumerated() {
      let isShown = request.statements.count - index <= ResultTabs.limit
      let (outcome, entry) = await outcome(of: part, at: index, isShown: isShown, &answer, in: services)
      if request.isKept { answer.unsaved = services.storage.keep(entry) ?? answer.unsaved }
      report(.ended(index, outcome))
      if case .failed = outcome.content { break }
    }
    let transaction = await services.source.statements?.transaction()
    services.noteTransaction(transaction)
    answer.transaction = transaction
    return answer
  }

  private func outcome(
    of part: SQLRequest.Part, at index: Int, isShown: Bool, _ answer: inout Answer, in services: Services
  ) async -> (StatementOutcome, HistoryEntry) {
    let start = services.now()
    var entry = HistoryEntry(of: part, in: services)
    var content: StatementOutcome.Content
    do {
      try await services.requireSameFiles()
      let values = try inputs.mapValues { try $0.value() }
      entry.arguments = values.sorted { $0.key < $1.key }.map { StoredArgument($0.key, $0.value) }
      content = try await result(of: part, values, isShown: isShown, in: services)
    } catch {
      answer.tooLarge = error as? ChangesTooLarge
      let fault = await services.fault(describing: error, of: part, at: index)
      entry.error = fault.sentence
      content = .failed(fault)
    }
    let elapsed = services.now() - start
    entry.milliseconds = Int(elapsed / .milliseconds(1))
    if case .done(let changes, _) = content { entry.rows = changes }
    if case .read(let count, isAll: true) = content { entry.rows = count }
    if case .rows(_, let opened) = content, opened.page.reachesEnd { entry.rows = opened.page.rows.count }
    return (StatementOutcome(content: content, elapsed: elapsed), entry)
  }

  /// Runs a statement.
  ///
  /// - Parameter isShown: Whether its rows will be shown; otherwise they are read but not stored.
  private func result(
    of part: SQLRequest.Part, _ values: [String: DatabaseValue], isShown: Bool, in services: Services
  ) async throws -> StatementOutcome.Content {
    let result = try await services.statements.run(part.sql, values, unkeptRows: isShown ? nil : limit)
    switch result {
    case .done(let changes, let lastRowID): return .done(changes: changes, lastRowID: lastRowID)
    case .read(let count, let isAll): return .read(count: count, isAll: isAll)
    case .rows(let source):
      let set = RowSet(source)
      return .rows(set, try await services.openRows(of: set, as: part.grid, at: .first, limit: limit))
    }
  }
}

/// A request that reads SQLite's plan for a statement.
struct ExplainStatement: Request {
  let sql: String

  var slot: RequestSlot? { RequestSlot("plan") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [PlanStep] {
    do {
      return try await services.statements.plan(of: sql)
    } catch {
      throw await services.fault(describing: error, of: SQLRequest.Part(sql: sql, grid: GridID(number: 0)), at: 0).problem
    }
  }
}

/// A request that finds the completions at the caret, given as a byte offset into the editor's text.
struct CompleteSQL: Request {
  let text: String
  let caret: Int

  /// Before anything has been typed, the columns of all tables follow several hundred functions.
  private static let limit = 1_000

  var slot: RequestSlot? { RequestSlot("completion of SQL") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [Completion] {
    let schema = try await services.statements.completionSchema()
    return SQLScript(text).completions(at: caret, schema: schema, limit: Self.limit).map(Completion.init)
  }
}

extension HistoryEntry {
  /// Creates the entry of a statement before it runs.
  fileprivate init(of part: SQLRequest.Part, in services: Services) {
    self.init(time: Date().formatted(.iso8601), database: services.source.name, sql: part.sql, milliseconds: 0)
  }
}

extension ParameterInput {
  /// Returns the value; reads the content of a file.
  func value() throws -> DatabaseValue {
    switch self {
    case .value(let value): return value
    case .file(let path): return .blob(try Storage.contents(of: path))
    }
  }
}

extension Services {
  /// Returns the fault of a statement that failed, with the most similar name if the statement contains an unknown name.
  fileprivate func fault(describing error: any Error, of part: SQLRequest.Part, at statement: Int) async -> SQLFault {
    var fault = SQLFault(describing: error, of: part, at: statement)
    guard let error = error as? DatabaseError, MissingName.isMeant(by: error.message) || UnquotedName.isMeant(by: error.message),
      let schema = try? await statements.completionSchema()
    else { return fault }
    let missing = MissingName(message: error.message, in: part.sql, at: error.offset, schema: schema)
    let unquoted = UnquotedName(message: error.message, in: part.sql, at: error.offset, schema: schema)
    guard let advice = missing?.advice ?? unquoted?.advice else { return fault }
    fault.sentence += "; \(advice)"
    guard let start = part.offset, let range = missing?.range ?? unquoted?.range else { return fault }
    let place = start + range.lowerBound..<start + range.upperBound
    fault.range = place
    fault.mend = (missing?.nearest ?? unquoted?.name).map { SQLFault.Mend(range: place, text: $0) }
    return fault
  }
}

extension SQLFault {
  fileprivate init(describing error: any Error, of part: SQLRequest.Part, at statement: Int) {
    self.statement = statement
    switch error {
    case let fault as SQLFault: self = fault
    case let error as DatabaseError:
      sentence = Problem(describing: error).text
      range = error.offset.flatMap { offset in part.offset.map { SQLFault.word(at: offset, of: part.sql, from: $0) } }
    default: sentence = Problem(describing: error).text
    }
  }

  var problem: Problem { Problem(sentence) }

  /// Returns the byte range of the word at an offset, in a text with the statement at `start`.
  private static func word(at offset: Int, of sql: String, from start: Int) -> Range<Int> {
    let bytes = Array(sql.utf8.dropFirst(offset).prefix(100))
    let length = bytes.prefix {
      $0 >= 0x80 || $0 == UInt8(ascii: "_") || Character(Unicode.Scalar($0)).isLetter || Character(Unicode.Scalar($0)).isNumber
    }.count
    return start + offset..<start + offset + max(1, length)
  }
}

extension PreparedRun {
  fileprivate init(_ preparation: StatementPreparation) {
    self.init(
      parameters: preparation.parameters.map(FormParameter.init), warnings: preparation.warnings + preparation.longReads,
      onlyTakesLong: preparation.warnings.isEmpty, remarks: preparation.remarks, isIrreversible: preparation.isIrreversible)
  }
}

extension StatementParameter {
  /// The name of the type in the form.
  fileprivate var formName: String {
    if let type = declaredType ?? (valueType == .json ? .json : nil) { return type.rawValue }
    return type?.formName ?? valueType?.rawValue ?? "any"
  }
}

extension FormParameter {
  init(_ parameter: StatementParameter) {
    let values = parameter.isNew ? nil : parameter.column.map { ParameterChoices.column($0.table, $0.name) }
    self.init(
      identity: parameter.identity, token: parameter.token, otherTokens: parameter.otherTokens,
      typeName: parameter.formName, reading: parameter.reading,
      defaultText: parameter.defaultText, choices: parameter.choices ?? values)
  }
}
