import QuarryEngine
import Terminal

/// A prompt for a line of text in the last line of the screen.
package struct PromptScreen: PathWriting {
  let label: String
  let placeholder: String
  /// The text, which is a path if `isPath` is true.
  var path: PathField
  private let isPath: Bool
  /// The handler that receives the accepted text.
  private let accept: Handler<String>
  /// The handler that receives the text after each change.
  var follow: Handler<String>?
  /// Returns the error in a text, as a sentence; nil if the text can be accepted.
  var check: @Sendable (String) -> String? = { _ in nil }
  /// Returns the completions of a text at a caret, in bytes of UTF-8; nil if the text cannot be completed.
  var complete: (@Sendable (_ text: String, _ caret: Int) -> [Completion])?
  /// The listed completions; nil for none.
  private var completions: CompletionList?
  /// The error in the text; nil for none.
  private var fault: String?
  /// The follow-up that runs if the prompt is closed without accepting the text.
  var cancel = FollowUp.nothing
  private var isAccepted = false

  init(label: String, placeholder: String, text: String = "", isPath: Bool = false, accept: @escaping Handler<String>) {
    self.label = label
    self.placeholder = placeholder
    self.isPath = isPath
    path = PathField(text)
    self.accept = accept
  }

  func keyContext(in workspace: Workspace) -> KeyContext { .bar }
  func purpose(in workspace: Workspace) -> String {
    "One line of text: Enter accepts it, \(isPath ? "Tab completes a path, " : complete == nil ? "" : "Tab completes a word, ")Esc goes back."
  }
  func helpTitle(in workspace: Workspace) -> String { "Keys in a line of text" }
  var placement: ScreenPlacement { .lastLine }

  static let commands: [CommandBinding<Self>] = [
    CommandBinding(.accept, "Accept the selected item or the text", keys: [.bar: ["enter"]], hint: "go") { screen, context, _ in
      if let list = screen.completions { return screen.insert(list.current, &context) }
      screen.fault = screen.check(screen.path.text)
      guard screen.fault == nil else { return }
      screen.isAccepted = true
      context.close()
      context.then(screen.accept(screen.path.text))
    },
    CommandBinding(
      .complete, "Complete the path or the word", keys: [.bar: ["tab"]], hint: "complete",
      hintedWhen: { screen, _ in screen.isPath || screen.complete != nil },
      unless: { screen, _ in screen.isPath || screen.complete != nil ? nil : "there is no path to complete here" }
    ) { screen, context, _ in
      if screen.isPath { screen.completePath(&context) } else { screen.completeWord(&context) }
    },
    CommandBinding(.historyOlder, "Go up in a list", keys: [.bar: ["up"]]) { screen, _, _ in screen.completions?.move(by: -1) },
    CommandBinding(.historyNewer, "Go down in a list", keys: [.bar: ["down"]]) { screen, _, _ in screen.completions?.move(by: 1) },
  ]

  /// Lists the completions at the caret, inserts the only one, or the selected one of a list.
  private mutating func completeWord(_ context: inout ScreenContext<Self>) {
    if let list = completions { return insert(list.current, &context) }
    let items = complete?(path.text, path.field.caretUTF8Offset) ?? []
    if items.isEmpty { context.notify("nothing completes this text") }
    if items.count == 1 { return insert(items[0], &context) }
    completions = CompletionList(items)
  }

  /// Updates the list for a changed text; closes it if only the caret has moved.
  private mutating func updateCompletions(isChanged: Bool) {
    guard completions != nil else { return }
    completions = isChanged ? complete.flatMap { CompletionList($0(path.text, path.field.caretUTF8Offset)) } : nil
  }

  private mutating func insert(_ completion: Completion, _ context: inout ScreenContext<Self>) {
    completions = nil
    edit(&context) { $0.insert(completion) }
  }

  mutating func prepareToClose(by command: Command, _ context: inout ScreenContext<Self>) -> Bool {
    // The key that goes back closes a list first.
    guard !isAccepted, completions != nil else { return true }
    completions = nil
    return false
  }

  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool {
    edit(&context) { $0.handle(key) }
  }

  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>) {
    context.notifyLeftOut(edit(&context) { $0.insert(text) })
  }

  private mutating func edit<Result>(_ context: inout ScreenContext<Self>, _ change: (inout PathField) -> Result) -> Result {
    let before = path
    let result = change(&path)
    fault = check(path.text)
    if path.field.caret != before.field.caret || path.text != before.text { updateCompletions(isChanged: path.text != before.text) }
    if let follow, path.text != before.text { context.then(follow(path.text)) }
    return result
  }

  mutating func willClose(_ context: inout ScreenContext<Self>) {
    if !isAccepted { context.then(cancel) }
  }

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let theme = environment.appearance.theme
    let candidates = path.candidates.joined(separator: "  ")
    drawRemark(fault ?? candidates, fault == nil ? .muted : .error, into: &surface, above: area, environment.appearance)
    let label = "\(label) \(environment.appearance.glyphs.prompt)"
    let start = Point(column: area.column + 1, row: area.row)
    let used = surface.write(label, at: start, limit: area.columns - 1, style: theme.style(.accent, on: .header))
    path.field.draw(
      into: &surface, at: Point(column: start.column + used + 1, row: area.row), columns: max(1, area.columns - used - 2),
      style: theme.style(.text, on: .header), placeholder: placeholder, placeholderStyle: theme.style(.muted, on: .header))
    guard let completions else { return }
    let place = Point(column: start.column + used + 1, row: area.row - (fault == nil ? 0 : 1))
    completions.draw(into: &surface, at: place, area: surface.clip, appearance: environment.appearance)
  }

  /// Draws the error in the text, or the possible continuations of the path.
  private func drawRemark(_ text: String, _ role: Role, into surface: inout Surface, above area: Rect, _ appearance: Appearance) {
    guard !text.isEmpty, area.row > 0 else { return }
    let row = Rect(column: area.column, row: area.row - 1, columns: area.columns, rows: 1)
    surface.fill(row, style: appearance.theme.style(.header))
    let columns = max(0, row.columns - 2)
    let shown = TextWidth.truncated(text, to: columns, ellipsis: appearance.glyphs.ellipsis)
    surface.write(shown, at: Point(column: row.column + 1, row: row.row), limit: columns, style: appearance.theme.style(role, on: .header))
  }
}

extension ScreenContext {
  /// Prompts for a line of text; `accept` receives it, unless the person goes back.
  ///
  /// - Parameters:
  ///   - check: Returns the error in a text, which is shown and prevents accepting it; nil if it can be accepted.
  ///   - complete: Returns the completions of a text at a caret, in bytes of UTF-8.
  mutating func prompt(
    _ label: String, placeholder: String, text: String = "", isPath: Bool = false,
    check: @escaping @Sendable (String) -> String? = { _ in nil },
    complete: (@Sendable (_ text: String, _ caret: Int) -> [Completion])? = nil,
    accept: @escaping @Sendable (inout Target, inout ScreenContext, String) -> Void
  ) {
    var prompt = PromptScreen(label: label, placeholder: placeholder, text: text, isPath: isPath, accept: handler(accept))
    (prompt.check, prompt.complete) = (check, complete)
    present(prompt)
  }
}
