import QuarryEngine
import Terminal

/// Running what the editor holds: from the key to the results.
extension Browser {
  /// Runs the selection, else the statement under the caret.
  mutating func runStatement() -> [Effect] {
    let script = SQLScript(sql.buffer.text)
    if let range = sql.editor.selectedRange {
      let selected = SQLScript(String(decoding: script.text.utf8.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self))
      return run(selected.parts, of: selected, from: range.lowerBound)
    }
    guard let part = script.part(at: sql.editor.caretOffset) else { return refuse("there is no statement here: write one first") }
    return run([part], of: script)
  }

  mutating func runAll() -> [Effect] {
    let script = SQLScript(sql.buffer.text)
    return run(script.parts, of: script)
  }

  /// - Parameter start: where the script begins in the editor's text, in bytes.
  private mutating func run(_ parts: [SQLScript.Part], of script: SQLScript, from start: Int = 0) -> [Effect] {
    guard let first = parts.first else { return refuse("there is no statement here: write one first") }
    let statements = parts.map { SQLRequest.Part(sql: script.sql(of: $0), offset: start + $0.range.lowerBound, grid: makeGridID()) }
    return begin(SQLRequest(number: sql.makeRunNumber(), statements: statements, isKept: !isSecret(first, of: script)))
  }

  /// Whether a blank stands before the statement at the start of its line, which keeps it out of the history.
  private func isSecret(_ part: SQLScript.Part, of script: SQLScript) -> Bool {
    let before = script.text.utf8.prefix(part.range.lowerBound).reversed()
    guard before.first == UInt8(ascii: " ") else { return false }
    return before.drop { $0 == UInt8(ascii: " ") }.first.map { $0 == UInt8(ascii: "\n") } ?? true
  }

  private mutating func refuse(_ sentence: String) -> [Effect] {
    notice = Notice(sentence, .warning)
    return []
  }

  /// Runs once more what was run last, with the same values.
  mutating func runAgain(_ last: SQLPane.LastRun) -> [Effect] {
    begin(renewed(last.request), isFormWanted: false)
  }

  /// Returns a request for the same statements, with grids of its own.
  mutating func renewed(_ request: SQLRequest) -> SQLRequest {
    var renewed = request
    renewed.number = sql.makeRunNumber()
    for index in renewed.statements.indices { renewed.statements[index].grid = makeGridID() }
    return renewed
  }

  mutating func takeProgress(_ number: Int, _ elapsed: Duration) {
    guard let run = sql.run, run.request.number == number, case .running(let inputs, _) = run.phase else { return }
    sql.run?.phase = .running(inputs, elapsed: elapsed)
  }

  /// Begins a run; first the engine looks at what it needs.
  mutating func begin(_ request: SQLRequest, isFormWanted: Bool = true) -> [Effect] {
    if let busyScript { return refuse(busyScript) }
    sql.run = SQLActivity(request: request, isFormWanted: isFormWanted)
    sql.editor.errorRange = nil
    return [.prepareRun(request)]
  }

  mutating func takePrepared(_ request: SQLRequest, _ result: Result<PreparedRun, SQLFault>) -> [Effect] {
    guard let run = sql.run, run.request.number == request.number, case .preparing = run.phase else { return [] }
    switch result {
    case .failure(let fault):
      sql.run = nil
      if isLeaving { return leaveAfterRun() }
      let dropped = clearResults()
      return dropped + showResult(of: request, at: fault.statement, StatementOutcome(content: .failed(fault), elapsed: .zero))
    case .success where isLeaving:
      sql.run = nil
      return leaveAfterRun()
    case .success(let prepared):
      sql.run?.phase = .asking(prepared)
      sql.last = SQLPane.LastRun(request: request, parameters: prepared.parameters)
      // The values of a long script are not looked for in vain.
      guard !prepared.parameters.isEmpty else { return confirm(prepared, [:]) }
      let values = memory.arguments(of: request.key)
      let isComplete = prepared.parameters.allSatisfy { values[$0.identity] != nil }
      if isComplete, !run.isFormWanted { return confirm(prepared, values) }
      askForParameters(of: request, prepared, values)
      return []
    }
  }

  private mutating func askForParameters(of request: SQLRequest, _ prepared: PreparedRun, _ values: [String: ParameterInput]) {
    var form = ParameterForm(
      title: "Parameters of \(request.title)", parameters: prepared.parameters, values: values,
      cancel: { browser, form in
        browser.sql.leftForm = (request.key, form)
        browser.forgetRun()
      }
    ) { $0.outbox += $0.run(request, $1) }
    if let left = sql.leftForm, left.key == request.key { form.takeInputs(of: left.form) }
    sql.leftForm = nil
    present(form)
  }

  /// Runs a request with what the form gave.
  mutating func run(_ request: SQLRequest, _ inputs: [String: ParameterInput]) -> [Effect] {
    guard let run = sql.run, run.request.number == request.number, case .asking(let prepared) = run.phase else { return [] }
    memory.remember(inputs, of: request.key)
    return confirm(prepared, inputs)
  }

  /// Asks for a yes where the statements do what cannot be meant lightly.
  private mutating func confirm(_ prepared: PreparedRun, _ inputs: [String: ParameterInput]) -> [Effect] {
    guard let first = prepared.warnings.first else { return start(inputs) }
    let more = prepared.warnings.count > 1 ? ", and more" : ""
    ask(
      "This \(first)\(more)", "run it?",
      [("No, leave it", "", .forgetRun), ("Yes, run it", "it can still be rolled back", .start(inputs))])
    return []
  }

  mutating func start(_ inputs: [String: ParameterInput]) -> [Effect] {
    guard let run = sql.run else { return [] }
    sql.run?.phase = .running(inputs, elapsed: .zero)
    let dropped = clearResults()
    return dropped + [.run(run.request, inputs, limit: max(60, 2 * size.rows))]
  }

  /// Takes the tabs of the last run away, and the grid if it is one of them.
  private mutating func clearResults() -> [Effect] {
    let ids = sql.results.removeAll()
    if let grid, ids.contains(grid.id) { self.grid = nil }
    return ids.flatMap { [Effect.stopBackgroundWork($0), .forget($0)] }
  }

  mutating func takeOutcome(_ number: Int, _ index: Int, _ outcome: StatementOutcome) -> [Effect] {
    guard let run = sql.run, run.request.number == number, run.request.statements.indices.contains(index) else { return [] }
    return showResult(of: run.request, at: index, outcome)
  }

  mutating func takeEnd(_ number: Int, _ transaction: OpenTransaction?) -> [Effect] {
    let before = sql.transaction
    sql.transaction = transaction
    guard sql.run?.request.number == number else { return [] }
    sql.run = nil
    if let tab = sql.results.current, let sentence = sql.results.sentence { notice = Notice(sentence, tab.role) }
    if isLeaving { return leaveAfterRun() }
    guard let transaction, transaction != before else { return before == nil ? [] : [.loadCatalog] }
    showTransaction(transaction, after: sql.results.fault)
    return []
  }

  /// Ends the program, as was asked for while a statement ran.
  private mutating func leaveAfterRun() -> [Effect] {
    isLeaving = false
    return quit()
  }

  /// Marks the place of a fault, and takes the caret there; where SQLite tells none, to the statement.
  private mutating func show(_ fault: SQLFault, of part: SQLRequest.Part) {
    notice = Notice(fault.sentence, .error)
    // The text may have become another one while the statement ran.
    guard let start = part.offset, sql.buffer.text.utf8.dropFirst(start).starts(with: part.sql.utf8) else { return }
    let word = SQLScript.firstWord(of: part.sql).map { start + $0.lowerBound..<start + $0.upperBound }
    guard let range = fault.range ?? word else { return }
    let isInStatement = (start...start + part.sql.utf8.count).contains(sql.editor.caretOffset)
    sql.editor.clearSelection()
    if fault.range != nil || !isInStatement { sql.editor.moveCaret(toUTF8Offset: range.lowerBound) }
    sql.editor.errorRange = range
  }

  // MARK: Results

  private mutating func showResult(of request: SQLRequest, at index: Int, _ outcome: StatementOutcome) -> [Effect] {
    var outcome = outcome
    if case .failed(var fault) = outcome.content {
      if request.statements.count > 1 { fault.sentence = "statement \(index + 1) of \(request.statements.count): \(fault.sentence)" }
      outcome.content = .failed(fault)
      show(fault, of: request.statements[index])
    }
    // Before a tab may go, so that what is on the screen is kept where it belongs.
    let left = leaveGrid()
    let dropped = sql.results.add(ResultTabs.Tab(request.statements[index], outcome, glyphs: look.glyphs))
    let forgotten = dropped.map { [Effect.stopBackgroundWork($0), .forget($0)] } ?? []
    return left + forgotten + showResult(sql.results.tabs.count - 1)
  }

  mutating func moveResult(by step: Int) -> [Effect] {
    let count = sql.results.tabs.count
    guard count > 0 else { return [] }
    return showResult(((sql.results.place ?? (step > 0 ? -1 : 0)) + step + count) % count)
  }

  /// Shows a tab under the editor.
  private mutating func showResult(_ place: Int) -> [Effect] {
    let dropped = leaveGrid()
    failure = nil
    sql.results.place = place
    guard var pane = sql.results.current?.pane else { return dropped }
    let isNew = pane.total == nil && !pane.isCounting
    pane.isCounting = isNew || !(pane.total?.isExact ?? false)
    grid = pane
    applyLayout()
    if isNew {
      let glyphs = look.glyphs
      changeGrid(pane.id) { $0.useSpareRoom(glyphs: glyphs) }
    }
    return dropped + (pane.isCounting ? [.count(pane.id)] : []) + changeGrid { $0.prefetch() }
  }

  // MARK: Transactions

  /// Asks what is to become of what a run has changed; after a fault nothing that keeps a part of it is the first answer.
  private mutating func showTransaction(_ transaction: OpenTransaction, after fault: SQLFault?) {
    guard !transaction.isEmpty else { return notice = Notice("a transaction is open: nothing has been changed in it yet", .muted) }
    let commit = ("Commit", "keep the changes", Answer.endTransaction(isCommitted: true))
    let rollBack = ("Roll back", "undo them all", Answer.endTransaction(isCommitted: false))
    let leave = ("Leave it open", "a SELECT in the editor shows the changed rows", Answer.leaveOpen)
    guard let fault else { return ask("\(transaction.words), not committed yet", "commit?", [commit, rollBack, leave]) }
    let question = "A statement failed, and \(transaction.words), not committed yet"
    ask(question, "roll back?", [rollBack, leave, ("Commit", "keep what was changed before", commit.2)], because: fault.sentence)
  }

  /// Ends the open transaction, unless a statement runs.
  mutating func endTransaction(isCommitted: Bool) -> [Effect] {
    if let busyScript {
      isLeaving = false
      return refuse(busyScript)
    }
    sql.ending = isCommitted
    return [.endTransaction(isCommitted: isCommitted)]
  }

  mutating func takeTransactionEnd(isCommitted: Bool, _ problem: Problem?, left: OpenTransaction?) -> [Effect] {
    sql.transaction = left
    sql.ending = nil
    if let problem {
      isLeaving = false
      notice = Notice(problem.text, .error)
      // A transaction that is still open may keep readers out: they would only wait.
      return left == nil ? takeFileChange() : []
    }
    notice = Notice(isCommitted ? "committed" : "rolled back: nothing was changed", .success)
    if isLeaving { return quit() }
    return takeFileChange()
  }

  /// Asks what is to become of the open transaction.
  mutating func askBeforeLeaving(_ transaction: OpenTransaction) {
    ask(
      "A transaction is open: \(transaction.words)", "quit?",
      [
        ("Stay", "", .leaveOpen), ("Commit and quit", "", .leave(isCommitted: true)), ("Roll back and quit", "", .leave(isCommitted: false)),
      ])
  }

  /// Asks a question; the first answer is the one that Enter takes.
  ///
  /// - Parameter reason: stands under the answers.
  mutating func ask(
    _ question: String, _ hint: String, _ answers: [(label: String, detail: String, answer: Answer)], because reason: String = ""
  ) {
    let items = answers.map { PickerItem(label: $0.label, detail: $0.detail, preview: reason, perform: answer($0.answer)) }
    var picker = Picker(title: question, placeholder: hint, items: items)
    picker.cancel = { $0.forgetRun() }
    present(picker)
  }

  /// Forgets a run that waits for an answer: it is not to be run.
  fileprivate mutating func forgetRun() {
    if sql.run?.isUnderWay == false { sql.run = nil }
  }

  private func answer(_ answer: Answer) -> @Sendable (inout Browser) -> Void {
    { $0.outbox += $0.take(answer) }
  }

  mutating func take(_ answer: Answer) -> [Effect] {
    switch answer {
    case .leaveOpen: return []
    case .forgetRun:
      sql.run = nil
      return []
    case .start(let inputs): return start(inputs)
    case .endTransaction(let isCommitted): return endTransaction(isCommitted: isCommitted)
    case .leave(let isCommitted):
      isLeaving = true
      return endTransaction(isCommitted: isCommitted)
    case .dropBuffer:
      dropBuffer()
      return []
    }
  }
}

/// What a person says to a question.
enum Answer: Hashable, Sendable {
  case leaveOpen
  case forgetRun
  case start([String: ParameterInput])
  case endTransaction(isCommitted: Bool)
  case leave(isCommitted: Bool)
  case dropBuffer
}

extension SQLRequest {
  /// What the values of its parameters are remembered by.
  var key: String { statements.map(\.sql).joined(separator: ";\n") }

  /// What it is called: by the title that its first comments give it, else by its text.
  var title: String {
    if let title = statements.first.map({ SavedStatement(name: "", sql: $0.sql).title }), !title.isEmpty { return title }
    return statements.count == 1 ? statements[0].sql.summary : Plural.of(statements.count, "statement")
  }
}

extension ResultTabs.Tab {
  var role: Role {
    switch content {
    case .rows, .read: .muted
    case .done: .success
    case .failed: .error
    }
  }
}
