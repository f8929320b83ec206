import QuarryEngine
import Terminal

extension KeyContext {
  static let conflicts = KeyContext("conflicts", place: "in the conflicts of an undo")
}

extension Command {
  static let toggleOverwrite: Command = "toggle-overwrite"
  static let applyUndo: Command = "apply-undo"
}

/// The rows that have been changed since a commit which is to be undone: each stays as it is, or is overwritten.
struct UndoConflictsScreen: Sendable {
  let number: Int
  let conflicts: [UndoConflict]
  /// The indexes of those that are to be overwritten.
  private(set) var overwritten: Set<Int> = []
  private var cursor = ListCursor()
  /// Undoes the commit with what was chosen.
  let apply: @Sendable (inout Browser, UndoChoices) -> Void
  var height: Int { cursor.height }

  init(number: Int, conflicts: [UndoConflict], apply: @escaping @Sendable (inout Browser, UndoChoices) -> Void) {
    (self.number, self.conflicts, self.apply) = (number, conflicts, apply)
  }

  mutating func move(by count: Int) { cursor.move(by: count, of: conflicts.count) }

  /// Returns what was chosen: a row that is not to be overwritten stays as it is.
  private var choices: UndoChoices {
    let rows = overwritten.compactMap { index in
      conflicts[index].key.map { UndoChoices.Row(table: conflicts[index].table, key: $0) }
    }
    return UndoChoices(standard: .keep, rows: Dictionary(rows.map { ($0, .overwrite) }, uniquingKeysWith: { $1 }))
  }
}

extension UndoConflictsScreen: Screen {
  func keyContext(in workspace: Workspace) -> KeyContext { .conflicts }
  func purpose(in workspace: Workspace) -> String {
    "These rows were changed after the commit, so nothing has been undone yet. Space chooses which of them are overwritten; the others stay."
  }
  func backOutHint(in workspace: Workspace) -> String? { "undo nothing" }

  static let commands: [CommandBinding<Self>] =
    [
      CommandBinding(.applyUndo, "Undo the commit with what was chosen", keys: [.conflicts: ["enter"]], hint: "undo the rest") {
        screen, context, _ in
        let (apply, choices) = (screen.apply, screen.choices)
        context.close()
        context.afterwards { apply(&$0, choices) }
      },
      CommandBinding(
        .toggleOverwrite, "Overwrite the row under the cursor, or keep it", keys: [.conflicts: ["space"]], hint: "overwrite",
        unless: { screen, _ in
          screen.conflicts[screen.cursor.index].key == nil ? "this conflict is about the schema, not about a row" : nil
        }
      ) { screen, _, _ in
        screen.overwritten.formSymmetricDifference([screen.cursor.index])
      },
    ] + CommandBinding.lineMotions(in: .conflicts, count: \.conflicts.count) { screen, _, count in screen.move(by: count) }
    + CommandBinding.pageMotions(height: \.height) { screen, _, count in screen.move(by: count) }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    cursor.layOut(height: area.inset(columns: 2, rows: 1).rows - 1, of: conflicts.count)
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { move(by: rows) }

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    Box.draw(
      into: &surface, rect: area, title: "Undo of commit \(number): \(Plural.of(conflicts.count, "conflict"))",
      footer: "nothing is undone yet", hasFocus: environment.hasFocus, appearance: appearance)
    let inside = area.inset(columns: 2, rows: 1)
    StyledLine("These rows have been changed since. Space overwrites one, the others stay.", .warning).draw(
      into: &surface, at: Point(column: inside.column, row: inside.row), columns: inside.columns, appearance: appearance)
    for (offset, conflict) in conflicts.dropFirst(cursor.top).prefix(inside.rows - 1).enumerated() {
      let index = cursor.top + offset
      let row = Rect(column: inside.column, row: inside.row + 1 + offset, columns: inside.columns, rows: 1)
      let isOverwritten = overwritten.contains(index)
      StyledLine(isOverwritten ? "overwrite  " : "keep       ", isOverwritten ? .changed : .muted).adding(conflict.description)
        .drawListed(
          into: &surface, row: row, isCurrent: index == cursor.index, hasFocus: environment.hasFocus, appearance: appearance)
    }
  }
}
