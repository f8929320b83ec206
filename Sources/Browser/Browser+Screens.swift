import QuarryEngine
import Terminal

/// The stack of screens: putting them on it, taking them off, and handing each what is meant for it.
extension Browser {
  var environment: ScreenEnvironment {
    let row = grid.flatMap { grid in grid.currentRow.map { ScreenEnvironment.CurrentRow(grid: grid.id, key: $0.key) } }
    return ScreenEnvironment(
      look: look, keymap: keymap, keyContext: context, size: size, currentRow: row, hasGrid: grid != nil, isEditorShown: sql.isShown,
      memory: memory, position: position)
  }

  /// Shows a screen over the others.
  mutating func present(_ screen: some Screen) {
    lastScreen += 1
    let id = ScreenID(number: lastScreen)
    overlays.append(StackedScreen(id: id, screen: screen))
    applyLayout()
    run(ScreenOperations.Start(), on: id)
  }

  /// Takes a screen off the stack, wherever it is.
  mutating func close(_ id: ScreenID) {
    run(ScreenOperations.End(), on: id)
    overlays.removeAll { $0.id == id }
  }

  /// Takes the screen on top of the others away.
  mutating func closeOverlay() {
    if let id = overlays.last?.id { close(id) }
  }

  /// Changes a screen of a type; nothing where it is gone.
  mutating func change<S: Screen>(_: S.Type, _ id: ScreenID, _ body: @escaping (inout S, inout ScreenContext<S>) -> Void) {
    run(ScreenOperations.Change<S>(body: body), on: id)
  }

  /// The screen that lies over the panes.
  var topScreen: StackedScreen? { overlays.last }

  /// The screen that has the keys.
  var focusedScreen: StackedScreen { topScreen ?? StackedScreen(id: focusedPane, screen: pane(focusedPane)) }

  /// The table in which keys are looked up now.
  var context: KeyContext {
    if let topScreen { return topScreen.screen.keyContext }
    // Without boxing the pane: this is asked for several times a picture.
    switch focusedPane {
    case .catalog: return catalog.keyContext
    case .editor: return sql.keyContext
    default: return rows.keyContext
    }
  }

  /// The pane that has the keys where no screen lies over it.
  private var focusedPane: ScreenID {
    switch focus {
    case .catalog: .catalog
    case .editor where sql.isShown: .editor
    case .editor, .grid: .rows
    }
  }

  private func pane(_ id: ScreenID) -> any Screen {
    switch id {
    case .catalog: catalog
    case .editor: sql
    default: rows
    }
  }

  /// The panes from left to right and from top to bottom.
  private var panes: [StackedScreen] {
    [ScreenID.catalog, .editor, .rows].map { StackedScreen(id: $0, screen: pane($0)) }
  }

  /// Lets a screen do something, and does what it asks for then.
  mutating func run(_ operation: some ScreenOperation, on id: ScreenID) {
    let core = ScreenContextCore(environment: environment, requests: requests)
    let result: ScreenContextCore
    switch id {
    case .catalog: result = Browser.run(operation, on: &catalog, id, core)
    case .editor: result = Browser.run(operation, on: &sql, id, core)
    case .rows: result = Browser.run(operation, on: &rows, id, core)
    default:
      guard let index = overlays.firstIndex(where: { $0.id == id }) else { return }
      result = Browser.run(operation, on: &overlays[index].screen, id, core)
    }
    requests = result.requests
    if let notice = result.notice { self.notice = notice }
    outbox += result.effects
    for change in result.later { change(&self) }
  }

  private static func run<S: Screen>(
    _ operation: some ScreenOperation, on screen: inout S, _ id: ScreenID, _ core: ScreenContextCore
  ) -> ScreenContextCore {
    var context = ScreenContext<S>(id: id, core: core)
    operation.run(on: &screen, &context)
    return context.core
  }

  /// Hands a report or an answer to the screen that asked; the answer to an action that nobody waits for any more is told if it failed.
  mutating func deliver(_ news: ScreenOperations.Receive.News, of id: RequestID) {
    guard let (owner, receiver) = requests.receiver(of: id) else { return }
    if case .answer(let result) = news {
      let isAction = requests.isAction(id)
      requests.finish(id)
      let isPane = [ScreenID.catalog, .editor, .rows].contains(owner)
      if isAction, !isPane, !overlays.contains(where: { $0.id == owner }), case .failure(let problem) = result {
        notice = Notice(problem.text, .error)
      }
    }
    run(ScreenOperations.Receive(receiver: receiver, news: news), on: owner)
  }

  // MARK: Commands

  /// Performs a command: that of the screen that has the keys goes before the program's, and a pane's can be performed from any pane.
  mutating func perform(_ command: Command, count: Int?) -> [Effect] {
    if let screen = screen(performing: command) {
      if let reason = Browser.obstacle(to: command, on: screen.screen, environment) {
        notice = Notice(reason, .warning)
      } else {
        run(ScreenOperations.Perform(command: command, count: count), on: screen.id)
      }
      return []
    }
    guard let general = BrowserCommand.named(command) else {
      noteNothingDone(by: command)
      return []
    }
    if let reason = general.obstacle(self) {
      notice = Notice(reason, .warning)
      return []
    }
    return general.perform(&self)
  }

  /// Returns why a command cannot be performed now, as a sentence; nil where it can.
  func unavailability(of command: Command) -> String? {
    if let screen = screen(performing: command) { return Browser.obstacle(to: command, on: screen.screen, environment) }
    if let general = BrowserCommand.named(command) { return general.obstacle(self) }
    return "no screen that has it is open"
  }

  /// Returns the screen that performs a command: the one that has the keys, else, where no screen lies over the panes, the first pane that has it.
  private func screen(performing command: Command) -> StackedScreen? {
    let focused = focusedScreen
    let here = focused.screen.keyContext
    // A key of a text field belongs to those that have one.
    let isOfTextFields = here.takesText && keymap.ownBindings(in: here).contains { $0.command == command }
    if type(of: focused.screen).has(command, boundIn: isOfTextFields ? here : nil) { return focused }
    let isGeneral = CommandDeclaration.all.first { $0.command == command }?.keys[.everywhere] != nil
    guard topScreen == nil || isGeneral, !isOfTextFields, BrowserCommand.named(command) == nil else { return nil }
    return panes.first { type(of: $0.screen).has(command) }
  }

  /// Says that a command is none of the screen that has the keys.
  private mutating func noteNothingDone(by command: Command) {
    notice = Notice("\(command.rawValue) does nothing here; \(keyHint(.backOut)) goes back", .muted)
  }

  /// Returns why a screen cannot perform a command of its own now; nil where it can.
  static func obstacle<S: Screen>(to command: Command, on screen: S, _ environment: ScreenEnvironment) -> String? {
    S.binding(of: command)?.obstacle(screen, environment)
  }

  /// Returns the commands that a screen names on the last line, with their words.
  static func hints<S: Screen>(of screen: S, _ environment: ScreenEnvironment) -> [(Command, String)] {
    let general = screen.generalHints(environment)
    let own = S.commands.flatMap { binding -> [(Command, String)] in
      let before = general.filter { $0.before == binding.name }.map { ($0.command, $0.word) }
      guard let hint = binding.hint, let word = screen.word(for: hint, of: binding.name) else { return before }
      let isHinted = binding.hintedWhen.map { $0(screen, environment) } ?? (binding.obstacle(screen, environment) == nil)
      return before + (isHinted ? [(binding.name, word)] : [])
    }
    return own + general.filter { $0.before == nil }.map { ($0.command, $0.word) }
  }
}
