import Browser
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("The catalog", .gated)
struct CatalogTests {
  private var browser: Browser = {
    var browser = BrowserFixture.openBrowser()
    browser.press("tab")
    return browser
  }()

  @Test("tables and views stand in groups, the cursor on the table that is open")
  func groups() {
    browser.screen.expectLine("▾ Tables")
    browser.screen.expectLine("▾ Views")
    #expect(browser.catalog.currentTable?.name == "albums")
  }

  @Test("Enter opens the table under the cursor and turns to it")
  mutating func open() {
    browser.press("j")
    let opened = browser.press("enter").requests(OpenRows.self).first?.request
    #expect(opened?.rowSet == RowSet(.table(BrowserFixture.songs)))
    #expect(opened?.place == .first)
    #expect(browser.focus == .rows)
  }

  @Test("Enter on a heading folds its group, and again unfolds it")
  mutating func fold() {
    browser.press("g g")
    browser.press("enter")
    #expect(!browser.screen.contains("songs"))
    browser.screen.expectLine("▸ Tables 2")
    browser.press("enter")
    browser.screen.expectLine("songs")
  }

  @Test("typing after / narrows the list by letters in order; Esc shows all again")
  mutating func narrow() {
    browser.press("/")
    browser.type("sng")
    #expect(browser.catalog.currentTable?.name == "songs")
    #expect(!browser.catalog.lines.contains { $0.table?.name == "albums" })
    browser.press("escape")
    #expect(browser.catalog.lines.contains { $0.table?.name == "albums" })
  }

  @Test(
    "the cursor goes to the name that fits best what is typed: whole, at its beginning, at a word's, inside, scattered",
    arguments: [
      ("ord", "Orders"), ("orders", "Orders"), ("order d", "Order Details"), ("det", "Order Details"), ("sum", "Summary of Orders"),
      ("demo", "CustomerCustomerDemo"),
      ("od", "Orders"), ("cust", "Customers"), ("customer", "Customers"),
    ])
  mutating func best(text: String, name: String) {
    let names = ["CustomerCustomerDemo", "Customers", "Order Details", "Orders", "Summary of Orders"]
    let entries = names.map { BrowserFixture.entry(TableReference(name: $0)) }
    browser.press("R")
    browser.answer(LoadCatalog.self, .success(Catalog(databases: [CatalogDatabase(name: "main", path: "/a.db", entries: entries)])))
    browser.press("/")
    browser.type(text)
    #expect(browser.catalog.currentTable?.name == name)
    let shown = browser.catalog.lines.compactMap { $0.table?.name }
    #expect(shown == names.filter(shown.contains), "the names keep their order")
  }

  @Test("a name that no table has is said to be none")
  mutating func nothing() {
    browser.press("/")
    browser.type("xyz")
    browser.screen.expectLine("no match")
    #expect(browser.press("enter").isEmpty)
  }

  @Test("counts appear beside the names when they arrive")
  mutating func counts() {
    browser.report(CountTables.self, CountTables.Count(table: BrowserFixture.songs, number: .exact(3_503)))
    browser.screen.expectLine("3,503")
  }

  @Test("several databases have a line each, and system tables are folded")
  mutating func databases() {
    let other = CatalogDatabase(
      name: "other", path: "/b.db",
      entries: [
        BrowserFixture.entry(TableReference(database: "other", name: "things")),
        BrowserFixture.entry(TableReference(database: "other", name: "sqlite_sequence"), kind: .system),
      ])
    browser.press("R")
    browser.answer(LoadCatalog.self, .success(Catalog(databases: BrowserFixture.catalog.databases + [other])))
    browser.screen.expectLine("things")
    browser.screen.expectLine("▸ System 1")
    #expect(!browser.screen.contains("sqlite_sequence"))
  }

  @Test("a database without tables says so")
  func empty() {
    var browser = BrowserFixture.browser()
    _ = browser.start()
    browser.answer(LoadCatalog.self, .success(Catalog(databases: [CatalogDatabase(name: "main", path: nil, entries: [])])))
    browser.screen.expectLine("This database has no tables yet.")
  }

  @Test("^P jumps to any table by letters of its name")
  mutating func jump() {
    browser.press("ctrl-p")
    browser.type("sgs")
    let effects = browser.press("enter")
    #expect(effects.requests(OpenRows.self).first?.request.rowSet == RowSet(.table(BrowserFixture.songs)))
    #expect(browser.overlays.isEmpty)
  }

  @Test("a letter without a command finds a table by its name, as do letters after a prefix that leads nowhere")
  mutating func typeAhead() {
    browser.type("so")
    #expect(browser.catalog.currentTable?.name == "songs")
    #expect(browser.catalog.filter?.text == "so")
    browser.press("escape")
    browser.type("gs")
    #expect(browser.catalog.filter?.text == "gs")
    browser.press("escape")
    browser.type("s")
    browser.press("enter")
    #expect(browser.catalog.filter == nil && browser.catalog.lines.contains { $0.table?.name == "albums" }, "the list is whole again")
    browser.press("tab")
    browser.press("j")
    #expect(browser.catalog.filter == nil, "a letter with a command stays what it is")
  }

  @Test("the open table is marked, wherever the cursor is")
  mutating func mark() {
    browser.press("j")
    #expect(browser.screen.contains("● albums"), "\(browser.screen)")
  }

  @Test("a table is previewed where the cursor comes to rest, and the cursor stays where it has moved meanwhile")
  mutating func preview() {
    browser.press("j")
    let opened = browser.answer(AwaitRest.self, .success(())).requests(OpenRows.self).first?.request
    #expect(opened?.rowSet == RowSet(.table(BrowserFixture.songs)))
    #expect(browser.focus == .catalog)
  }

  @Test("nothing is previewed once the focus has left the catalog")
  mutating func leaving() {
    browser.press("j")
    browser.press("tab")
    #expect(browser.answer(AwaitRest.self, .success(())).requests(OpenRows.self).isEmpty)
  }
}

@Suite("The preview of the table under the catalog's cursor", .gated)
struct PreviewTests {
  private static let tables = [
    "CREATE TABLE a(x)", "CREATE TABLE b(x)", "CREATE TABLE c(x)", "CREATE TABLE d(x)", "CREATE VIEW v AS SELECT * FROM a",
    "INSERT INTO a VALUES (1)", "INSERT INTO b VALUES (2)", "INSERT INTO c VALUES (3)", "INSERT INTO d VALUES (4)",
  ]

  private func play(_ keys: String, _ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await SessionDriver.play(on: Self.tables, keys: keys, body)
  }

  @Test("shows the table, with the focus in the catalog")
  func shown() async throws {
    try await play("j") { driver in
      #expect(driver.browser.grid?.title == "b")
      #expect(driver.browser.focus == .catalog)
      driver.press("enter")
      #expect(driver.browser.grid?.title == "b")
      #expect(driver.browser.focus == .rows)
    }
  }

  @Test("leaves no trace of tables that were only passed by")
  func history() async throws {
    try await play("j") { driver in
      driver.press("j")
      driver.press("j")
      driver.press("enter")
      #expect(driver.browser.grid?.title == "d")
      driver.press("ctrl-o")
      #expect(driver.browser.grid?.title == "a")
    }
  }

  @Test("stays in the history once it has had the focus")
  func kept() async throws {
    try await play("j") { driver in
      driver.press("tab")
      driver.press("shift-tab")
      driver.press("j")
      driver.press("enter")
      driver.press("ctrl-o")
      #expect(driver.browser.grid?.title == "b")
    }
  }

  @Test("shows no view, whose rows may take any time")
  func views() async throws {
    try await play("G") { driver in #expect(driver.browser.grid?.title == "a") }
  }

  @Test("shows no results away, and does not begin while the editor is open")
  func results() async throws {
    try await play("f4") { driver in
      driver.type("SELECT 42 AS answer")
      driver.press("f5")
      driver.press("escape")
      driver.press("shift-tab")
      driver.press("shift-tab")
      driver.press("j")
      #expect(driver.screen.contains("answer"), "\(driver.screen)")
    }
  }

  @Test("reads only tables whose remembered filter costs little")
  func remembered() {
    var workspace = RowsFixture.workspace()
    let table = TableReference(name: "a")
    #expect(workspace.readsOnePage(of: table))
    workspace.memory[table] = SessionMemory.TableView(filter: "x > 3")
    #expect(!workspace.readsOnePage(of: table))
    workspace.note(.exact(5_000_000), of: table)
    #expect(!workspace.readsOnePage(of: table))
    workspace.note(.exact(5_000), of: table)
    #expect(workspace.readsOnePage(of: table))
  }
}
