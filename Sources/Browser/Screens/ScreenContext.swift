import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources
import Terminal

/// What a screen may read of the program around it, to draw itself and to decide what is available.
package struct ScreenEnvironment: Sendable {
  package var appearance: Appearance
  var keymap: Keymap
  /// The context in which keys are looked up now.
  var keyContext: KeyContext
  var size: Size
  /// The pane that has the focus when the stack is empty.
  var focus: ScreenID
  /// What the key does that stops a statement: `^C stops it`.
  var stopHint: String {
    let key = keyHint(.stop)
    return workspace.source.roles.stopsStatements ? "\(key) stops it" : "\(key) waits no longer, though the server goes on"
  }

  /// Whether the screen has the focus, or waits for a line at the foot of the screen.
  var hasFocus = false
  /// Whether the editor is open.
  var isEditorShown = false
  /// The list of databases, tables and views; nil until it has been read.
  var catalog: Catalog?
  /// Every table and view, those of `main` first.
  var tables: [CatalogEntry] { catalog?.tables ?? [] }
  /// The screen that lies beside the rows; nil for none.
  var sidePanel: (any Screen.Type)?
  var hasSidePanel: Bool { sidePanel != nil }
  /// The view that the grid has, or will have once the rows that were asked for are there; nil where there is no grid.
  var pendingView: RowView?
  /// What the title shows of the change that is under way: `running for 2.5 s`; nil for none.
  var running: String?
  /// The reads of rows that are to be changed once they are there.
  var stagingReads: [LoadStoredRows] = []
  /// Whether a file is being read whose bytes are to be staged.
  var isReadingStagedFile = false
  var options: BrowserOptions
  var workspace: Workspace

  /// The grid that is shown; nil where none is.
  var grid: GridPane? { workspace.grid }
  var memory: SessionMemory { workspace.memory }

  /// Whether the editor has room on the screen.
  var isEditorVisible: Bool {
    isEditorShown && ScreenLayout.editorRows(of: ScreenLayout.bodyRows(of: size), hasFocus: focus == .editor) > 0
  }

  /// Returns why the commands of a grid are not available; nil where they are.
  var needsGrid: String? { grid == nil ? "no rows are open" : nil }

  /// Returns why filters are not available; nil where they are.
  var needsFilters: String? { needsGrid ?? needs(\.statements, "this data source does not support filters") }

  /// Returns why values cannot be counted; nil where they can.
  var needsInsight: String? { needsGrid ?? needs(\.insight, "this data source does not count values") }

  /// Returns why statements are not available; nil where they are.
  var needsStatements: String? { needs(\.statements, "this data source does not run SQL statements") }

  /// Returns why query plans are not available; nil where they are.
  var needsPlans: String? { needs(\.statements, "this data source has no query plans") }

  /// Returns why it is not known yet what is staged; nil where it is.
  var needsStagedRows: String? {
    if isReadingStagedFile { return "a file is still being read for a cell: \(keyHint(.stop)) stops it" }
    return stagingReads.isEmpty ? nil : "the rows are still being read to be changed: \(keyHint(.backOut)) stops it"
  }

  /// Returns why staged changes cannot be taken back; nil where they can.
  var takingBackObstacle: String? { workspace.edits.obstacle.map { "\($0): \(stopHint)" } }

  /// Returns the obstacle where the data source has not the role.
  func needs(_ role: KeyPath<SourceRoles, Bool>, _ obstacle: String) -> String? {
    workspace.source.roles[keyPath: role] ? nil : obstacle
  }

  /// Returns why there is no next match; nil where something was searched for.
  ///
  /// - Parameter needle: The text last searched for; nil for none.
  func needsNeedle(_ needle: String?) -> String? {
    needle == nil ? "nothing to find again: \(keyHint(.find)) searches" : nil
  }

  /// Returns the first key of a command here; failing that a key with the context that it works in, or the command's name.
  func keyHint(_ command: Command) -> String {
    if let key = keymap.keys(for: command, in: keyContext).first { return key }
    let elsewhere = keymap.commands.contexts.lazy.compactMap { context in
      keymap.keys(for: command, in: context).first.map { "\($0) \(context.place)" }
    }
    return elsewhere.first ?? command.rawValue
  }

  /// Returns the first key of a command in another context, with the name of that context.
  func keyHint(_ command: Command, in context: KeyContext) -> String {
    keymap.keys(for: command, in: context).first ?? command.rawValue
  }
}

/// What a screen asks for while it handles something: requests, other screens, a notice.
///
/// Changes of the stack and of other screens are carried out when the screen has returned, in the order in which they were asked for.
struct ScreenContext<Target: Screen>: Sendable {
  let id: ScreenID
  private(set) var core: ScreenContextCore

  init(id: ScreenID, core: ScreenContextCore) {
    self.id = id
    self.core = core
  }

  var environment: ScreenEnvironment { core.environment }
  var appearance: Appearance { core.environment.appearance }

  /// The state that screens share.
  package var workspace: Workspace {
    get { core.environment.workspace }
    _modify { yield &core.environment.workspace }
  }

  /// The grid that is shown; nil where none is.
  var grid: GridPane? { core.environment.workspace.grid }

  // MARK: Notices

  /// What the last line says; nil for nothing.
  var notice: Notice? { core.notice }

  /// Whether the last line shows no notice.
  var isSilent: Bool { core.notice == nil }

  /// Shows a notice until the next key.
  mutating func notify(_ text: String, _ role: Role = .muted) {
    core.notice = Notice(text, role)
  }

  /// Shows a notice after the intents sent so far have been received, in place of the receivers' notices.
  mutating func notifyLast(_ text: String, _ role: Role = .muted) { send(BrowserIntent.notify(Notice(text, role))) }

  /// Reports that a text was not found.
  mutating func notifyNotFound(_ needle: String?, isFound: Bool) {
    if !isFound, let needle { notify("\(Needle.text(needle).description) was not found", .warning) }
  }

  /// Reports how many characters a field had no room for.
  mutating func notifyLeftOut(_ count: Int) {
    guard count > 0 else { return }
    notify("a line holds \(Plural.grouped(TextField.longest)) characters: the last \(Plural.grouped(count)) were dropped", .warning)
  }

  // MARK: Work

  /// Issues a request; `receive` is given the answer, unless a later request has taken its slot.
  mutating func ask<R: Request>(
    _ request: R, then receive: @escaping @Sendable (inout Target, inout ScreenContext, Result<R.Answer, Problem>) -> Void
  ) {
    ask(request, reported: { _, _, _ in }, then: receive)
  }

  /// Issues a request that answers in parts; `reported` is given each.
  mutating func ask<R: Request>(
    _ request: R, reported: @escaping @Sendable (inout Target, inout ScreenContext, R.Report) -> Void,
    then receive: @escaping @Sendable (inout Target, inout ScreenContext, Result<R.Answer, Problem>) -> Void
  ) {
    core.requests.issue(request, owner: id, receiver: Receiver(of: R.self, reported: reported, then: receive))
  }

  /// Forgets the request in a slot, whose answer will be dropped.
  mutating func supersede(_ slot: RequestSlot) { core.requests.supersede(slot) }

  /// Calls the session's services at once.
  mutating func call(_ call: some ServiceCall) { core.requests.send(.call(IssuedCall(call: call))) }

  /// Sends an effect to the terminal.
  mutating func send(_ effect: Effect) { core.requests.send(effect) }

  /// Opens a text in the person's own editor; `receive` is given the result.
  mutating func editExternally(
    _ text: String, then receive: @escaping @Sendable (inout Target, inout ScreenContext, Result<String, Problem>) -> Void
  ) {
    let request = ExternalEdit()
    let number = core.requests.add(request, owner: id, receiver: Receiver(of: ExternalEdit.self, reported: { _, _, _ in }, then: receive))
    core.requests.send(.editExternally(text, answering: number))
  }

  // MARK: Other screens

  /// Shows a screen over this one.
  mutating func present(_ screen: some Screen) { then(.present(screen)) }

  /// Gives the keys to the rows beside this screen; closes it where it covers them.
  mutating func leave() { send(BrowserIntent.leave(id)) }

  /// Removes this screen from the stack.
  mutating func close() { send(BrowserIntent.close(id)) }

  /// Removes what covers the panes, and gives them the keys.
  mutating func closeAll() { send(BrowserIntent.closeAll) }

  /// Gives the focus to a pane.
  mutating func focus(_ pane: ScreenID) { send(BrowserIntent.focus(pane)) }

  /// Sends an intent to the screen that receives such intents; shows a notice if none is open.
  mutating func send(_ intent: some ScreenIntent, orNotify notice: Notice) {
    then(.intent(intent, orNotify: notice))
  }

  /// Sends an intent to the screen that receives such intents: the topmost open one, or a pane.
  mutating func send(_ intent: some ScreenIntent) { then(.intents([intent])) }

  /// Ends the program, unless a screen has something to finish.
  mutating func quit() { send(BrowserIntent.quit) }

  /// Stops whatever is changing the database.
  mutating func stopChanges() { send(BrowserIntent.stopChanges) }

  /// Has all screens show what has been written to the database.
  mutating func noteWriting() { send(BrowserIntent.noteWriting) }

  /// Carries something out after this screen has returned.
  mutating func then(_ followUp: FollowUp) { core.followUps.append(followUp) }

  /// Returns what continues on this screen from elsewhere, such as from an item of a list shown over it.
  func handler(_ body: @escaping @Sendable (inout Target, inout ScreenContext) -> Void) -> FollowUp {
    .resume(Continuation(screen: id, operation: ScreenOperations.Change<Target>(body: body)))
  }

  /// Returns what continues on this screen with a value from elsewhere, such as from a form.
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
  /// What is carried out after the screen has returned, in order.
  var followUps: [FollowUp] = []
}

/// A text in the person's own editor; the terminal answers with what was saved.
struct ExternalEdit: Request {
  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> String { throw CancellationError() }
}

/// Receives a request's answer; its type knows the screen's.
protocol AnswerReceiver: Sendable {}

/// Hands reports and the answer of a request to the screen that asked.
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
