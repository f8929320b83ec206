import QuarryEngine
import QuarryRows
import QuarrySources
import Terminal
import TestSupport
import Testing

@testable import Browser

extension KeyContext {
  fileprivate static let keys = KeyContext("keys", place: "in the list of keys")
}

/// A screen made as CONTRIBUTING says: the columns of the primary key of the table that is shown.
private struct PrimaryKeyScreen: Screen {
  let table: TableReference
  private(set) var columns: [String] = []
  private(set) var problem: Problem?
  private(set) var clicks = 0

  static let openers: [BrowserCommand] = [
    BrowserCommand("primary-key", "Show the primary key of the table", [.grid: ["g !"]]) { browser in
      guard case .table(let table)? = browser.grid?.rowSet.source else { return }
      browser.present(PrimaryKeyScreen(table: table))
    }
  ]

  static let commands: [CommandBinding<Self>] = [
    CommandBinding("reverse-columns", "Turn the order of the columns around", keys: [.keys: ["r"]], hint: "reverse") { screen, _, _ in
      screen.columns.reverse()
    }
  ]

  func keyContext(in workspace: Workspace) -> KeyContext { .keys }

  mutating func start(_ context: inout ScreenContext<Self>) {
    context.ask(LoadPrimaryKey(table: table)) { screen, _, result in
      switch result {
      case .success(let columns): screen.columns = columns
      case .failure(let problem): screen.problem = problem
      }
    }
  }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) { clicks += 1 }

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    Box.draw(into: &surface, rect: area, title: "Primary key of \(table.name)", footer: "", appearance: environment.appearance)
    let text = problem?.text ?? columns.joined(separator: " + ")
    surface.write(text, at: Point(column: area.column + 2, row: area.row + 1), style: environment.appearance.theme.style(.text))
  }
}

private struct LoadPrimaryKey: Request {
  let table: TableReference

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [String] {
    try await services.source.schema(of: table).primaryKey
  }
}

@Suite("A screen from outside of the program, added by the recipe", .gated)
struct ScreenRecipeTests {
  private static let keymap = Keymap(commands: CommandList(screens: ScreenList.standard + [PrimaryKeyScreen.self]))

  private static let source = MemorySource(tables: [
    MemorySource.Table(name: "stock", columns: ["shop", "item"], rows: [[.integer(1), .integer(2)]])
  ])

  @Test("is opened by its key, asks, draws, performs its own commands, takes the mouse and closes")
  func play() async throws {
    try await onOwnThread {
      let driver = SessionDriver(source: Self.source, keymap: Self.keymap)
      driver.press("tab g !")
      driver.screen.expectLine("Primary key of stock")
      #expect(driver.browser.topScreen?.screen is PrimaryKeyScreen)
      let columns = (driver.browser.topScreen?.screen as? PrimaryKeyScreen)?.columns ?? []
      driver.press("r")
      #expect((driver.browser.topScreen?.screen as? PrimaryKeyScreen)?.columns == columns.reversed())
      driver.send([.mouse(Mouse(.press(.left), at: Point(column: 5, row: 5)))])
      #expect((driver.browser.topScreen?.screen as? PrimaryKeyScreen)?.clicks == 1)
      driver.screen.expectLine("r reverse")
      driver.press("escape")
      #expect(driver.browser.topScreen == nil)
    }
  }

  @Test("is in the help, the palette, the default keymap file and the listing of keys, in a table of its own")
  func lists() async throws {
    try await onOwnThread {
      let driver = SessionDriver(source: Self.source, keymap: Self.keymap)
      driver.press("tab :")
      driver.type("primary")
      driver.screen.expectLine("primary-key")
      driver.screen.expectLine("g!")
      driver.press("enter")
      driver.press("?")
      driver.screen.expectLine("Keys in the list of keys")
      driver.screen.expectLine("Turn the order of the columns around")
    }
    #expect(Self.keymap.listing.contains("\nkeys\n") && Self.keymap.listing.contains("reverse-columns"))
    let user = Keymap(commands: Self.keymap.commands, userText: "[keys]\n\"x\" = \"reverse-columns\"\n", file: "keys.toml")
    #expect(user.warnings == [])
    #expect(user.notations(for: "reverse-columns", in: .keys) == ["x", "r"])
  }
}
