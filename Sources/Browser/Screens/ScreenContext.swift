import QuarryEngine
import Terminal

/// What a screen may read of the program around it, to draw itself and to tell what can be done.
struct ScreenEnvironment: Sendable {
  var appearance: Appearance
  var keymap: Keymap
  /// The table in which keys are looked up now.
  var keyContext: KeyContext
  var size: Size
  /// The pane that has the keys where no screen lies over it.
  var focus: ScreenID
  /// Whether the keys are its own, or those of a line at the foot of the screen that it waits for.
  var hasFocus = false
  /// Whether the editor is open.
  var isEditorShown = false
  /// What the title says of what changes the database now: `running for 2.5 s`; nil for nothing.
  var running: String?
  var options: BrowserOptions
  var workspace: Workspace

  /// The grid that is shown; nil where none is.
  var grid: GridPane? { workspace.grid }
  var memory: SessionMemory { workspace.memory }

  /// Whether the editor has room on the screen.
  var isEditorVisible: Bool {
    isEditorShown && ScreenLayout.editorRows(of: ScreenLayout.bodyRows(of: size), hasFocus: focus == .editor) > 0
  }

  /// Returns why nothing that concerns a grid can be done; nil where it can.
  var needsGrid: String? { grid == nil ? "no table is open" : nil }

  /// Returns why no filter can be written; nil where it can.
  var needsFilters: String? { needsGrid ?? needs(.filters, "this data source has no filters") }

  /// Returns why no statement can be run; nil where it can.
  var needsStatements: String? { needs(.statements, "this data source runs no statements") }

  /// Returns why no plan can be asked for; nil where it can.
  var needsPlans: String? { needs(.plans, "this data source does not tell how it would run a statement") }

  private func needs(_ capability: DataSourceCapabilities, _ obstacle: String) -> String? {
    workspace.capabilities.contains(capability) ? nil : obstacle
  }

  /// Returns why there is no hit to go on to; nil where something was looked for.
  ///
  /// - Parameter needle: What was looked for last; nil for nothing.
  func needsNeedle(_ needle: String?) -> String? {
    needle == nil ? "nothing was looked for yet: \(keyHint(.find)) finds a text" : nil
  }

  /// Returns the first key of a command here, for a sentence; where it has none here, a key with the place where it has one, else its name.
  func keyHint(_ command: Command) -> String {
    if let key = keymap.keys(for: command, in: keyContext).first { return key }
    let elsewhere = keymap.commands.contexts.lazy.compactMap { context in
      keymap.keys(for: command, in: context).first.map { "\($0) \(context.place)" }
    }
    return elsewhere.first ?? command.rawValue
  }

  /// Returns the first key of a command in a context that is not the present one, for a sentence that names the place.
  func keyHint(_ command: Command, in context: KeyContext) -> String {
    keymap.keys(for: command, in: context).first ?? command.rawValue
  }
}

/// What a screen asks for while it handles something: requests, other screens, a notice.
///
/// Changes of the stack, and of other screens, happen when the screen has returned, in the order in which they were asked for.
struct ScreenContext<Target: Screen>: Sendable {
  let id: ScreenID
  private(set) var core: ScreenContextCore

  init(id: ScreenID, core: ScreenContextCore) {
    self.id = id
    self.core = core
  }

  var environment: ScreenEnvironment { core.environment }
  var appearance: Appearance { core.environment.appearance }

  /// What the screens share.
  var workspace: Workspace {
    get { core.environment.workspace }
    _modify { yield &core.environment.workspace }
  }

  /// The grid that is shown; nil where none is.
  var grid: GridPane? { core.environment.workspace.grid }

  // MARK: Telling the person

  /// Whether nothing is said on the last line.
  var isSilent: Bool { core.notice == nil }

  /// Shows a sentence on the last line until the next key.
  mutating func notify(_ text: String, _ role: Role = .muted) {
    core.notice = Notice(text, role)
  }

  /// Says that what was looked for is not there.
  mutating func notifyNotFound(_ needle: String?, isFound: Bool) {
    if !isFound, let needle { notify("\(Needle.text(needle).description) is not in here", .warning) }
  }

  /// Says how many characters of a text a field has had no room for.
  mutating func notifyLeftOut(_ count: Int) {
    guard count > 0 else { return }
    notify("a line holds \(Plural.grouped(TextField.longest)) characters: the last \(Plural.grouped(count)) are left out", .warning)
  }

  // MARK: Work

  /// Asks for something to be read or done; `receive` is given the answer, unless a later request has taken its slot.
  mutating func ask<R: Request>(
    _ request: R, then receive: @escaping @Sendable (inout Target, inout ScreenContext, Result<R.Answer, Problem>) -> Void
  ) {
    ask(request, reported: { _, _, _ in }, then: receive)
  }

  /// Asks for something whose answer comes in parts; `reported` is given each.
  mutating func ask<R: Request>(
    _ request: R, reported: @escaping @Sendable (inout Target, inout ScreenContext, R.Report) -> Void,
    then receive: @escaping @Sendable (inout Target, inout ScreenContext, Result<R.Answer, Problem>) -> Void
  ) {
    core.requests.issue(request, owner: id, receiver: Receiver(of: R.self, reported: reported, then: receive))
  }

  /// Forgets the request that holds a slot.
  mutating func supersede(_ slot: RequestSlot) { core.requests.supersede(slot) }

  /// Has something done in the session at once.
  mutating func call(_ call: some ServiceCall) { core.requests.send(.call(IssuedCall(call: call))) }

  /// Has the terminal do something.
  mutating func send(_ effect: Effect) { core.requests.send(effect) }

  /// Lets the person's own editor change a text; `receive` is given what that has left.
  mutating func editExternally(
    _ text: String, then receive: @escaping @Sendable (inout Target, inout ScreenContext, Result<String, Problem>) -> Void
  ) {
    let request = ExternalEdit()
    let number = core.requests.add(request, owner: id, receiver: Receiver(of: ExternalEdit.self, reported: { _, _, _ in }, then: receive))
    core.requests.send(.editExternally(text, answering: number))
  }

  // MARK: Other screens

  /// Shows a screen over this one.
  mutating func present(_ screen: some Screen) { afterwards { $0.present(screen) } }

  /// Takes this screen off the stack.
  mutating func close() {
    let id = id
    afterwards { $0.close(id) }
  }

  /// Takes all screens off the stack that lie over the panes.
  mutating func closeAll() { afterwards { $0.closeAll() } }

  /// Gives the keys to a pane.
  mutating func focus(_ pane: ScreenID) { afterwards { $0.focus = pane } }

  /// Has another screen do something: the pane of a type, or the screen of it that was shown last.
  mutating func change<Other: Screen>(_: Other.Type, _ body: @escaping @Sendable (inout Other, inout ScreenContext<Other>) -> Void) {
    afterwards { $0.change(Other.self, body) }
  }

  /// Ends the program, unless a screen has something to finish.
  mutating func quit() { afterwards { $0.quit() } }

  /// Ends what is under way that changes the database.
  mutating func stopChanges() { afterwards { $0.stopChanges() } }

  /// Has all screens show what has been written to the database.
  mutating func noteWriting() { afterwards { $0.noteWriting() } }

  /// Has the program do something when this screen has returned.
  mutating func afterwards(_ change: @escaping @Sendable (inout Browser) -> Void) { core.later.append(change) }

  /// Returns what lets this screen go on from somewhere else, such as an item of a list that is shown over it.
  func handler(_ body: @escaping @Sendable (inout Target, inout ScreenContext) -> Void) -> @Sendable (inout Browser) -> Void {
    let id = id
    return { browser in browser.change(Target.self, id, body) }
  }

  /// Returns what lets this screen go on from somewhere else with a value, such as what was filled in there.
  func handler<Value: Sendable>(
    _ body: @escaping @Sendable (inout Target, inout ScreenContext, Value) -> Void
  ) -> @Sendable (inout Browser, Value) -> Void {
    let id = id
    return { browser, value in browser.change(Target.self, id) { screen, context in body(&screen, &context, value) } }
  }
}

/// The part of a context that does not depend on whose it is.
struct ScreenContextCore: Sendable {
  var environment: ScreenEnvironment
  var requests: RequestTable
  var notice: Notice?
  var later: [@Sendable (inout Browser) -> Void] = []
}

/// What the person's own editor has left of a text; the terminal answers it.
struct ExternalEdit: Request {
  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> String { throw CancellationError() }
}

/// What is told of a request's answer; its type says which screen it knows.
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
