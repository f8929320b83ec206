import QuarryEngine
import Terminal

/// The screens: the stack, the focus, and the dispatch of operations.
extension Browser {
  // MARK: The stack

  /// Pushes a screen onto the stack.
  ///
  /// Only one panel of each type is open beside the rows: a new one replaces it.
  mutating func present<S: Screen>(_ screen: S) {
    if screen.placement.isPanel { for open in overlays.all where open.screen is S { close(open.id) } }
    let id = overlays.push(screen)
    applyLayout()
    run(ScreenOperations.Start(), on: id)
  }

  /// Removes a screen from the stack, regardless of its position.
  mutating func close(_ id: ScreenID) {
    run(ScreenOperations.End(), on: id)
    overlays.remove(id)
  }

  /// Removes a screen from the stack for a command, unless the screen has unsaved input.
  mutating func close(_ id: ScreenID, by command: Command) {
    if mayClose(id, by: command) { close(id) }
  }

  /// Returns whether a command may close a screen; a screen with unsaved input shows a warning.
  private mutating func mayClose(_ id: ScreenID, by command: Command) -> Bool {
    var mayClose = true
    run(ScreenOperations.PrepareToClose(command: command) { mayClose = $0 }, on: id)
    return mayClose
  }

  /// Moves the focus from a panel to the rows beside it; closes a screen that covers the rows.
  mutating func leave(_ id: ScreenID) {
    guard sidePanel?.id == id else { return close(id) }
    (overlays.yieldsFocus, focus) = (true, .rows)
  }

  /// Closes the screens that cover the panes, from the top down, and moves the focus to the panes.
  ///
  /// Panels beside the rows stay open.
  mutating func closeAll() {
    for open in overlays.all.reversed() where !isBeside(open) { close(open.id) }
    overlays.yieldsFocus = !overlays.isEmpty
  }

  /// The screen of the stack that has the focus; nil if a pane has it.
  var topScreen: OpenScreen? { overlays.top.flatMap { isPassive($0) ? nil : $0 } }

  /// Whether a screen is beside the rows.
  package var hasSidePanel: Bool { overlays.all.contains(where: isBeside) }

  private func isBeside(_ open: OpenScreen) -> Bool { open.screen.placement.isBeside(columns: size.columns) }

  /// The panel beside the rows, if it is on top of the stack; nil for none.
  var sidePanel: OpenScreen? {
    overlays.top.flatMap { isBeside($0) ? $0 : nil }
  }

  /// Returns whether a screen is a panel beside the rows that has yielded the focus to the panes.
  private func isPassive(_ open: OpenScreen) -> Bool {
    overlays.yieldsFocus && isBeside(open)
  }

  /// The screen that is drawn as focused; a prompt in the last line does not change it.
  var markedScreen: ScreenID {
    overlays.all.last { $0.screen.placement != .lastLine && !isPassive($0) }?.id ?? focusedPane
  }

  /// The screen that has the focus.
  var focusedScreen: OpenScreen { topScreen ?? OpenScreen(id: focusedPane, screen: pane(focusedPane)) }

  /// The pane that has the focus when the stack is empty.
  package var focusedPane: ScreenID { focus == .editor && !sql.isShown ? .rows : focus }

  private func pane(_ id: ScreenID) -> any Screen {
    switch id {
    case .catalog: catalog
    case .editor: sql
    default: rows
    }
  }

  /// The panes from left to right and from top to bottom.
  private var panes: [OpenScreen] {
    ScreenID.panes.map { OpenScreen(id: $0, screen: pane($0)) }
  }

  /// The context in which keys are currently looked up.
  package var context: KeyContext {
    if let topScreen { return topScreen.screen.keyContext(in: workspace) }
    // Avoids boxing the pane: drawing reads this property several times.
    switch focusedPane {
    case .catalog: return catalog.keyContext(in: workspace)
    case .editor: return sql.keyContext(in: workspace)
    default: return rows.keyContext(in: workspace)
    }
  }

  // MARK: Running a screen

  package var environment: ScreenEnvironment {
    ScreenEnvironment(
      appearance: appearance, keymap: keymap, keyContext: context, size: size, focus: focusedPane, isEditorShown: sql.isShown,
      catalog: catalog.catalog, sidePanel: sidePanel.map { type(of: $0.screen) }, pendingView: rows.pendingView(in: workspace),
      running: requests.badge(atLeast: .change),
      stagingReads: requests.outstanding(LoadStoredRows.self).map(\.request),
      isReadingStagedFile: !requests.outstanding(LoadFile.self).isEmpty, options: options, workspace: workspace)
  }

  /// Runs an operation on a screen, and then the follow-ups that the screen requested.
  mutating func run(_ operation: some ScreenOperation, on id: ScreenID) {
    var core = ScreenContextCore(environment: environment, requests: requests, notice: notice)
    core.environment.hasFocus = (topScreen?.id ?? focusedPane) == id
    // In the meantime, the screen's context holds the only reference, so that changes make no copy.
    (workspace, requests) = (Workspace(), RequestTable())
    switch id {
    case .catalog: core = Browser.run(operation, on: &catalog, id, core)
    case .editor: core = Browser.run(operation, on: &sql, id, core)
    case .rows: core = Browser.run(operation, on: &rows, id, core)
    default: core = overlays.change(id) { [core] in Browser.run(operation, on: &$0, id, core) } ?? core
    }
    (workspace, requests, notice) = (core.environment.workspace, core.requests, core.notice)
    for followUp in core.followUps { carryOut(followUp) }
  }

  private static func run<S: Screen>(
    _ operation: some ScreenOperation, on screen: inout S, _ id: ScreenID, _ core: consuming ScreenContextCore
  ) -> ScreenContextCore {
    var context = ScreenContext<S>(id: id, core: core)
    operation.run(on: &screen, &context)
    return context.core
  }

  /// Performs a follow-up.
  private mutating func carryOut(_ followUp: FollowUp) {
    switch followUp {
    case .intents(let intents): for intent in intents { send(intent) }
    case .intent(let intent, let notice): if !deliver(intent) { self.notice = notice }
    case .present(let screen): present(screen)
    case .resume(let rest): run(rest.operation, on: rest.screen)
    }
  }

  /// Sends an intent; does nothing if no open screen receives it.
  mutating func send(_ intent: any ScreenIntent) { _ = deliver(intent) }

  /// Opens the screen of an intent, or delivers the intent to the topmost open screen that receives it, or to a pane.
  ///
  /// - Returns: Whether a screen receives it.
  private mutating func deliver(_ intent: any ScreenIntent) -> Bool {
    sentIntents.append(intent)
    if let opening = intent as? any OpeningIntent, let screen = opening.opened(in: environment) {
      present(screen)
    } else if let intent = intent as? BrowserIntent {
      receive(intent)
    } else if let id = (overlays.all.reversed() + panes).first(where: { type(of: $0.screen).receives(intent) })?.id {
      run(ScreenOperations.ReceiveIntent(intent: intent), on: id)
    } else {
      return false
    }
    return true
  }

  /// Delivers a report or an answer to the screen that issued the request.
  ///
  /// If the screen of a failed action has been closed, the last line shows the failure.
  mutating func deliver(_ news: ScreenOperations.Receive.News, of id: RequestID) {
    guard let (owner, receiver) = requests.receiver(of: id) else { return release(news) }
    switch news {
    case .report(let report): requests.note(report, of: id)
    case .answer(let result):
      let isAction = requests.isAction(id)
      requests.finish(id)
      if !isOpen(owner) {
        release(news)
        if isAction, case .failure(let problem) = result { notice = Notice(problem.text, .error) }
      }
    }
    run(ScreenOperations.Receive(receiver: receiver, news: news), on: owner)
    if notice == stoppingNotice, !requests.isBusy(atLeast: .change) { notice = nil }
  }

  private func isOpen(_ id: ScreenID) -> Bool {
    id.number <= ScreenID.rows.number || overlays.contains(id)
  }

  /// Releases the resources of an undelivered answer.
  private mutating func release(_ news: ScreenOperations.Receive.News) {
    guard case .answer(.success(let answer)) = news, let answer = answer as? any ReleasableAnswer else { return }
    requests.send(.call(IssuedCall(call: answer.release)))
  }

  // MARK: Commands

  /// Performs a command: the focused screen's commands precede the program's; commands of a pane work from every pane.
  package mutating func perform(_ command: Command, count: Int? = nil) {
    // A guide that the command opens must not receive the command.
    let guide = overlays.guide?.id
    if let (screen, obstacle) = screen(performing: command) {
      if let obstacle { return notice = Notice(obstacle, .warning) }
      guard mayLeadAway(command) else { return }
      run(ScreenOperations.Perform(command: command, count: count), on: screen)
      if guide == overlays.guide?.id { notifyGuide(command) }
    } else if let general = keymap.commands.general(command) {
      guard mayLeadAway(command) else { return }
      general.perform(&self)
      if guide == overlays.guide?.id { notifyGuide(command) }
    } else {
      notice = Notice("\(command.rawValue) is not available here; \(keyHint(.backOut)) goes back", .muted)
    }
  }

  /// The commands that lead to another place and close the screens that cover the panes.
  private static let leadingAway: Set<Command> = [.jumpToTable, .editSQL, .statements, .history, .searchEverywhere]

  /// Returns whether a command may be performed that closes the screens above the panes.
  ///
  /// This is checked before the command begins, because a list or the editor may open in between.
  private mutating func mayLeadAway(_ command: Command) -> Bool {
    guard Self.leadingAway.contains(command), let id = topScreen?.id else { return true }
    return mayClose(id, by: command)
  }

  /// Notifies the guide of a performed command.
  private mutating func notifyGuide(_ command: Command) {
    if let id = overlays.guide?.id { run(ScreenOperations.Note(command: command), on: id) }
  }

  /// Returns why a command cannot be performed now; nil if it can.
  package func unavailability(of command: Command) -> CommandMenus.Unavailability? {
    if let screen = screen(performing: command) { return screen.obstacle.map { .obstacle($0) } }
    return keymap.commands.general(command) == nil ? .elsewhere : nil
  }

  /// Returns the screen that performs a command, and the reason why the command is not available there; nil if it is available.
  ///
  /// It is the focused screen or, if the stack is empty, the first pane that has the command. The result holds no copy of the screen,
  /// because a change would then have to copy it.
  private func screen(performing command: Command) -> (id: ScreenID, obstacle: String?)? {
    openScreen(performing: command).map { ($0.id, $0.screen.obstacle(to: command, environment)) }
  }

  private func openScreen(performing command: Command) -> OpenScreen? {
    let focused = focusedScreen
    let here = context
    // Commands of text fields are performed only by the screen that has the focus.
    let isOfTextFields = here.takesText && keymap.ownBindings(in: here).contains { $0.command == command }
    if type(of: focused.screen).has(command, boundIn: isOfTextFields ? here : nil) { return focused }
    // Commands without keys work from every pane, wherever the palette was opened.
    let isGeneral = keymap.commands.declarations.first { $0.command == command }?.isForEveryPlace ?? false
    if let guide = overlays.guide, type(of: guide.screen).has(command) { return guide }
    guard topScreen == nil || isGeneral, !isOfTextFields, keymap.commands.general(command) == nil else { return nil }
    return panes.first { type(of: $0.screen).has(command) }
  }
}
