import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources
import Terminal

/// Running statements, from the key to the results.
extension SQLPane {
  /// Runs the selection, or the statement under the caret.
  mutating func runStatement(_ context: inout ScreenContext<Self>) {
    let script = SQLScript(buffer.text)
    if let range = editor.selectedRange {
      let selected = SQLScript(String(decoding: script.text.utf8.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self))
      return run(selected.parts, of: selected, from: range.lowerBound, &context)
    }
    run(script.part(at: editor.caretOffset).map { [$0] } ?? [], of: script, &context)
  }

  mutating func runAll(_ context: inout ScreenContext<Self>) {
    let script = SQLScript(buffer.text)
    run(script.parts, of: script, &context)
  }

  /// Runs statements of a script.
  ///
  /// - Parameter start: The script's offset in the editor's text, in bytes.
  private mutating func run(_ parts: [SQLScript.Part], of script: SQLScript, from start: Int = 0, _ context: inout ScreenContext<Self>) {
    guard let first = parts.first else { return context.notify("there is no statement under the caret", .warning) }
    let statements = parts.map { part in
      SQLRequest.Part(sql: script.sql(of: part), offset: start + part.range.lowerBound, grid: context.workspace.makeGridID())
    }
    begin(SQLRequest(number: makeRunNumber(), statements: statements, isKept: !isSecret(first, of: script)), &context)
  }

  /// Returns whether a space precedes a statement at the start of its line, which keeps it out of the history.
  private func isSecret(_ part: SQLScript.Part, of script: SQLScript) -> Bool {
    let before = script.text.utf8.prefix(part.range.lowerBound).reversed()
    guard before.first == UInt8(ascii: " ") else { return false }
    return before.drop { $0 == UInt8(ascii: " ") }.first.map { $0 == UInt8(ascii: "\n") } ?? true
  }

  /// Repeats the last run with the same arguments.
  mutating func runLast(_ context: inout ScreenContext<Self>) {
    guard let last else { return }
    begin(renewed(last.request, &context), isFormWanted: false, &context)
  }

  /// Returns a request for the same statements with new grids.
  mutating func renewed(_ request: SQLRequest, _ context: inout ScreenContext<Self>) -> SQLRequest {
    var renewed = request
    renewed.number = makeRunNumber()
    for index in renewed.statements.indices { renewed.statements[index].grid = context.workspace.makeGridID() }
    return renewed
  }

  // MARK: Preparing

  /// Begins a run by preparing it.
  mutating func begin(_ request: SQLRequest, isFormWanted: Bool = true, _ context: inout ScreenContext<Self>) {
    if let reason = busyReason(context.environment) { return context.notify(reason, .warning) }
    run = SQLActivity(request: request, isFormWanted: isFormWanted)
    // Results that will be shown later replace rows that are still being opened.
    context.send(RowsIntent.dropOpening)
    editor.errorRange = nil
    context.ask(PrepareRun(request: request)) { pane, context, result in
      pane.receive(result, on: request, &context)
    }
  }

  private mutating func receive(_ result: Result<PrepareRun.Answer, Problem>, on request: SQLRequest, _ context: inout ScreenContext<Self>)
  {
    guard let run, run.request.number == request.number, case .preparing = run.phase else { return }
    guard case .success(let answer) = result, !isLeaving else {
      self.run = nil
      return leaveAfterRun(&context)
    }
    switch answer.result {
    case .failure(let fault):
      self.run = nil
      showResult(of: request, at: fault.statement, StatementOutcome(content: .failed(fault), elapsed: .zero), isFirst: true, &context)
      context.send(RowsIntent.reportResult)
      if let problem = answer.unsaved { context.notify(problem.text, .warning) }
    case .success(let prepared):
      self.run?.phase = .asking(prepared)
      self.run?.remarks = prepared.remarks
      last = LastRun(request: request, parameters: prepared.parameters)
      // Remembered values are looked up only for scripts with parameters, because a script may be long.
      guard !prepared.parameters.isEmpty else { return confirm(prepared, [:], &context) }
      let values = context.workspace.memory.arguments(of: request.key)
      let isComplete = prepared.parameters.allSatisfy { values[$0.identity] != nil }
      if isComplete, !run.isFormWanted { return confirm(prepared, values, &context) }
      askForParameters(of: request, prepared, values, &context)
    }
  }

  private mutating func askForParameters(
    of request: SQLRequest, _ prepared: PreparedRun, _ values: [String: ParameterInput], _ context: inout ScreenContext<Self>
  ) {
    var form = ParameterForm(
      title: "Parameters of \(request.title)", parameters: prepared.parameters, values: values,
      cancel: context.handler { pane, _, form in
        pane.leftForm = (request.key, form)
        pane.forgetRun()
      },
      accept: context.handler { pane, context, inputs in pane.run(request, inputs, &context) })
    if let leftForm, leftForm.key == request.key { form.copyInputs(of: leftForm.form) }
    leftForm = nil
    context.present(form)
  }

  /// Runs a request with the form's input.
  private mutating func run(_ request: SQLRequest, _ inputs: [String: ParameterInput], _ context: inout ScreenContext<Self>) {
    guard let run, run.request.number == request.number, case .asking(let prepared) = run.phase else { return }
    context.workspace.memory.remember(inputs, of: request.key)
    confirm(prepared, inputs, &context)
  }

  /// Asks for confirmation of statements that are easily run by mistake.
  private mutating func confirm(_ prepared: PreparedRun, _ inputs: [String: ParameterInput], _ context: inout ScreenContext<Self>) {
    guard let first = prepared.warnings.first else { return start(inputs, &context) }
    let more = prepared.warnings.count > 1 ? ", and more" : ""
    ask(
      "This \(first)\(more)", "run it?",
      [
        Choice("No, don't run it") { pane, _ in pane.run = nil },
        Choice("Yes, run it", prepared.consequence) { pane, context in
          pane.start(inputs, &context)
        },
      ], &context)
  }

  // MARK: Running

  private mutating func start(
    _ inputs: [String: ParameterInput], isRecorded: Bool = true, _ context: inout ScreenContext<Self>
  ) {
    guard let run else { return }
    self.run?.phase = .running(inputs)
    context.send(RowsIntent.clearResults)
    // In a transaction, tables would be counted on the connection that is about to run the statement.
    context.supersede(CountTables.slot)
    let request = run.request
    let limit = max(60, 2 * context.environment.size.rows)
    context.ask(RunStatements(request: request, inputs: inputs, limit: limit, isRecorded: isRecorded)) { pane, context, report in
      guard case .ended(let index, let outcome) = report else { return }
      pane.showResult(of: request, at: index, outcome, &context)
    } then: { pane, context, result in
      pane.end(request, result, &context)
    }
  }

  private mutating func end(_ request: SQLRequest, _ result: Result<RunStatements.Answer, Problem>, _ context: inout ScreenContext<Self>) {
    let before = context.workspace.source.transaction
    let answer = try? result.get()
    context.workspace.source.transaction = answer?.transaction
    guard let run, run.request.number == request.number else { return }
    self.run = nil
    context.send(RowsIntent.reportResult)
    // These come last, so that the run's own report does not replace them.
    if run.fault == nil, let remark = run.remarks.first { context.notifyLast(remark, .warning) }
    if let unsaved = answer?.unsaved { context.notifyLast(unsaved.text, .warning) }
    if isLeaving { return leaveAfterRun(&context) }
    // Tables are read on the connection that sees the changes of the transaction.
    if context.workspace.source.transaction != before {
      context.noteWriting()
    } else {
      context.send(RowsIntent.countAgain)
    }
    if let tooLarge = answer?.tooLarge {
      let lost = context.workspace.source.transaction == nil ? before : nil
      return askAboutRecord(of: run, tooLarge, lost, &context)
    }
    guard let transaction = context.workspace.source.transaction, transaction != before else { return }
    showTransaction(transaction, after: run.fault, &context)
  }

  /// Asks whether to run statements whose changes cannot be recorded.
  ///
  /// - Parameter lost: The transaction that was open before, and was rolled back; nil for none.
  private mutating func askAboutRecord(
    of run: SQLActivity, _ tooLarge: ChangesTooLarge, _ lost: OpenTransaction?, _ context: inout ScreenContext<Self>
  ) {
    guard case .running(let inputs) = run.phase else { return }
    self.run = SQLActivity(request: run.request, phase: .asking(PreparedRun()))
    ask(
      "The changes are too large to be recorded", "run it?",
      [
        Choice("No, change nothing") { pane, _ in pane.run = nil },
        Choice("Run it without a record", "it cannot be undone after the commit") { pane, context in
          pane.start(inputs, isRecorded: false, &context)
        },
      ], because: tooLarge.description + (lost.map { "; the transaction that was open was rolled back: \($0.words)" } ?? ""), &context)
  }

  /// Quits the program, if this was requested while a statement ran.
  private mutating func leaveAfterRun(_ context: inout ScreenContext<Self>) {
    guard isLeaving else { return }
    isLeaving = false
    context.quit()
  }

  /// Shows the result of a statement.
  ///
  /// - Parameter isFirst: Whether it replaces the results of the last run.
  private mutating func showResult(
    of request: SQLRequest, at index: Int, _ outcome: StatementOutcome, isFirst: Bool = false, _ context: inout ScreenContext<Self>
  ) {
    guard request.statements.indices.contains(index) else { return }
    let part = request.statements[index]
    var outcome = outcome
    if case .failed(var fault) = outcome.content {
      if request.statements.count > 1 { fault.sentence = "statement \(index + 1) of \(request.statements.count): \(fault.sentence)" }
      show(&fault, of: part)
      outcome.content = .failed(fault)
      run?.fault = fault
    }
    if isFirst { context.send(RowsIntent.clearResults) }
    context.send(RowsIntent.add(part, outcome))
  }

  /// Marks the position of a fault and moves the caret there; without a position, it marks the first word of the statement.
  private mutating func show(_ fault: inout SQLFault, of part: SQLRequest.Part) {
    // The text may have changed while the statement ran.
    guard let start = part.offset, buffer.text.utf8.dropFirst(start).starts(with: part.sql.utf8) else { return }
    let word = SQLScript.firstWord(of: part.sql).map { start + $0.lowerBound..<start + $0.upperBound }
    guard let range = fault.range ?? word else { return }
    let isInStatement = (start...start + part.sql.utf8.count).contains(editor.caretOffset)
    editor.clearSelection()
    if fault.range != nil || !isInStatement { editor.moveCaret(toUTF8Offset: range.lowerBound) }
    editor.errorRange = range
    mend = fault.mend
    fault.place = fault.range.map { FaultPlace(of: $0.lowerBound, in: buffer.text) }
  }

  /// Drops a run that waits for the person.
  mutating func forgetRun() {
    if run?.isUnderWay == false { run = nil }
  }

  /// Returns the reason why the editor's connection is busy; nil if it is not.
  func busyReason(_ environment: ScreenEnvironment) -> String? {
    let stop = "\(environment.keyHint(.stop)) stops it"
    if let isCommitted = ending { return "the transaction is being \(isCommitted ? "committed" : "rolled back"): \(stop)" }
    return isRunning ? "a statement is running: \(stop)" : nil
  }
}

extension SQLRequest {
  /// The key under which the arguments are stored.
  var key: String { statements.map(\.sql).joined(separator: ";\n") }

  /// The title in the first comments, or otherwise a summary of the text.
  var title: String {
    if let title = statements.first.map({ SavedStatement(name: "", sql: $0.sql).title }), !title.isEmpty { return title }
    return statements.count == 1 ? statements[0].sql.summary : Plural.of(statements.count, "statement")
  }
}

extension PreparedRun {
  /// The options for undoing or stopping the statements after they have started.
  fileprivate var consequence: String {
    if isIrreversible { return "it cannot be undone" }
    return onlyTakesLong ? "it cannot be stopped while it runs" : "it can still be rolled back"
  }
}
