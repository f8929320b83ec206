import Browser
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("What the last line tells of the selected cells", .gated)
struct SelectionSummaryTests {
  /// Plays on a table whose rows the grid shows.
  private static func play(
    columns: Int = 160, _ statements: String, body: @escaping @Sendable (SessionDriver) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, statements)
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: columns)
        driver.press("enter")
        try body(driver)
      }
    }
  }

  private static let products = """
    CREATE TABLE product(id INTEGER PRIMARY KEY, price, sold TEXT);
    INSERT INTO product VALUES (1, 2.5, '2024-02-29'), (2, 7, '2023-01-01'), (3, 'free', NULL), (4, NULL, '2025-12-31'), (5, 7.0, '2024-05-01')
    """

  private static func lastLine(_ driver: SessionDriver) -> String { driver.screen.split(separator: "\n").last.map(String.init) ?? "" }

  @Test("compares texts as their column does")
  func collations() async throws {
    let statements = """
      CREATE TABLE word(id INTEGER PRIMARY KEY, fold TEXT COLLATE NOCASE, cut TEXT COLLATE RTRIM, exact TEXT);
      INSERT INTO word VALUES (1, 'b', 'b', 'b'), (2, 'A', 'b  ', 'A'), (3, 'B', ' b', 'B'), (4, 'a', 'b ', 'a')
      """
    try await Self.play(statements) { driver in
      driver.press("l v j j j")
      #expect(Self.lastLine(driver).contains("4 texts · 2 distinct · min A · max b"), "\(driver.screen)")
      driver.press("escape g g l v j j j")
      #expect(Self.lastLine(driver).contains("4 texts · 2 distinct · min  b · max b"), "\(driver.screen)")
      driver.press("escape g g l v j j j")
      #expect(Self.lastLine(driver).contains("4 texts · 4 distinct · min A · max b"), "\(driver.screen)")
    }
  }

  @Test("of infinities of both signs says that they have no sum")
  func infinities() async throws {
    try await Self.play("CREATE TABLE t(id INTEGER PRIMARY KEY, n REAL); INSERT INTO t(n) VALUES (9e999), (1), (-9e999)") { driver in
      driver.press("l v j j")
      #expect(
        Self.lastLine(driver).contains("3 numbers · 3 distinct · no sum: 9e999 and -9e999 · min -9e999 · max 9e999"), "\(driver.screen)")
    }
    try await Self.play(columns: 40, "CREATE TABLE t(id INTEGER PRIMARY KEY, n REAL); INSERT INTO t(n) VALUES (9e999), (-9e999)") {
      driver in
      driver.press("l v j")
      #expect(Self.lastLine(driver).contains("2 num"), "\(driver.screen)")
    }
  }

  @Test("counts the values of each kind, and tells of the numbers what they come to")
  func mixed() async throws {
    try await Self.play(Self.products) { driver in
      driver.press("l v j j j j")
      #expect(
        Self.lastLine(driver).contains("3 numbers, 1 text, 1 NULL · 3 distinct · sum 16.5 · mean 5.5 · min 2.5 · max 7"),
        "\(driver.screen)")
      driver.press("escape")
      #expect(Self.lastLine(driver).contains("row 5 of 5"), "\(driver.screen)")
    }
  }

  @Test("tells of whole rows what the column of the cursor comes to, and of dates the first and the last")
  func rows() async throws {
    try await Self.play(Self.products) { driver in
      driver.press("l l V G")
      #expect(
        Self.lastLine(driver).contains("sold: 4 texts, 1 NULL · 4 distinct · min 2023-01-01 · max 2025-12-31"), "\(driver.screen)")
      driver.press("h h")
      #expect(Self.lastLine(driver).contains("id: 5 numbers · 5 distinct · sum 15 · mean 3 · min 1 · max 5"), "\(driver.screen)")
    }
  }

  @Test("becomes shorter with the screen, and is not told in part", arguments: [80, 60, 40])
  func narrow(columns: Int) async throws {
    try await Self.play(columns: columns, Self.products) { driver in
      driver.press("l v j j j j")
      let expected = [80: "3 num, 1 txt, 1 NULL · sum 16.5 · mean 5.5 · 2.5 to 7", 60: "sum 16.5", 40: "sum 16.5"][columns] ?? ""
      #expect(Self.lastLine(driver).contains(expected), "\(driver.screen)")
    }
  }

  @Test("counts what is staged as it is shown")
  func staged() async throws {
    try await Self.play(Self.products) { driver in
      driver.press("l e ctrl-u")
      driver.type("10")
      driver.press("enter v j")
      #expect(Self.lastLine(driver).contains("2 numbers · 2 distinct · sum 17 · mean 8.5"), "\(driver.screen)")
    }
  }

  @Test("is read in the background where the selection reaches beyond the rows that are loaded")
  func many() async throws {
    let numbers = """
      CREATE TABLE number(id INTEGER PRIMARY KEY, value INTEGER);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) INSERT INTO number SELECT i, 9223372036854775807 FROM n
      """
    try await Self.play(numbers) { driver in
      driver.press("l v G")
      driver.wait { Self.lastLine(driver).contains("50,000 num") }
      #expect(Self.lastLine(driver).contains("sum 461,168,601,842,738,790,350,000"), "\(driver.screen)")
    }
  }

  @Test("grows while it is read, and says that it is not all")
  func growing() throws {
    var browser = BrowserFixture.openBrowser(columns: 160)
    browser.press("v")
    browser.answer(browser.press("G"))
    let request = try #require(browser.outstanding(SummarizeSelection.self).first?.request)
    #expect(request.first == .rowID(1) && request.last == .rowID(1_000) && request.columns == [0])
    var summarizer = ValueSummarizer()
    for number in 1...20 { summarizer.add(.integer(Int64(number))) }
    let progress = RowProgress(rows: 20, total: 1_000)
    browser.report(SummarizeSelection.self, SummarizeSelection.Report(values: summarizer.result, progress: progress))
    let words = "≥ 20 numbers · ≥ 20 distinct · sum so far 210 · mean so far 10.5 · min ≤ 1 · max ≥ 20"
    browser.screen.expectLine(words)
    browser.answer(SummarizeSelection.self, .failure(.stopped))
    browser.screen.expectLine("≥ 20 numbers · ≥ 20 distinct · sum so far 210 · mean so far 10.5 · min ≤ 1 · max ≥ 20")
    browser.press("k")
    #expect(browser.outstanding(SummarizeSelection.self).count == 1)
    browser.press("escape")
    #expect(browser.outstanding(SummarizeSelection.self).isEmpty && !browser.screen.contains("numbers"), "\(browser.screen)")
  }
}
