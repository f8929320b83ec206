import QuarryEngine
import Terminal

extension Picker: Screen {
  func keyContext(in workspace: Workspace) -> KeyContext { .form }
  func purpose(in workspace: Workspace) -> String {
    "A list to choose from. Type part of a name, a synonym or some letters to narrow it. Enter or a click chooses a line."
  }

  mutating func start(_ context: inout ScreenContext<Self>) { begin(&self, &context) }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) { height = listHeight(in: area) }

  static let commands: [CommandBinding<Self>] = [
    CommandBinding(.accept, "Accept the selected item or the text", keys: [.form: ["enter"]], hint: "choose") { picker, context, _ in
      picker.choose(&context)
    },
    CommandBinding(.moveDown, "Move down", keys: [.form: ["down"]]) { picker, context, _ in picker.move(by: 1, &context) },
    CommandBinding(.moveUp, "Move up", keys: [.form: ["up"]]) { picker, context, _ in picker.move(by: -1, &context) },
    CommandBinding(.pageDown, "Move down by a page", keys: [.form: ["pagedown"]]) { picker, context, _ in
      picker.move(by: picker.height, &context)
    },
    CommandBinding(.pageUp, "Move up by a page", keys: [.form: ["pageup"]]) { picker, context, _ in
      picker.move(by: -picker.height, &context)
    },
  ]

  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool {
    let isHandled = edit { $0.handle(key) }
    showPreview(&context)
    takeArgument(&context)
    return isHandled
  }

  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>) {
    var left = 0
    _ = edit { field in
      left = field.insert(text)
      return true
    }
    context.notifyLeftOut(left)
    showPreview(&context)
    takeArgument(&context)
  }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    guard let index = index(at: point, area: area) else {
      // A click on a title or the field does not close the list.
      if !covers(point, area: area) { context.close() }
      return
    }
    select(index)
    choose(&context)
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { move(by: rows.signum(), &context) }

  mutating func willClose(_ context: inout ScreenContext<Self>) {
    if !isTaken { context.then(cancel) }
  }

  private mutating func move(by count: Int, _ context: inout ScreenContext<Self>) {
    move(by: count)
    showPreview(&context)
  }

  private func showPreview(_ context: inout ScreenContext<Self>) {
    if let preview, matches.indices.contains(cursor) { context.then(preview(matches[cursor].index)) }
  }
}
