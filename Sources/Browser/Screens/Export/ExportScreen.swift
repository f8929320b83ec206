import QuarryFiles
import Terminal

extension KeyContext {
  static let export = KeyContext("export", place: "in the export")
}

extension Command {
  static let export: Command = "export"
}

/// The form of an export: the path, the format, and the choice of rows.
package struct ExportScreen: PathWriting {
  /// A line of the form.
  enum Line: CaseIterable, Hashable, Sendable {
    case path, format, rows
  }

  /// The rows of the grid that can be exported: all rows, and the selected rows if there is a selection.
  let all: ExportedRows
  let selected: ExportedRows?
  package var path: PathField {
    didSet { takeFormatOfPath() }
  }
  private(set) var format = ExportFormat.csv
  private(set) var takesSelection: Bool
  private(set) var line = Line.path
  /// The reason why nothing can be written at the path.
  private(set) var problem: String?

  init(all: ExportedRows, selected: ExportedRows?) {
    (self.all, self.selected) = (all, selected)
    takesSelection = selected != nil
    path = PathField("\(all.fileName).\(ExportFormat.csv.ending)")
  }

  /// Restores a form.
  ///
  /// - Parameter problem: The reason why nothing can be written at its path; nil for none.
  init(_ form: ExportForm, problem: String? = nil) {
    (all, selected, takesSelection) = (form.all, form.selected, form.takesSelection)
    path = PathField(form.path)
    (format, line, self.problem) = (form.format, problem == nil ? form.line : .path, problem)
  }

  /// The current choices.
  private var form: ExportForm {
    ExportForm(all: all, selected: selected, path: path.text, format: format, takesSelection: takesSelection, line: line)
  }

  var rows: ExportedRows { takesSelection ? selected ?? all : all }
  var lines: [Line] { selected == nil ? [.path, .format] : Line.allCases }

  /// Selects the format of the path's extension, if there is one.
  private mutating func takeFormatOfPath() {
    if let format = ExportFormat(pathEnding: path.text) { self.format = format }
  }

  // MARK: Moving and choosing

  fileprivate mutating func move(by step: Int) {
    guard let index = lines.firstIndex(of: line) else { return }
    line = lines[(index + step + lines.count) % lines.count]
  }

  fileprivate mutating func choose(by step: Int) {
    problem = nil
    switch line {
    case .path: break
    case .format:
      let formats = ExportFormat.allCases
      guard let index = formats.firstIndex(of: format) else { return }
      choose(formats[(index + step + formats.count) % formats.count])
    case .rows: takesSelection.toggle()
    }
  }

  /// Selects a format, and replaces the path's extension if it belongs to another format.
  mutating func choose(_ format: ExportFormat) {
    self.format = format
    guard ExportFormat(pathEnding: path.text) != nil, let point = path.text.lastIndex(of: ".") else { return }
    path = PathField(path.text[...point] + format.ending)
  }

  mutating func select(_ line: Line) { if lines.contains(line) { self.line = line } }

  mutating func choose(rowsOfSelection: Bool) { takesSelection = rowsOfSelection && selected != nil }
}

// MARK: - Keys

extension ExportScreen: Screen {
  func keyContext(in workspace: Workspace) -> KeyContext { line == .path ? .bar : .export }
  func helpTitle(in workspace: Workspace) -> String { line == .path ? "Keys in a line of text" : "Keys in the export" }
  func purpose(in workspace: Workspace) -> String {
    "Writes the shown rows to a file, with the filter, sort order and columns of the grid, or only the selection. The file appears when it "
      + "is complete; you can continue to work in the meantime."
  }
  var placement: ScreenPlacement { .grid(rows: Self.leastRows) }

  static let commands: [CommandBinding<Self>] = [
    CommandBinding(.accept, "Write the file", keys: [.bar: ["enter"], .export: ["enter", "f5"]], hint: "write") { screen, context, _ in
      screen.submit(&context)
    },
    CommandBinding(
      .complete, "Complete the path", keys: [.bar: ["tab"]], hint: "complete", hintedWhen: { screen, _ in screen.line == .path }
    ) { screen, context, _ in
      screen.completePath(&context)
    },
    CommandBinding(
      .nextChoice, "Choose the next option", keys: [.export: ["right", "l", "space"]], hint: "choose",
      hintedWhen: { screen, _ in screen.line != .path }
    ) { screen, _, _ in
      screen.choose(by: 1)
    },
    CommandBinding(.previousChoice, "Choose the previous option", keys: [.export: ["left", "h"]]) { screen, _, _ in screen.choose(by: -1) },
    CommandBinding(
      .historyNewer, "Go to the next line", keys: [.bar: ["down"]], hint: "format", hintedWhen: { screen, _ in screen.line == .path }
    ) { screen, _, _ in screen.move(by: 1) },
    CommandBinding(.historyOlder, "Go to the previous line", keys: [.bar: ["up"]]) { screen, _, _ in screen.move(by: -1) },
    CommandBinding(.moveDown, "Go to the next line", keys: [.export: ["down", "j"]]) { screen, _, _ in screen.move(by: 1) },
    CommandBinding(
      .moveUp, "Go to the previous line", keys: [.export: ["up", "k"]], hint: "path", hintedWhen: { screen, _ in screen.line != .path }
    ) { screen, _, _ in screen.move(by: -1) },
    CommandBinding(.nextPane, "Go to the next line") { screen, _, _ in screen.move(by: 1) },
    CommandBinding(.previousPane, "Go to the previous line") { screen, _, _ in screen.move(by: -1) },
  ]

  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool {
    guard line == .path else { return false }
    problem = nil
    return path.handle(key)
  }

  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>) {
    guard line == .path else { return }
    problem = nil
    context.notifyLeftOut(path.insert(text))
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { move(by: rows.signum()) }

  // MARK: Writing

  /// Sends the export to the pane of rows, because that stays open until everything is written.
  private mutating func submit(_ context: inout ScreenContext<Self>) {
    guard !path.text.isBlank else { return problem = "the path is empty: name a file" }
    guard !path.text.hasSuffix("/") else { return problem = "“\(path.text)” is a folder: name a file in it" }
    context.close()
    context.send(RowsIntent.export(form))
  }
}
