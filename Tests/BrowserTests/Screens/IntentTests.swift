import QuarryEngine
import QuarryRows
import Synchronization
import Terminal
import TestSupport
import Testing

@testable import Browser

@Suite("What a screen wants of another is an intent", .gated)
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
    let part = try #require(browser.requests.outstanding(RunStatements.self).last?.request.request.statements.first)
    let outcome = StatementOutcome(content: .done(changes: 2, lastRowID: nil), elapsed: .zero)
    browser.report(RunStatements.self, .ended(0, outcome))
    #expect(browser.sent(RowsIntent.self) == [.add(part, outcome)])
  }

  @Test("the rows send what is to be read, explained and edited elsewhere")
  func rows() {
    var browser = BrowserFixture.openBrowser()
    browser.press("R")
    #expect(browser.sent(CatalogIntent.self) == [.load])
    for (keys, intent) in [("g e", SQLIntent.edit("SELECT 1;")), ("g x", .explain("SELECT 1"))] {
      browser.press(keys)
      browser.answer(WriteQuery.self, .success("SELECT 1"))
      #expect(browser.sent(SQLIntent.self) == [intent], "\(keys)")
      browser.focus = .rows
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
