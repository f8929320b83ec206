import QuarryEngine
import Terminal

/// What a screen may read of the program around it, to draw itself and to tell what can be done.
struct ScreenEnvironment: Sendable {
  var look: Look
  var keymap: Keymap
  /// The table in which keys are looked up now.
  var keyContext: KeyContext
  var size: Size
  /// The row under the grid's cursor.
  var currentRow: CurrentRow?
  /// Whether rows are shown.
  var hasGrid = false
  /// Whether the editor is open.
  var isEditorShown = false
  /// What is remembered of the database.
  var memory = Memory()
  /// Which row that is of how many, as far as it is known: `row 12 of 3,503`.
  var position: String?

  struct CurrentRow: Hashable, Sendable {
    var grid: GridID
    var key: RowKey
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
    let elsewhere = KeyContext.all.lazy.compactMap { context in
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
/// Changes of the stack happen when the screen has returned, in the order in which they were asked for.
struct ScreenContext<Target: Screen>: Sendable {
  let id: ScreenID
  private(set) var core: ScreenContextCore

  init(id: ScreenID, core: ScreenContextCore) {
    self.id = id
    self.core = core
  }

  var environment: ScreenEnvironment { core.environment }
  var look: Look { core.environment.look }

  // MARK: Telling the person

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
    let receiver = Receiver<Target>(
      report: { screen, context, value in if let value = value as? R.Report { reported(&screen, &context, value) } },
      answer: { screen, context, result in
        switch result {
        case .success(let value): if let value = value as? R.Answer { receive(&screen, &context, .success(value)) }
        case .failure(let problem): receive(&screen, &context, .failure(problem))
        }
      })
    core.effects += core.requests.issue(request, owner: id, receiver: receiver)
  }

  /// Has the terminal, or what is around it, do something.
  mutating func send(_ effect: Effect) { core.effects.append(effect) }

  mutating func send(_ effects: [Effect]) { core.effects += effects }

  // MARK: Other screens

  /// Shows a screen over this one.
  mutating func present(_ screen: some Screen) {
    core.later.append { $0.present(screen) }
  }

  /// Takes this screen off the stack.
  mutating func close() {
    let id = id
    core.later.append { $0.close(id) }
  }

  /// Has the browser do something that has effects when this screen has returned.
  mutating func browser(_ change: @escaping @Sendable (inout Browser) -> [Effect]) { core.later.append { $0.outbox += change(&$0) } }

  /// Has the browser do something when this screen has returned.
  mutating func afterwards(_ change: @escaping @Sendable (inout Browser) -> Void) { core.later.append(change) }

  /// Returns what lets this screen go on from somewhere else, such as an item of a list that is shown over it.
  func handler(_ body: @escaping @Sendable (inout Target, inout ScreenContext) -> Void) -> @Sendable (inout Browser) -> Void {
    let id = id
    return { browser in browser.change(Target.self, id, body) }
  }
}

/// The part of a context that does not depend on whose it is.
struct ScreenContextCore: Sendable {
  var environment: ScreenEnvironment
  var requests: RequestTable
  var notice: Notice?
  var effects: [Effect] = []
  var later: [@Sendable (inout Browser) -> Void] = []
}

/// What is told of a request's answer; its type says which screen it knows.
protocol AnswerReceiver: Sendable {}

/// Hands reports and the answer of a request to the screen that asked.
struct Receiver<Target: Screen>: AnswerReceiver {
  let report: @Sendable (inout Target, inout ScreenContext<Target>, any Sendable) -> Void
  let answer: @Sendable (inout Target, inout ScreenContext<Target>, Result<any Sendable, Problem>) -> Void
}
