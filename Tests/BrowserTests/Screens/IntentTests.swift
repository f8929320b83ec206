import QuarryEngine
import QuarryFiles
import QuarryRows
import Synchronization
import Terminal
import TestSupport
import Testing

@testable import Browser

@Suite("Intents between screens", .gated)
struct IntentTests {
  private static let albums = TableReference(name: "albums")

  private static let source = MemorySource(tables: [
    MemorySource.Table(name: "stock", columns: ["shop", "item"], rows: [[.integer(1), .integer(2)]])
  ])

  /// A browser with a record open beside the rows or over them.
  private static func record() -> Browser {
    var browser = BrowserFixture.openBrowser(columns: 120)
    browser.press("enter")
    return browser
  }

  @Test("the catalog opens a table, and keeps the focus at a first click")
  func catalog() {
    var browser = BrowserFixture.openBrowser(columns: 120)
    browser.press("tab j")
    browser.press("enter")
    #expect(browser.sent(RowsIntent.self) == [.open(BrowserFixture.songs)] && browser.focus == .rows)
    _ = browser.update(.eventArrived(.mouse(Mouse(.press(.left), at: Point(column: 4, row: 2)))))
    #expect(browser.sent(RowsIntent.self) == [.open(Self.albums)] && browser.focus == .catalog)
  }

  @Test("the catalog asks what is being opened once it has been read, and then opens its first table")
  func firstTable() {
    var browser = BrowserFixture.browser()
    _ = browser.start()
    browser.answer(LoadCatalog.self, .success(BrowserFixture.catalog))
    #expect(browser.sent(RowsIntent.self) == [.catalogRead, .show(Self.albums)])
  }

  @Test("a record sends what is to be done with its row")
  func commands() {
    for (keys, intent) in [
      ("]", RowsIntent.moveRows(by: 1)), ("5 [", .moveRows(by: -5)), ("j e", .editCell(column: 1)), ("j g n", .setNull(column: 1)),
      ("y", .copyValue(of: .rowID(1), column: 0)), ("Y", .copyRow), ("g r", .showReferringRows),
    ] {
      var browser = Self.record()
      browser.answer(LoadRecord.self, .success(BrowserFixture.row(0)))
      browser.press(keys)
      #expect(browser.sent(RowsIntent.self) == [intent], "\(keys)")
    }
  }

  @Test("an editor sends its run's results to the rows")
  func statement() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("f4")
    browser.type("select 1")
    browser.press("f5")
    #expect(browser.sent(RowsIntent.self) == [.dropOpening])
    browser.answer(PrepareRun.self, .success(PrepareRun.Answer(result: .success(PreparedRun()))))
    #expect(browser.sent(RowsIntent.self) == [.clearResults])
    let part = try #require(browser.outstanding(RunStatements.self).last?.request.request.statements.first)
    let outcome = StatementOutcome(content: .done(changes: 2, lastRowID: nil), elapsed: .zero)
    browser.report(RunStatements.self, .ended(0, outcome))
    #expect(browser.sent(RowsIntent.self) == [.add(part, outcome)])
  }

  @Test("the rows send what is to be read, explained and edited elsewhere")
  func rows() {
    var browser = BrowserFixture.openBrowser()
    browser.press("R")
    #expect(browser.sent(CatalogIntent.self) == [.load])
    for (keys, intent) in [("g e", SQLIntent.edit("SELECT 1;")), ("g x", .explain("SELECT 1", rows: 100))] {
      browser.press(keys)
      browser.answer(WriteQuery.self, .success("SELECT 1"))
      #expect(browser.sent(SQLIntent.self) == [intent], "\(keys)")
      browser.focus = .rows
    }
  }

  @Test("a list sends what its item stands for, once it has closed")
  func dialog() {
    var picker = Picker(title: "Quit?", placeholder: "", items: [PickerItem(label: "Yes", perform: .send(BrowserIntent.quit))])
    let core = ScreenContextCore(environment: BrowserFixture.browser().environment, requests: RequestTable())
    var context = ScreenContext<Picker>(id: ScreenID(number: 9), core: core)
    picker.choose(&context)
    let sent = context.core.followUps.flatMap { if case .intents(let intents) = $0 { intents } else { [] } }
    #expect(sent.compactMap { $0 as? BrowserIntent } == [.close(ScreenID(number: 9)), .quit])
  }

  @Test("an intent opens the screen that it is for")
  func opening() {
    var browser = BrowserFixture.openBrowser(columns: 120)
    browser.press("enter")
    #expect(browser.sent(RecordIntent.self) == [.showCurrentRow] && browser.top(RecordScreen.self) != nil)
    browser.press("escape tab i")
    #expect(browser.sent(DetailsIntent.self) == [.table(Self.albums)] && browser.top(DetailsScreen.self) != nil)
  }

  @Test("facets that lie beside the rows get the keys, and are opened where they do not")
  func facets() {
    var browser = BrowserFixture.openBrowser(columns: 120)
    for _ in 1...2 {
      browser.press("g f")
      #expect(browser.sent(FacetsIntent.self).count == 1 && browser.top(FacetsScreen.self) != nil)
      browser.press("tab")
      #expect(!browser.hasTopScreen && browser.sidePanel?.screen is FacetsScreen)
    }
    #expect(browser.overlays.count == 1)
  }

  @Test("where nobody receives an intent, the notice for that is shown")
  func unreceived() throws {
    var browser = BrowserFixture.openBrowser()
    browser.send(RowsIntent.importFile(ImportFile(plan: ImportPlan(path: "/tmp/a.csv", into: .existing(BrowserFixture.songs)))))
    browser.answer(ImportFile.self, .success(.refused("the file has no rows")))
    #expect(browser.sent(ImportIntent.self) == [.fail("the file has no rows")])
    #expect(browser.notice == Notice("the file has no rows", .error))
  }

  @Test("a change of the filter is applied to the text that is in force")
  func filterChanges() throws {
    let columns = FilterColumns(BrowserFixture.schema)
    let seven = CountedValue.value(.integer(7))
    for (change, text, expected) in [
      (FilterChange.add(FilterSyntax(.column("length"))), "", "length"),
      (.narrow([seven], of: "album_id", isExcluded: false), "length > 3", "length > 3 and album_id = 7"),
      (.narrow([seven], of: "album_id", isExcluded: true), "", "album_id != 7"),
      (.toggle(seven, of: "album_id"), "album_id = 7", ""),
      (.toggleExclusion(seven, of: "album_id"), "album_id = 7", "album_id != 7"),
      (.clear("album_id", admitting: [seven]), "length > 3 and album_id != 7", "length > 3"),
      (.removeLast, "length > 3 and album_id = 7", "length > 3"), (.removeAll, "length > 3", ""),
    ] {
      #expect(try change.applied(to: text, in: columns) == expected, "\(change)")
    }
  }

  @Test("the log names each intent with what it carries")
  func log() async throws {
    try await onOwnThread {
      let lines = Mutex<[String]>([])
      let driver = SessionDriver(source: Self.source, log: { line in lines.withLock { $0.append(line) } })
      driver.press("enter")
      #expect(lines.withLock { $0.contains { $0.hasPrefix("RowsIntent.open(") } })
    }
  }
}
