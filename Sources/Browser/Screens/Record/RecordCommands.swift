import QuarryChanges
import QuarryEngine
import QuarryFiles
package import QuarryRows
import Terminal

extension RecordScreen: SearchableScreen {
  func keyContext(in workspace: Workspace) -> KeyContext { .record }
  func purpose(in workspace: Workspace) -> String {
    "One row as a form, with complete values: formatted JSON, BLOBs as bytes, readable dates. ] and [ go to the next and the previous row."
  }
  var placement: ScreenPlacement { .side }

  func generalHints(_ environment: ScreenEnvironment) -> [GeneralHint] {
    environment.hasSidePanel ? [GeneralHint(command: .nextPane, word: "rows", before: .previousRecord)] : []
  }

  mutating func start(_ context: inout ScreenContext<Self>) { load(&context) }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    let inside = area.inset(columns: 2, rows: 1)
    room = GridExtent(rows: max(1, inside.rows), columns: inside.columns)
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { scroll(by: rows) }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    if let field = field(at: point, area: area) { selectField(field) }
  }

  /// Shows the row under the grid's cursor, where that is another one.
  mutating func follow(_ context: inout ScreenContext<Self>) {
    let change = context.grid?.table.flatMap { context.workspace.staged.change(of: .stored(key), in: $0) }
    if show(change, glyphs: context.appearance.glyphs), !cells.isEmpty { loadReferences(&context) }
    guard let pane = context.grid, let row = pane.currentRow, pane.id != grid || row.key != key else { return }
    turn(to: row.key, of: pane)
    load(&context)
  }

  private func load(_ context: inout ScreenContext<Self>) {
    let (grid, key) = (grid, key)
    context.ask(LoadRecord(grid: grid, key: key)) { screen, context, result in
      screen.receive(result, for: key, of: grid, glyphs: context.appearance.glyphs)
      if screen.key == key { screen.loadReferences(&context) }
    }
  }

  private mutating func loadReferences(_ context: inout ScreenContext<Self>) {
    guard renewReferences(), let schema else { return context.supersede(LoadRecordReferences.slot) }
    let request = LoadRecordReferences(
      table: schema.entry.reference, keys: schema.foreignKeys, outbound: references.outbound, values: values,
      labels: context.environment.options.labels)
    let key = key
    context.ask(request) { screen, _, report in
      screen.receive(report, for: key)
    } then: { _, _, _ in
    }
  }

  /// Where the last line is short, the hints of copying go before that of the previous record, whose key is beside the next one's.
  static let commands: [CommandBinding<Self>] =
    [next].grouped("Records") + edits.grouped("Changing") + copies.grouped("Copying") + [previous].grouped("Records")
    + moves.grouped("Moving")
    + CommandBinding.searches("Find text in the record", in: .record).grouped("Finding") + looking.grouped("Looking")
    + relations.grouped("Following")

  private static let next = CommandBinding<Self>(
    .nextRecord, "Go to the next record", keys: [.record: ["]", "alt-down"]], hint: "next"
  ) { _, context, count in
    context.send(RowsIntent.moveRows(by: count ?? 1))
  }

  private static let previous = CommandBinding<Self>(
    .previousRecord, "Go to the previous record", keys: [.record: ["[", "alt-up"]], hint: "previous"
  ) { _, context, count in
    context.send(RowsIntent.moveRows(by: -(count ?? 1)))
  }

  private static let edits: [CommandBinding<Self>] = [
    CommandBinding(
      .editCell, "Change this value", keys: [.record: ["e"]], hint: "edit",
      hintedWhen: { screen, environment in screen.schema != nil && environment.obstacle(to: .update, column: screen.field) == nil },
      unless: { screen, environment in environment.obstacle(to: .update, column: screen.field) }
    ) { screen, context, _ in
      context.send(RowsIntent.editCell(column: screen.field))
    },
    CommandBinding(
      .setNull, "Set NULL", keys: [.record: ["g n"]],
      unless: { screen, environment in environment.obstacle(to: .update, column: screen.field) }
    ) { screen, context, _ in
      context.send(RowsIntent.setNull(column: screen.field))
    },
  ]

  private static let moves: [CommandBinding<Self>] =
    CommandBinding.lineMotions(in: .record, count: \.columns.count) { screen, _, count in screen.moveField(by: count) }
    + CommandBinding.pageMotions(height: \.room.rows) { screen, _, count in screen.scroll(by: count) }

  private static let looking: [CommandBinding<Self>] = [
    CommandBinding(
      .countValues, "Count the values of this column in all rows of the grid", keys: [.record: ["#"]], unless: { $1.needsInsight }
    ) { screen, context, _ in
      context.send(RowsIntent.countValues(column: screen.field))
    }
  ]

  private static let copies: [CommandBinding<Self>] = [
    CommandBinding(.copy, "Copy the value", keys: [.record: ["y"]], hint: "copy") { screen, context, _ in
      context.send(RowsIntent.copyValue(of: screen.key, column: screen.field))
    },
    CommandBinding(.copyRow, "Copy the row", keys: [.record: ["Y"]]) { _, context, _ in
      context.send(RowsIntent.copyRow)
    },
  ]

  private static let relations: [CommandBinding<Self>] = [
    CommandBinding(
      .followForeignKey, "Go to the referenced row", keys: [.record: ["g d", "f12"]], hint: "follow",
      unless: { screen, environment in
        ForeignKeyObstacle.sentence(
          column: screen.field, cells: screen.cells, columns: screen.columns, schema: screen.schema,
          mark: environment.appearance.glyphs.reference
        )
      }
    ) { screen, context, _ in
      context.leave()
      context.send(RowsIntent.followForeignKey(column: screen.field, cells: screen.cells))
    },
    CommandBinding(
      .referringRows, "Show the referencing rows", keys: [.record: ["g r", "shift-f12"]],
      unless: { screen, _ in screen.schema == nil ? "these rows are not from a single table" : nil }
    ) { _, context, _ in
      context.leave()
      context.send(RowsIntent.showReferringRows)
    },
    CommandBinding(.goBack, "Go back to where you came from", keys: [.record: ["ctrl-o", "backspace"]]) { _, context, _ in context.close()
    },
  ]
}

/// Reads one whole row.
package struct LoadRecord: Request {
  let grid: GridID
  let key: RowKey

  package init(grid: GridID, key: RowKey) {
    (self.grid, self.key) = (grid, key)
  }

  var slot: RequestSlot? { RequestSlot("record") }
  var isCancelledWhenSuperseded: Bool { false }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> WindowRow? {
    try await services.reader(grid).record(key, limit: RecordScreen.valueLimit)
  }
}
