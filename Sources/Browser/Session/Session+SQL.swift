import QuarryEngine

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Running what the editor holds.
extension Session {
  /// Says what a request needs before it can run: values for parameters, a person's yes.
  func prepare(_ request: SQLRequest, posting post: Post) async {
    let refusal = connections.script.refusal
    do {
      try await requireSameFiles()
      let prepared = try await scriptQueue().withoutTransaction { db in
        try SQLPreparation(request, refusal: refusal, in: db).prepared
      }
      post(.runPrepared(request, .success(prepared)))
    } catch {
      let fault = SQLFault(describing: error, of: request.statements[0], at: 0)
      var entry = makeEntry(for: request.statements[fault.statement])
      entry.error = fault.sentence
      post(.runPrepared(request, .failure(fault)))
      if request.isKept, let problem = keep(entry) { post(.historyUnsaved(problem)) }
    }
  }

  private func makeEntry(for part: SQLRequest.Part) -> HistoryEntry {
    HistoryEntry(time: Date().formatted(.iso8601), database: connections.foreground.path, sql: part.sql, milliseconds: 0)
  }

  /// Runs the statements of a request up to the first that fails.
  func run(_ request: SQLRequest, _ inputs: [String: ParameterInput], limit: Int, posting post: Post) async {
    let ticking = Task {
      let start = now()
      while true {
        try await Task.sleep(for: .milliseconds(500))
        post(.runProgressed(request.number, now() - start))
      }
    }
    defer { ticking.cancel() }
    var unsaved: Problem?
    for (index, part) in request.statements.enumerated() {
      let isShown = request.statements.count - index <= ResultTabs.limit
      let (outcome, entry) = await outcome(of: part, at: index, inputs, limit: limit, isShown: isShown)
      if request.isKept { unsaved = keep(entry) ?? unsaved }
      post(.statementRan(request.number, index, outcome))
      if case .failed = outcome.content { break }
    }
    post(.runEnded(request.number, await transaction()))
    // Last, so that what the run came to does not take its place.
    if let unsaved { post(.historyUnsaved(unsaved)) }
  }

  private func outcome(
    of part: SQLRequest.Part, at index: Int, _ inputs: [String: ParameterInput], limit: Int, isShown: Bool
  ) async -> (StatementOutcome, HistoryEntry) {
    let start = now()
    var entry = makeEntry(for: part)
    var content: StatementOutcome.Content
    do {
      try await requireSameFiles()
      let values = try inputs.mapValues { try $0.value() }
      entry.arguments = values.sorted { $0.key < $1.key }.map { StoredArgument($0.key, $0.value) }
      content = try await result(of: part, values, limit: limit, isShown: isShown)
    } catch {
      let fault = SQLFault(describing: error, of: part, at: index)
      entry.error = fault.sentence
      content = .failed(fault)
    }
    let elapsed = now() - start
    entry.milliseconds = Int(elapsed / .milliseconds(1))
    if case .done(let changes, _) = content { entry.rows = changes }
    if case .read(let count, isAll: true) = content { entry.rows = count }
    if case .rows(_, let opened) = content, opened.page.reachesEnd { entry.rows = opened.page.rows.count }
    return (StatementOutcome(content: content, elapsed: elapsed), entry)
  }

  /// - Parameter isShown: Whether its rows will be among those that are kept; if not, they are read and no more.
  private func result(
    of part: SQLRequest.Part, _ values: [String: DatabaseValue], limit: Int, isShown: Bool
  ) async throws -> StatementOutcome.Content {
    let script = connections.script
    let result = try await scriptQueue().withoutTransaction { db -> SQLRun.Result in
      let result = try SQLRun(part.sql, values, of: script, in: db).result
      guard !isShown, case .rows(let source) = result else { return result }
      return try SQLRun.read(source, upTo: limit, in: db)
    }
    switch result {
    case .done(let changes, let lastRowID): return .done(changes: changes, lastRowID: lastRowID)
    case .read(let count, let isAll): return .read(count: count, isAll: isAll)
    case .rows(let source):
      let set = RowSet(source)
      return .rows(set, try await open(part.grid, set, RowView(), at: .first, limit: limit))
    }
  }

  // MARK: Plans

  /// Asks SQLite how it would run a statement.
  func explain(_ sql: String, posting post: Post) async {
    do {
      let steps = try await scriptQueue().withoutTransaction { db in try db.queryPlan(of: sql) }
      post(.planExplained(sql, .success(steps)))
    } catch {
      post(.planExplained(sql, .failure(SQLFault(describing: error, of: SQLRequest.Part(sql: sql, grid: GridID(number: 0)), at: 0).problem)))
    }
  }
}

extension ParameterInput {
  /// The value, read from its file where it is one.
  func value() throws -> DatabaseValue {
    switch self {
    case .value(let value): return value
    case .file(let path):
      guard let data = FileManager.default.contents(atPath: Session.url(of: path).path) else { throw Problem("there is no file \(path), or it cannot be read") }
      return .blob([UInt8](data))
    }
  }
}

extension SQLFault {
  init(describing error: any Error, of part: SQLRequest.Part, at statement: Int) {
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

  /// The bytes of the word that begins at an offset, in a text that has the statement at `start`.
  private static func word(at offset: Int, of sql: String, from start: Int) -> Range<Int> {
    let bytes = Array(sql.utf8.dropFirst(offset).prefix(100))
    let length = bytes.prefix { $0 >= 0x80 || $0 == UInt8(ascii: "_") || Character(Unicode.Scalar($0)).isLetter || Character(Unicode.Scalar($0)).isNumber }.count
    return start + offset..<start + offset + max(1, length)
  }
}
