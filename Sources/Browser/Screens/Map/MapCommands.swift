import QuarryEngine
import QuarryFiles
import QuarryRows
import Terminal

extension MapScreen: Screen {
  static let openers: [BrowserCommand] = [
    BrowserCommand(
      .map, "Show a map of the tables and their foreign keys", brief: "Map of the tables",
      aliases: ["schema map", "diagram", "erd", "er diagram", "relations"], [.grid: ["g m"], .catalog: ["g m"], .record: ["g m"]]
    ) { browser in
      let workspace = browser.workspace
      let table = browser.focus == .catalog ? workspace.catalogTable : workspace.grid?.rowSet.sourceTable
      browser.present(MapScreen(current: table ?? workspace.catalogTable))
    }
  ]

  func keyContext(in workspace: Workspace) -> KeyContext { .map }
  func purpose(in workspace: Workspace) -> String {
    "The tables with their primary and foreign keys, and a line from each foreign key to the table that it references. 1 to 9 show only "
      + "the tables within this number of foreign keys, 0 shows all."
  }

  func position(_ environment: ScreenEnvironment) -> String? {
    guard let picture, let item = currentItem else { return nil }
    return "\(Plural.grouped(item + 1)) of \(Plural.grouped(picture.map.items.count))"
  }

  static let commands: [CommandBinding<Self>] =
    [
      CommandBinding(.open, "Open the table", keys: [.map: ["enter"]], hint: "open", unless: needsTable) { screen, context, _ in
        guard let table = screen.current else { return }
        context.closeAll()
        context.send(RowsIntent.open(table))
      },
      CommandBinding(
        .mapNeighbors, "Show only the tables next to this one, or all; 1 to 9 set the distance", keys: [.map: ["space"]],
        hint: "neighbors", unless: needsItem
      ) { screen, context, _ in
        screen.narrow(to: screen.scope == nil ? 1 : 0, &context)
      },
    ] + CommandBinding.searches("Find a table by a part of its name", in: .map)
    + [
      CommandBinding(.copy, "Copy the shown tables as a Mermaid diagram", keys: [.map: ["y"]], hint: "copy", unless: needsItem) {
        screen, context, _ in
        guard let graph = screen.picture?.map.graph else { return }
        context.send(.copyToClipboard(CopyText(text: SchemaDiagram.mermaid.text(of: graph), title: "the Mermaid diagram")))
      },
      move(.moveLeft, "Go to the next table at the left", ["h", "left"], .left),
      move(.moveDown, "Go to the next table below", ["j", "down"], .down),
      move(.moveUp, "Go to the next table above", ["k", "up"], .up),
      move(.moveRight, "Go to the next table at the right", ["l", "right"], .right),
    ] + CommandBinding.pageMotions(height: \.room.rows) { screen, _, count in screen.scroll(by: count) }

  private static func move(
    _ command: Command, _ help: String, _ keys: [String], _ direction: MapPicture.Direction
  ) -> CommandBinding<Self> {
    CommandBinding(command, help, keys: [.map: keys]) { screen, _, count in screen.move(direction, by: count ?? 1) }
  }

  private static let needsItem: CommandBinding<Self>.Obstacle = { screen, _ in
    screen.currentItem == nil ? "there is no table here" : nil
  }

  private static let needsTable: CommandBinding<Self>.Obstacle = { screen, environment in
    if let obstacle = needsItem(screen, environment) { return obstacle }
    guard let item = screen.currentItem, let items = screen.picture?.map.items, items[item].isMissing else { return nil }
    return "the table \(items[item].name) does not exist; only foreign keys name it"
  }

  mutating func start(_ context: inout ScreenContext<Self>) { load(&context) }

  mutating func willClose(_ context: inout ScreenContext<Self>) { context.supersede(LoadMap.slot) }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    let inside = area.inset(columns: 2, rows: 1)
    let room = Size(columns: inside.columns, rows: inside.rows)
    guard room != self.room else { return }
    let isWider = room.columns != self.room.columns
    setRoom(room)
    if isWider { load(&context) }
  }

  /// Draws the map again after changes of the schema.
  mutating func follow(_ context: inout ScreenContext<Self>) {
    guard let catalog = context.environment.catalog, catalog != self.catalog else { return }
    load(&context)
  }

  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool {
    guard key.isDigit, case .character(let character) = key.code, let digit = character.wholeNumberValue else { return false }
    narrow(to: digit, &context)
    return true
  }

  mutating func backOut(_ context: inout ScreenContext<Self>) -> Bool {
    guard scope != nil else { return false }
    narrow(to: 0, &context)
    return true
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { scroll(by: rows) }

  /// Moves the cursor to a table; a second click opens it.
  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let inside = area.inset(columns: 2, rows: 1)
    let place = Point(column: point.column - inside.column + origin.column, row: point.row - inside.row + origin.row)
    guard inside.contains(point), let item = picture?.item(at: place) else { return }
    guard item == currentItem else { return select(item) }
    if Self.needsTable(self, context.environment) == nil { Self.binding(of: .open)?.perform(&self, &context, nil) }
  }
}
