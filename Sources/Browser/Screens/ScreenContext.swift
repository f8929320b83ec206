import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources
import Terminal

/// The state of the program that a screen may read to draw itself and to decide which commands are available.
package struct ScreenEnvironment: Sendable {
  package var appearance: Appearance
  var keymap: Keymap
  /// The context in which keys are currently looked up.
  var keyContext: KeyContext
  var size: Size
  /// The pane that has the focus when the stack is empty.
  var focus: ScreenID
  /// The hint for the key that stops a statement: `^C stops it`.
  var stopHint: String {
    let key = keyHint(.stop)
    return workspace.source.roles.stopsStatements ? "\(key) stops it" : "\(key) stops waiting, but the server continues"
  }

  /// Whether the screen has the focus, or waits for input in the last line.
  var hasFocus = false
  /// Whether the editor is open.
  var isEditorShown = false
  /// The list of databases, tables and views; nil until it has been read.
  var catalog: Catalog?
  /// Every table and view, those of `main` first.
  var tables: [CatalogEntry] { catalog?.tables ?? [] }
  /// The screen beside the rows; nil for none.
  var sidePanel: (any Screen.Type)?
  var hasSidePanel: Bool { sidePanel != nil }
  /// The view of the grid, or its next view if rows have been requested and not yet received; nil without a grid.
  var pendingView: RowView?
  /// The progress of the current change in the title: `running for 2.5 s`; nil for none.
  var running: String?
  /// The running reads of rows that will be edited when they arrive.
  var stagingReads: [LoadStoredRows] = []
  /// Whether a file is being read whose bytes will be staged.
  var isReadingStagedFile = false
  var options: BrowserOptions
  var workspace: Workspace

  /// The visible grid; nil if no rows are open.
  var grid: GridPane? { workspace.grid }
  var memory: SessionMemory { workspace.memory }

  /// Whether the editor has room on the screen.
  var isEditorVisible: Bool {
    isEditorShown && ScreenLayout.editorRows(of: ScreenLayout.bodyRows(of: size), hasFocus: focus == .editor) > 0
  }

  /// The reason why the commands of a grid are not available; nil if they are.
  var needsGrid: String? { grid == nil ? "no rows are open" : nil }

  /// The reason why filters are not available; nil if they are.
  var needsFilters: String? { needsGrid ?? needsFinalRows ?? needs(\.statements, "this data source does not support filters") }

  /// The reason why values cannot be counted; nil if they can.
  var needsInsight: String? { needsGrid ?? needs(\.insight, "this data source does not count values") }

  /// The reason why statements are not available; nil if they are.
  var needsStatements: String? { needs(\.statements, "this data source does not run SQL statements") }

  /// The reason why query plans are not available; nil if they are.
  var needsPlans: String? { needs(\.statements, "this data source has no query plans") }

  /// The reason why the staged changes are not yet known; nil if they are.
  var needsStagedRows: String? {
    if isReadingStagedFile { return "a file is still being read for a cell: \(keyHint(.stop)) stops it" }
    return stagingReads.isEmpty ? nil : "rows are still being read for an edit: \(keyHint(.backOut)) stops it"
  }

  /// The reason why staged changes cannot be discarded; nil if they can.
  var takingBackObstacle: String? { workspace.edits.obstacle.map { "\($0): \(stopHint)" } }

  /// Returns the obstacle if the data source lacks the role; nil if it has the role.
  func needs(_ role: KeyPath<SourceRoles, Bool>, _ obstacle: String) -> String? {
    workspace.source.roles[keyPath: role] ? nil : obstacle
  }

  /// Returns the reason why there is no next match; nil after a search.
  ///
  /// - Parameter needle: The text of the last search; nil for none.
  func needsNeedle(_ needle: String?) -> String? {
    needle == nil ? "no search to repeat: \(keyHint(.find)) searches" : nil
  }

  /// Returns the first key of a command in this context.
  ///
  /// Falls back to a key in another context, with the name of that context, and then to the name of the command.
  func keyHint(_ command: Command) -> String {
    if let key = keymap.keys(for: command, in: keyContext).first { return key }
    let elsewhere = keymap.commands.contexts.lazy.compactMap { context in
      keymap.keys(for: command, in: context).first.map { "\($0) \(context.place)" }
    }
    return elsewhere.first ?? command.rawValue
  }

  /// Returns the first key of a command in another context; its name if it has no key there.
  func keyHint(_ command: Command, in context: KeyContext) -> String {
    keymap.keys(for: command, in: context).first ?? command.rawValue
  }
}

/// The actions that a screen requests while it handles an event: requests, other screens, a notice.
///
/// Changes of the stack and of other screens are performed after the screen has returned, in the order of the calls.
struct ScreenContext<Target: Screen>: Sendable {
  let id: ScreenID
  private(set) var core: ScreenContextCore

  init(id: ScreenID, core: ScreenContextCore) {
    self.id = id
    self.core = core
  }

  var environment: ScreenEnvironment { core.environment }
  var appearance: Appearance { core.environment.appearance }

  /// The state that the screens share.
  package var workspace: Workspace {
    get { core.environment.workspace }
    _modify { yield &core.environment.workspace }
  }

  /// The visible grid; nil if no rows are open.
  var grid: GridPane? { core.environment.workspace.grid }

  // MARK: Notices

  /// The notice in the last line; nil for none.
  var notice: Notice? { core.notice }

  /// Whether the last line shows no notice.
  var isSilent: Bool { core.notice == nil }

  /// Shows a notice until the next key.
  mutating func notify(_ text: String, _ role: Role = .muted) {
    core.notice = Notice(text, role)
  }

  /// Shows a notice that answers no command, as soon as the line shows no answer.
  mutating func announce(_ text: String, _ role: Role = .muted) { send(BrowserIntent.announce(Notice(text, role))) }

  /// Shows a notice after the intents sent so far have been received, in place of the receivers' notices.
  mutating func notifyLast(_ text: String, _ role: Role = .muted) { send(BrowserIntent.notify(Notice(text, role))) }

  /// Reports that a text was not found.
  mutating func notifyNotFound(_ needle: String?, isFound: Bool) {
    if !isFound, let needle { notify("\(Needle.text(needle).description) was not found", .warning) }
  }

  /// Reports the number of characters that did not fit in a field.
  mutating func notifyLeftOut(_ count: Int) {
    guard count > 0 else { return }
    notify("a line can hold \(Plural.grouped(TextField.longest)) characters: the last \(Plural.grouped(count)) were cut off", .warning)
  }

  // MARK: Work

  /// Issues a request; `receive` gets the answer, unless a later request has taken its slot.
  mutating func ask<R: Request>(
    _ request: R, then receive: @escaping @Sendable (inout Target, inout ScreenContext, Result<R.Answer, Problem>) -> Void
  ) {
    ask(request, reported: { _, _, _ in }, then: receive)
  }

  /// Issues a request that answers in parts; `reported` gets each part.
  mutating func ask<R: Request>(
    _ request: R, reported: @escaping @Sendable (inout Target, inout ScreenContext, R.Report) -> Void,
    then receive: @escaping @Sendable (inout Target, inout ScreenContext, Result<R.Answer, Problem>) -> Void
  ) {
    core.requests.issue(request, owner: id, receiver: Receiver(of: R.self, reported: reported, then: receive))
  }

  /// Drops the request in a slot; its answer is ignored.
  mutating func supersede(_ slot: RequestSlot) { core.requests.supersede(slot) }

  /// Calls the session's services immediately.
  mutating func call(_ call: some ServiceCall) { core.requests.send(.call(IssuedCall(call: call))) }

  /// Sends an effect to the terminal.
  mutating func send(_ effect: Effect) { core.requests.send(effect) }

  /// Opens a text in the external editor; `receive` gets the result.
  mutating func editExternally(
    _ text: String, then receive: @escaping @Sendable (inout Target, inout ScreenContext, Result<String, Problem>) -> Void
  ) {
    let request = ExternalEdit()
    let number = core.requests.add(request, owner: id, receiver: Receiver(of: ExternalEdit.self, reported: { _, _, _ in }, then: receive))
    core.requests.send(.editExternally(text, answering: number))
  }

  // MARK: Other screens

  /// Shows a screen above this one.
  mutating func present(_ screen: some Screen) { then(.present(screen)) }

  /// Moves the focus to the rows beside this screen; closes the screen if it covers them.
  mutating func leave() { send(BrowserIntent.leave(id)) }

  /// Removes this screen from the stack.
  mutating func close() { send(BrowserIntent.close(id)) }

  /// Removes all screens that cover the panes, and moves the focus to the panes.
  mutating func closeAll() { send(BrowserIntent.closeAll) }

  /// Moves the focus to a pane.
  mutating func focus(_ pane: ScreenID) { send(BrowserIntent.focus(pane)) }

  /// Sends an intent to the screen that receives it; shows a notice if this screen is not open.
  mutating func send(_ intent: some ScreenIntent, orNotify notice: Notice) {
    then(.intent(intent, orNotify: notice))
  }

  /// Sends an intent to the screen that receives it: the topmost open one, or a pane.
  mutating func send(_ intent: some ScreenIntent) { then(.intents([intent])) }

  /// Quits the program, unless a screen has unfinished work.
  mutating func quit() { send(BrowserIntent.quit) }

  /// Stops all changes of the database.
  mutating func stopChanges() { send(BrowserIntent.stopChanges) }

  /// Makes all screens show the changes that were written to the database.
  mutating func noteWriting() { send(BrowserIntent.noteWriting) }

  /// Performs a follow-up after this screen has returned.
  mutating func then(_ followUp: FollowUp) { core.followUps.append(followUp) }

  /// Returns a follow-up that resumes this screen later, such as from an item of a list above it.
  func handler(_ body: @escaping @Sendable (inout Target, inout ScreenContext) -> Void) -> FollowUp {
    .resume(Continuation(screen: id, operation: ScreenOperations.Change<Target>(body: body)))
  }

  /// Returns a function that resumes this screen later with a value, such as from a form.
  func handler<Value: Sendable>(_ body: @escaping @Sendable (inout Target, inout ScreenContext, Value) -> Void) -> Handler<Value> {
    let id = id
    return { value in
      .resume(Continuation(screen: id, operation: ScreenOperations.Change<Target> { screen, context in body(&screen, &context, value) }))
    }
  }
}

/// The part of a context that does not depend on the screen's type.
struct ScreenContextCore: Sendable {
  var environment: ScreenEnvironment
  var requests: RequestTable
  var notice: Notice?
  /// The follow-ups to perform after the screen has returned, in order.
  var followUps: [FollowUp] = []
}

/// A text in the external editor; the terminal answers with the saved text.
struct ExternalEdit: Request {
  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> String { throw CancellationError() }
}

/// The receiver of a request's answer; its type includes the type of the screen.
protocol AnswerReceiver: Sendable {}

/// A receiver that passes the reports and the answer of a request to the screen that issued it.
struct Receiver<Target: Screen>: AnswerReceiver {
  let report: @Sendable (inout Target, inout ScreenContext<Target>, any Sendable) -> Void
  let answer: @Sendable (inout Target, inout ScreenContext<Target>, Result<any Sendable, Problem>) -> Void

  init<R: Request>(
    of _: R.Type, reported: @escaping @Sendable (inout Target, inout ScreenContext<Target>, R.Report) -> Void,
    then receive: @escaping @Sendable (inout Target, inout ScreenContext<Target>, Result<R.Answer, Problem>) -> Void
  ) {
    report = { screen, context, value in if let value = value as? R.Report { reported(&screen, &context, value) } }
    answer = { screen, context, result in
      switch result {
      case .success(let value): if let value = value as? R.Answer { receive(&screen, &context, .success(value)) }
      case .failure(let problem): receive(&screen, &context, .failure(problem))
      }
    }
  }
}
