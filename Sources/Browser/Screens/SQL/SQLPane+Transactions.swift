import QuarrySources

/// The open transaction of the editor's connection: its end, and the questions about it.
extension SQLPane {
  /// An answer to a question.
  struct Choice {
    var label: String
    var detail: String
    var perform: @Sendable (inout SQLPane, inout ScreenContext<SQLPane>) -> Void

    init(
      _ label: String, _ detail: String = "",
      perform: @escaping @Sendable (inout SQLPane, inout ScreenContext<SQLPane>) -> Void = { _, _ in }
    ) {
      self.label = label
      self.detail = detail
      self.perform = perform
    }
  }

  /// Asks a question; Enter selects the first choice.
  ///
  /// - Parameter reason: The text below the choices.
  func ask(_ question: String, _ hint: String, _ choices: [Choice], because reason: String = "", _ context: inout ScreenContext<Self>) {
    let items = choices.map { PickerItem(label: $0.label, detail: $0.detail, preview: reason, perform: context.handler($0.perform)) }
    var picker = Picker(title: question, placeholder: hint, items: items)
    picker.cancel = context.handler { pane, _ in pane.forgetRun() }
    context.present(picker)
  }

  /// Asks whether to commit the changes of a run: a second Enter leaves the transaction open; after an error it rolls everything back.
  func showTransaction(_ transaction: OpenTransaction, after fault: SQLFault?, _ context: inout ScreenContext<Self>) {
    guard !transaction.isEmpty else { return context.notifyLast("a transaction is open, without changes so far") }
    let rollBack = Choice("Roll back", "undo all changes") { $0.endTransaction(isCommitted: false, &$1) }
    let leave = Choice("Leave it open", "the tables show the changes")
    let isRecorded = context.workspace.source.roles.recordsStatements
    let remark = isRecorded ? "" : ", which cannot be undone"
    guard let fault else {
      let commit = Choice("Commit", "save the changes\(remark)") { $0.endTransaction(isCommitted: true, &$1) }
      return ask("\(transaction.words), not committed yet", "commit?", [leave, commit, rollBack], &context)
    }
    let commit = Choice("Commit", "save the changes so far\(remark)") { $0.endTransaction(isCommitted: true, &$1) }
    let question = "A statement failed, and \(transaction.words), not committed yet"
    ask(question, "roll back?", [rollBack, leave, commit], because: fault.sentence, &context)
  }

  /// Ends the open transaction, unless a statement is running.
  mutating func endTransaction(isCommitted: Bool, _ context: inout ScreenContext<Self>) {
    if let reason = busyReason(context.environment) {
      isLeaving = false
      return context.notify(reason, .warning)
    }
    ending = isCommitted
    // Counts hold locks that would block a commit.
    if isCommitted { context.supersede(CountTables.slot) }
    context.ask(EndTransaction(isCommitted: isCommitted)) { pane, context, result in
      pane.receive(result, isCommitted: isCommitted, &context)
    }
  }

  private mutating func receive(_ result: Result<EndTransaction.Answer, Problem>, isCommitted: Bool, _ context: inout ScreenContext<Self>) {
    ending = nil
    let end = (try? result.get()) ?? EndTransaction.Answer(left: context.workspace.source.transaction)
    context.workspace.source.transaction = end.left
    if let problem = end.problem {
      isLeaving = false
      context.notify(problem.text, .error)
      // While a transaction remains open, readers may be locked out and would only wait.
      if end.left == nil { context.noteWriting() }
      return
    }
    let remark = isCommitted ? context.environment.copyRemark : nil
    context.notify(isCommitted ? "committed" + (remark.map { "; \($0)" } ?? "") : "rolled back: all changes undone", .success)
    if remark != nil { context.workspace.files.haveChangedCopies = true }
    guard isLeaving else { return context.noteWriting() }
    isLeaving = false
    context.quit()
  }

  /// Returns whether the program can end; otherwise stops the running statement, or asks about the transaction.
  mutating func prepareToEnd(_ context: inout ScreenContext<Self>) -> Bool {
    if ending != nil {
      isLeaving = true
      if let reason = busyReason(context.environment) { context.notify("quitting after this: \(reason)") }
      return false
    }
    if isRunning, !isLeaving {
      isLeaving = true
      context.notify("stopping\(context.appearance.glyphs.ellipsis)")
      context.stopChanges()
      return false
    }
    guard let transaction = context.workspace.source.transaction, !transaction.isEmpty, !isRunning else { return true }
    ask(
      "A transaction is open: \(transaction.words)", "quit?",
      [
        Choice("Stay"), Choice("Commit and quit") { $0.leave(isCommitted: true, &$1) },
        Choice("Roll back and quit") { $0.leave(isCommitted: false, &$1) },
      ], &context)
    return false
  }

  private mutating func leave(isCommitted: Bool, _ context: inout ScreenContext<Self>) {
    isLeaving = true
    endTransaction(isCommitted: isCommitted, &context)
  }
}

/// An action that commits or rolls back the open transaction.
struct EndTransaction: Action {
  let isCommitted: Bool

  struct Answer: Sendable {
    /// The error; nil if the commit or the rollback succeeded.
    var problem: Problem?
    /// The transaction that is still open; nil for none.
    var left: OpenTransaction?
  }

  var queue: ActionQueue { .script }
  var activity: Activity? { Activity(name: isCommitted ? "committing" : "rolling back", urgency: .change) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> Answer {
    do {
      if isCommitted {
        try await services.requireSameFiles()
        services.stopBackgroundReading()
      }
      try await services.statements.endTransaction(isCommitted: isCommitted)
      services.noteTransaction(nil)
      return Answer()
    } catch {
      let left = await services.source.statements?.transaction()
      services.noteTransaction(left)
      let state =
        left == nil
        ? "SQLite has rolled the transaction back: all its changes are undone" : "the transaction is still open, with all its changes"
      return Answer(problem: Problem("\(Problem(describing: error).text); \(state)"), left: left)
    }
  }
}

extension ActionQueue {
  /// The queue of work on the editor's connection.
  static let script = ActionQueue("script")
}
