import QuarryEngine
import QuarrySources
import Terminal

extension DetailsScreen: SearchableScreen {
  func keyContext(in workspace: Workspace) -> KeyContext { .record }
  func position(_ environment: ScreenEnvironment) -> String? {
    isOverList ? nil : environment.workspace.position(environment.appearance)
  }
  var placement: ScreenPlacement { table != nil ? .side : isOverList ? .body : .grid(rows: 8) }
  func purpose(in workspace: Workspace) -> String {
    "The schema of a table: its columns, keys, indexes and triggers, the tables that reference it, and its SQL."
  }
  func helpTitle(in workspace: Workspace) -> String { "Keys in \(name)" }

  mutating func start(_ context: inout ScreenContext<Self>) {
    load(&context)
  }

  /// Switches to the table of the focused pane, if it has changed.
  mutating func follow(_ context: inout ScreenContext<Self>) {
    let environment = context.environment
    guard table != nil, !environment.hasFocus else { return }
    let now = environment.focus == .catalog ? context.workspace.catalogTable : context.grid?.rowSet.sourceTable
    guard let now, now != table else { return }
    turn(to: now)
    load(&context)
  }

  private func load(_ context: inout ScreenContext<Self>) {
    guard let table else { return }
    context.ask(LoadDetails(table: table)) { screen, context, result in
      screen.receive(result, file: context.workspace.files.file(of: table), glyphs: context.appearance.glyphs)
    }
  }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    let inside = area.inset(columns: 2, rows: 1)
    room = GridExtent(rows: max(1, inside.rows), columns: max(1, inside.columns))
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) {
    scroll(by: rows)
  }

  static let commands: [CommandBinding<Self>] =
    CommandBinding.lineMotions(in: .record, count: \.lines.count) { screen, _, count in screen.scroll(by: count) }
    + CommandBinding.searches("Find text in these lines", in: .record) + copies
    + CommandBinding.pageMotions(
      hint: "page", hintedWhen: { screen, _ in screen.lines.count > screen.room.rows }, height: \.room.rows
    ) { screen, _, count in
      screen.scroll(by: count)
    }
    + [
      CommandBinding(.goBack, "Go back to where you came from", keys: [.record: ["ctrl-o", "backspace"]]) { _, context, _ in context.close()
      }
    ]

  private static let copies: [CommandBinding<Self>] = [
    CommandBinding(.copy, "Copy the table's DDL, or all lines", keys: [.record: ["y"]], hint: "copy", unless: needsLines) {
      screen, context, _ in
      if let text = screen.copied { context.send(.copyToClipboard(text)) }
    },
    CommandBinding(.copyRow, "Copy all lines", keys: [.record: ["Y"]], unless: needsLines) { screen, context, _ in
      context.send(.copyToClipboard(screen.everything))
    },
  ]

  func word(for hint: String, of command: Command) -> String? {
    command == .copy && table != nil ? "copy DDL" : hint
  }

  private static let needsLines: CommandBinding<Self>.Obstacle = { screen, _ in
    screen.copied == nil ? "there is nothing to copy here" : nil
  }
}

/// A request that reads the schema of a table, and the references to it.
struct LoadDetails: Request {
  let table: TableReference

  var slot: RequestSlot? { RequestSlot("details") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> TableDetails {
    TableDetails(schema: try await services.source.schema(of: table), references: (try? await services.source.references(to: table)) ?? [])
  }
}

/// The details of one table.
struct TableDetails: Hashable, Sendable {
  var schema: TableSchema
  var references: [InboundReference]
}
