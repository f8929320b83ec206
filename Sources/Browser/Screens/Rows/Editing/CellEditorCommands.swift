import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources
import Terminal

extension Command {
  static let setNull: Command = "set-null"
  static let breakLine: Command = "break-line"
}

extension CellEditor: Screen {
  func keyContext(in workspace: Workspace) -> KeyContext { .form }
  func helpTitle(in workspace: Workspace) -> String { "Keys in a cell" }
  func purpose(in workspace: Workspace) -> String {
    "The value of a cell. Typing replaces the selected value; an arrow, Home, End or Backspace edits it. Enter stages it: nothing is "
      + "written before you commit. = starts an expression on the row, such as \(subject.exampleOfExpression); '= starts text with an "
      + "equals sign. @path stores the bytes of a file as a blob."
  }
  func backOutHint(in workspace: Workspace) -> String? { "cancel" }
  func word(for hint: String, of command: Command) -> String? {
    guard subject.cells == nil else { return hint }
    return command == .accept ? "set" : command == .nextPane ? nil : hint
  }

  static let commands: [CommandBinding<Self>] = [
    CommandBinding(.accept, "Stage the value", keys: [.form: ["enter"]], hint: "stage") { cell, context, _ in
      cell.submit(&context)
    },
    CommandBinding(.nextPane, "Stage the value, and go to the next cell", hint: "next cell") { cell, context, _ in
      cell.submit(goingOnBy: 1, &context)
    },
    CommandBinding(.previousPane, "Stage the value, and go back to the previous cell") { cell, context, _ in
      cell.submit(goingOnBy: -1, &context)
    },
    CommandBinding(.changeType, "Read the text as another type", keys: [.form: ["alt-t"]], hint: "type") { cell, context, _ in
      cell.changeType()
      cell.check(&context)
    },
    CommandBinding(.setNull, "Set NULL", keys: [.form: ["alt-n"]], hint: "NULL") { cell, context, _ in
      cell.setNull()
      cell.check(&context)
    },
    CommandBinding(.moveDown, "Choose the next value of the list, or move down", keys: [.form: ["down"]]) { cell, context, _ in
      cell.move(by: 1, &context)
    },
    CommandBinding(.moveUp, "Choose the previous value of the list, or move up", keys: [.form: ["up"]]) { cell, context, _ in
      cell.move(by: -1, &context)
    },
    CommandBinding(.nextChoice, "Choose the next value of the list", keys: [.form: ["alt-down"]]) { cell, context, _ in
      cell.choose(by: 1, &context)
    },
    CommandBinding(.previousChoice, "Choose the previous value of the list", keys: [.form: ["alt-up"]]) { cell, context, _ in
      cell.choose(by: -1, &context)
    },
    CommandBinding(.breakLine, "Insert a line break", keys: [.form: ["alt-enter"]]) { cell, context, _ in
      cell.change(&context) { $0.insert("\n") }
    },
    CommandBinding(.editExternally, "Edit the text in $VISUAL", keys: [.form: ["alt-e"]]) { cell, context, _ in
      cell.editExternally(&context)
    },
  ]

  mutating func start(_ context: inout ScreenContext<Self>) { loadChoices(narrowed: false, &context) }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    let text = CellEditorLayout(self, in: area).text
    layOut(columns: text.columns, rows: text.rows)
  }

  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool {
    guard editor.handles(key) else { return false }
    return change(&context, replacing: key.isTyped) { $0.handle(key) }
  }

  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>) {
    change(&context, replacing: true) { isTyped ? $0.type(text) : $0.insert(text) }
  }

  /// Changes the text, and requests matching values.
  @discardableResult
  fileprivate mutating func change<Result>(
    _ context: inout ScreenContext<Self>, replacing: Bool = false, _ change: (inout EditorPane) -> Result
  ) -> Result {
    let before = editor.revision
    let result = edit(replacing: replacing, change)
    if editor.revision != before {
      loadChoices(narrowed: true, &context)
      check(&context)
    }
    return result
  }

  /// Moves in the list of choices, or in a text of several lines.
  fileprivate mutating func move(by step: Int, _ context: inout ScreenContext<Self>) {
    guard choices.isEmpty else { return choose(by: step, &context) }
    edit { pane in
      let columns = pane.extent.columns
      pane.change { $0.move(.rows(step, columns: columns)) }
    }
  }

  private mutating func choose(by step: Int, _ context: inout ScreenContext<Self>) {
    choose(by: step)
    check(&context)
  }

  /// The largest size of a text whose completions are requested, in bytes.
  private static let longestPrefix = 1_000

  /// Requests choices for the cell that begin with the entered text, or previews of an expression.
  ///
  /// A text of several lines has no choices.
  private mutating func loadChoices(narrowed: Bool, _ context: inout ScreenContext<Self>) {
    guard let cells = subject.cells else { return }
    if let expression {
      return context.ask(PreviewExpression(cells: cells, expression: expression, changes: context.workspace.staged)) { cell, _, result in
        guard cell.expression == expression else { return }
        cell.receive((try? result.get()) ?? [])
      }
    }
    guard editor.lineCount == 1, editor.byteCount <= Self.longestPrefix else { return receive([ColumnChoice]()) }
    let prefix = narrowed ? editor.text : ""
    context.ask(LoadCellChoices(table: cells.table, column: subject.column.name, prefix: prefix)) { cell, _, result in
      if case .success(let choices) = result { cell.receive(choices) }
    }
  }

  fileprivate mutating func editExternally(_ context: inout ScreenContext<Self>) {
    context.editExternally(editor.text) { cell, context, result in
      switch result {
      case .success(let text): cell.change(&context) { $0.replaceText(text) }
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }

  /// Submits the input; a known fault is shown first.
  fileprivate mutating func submit(goingOnBy step: Int = 0, _ context: inout ScreenContext<Self>) {
    do throws(ParameterError) {
      if lacksValue { return refuse("type a value for all of them, or Alt-n for NULL; Esc cancels") }
      let input = try self.input()
      // SQLite makes the final decision, so a second Enter stages an input that seems to violate a constraint.
      if case .expression = input, let fault { return refuse(fault) }
      if let fault, !isWarned { return warn("\(fault.withoutFullStop). Enter stages it anyway") }
      finish(input, goingOnBy: step, &context)
    } catch {
      refuse(error.description)
    }
  }

  /// Checks the input against the table's constraints.
  fileprivate func check(_ context: inout ScreenContext<Self>) {
    // A long text is checked only when it is staged, not after each key.
    guard editor.byteCount <= Self.longest, let input = try? input() else { return context.supersede(CheckCellInput.slot) }
    guard let cells = subject.cells else { return }
    let row = cells.onlyRow
    let staged = row.flatMap { context.workspace.staged.change(of: $0, in: cells.table) }
    context.ask(CheckCellInput(table: cells.table, column: subject.column.name, row: row, staged: staged, input: input)) {
      cell, _, result in
      guard (try? cell.input()) == input, case .success(let fault) = result else { return }
      cell.receive(fault: fault)
    }
  }

  private mutating func finish(_ input: CellInput, goingOnBy step: Int, _ context: inout ScreenContext<Self>) {
    if let cells = subject.cells {
      context.close()
      return context.send(RowsIntent.stage(WrittenCell(input: input, step: step, isWarned: isWarned), for: cells))
    }
    guard let accept = subject.accept, case .value(let value) = input, let stored = value.stored else {
      return refuse("only a value can be entered here: expressions and files need the rows of a table")
    }
    context.close()
    context.then(accept(stored))
  }
}

extension Key {
  /// Whether the key types a character.
  fileprivate var isTyped: Bool {
    if case .character = code { modifiers.subtracting(.shift).isEmpty } else { false }
  }
}

/// A request that finds choices for a cell.
///
/// These are the rows that its foreign key can reference, the values that a CHECK allows, and the values in other rows.
struct LoadCellChoices: Request {
  let table: TableReference
  let column: String
  let prefix: String

  /// The largest number of choices.
  static let limit = 50

  var slot: RequestSlot? { RequestSlot("cell choices") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [ColumnChoice] {
    try await services.edits.choices(for: column, of: table, prefix: prefix, limit: Self.limit)
  }
}

/// A request that computes an expression for the first of its rows, over the values that the grid shows.
struct PreviewExpression: Request {
  let cells: EditedCells
  let expression: String
  let changes: StagedChanges

  /// The old and the new value of a row.
  struct Line: Hashable, Sendable {
    var old: StagedValue
    var new: StoredValue
  }

  private static let limit = 3

  var slot: RequestSlot? { RequestSlot("cell choices") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [Line] {
    let columns = try await services.source.filterColumns(of: try await services.source.schema(of: cells.table))
    let compiled = try ColumnExpression.compile(expression, columns: columns)
    let rows = try await rows(compiled, services)
    let values = try await services.edits.values(of: compiled, for: rows.map(\.id), of: cells.table, with: changes)
    return zip(rows, values).compactMap { row, new in
      guard let new, let old = changes.value(of: cells.columns[0], in: row.id, of: cells.table) ?? row.was.map({ StagedValue($0) }) else {
        return nil
      }
      return Line(old: old, new: new)
    }
  }

  /// Returns the first rows, with the stored values of the column.
  private func rows(_ compiled: ColumnExpression, _ services: Services) async throws -> [(id: StagedRowID, was: StoredValue?)] {
    let column = cells.columns[0]
    switch cells.rows {
    case .all:
      let set = try services.reader(cells.grid).rowSet
      return try await services.edits.edits(of: column, to: compiled, in: set, limit: Self.limit).map { (.stored($0.key), $0.was) }
    case .one(.stored(let key), _), .range(let key, _, _):
      let row = try await services.edits.storedRows([key], columns: [column], of: cells.table).first ?? nil
      return [(.stored(key), row?[column])]
    case .one(.new(let number), _): return [(.new(number), nil)]
    }
  }
}
