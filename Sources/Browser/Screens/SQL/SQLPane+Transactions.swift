import QuarryEngine

/// The transaction of the editor's connection: its end, and the questions about it.
extension SQLPane {
  /// One of the answers to a question.
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

  /// Asks a question; the first choice is the one that Enter takes.
  ///
  /// - Parameter reason: stands under the choices.
  func ask(_ question: String, _ hint: String, _ choices: [Choice], because reason: String = "", _ context: inout ScreenContext<Self>) {
    let items = choices.map { PickerItem(label: $0.label, detail: $0.detail, preview: reason, perform: context.handler($0.perform)) }
    var picker = Picker(title: question, placeholder: hint, items: items)
    picker.cancel = context.handler { pane, _ in pane.forgetRun() }
    context.present(picker)
  }

  /// Asks what is to become of what a run has changed; after a fault nothing that keeps a part of it is the first answer.
  func showTransaction(_ transaction: OpenTransaction, after fault: SQLFault?, _ context: inout ScreenContext<Self>) {
    guard !transaction.isEmpty else { return context.notify("a transaction is open: nothing has been changed in it yet") }
    let rollBack = Choice("Roll back", "undo them all") { $0.endTransaction(isCommitted: false, &$1) }
    let leave = Choice("Leave it open", "the tables are shown with the changes")
    guard let fault else {
      let commit = Choice("Commit", "keep the changes") { $0.endTransaction(isCommitted: true, &$1) }
      return ask("\(transaction.words), not committed yet", "commit?", [commit, rollBack, leave], &context)
    }
    let commit = Choice("Commit", "keep what was changed before") { $0.endTransaction(isCommitted: true, &$1) }
    let question = "A statement failed, and \(transaction.words), not committed yet"
    ask(question, "roll back?", [rollBack, leave, commit], because: fault.sentence, &context)
  }

  /// Ends the open transaction, unless a statement runs.
  mutating func endTransaction(isCommitted: Bool, _ context: inout ScreenContext<Self>) {
    if let reason = busyReason(context.environment) {
      isLeaving = false
      return context.notify(reason, .warning)
    }
    ending = isCommitted
    // Counts keep locks on the file, which no commit gets past.
    if isCommitted { context.supersede(CountTables.slot) }
    context.ask(EndTransaction(isCommitted: isCommitted)) { pane, context, result in
      pane.receive(result, isCommitted: isCommitted, &context)
    }
  }

  private mutating func receive(_ result: Result<EndTransaction.Answer, Problem>, isCommitted: Bool, _ context: inout ScreenContext<Self>) {
    ending = nil
    let end = (try? result.get()) ?? EndTransaction.Answer(left: context.workspace.transaction)
    context.workspace.transaction = end.left
    if let problem = end.problem {
      isLeaving = false
      context.notify(problem.text, .error)
      // A transaction that is still open may keep readers out: they would only wait.
      if end.left == nil { context.noteWriting() }
      return
    }
    context.notify(isCommitted ? "committed" : "rolled back: nothing was changed", .success)
    guard isLeaving else { return context.noteWriting() }
    isLeaving = false
    context.quit()
  }

  /// Whether the program can end: nothing runs, and no transaction has anything in it; else it ends what runs, or asks.
  mutating func prepareToEnd(_ context: inout ScreenContext<Self>) -> Bool {
    if ending != nil {
      isLeaving = true
      if let reason = busyReason(context.environment) { context.notify("the program ends after this: \(reason)") }
      return false
    }
    if isRunning, !isLeaving {
      isLeaving = true
      context.notify("stopping what runs\(context.appearance.glyphs.ellipsis)")
      context.stopChanges()
      return false
    }
    guard let transaction = context.workspace.transaction, !transaction.isEmpty, !isRunning else { return true }
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

/// Commits or rolls back the open transaction.
struct EndTransaction: Action {
  let isCommitted: Bool

  struct Answer: Sendable {
    /// What went wrong; nil where nothing did.
    var problem: Problem?
    /// The transaction that is open all the same.
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
      try await services.source.endTransaction(isCommitted: isCommitted)
      services.noteTransaction(nil)
      return Answer()
    } catch {
      let left = await services.source.transaction()
      services.noteTransaction(left)
      let state =
        left == nil
        ? "SQLite has rolled the transaction back: nothing of it remains" : "the transaction is still open, with all its changes"
      return Answer(problem: Problem("\(Problem(describing: error).text); \(state)"), left: left)
    }
  }
}

extension ActionQueue {
  /// What the editor's connection does, one after the other.
  static let script = ActionQueue("script")
}
