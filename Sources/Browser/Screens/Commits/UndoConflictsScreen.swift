import QuarryChanges
import QuarryEngine
import Terminal

extension KeyContext {
  static let conflicts = KeyContext("conflicts", place: "in the conflicts of an undo")
}

extension Command {
  static let toggleOverwrite: Command = "toggle-overwrite"
  static let applyUndo: Command = "apply-undo"
}

/// The rows that have changed since the commit to undo; the person can overwrite each of them.
struct UndoConflictsScreen: Sendable {
  let number: Int
  let conflicts: [UndoConflict]
  /// The indexes of the rows to overwrite.
  private(set) var overwritten: Set<Int> = []
  private var cursor = ListCursor()
  /// The handler that undoes the commit with the selected choices.
  let apply: Handler<UndoChoices>
  var height: Int { cursor.height }

  init(number: Int, conflicts: [UndoConflict], apply: @escaping Handler<UndoChoices>) {
    (self.number, self.conflicts, self.apply) = (number, conflicts, apply)
  }

  mutating func move(by count: Int) { cursor.move(by: count, of: conflicts.count) }

  /// The reason why the choices do not resolve all conflicts, with a way out if there is one; nil if they do.
  private var obstacleToUndo: String? {
    let choices = choices
    guard let conflict = conflicts.first(where: { !$0.choices.contains(choices.choice(for: $0)) }) else { return nil }
    let wayOut = conflict.choices.isEmpty ? Self.unresolvable : "only `quarry undo --conflicts overwrite` resolves this conflict"
    return "\(conflict.table): \(wayOut)"
  }

  /// The reason why the row under the cursor cannot be overwritten, or nil if it can be.
  private var obstacleToOverwriting: String? {
    let conflict = conflicts[cursor.index]
    if conflict.key == nil { return "this conflict is about the schema, not about a row" }
    if conflict.choices.contains(.overwrite) { return nil }
    return conflict.choices.contains(.keep) ? "this row can only be kept" : Self.unresolvable
  }

  private static let unresolvable = "neither keeping nor overwriting resolves this conflict"

  /// The choices: to overwrite the marked rows, and to preserve all other rows.
  private var choices: UndoChoices {
    let rows = overwritten.compactMap { index in
      conflicts[index].key.map { UndoChoices.Row(table: conflicts[index].table, key: $0) }
    }
    return UndoChoices(standard: .keep, rows: Dictionary(rows.map { ($0, .overwrite) }, uniquingKeysWith: { $1 }))
  }
}

extension UndoConflictsScreen: Screen {
  func keyContext(in workspace: Workspace) -> KeyContext { .conflicts }
  func position(_ environment: ScreenEnvironment) -> String? { cursor.position(of: conflicts.count) }
  func purpose(in workspace: Workspace) -> String {
    "These rows have changed since the commit, so nothing is undone yet. Space marks a row to overwrite; unmarked rows stay unchanged."
  }
  func backOutHint(in workspace: Workspace) -> String? { "undo nothing" }

  static let commands: [CommandBinding<Self>] =
    [
      CommandBinding(
        .applyUndo, "Undo the commit with these choices", keys: [.conflicts: ["enter"]], hint: "undo the rest",
        unless: { screen, _ in screen.obstacleToUndo }
      ) { screen, context, _ in
        context.close()
        context.then(screen.apply(screen.choices))
      },
      CommandBinding(
        .toggleOverwrite, "Overwrite the row under the cursor, or keep it", keys: [.conflicts: ["space"]], hint: "overwrite",
        unless: { screen, _ in screen.obstacleToOverwriting }
      ) { screen, _, _ in
        screen.overwritten.formSymmetricDifference([screen.cursor.index])
      },
    ] + CommandBinding.lineMotions(in: .conflicts, count: \.conflicts.count) { screen, _, count in screen.move(by: count) }
    + CommandBinding.pageMotions(height: \.height) { screen, _, count in screen.move(by: count) }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    cursor.layOut(height: UndoConflictsLayout(self, in: area, context.environment).list.rows, of: conflicts.count)
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { move(by: rows) }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let list = UndoConflictsLayout(self, in: area, context.environment).list
    if list.contains(point) { cursor.move(to: cursor.top + point.row - list.row, of: conflicts.count) }
  }
}

/// The areas of an undo's conflicts: the question, the list, and the differences in the row under the cursor.
private struct UndoConflictsLayout {
  let question: Rect
  let list: Rect
  let detail: Rect
  let questionLines: [StyledLine]
  let detailLines: [StyledLine]

  init(_ screen: UndoConflictsScreen, in area: Rect, _ environment: ScreenEnvironment) {
    var rest = area.inset(columns: 2, rows: 1)
    let columns = max(1, rest.columns)
    questionLines = WrappedText.lines(screen.question(environment), columns: columns).map { StyledLine($0, .warning) }
    detailLines = screen.detail(columns: columns)
    question = rest.removeTop(min(questionLines.count, rest.rows / 2))
    let rows = min(detailLines.count, rest.rows / 2)
    detail = rows > 0 ? rest.removeBottom(rows) : .none
    if rows > 0 { _ = rest.removeBottom(1) }
    list = rest
  }
}

extension UndoConflictsScreen {
  fileprivate func question(_ environment: ScreenEnvironment) -> String {
    let (toggle, apply) = (environment.keyHint(.toggleOverwrite), environment.keyHint(.applyUndo))
    return environment.size.columns < ScreenLayout.narrow
      ? "Changed since: \(toggle) overwrites a row, \(apply) undoes"
      : "Changed since the commit: \(toggle) marks a row to overwrite, other rows stay; \(apply) undoes."
  }

  /// Returns the differences in the row under the cursor.
  fileprivate func detail(columns: Int) -> [StyledLine] {
    guard conflicts.indices.contains(cursor.index) else { return [] }
    guard case .isChanged(let differences) = conflicts[cursor.index].reason else {
      return WrappedText.lines(conflicts[cursor.index].description, columns: columns).map { StyledLine($0, .muted) }
    }
    let headings = [ComparedValues.Heading(text: "as committed", role: .muted), ComparedValues.Heading(text: "now", role: .text)]
    let rows = differences.map { difference in
      let values = [difference.expected, difference.found].map { StagedValue.value($0).shortText }
      return ComparedValues.Row(column: difference.column, values: values)
    }
    return ComparedValues(headings: headings, rows: rows).lines(columns: columns)
  }

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    Box.draw(
      into: &surface, rect: area, title: "Undo of commit \(number): \(Plural.of(conflicts.count, "conflict"))",
      footer: "nothing is undone yet", hasFocus: environment.hasFocus, appearance: appearance)
    let layout = UndoConflictsLayout(self, in: area, environment)
    layout.questionLines.draw(into: &surface, area: layout.question, appearance: appearance)
    for (offset, conflict) in conflicts.dropFirst(cursor.top).prefix(layout.list.rows).enumerated() {
      let index = cursor.top + offset
      let row = Rect(column: layout.list.column, row: layout.list.row + offset, columns: layout.list.columns, rows: 1)
      line(of: conflict, isOverwritten: overwritten.contains(index)).drawListed(
        into: &surface, row: row, isCurrent: index == cursor.index, hasFocus: environment.hasFocus, appearance: appearance)
    }
    guard !layout.detail.isEmpty else { return }
    Box.drawRule(into: &surface, above: layout.detail, appearance: appearance)
    layout.detailLines.draw(into: &surface, area: layout.detail, appearance: appearance)
  }

  private func line(of conflict: UndoConflict, isOverwritten: Bool) -> StyledLine {
    let canStay = conflict.choices.contains(.keep)
    let unmarked = canStay ? StyledLine("keep       ", .muted) : StyledLine("blocked    ", .warning)
    let line = (isOverwritten ? StyledLine("overwrite  ", .changed) : unmarked)
      .adding(conflict.table, .accent).adding(conflict.key.map { "  row \($0)" } ?? "")
    return switch conflict.reason {
    case .isChanged(let columns): line.adding("  \(columns.map(\.column).joined(separator: ", "))", .muted)
    case .isGone: line.adding("  no longer exists", .muted)
    case .isThere: line.adding("  exists again", .muted)
    case .schema(let sentence): line.adding("  \(sentence)", .muted)
    }
  }
}
