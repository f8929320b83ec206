import QuarryEngine
import Terminal

/// A prompt for a line of text at the foot of the screen.
struct PromptScreen: Screen {
  let label: String
  let placeholder: String
  private(set) var field: TextField
  /// Receives the accepted text.
  private let accept: @Sendable (inout Browser, String) -> Void
  /// What is done with the text each time that it has changed.
  var follow: (@Sendable (inout Browser, String) -> Void)?
  /// What is done where the line is left without taking the text.
  var cancel: (@Sendable (inout Browser) -> Void)?
  private var isAccepted = false

  init(label: String, placeholder: String, text: String = "", accept: @escaping @Sendable (inout Browser, String) -> Void) {
    self.label = label
    self.placeholder = placeholder
    field = TextField(text)
    self.accept = accept
  }

  func keyContext(in workspace: Workspace) -> KeyContext { .bar }
  func purpose(in workspace: Workspace) -> String { "One line of text: Enter takes it, Esc goes back." }
  func helpTitle(in workspace: Workspace) -> String { "Keys in a line of text" }
  var placement: ScreenPlacement { .lastLine }

  static let commands: [CommandBinding<Self>] = [
    CommandBinding(.accept, "Accept the selected item or the text", keys: [.bar: ["enter"]], hint: "go") { screen, context, _ in
      let (text, accept) = (screen.field.text, screen.accept)
      screen.isAccepted = true
      context.close()
      context.afterwards { accept(&$0, text) }
    }
  ]

  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool {
    edit(&context) { $0.handle(key) }
  }

  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>) {
    context.notifyLeftOut(edit(&context) { $0.insert(text) })
  }

  private mutating func edit<Result>(_ context: inout ScreenContext<Self>, _ change: (inout TextField) -> Result) -> Result {
    let before = field.text
    let result = change(&field)
    if let follow, field.text != before { context.afterwards { [text = field.text] in follow(&$0, text) } }
    return result
  }

  mutating func willClose(_ context: inout ScreenContext<Self>) {
    if let cancel, !isAccepted { context.afterwards(cancel) }
  }

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let theme = environment.appearance.theme
    let label = "\(label) \(environment.appearance.glyphs.prompt)"
    let start = Point(column: area.column + 1, row: area.row)
    let used = surface.write(label, at: start, limit: area.columns - 1, style: theme.style(.accent, on: .header))
    field.draw(
      into: &surface, at: Point(column: start.column + used + 1, row: area.row), columns: max(1, area.columns - used - 2),
      style: theme.style(.text, on: .header), placeholder: placeholder, placeholderStyle: theme.style(.muted, on: .header))
  }
}

extension ScreenContext {
  /// Prompts for a line of text; `accept` receives it, unless the person goes back.
  mutating func prompt(
    _ label: String, placeholder: String, text: String = "", accept: @escaping @Sendable (inout Target, inout ScreenContext, String) -> Void
  ) {
    present(PromptScreen(label: label, placeholder: placeholder, text: text, accept: handler(accept)))
  }
}
