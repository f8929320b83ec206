import Browser
import Foundation
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("The facets beside the rows", .gated)
struct FacetsTests {
  private static let sales = [
    "CREATE TABLE sale(id INTEGER PRIMARY KEY, country TEXT, product TEXT, note TEXT)",
    """
    INSERT INTO sale(country, product) VALUES
      ('Peru', 'tea'), ('Peru', 'tea'), ('Peru', 'beer'), ('Chile', 'beer'), ('Chile', 'tea'), ('Cuba', 'rum'), ('Cuba', NULL), (NULL, 'tea')
    """,
  ]

  private func play(
    _ sql: [String] = sales, columns: Int = 120, rows: Int = 36, _ body: @escaping @Sendable (SessionDriver) throws -> Void
  ) async throws {
    try await SessionDriver.play(on: sql, columns: columns, rows: rows, keys: "tab g f", body)
  }

  /// The lines of a facet with the values that are shown, without marks and bars: `Peru 3`.
  private static func values(_ column: String, _ driver: SessionDriver) -> [String] {
    guard let screen = facets(driver) else { return [] }
    return screen.list.lines.filter { $0.column == column }.compactMap { line in
      guard case .value(let value, let count) = line.content else { return nil }
      return "\(CountedText(value, glyphs: .unicode).text) \(count.map(String.init) ?? "?")"
    }
  }

  private static func facets(_ driver: SessionDriver) -> FacetsScreen? {
    driver.browser.overlay(FacetsScreen.self)
  }

  private static func filter(_ driver: SessionDriver) -> String? { driver.browser.grid?.view.filter }

  @Test("show each column with its values, how many there are, and how many rows have none")
  func listing() async throws {
    try await play { driver in
      #expect(Self.values("country", driver) == ["Peru 3", "Chile 2", "Cuba 2"], "\(driver.screen)")
      #expect(Self.values("product", driver) == ["tea 4", "beer 2", "∅ NULL 1"])
      driver.screen.expectLine("∅ 12.5 % · 3")
      driver.screen.expectLine("∅ 100 %")
      driver.screen.expectLine("sale · 8 rows", "the rows stay in sight")
    }
  }

  @Test("say under ranges how many rows are in none")
  func leftOut() async throws {
    let sql = [
      "CREATE TABLE reading(n)",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) INSERT INTO reading SELECT i FROM n",
      "INSERT INTO reading VALUES (9e999), ('none'), ('none'), (NULL)",
    ]
    for columns in [120, 80] {
      try await play(sql, columns: columns, rows: 24) { driver in
        driver.screen.expectLine("3 rows are in no range")
      }
    }
  }

  @Test("a value that is chosen narrows the rows and all other columns, and stands in the filter; Space or F takes it back")
  func choosing() async throws {
    try await play { driver in
      driver.play(["/"])
      driver.type("country")
      driver.play(["enter space"])
      driver.screen.expectLine("sale · 3 of 8 rows")
      #expect(Self.filter(driver) == "country = 'Peru'", "\(driver.screen)")
      #expect(Self.values("product", driver) == ["tea 2", "beer 1"])
      #expect(Self.values("country", driver) == ["Peru 3", "Chile 2", "Cuba 2"], "a column is counted without its own condition")
      driver.screen.expectLine("✓ Peru")
      driver.play(["j space"])
      #expect(Self.filter(driver) == "country in ('Peru', 'Chile')")
      #expect(Self.values("product", driver) == ["tea 3", "beer 2"])
      driver.play(["F"])
      #expect(Self.filter(driver) == "" && Self.values("product", driver).first == "tea 4", "\(driver.screen)")
      #expect(driver.browser.top(FacetsScreen.self) != nil, "the keys stay in the facets")
    }
  }

  @Test("values of two columns are joined by and, each counted under the other")
  func two() async throws {
    try await play { driver in
      driver.play(["/"])
      driver.type("country")
      driver.play(["enter space ] space"])
      #expect(Self.filter(driver) == "country = 'Peru' and product = 'tea'", "\(driver.screen)")
      #expect(Self.values("country", driver) == ["Peru 2", "∅ NULL 1", "Chile 1"])
      #expect(Self.values("product", driver) == ["tea 2", "beer 1"])
      driver.play(["x"])
      #expect(Self.filter(driver) == "country = 'Peru'")
      driver.play(["!"])
      #expect(Self.filter(driver) == "country = 'Peru' and product != 'tea'")
      driver.screen.expectLine("✗ tea")
      driver.play(["!"])
      #expect(Self.filter(driver) == "country = 'Peru'" && !driver.screen.contains("✗"), "\(driver.screen)")
      driver.play(["! x"])
      #expect(Self.filter(driver) == "country = 'Peru'", "\(driver.screen)")
      driver.play(["! space"])
      #expect(Self.filter(driver) == "country = 'Peru' and product = 'tea'", "\(driver.screen)")
    }
  }

  @Test("a value is chosen however its column's collation lets it be written, and shown as the filter writes it")
  func collation() async throws {
    try await play([
      "CREATE TABLE t(id INTEGER PRIMARY KEY, country TEXT COLLATE NOCASE)",
      "INSERT INTO t(country) VALUES ('usa'), ('USA'), ('Usa'), ('Peru')",
    ]) { driver in
      #expect(Self.values("country", driver) == ["usa 3", "Peru 1"], "\(driver.screen)")
      driver.play(["tab &"])
      driver.type("country = 'USA'")
      driver.play(["enter"])
      driver.screen.expectLine("✓ USA")
      #expect(Self.values("country", driver) == ["USA 3", "Peru 1"], "\(driver.screen)")
      driver.screen.expectLine("t · 3 of 4 rows")
      driver.play(["tab /"])
      driver.type("country")
      driver.play(["enter space"])
      #expect(Self.filter(driver) == "" && Self.values("country", driver) == ["usa 3", "Peru 1"], "\(driver.screen)")
    }
  }

  @Test("keys pressed faster than rows arrive build on one another")
  func fast() async throws {
    try await play { driver in
      driver.play(["/"])
      driver.type("country")
      driver.play(["enter"])
      driver.type(" j j ")
      #expect(Self.filter(driver) == "country in ('Peru', 'Chile', 'Cuba')", "\(driver.screen)")
    }
  }

  @Test("the text of the filter decides what is chosen; a fault in it leaves the facets as they are")
  func text() async throws {
    try await play { driver in
      driver.play(["tab &"])
      driver.type("product = 'beer' and country in ('Chile', 'Peru')")
      driver.play(["enter"])
      driver.screen.expectLine("✓ beer")
      driver.screen.expectLine("✓ Chile")
      driver.screen.expectLine("✓ Peru")
      #expect(Self.values("country", driver) == ["Chile 1", "Peru 1"])
      driver.play(["&"])
      driver.type(" and nothing = 3")
      #expect(Self.values("country", driver) == ["Chile 1", "Peru 1"], "\(driver.screen)")
      driver.play(["escape & ctrl-u"])
      driver.type("country ~ c")
      driver.play(["enter"])
      #expect(
        Self.values("country", driver).count == 3 && Self.values("product", driver) == ["∅ NULL 1", "beer 1", "rum 1"], "\(driver.screen)")
    }
  }

  @Test("a value that was chosen stays in sight where no row has it any more")
  func chosenStays() async throws {
    try await play { driver in
      driver.play(["tab &"])
      driver.type("product = 'rum' and country = 'Peru'")
      driver.play(["enter"])
      #expect(Self.values("product", driver).contains("rum ?"), "\(Self.values("product", driver))\n\(driver.screen)")
      driver.screen.expectLine("✓ rum")
    }
  }

  @Test("NULL can be chosen as any value, and more values can be shown")
  func nullAndMore() async throws {
    try await play { driver in
      driver.play(["/"])
      driver.type("product")
      driver.play(["enter l"])
      #expect(Self.values("product", driver) == ["tea 4", "beer 2", "∅ NULL 1", "rum 1"])
      driver.play(["j j space"])
      driver.screen.expectLine("sale · 1 of 8 rows")
      #expect(Self.filter(driver) == "product is null", "\(driver.screen)")
      driver.play(["h"])
      #expect(Self.values("product", driver).count == 3)
    }
  }

  @Test("a column of many rows whose values all differ says so, and lists none")
  func unique() async throws {
    try await play([
      "CREATE TABLE t(a TEXT, b TEXT)",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30) INSERT INTO t SELECT 'a' || i, 'b' || (i / 2) FROM n",
    ]) { driver in
      driver.screen.expectLine("unique")
      #expect(Self.values("a", driver) == [], "\(driver.screen)")
      #expect(Self.values("b", driver).count == 3)
      driver.play(["#"])
      driver.screen.expectLine("a · 30 rows · 30 values", "the cursor can stand on its name: \(driver.screen)")
    }
  }

  @Test("are beside the rows at 80 columns too, and over them on a narrower screen")
  func room() async throws {
    try await play(columns: 80, rows: 24) { driver in
      driver.screen.expectLine("─ Facets ─")
      driver.screen.expectLine("country")
      #expect(driver.browser.hasSidePanel, "\(driver.screen)")
      driver.play(["tab"])
      #expect(!driver.browser.hasTopScreen)
      driver.play(["enter"])
      #expect(driver.browser.top(RecordScreen.self) != nil)
      driver.play(["escape"])
      #expect(!driver.browser.hasTopScreen && driver.browser.hasSidePanel, "the keys go back to the rows")
      driver.play(["tab"])
      #expect(driver.browser.top(FacetsScreen.self) != nil)
      driver.play(["escape"])
      #expect(driver.browser.overlays.isEmpty)
    }
    try await play(columns: 60, rows: 20) { driver in
      driver.screen.expectLine("─ Facets ─")
      #expect(!driver.browser.hasSidePanel, "\(driver.screen)")
      driver.play(["] space escape"])
      #expect(driver.browser.overlays.isEmpty && Self.filter(driver) == "country = 'Peru'", "\(driver.screen)")
    }
  }

  @Test("turn to another table with the grid, and # shows all values of a column")
  func others() async throws {
    try await play(Self.sales + ["CREATE TABLE town(name TEXT)", "INSERT INTO town VALUES ('Lima'), ('Lima')"]) { driver in
      driver.open("town")
      #expect(Self.values("name", driver) == ["Lima 2"], "\(driver.screen)")
      driver.play(["g f #"])
      driver.screen.expectLine("name · 2 rows · 1 value")
      driver.play(["escape g f"])
      #expect(driver.browser.overlays.isEmpty)
    }
  }

  @Test("an empty table, a view that fails, and values of all kinds")
  func oddTables() async throws {
    try await play(["CREATE TABLE t(a, b)"]) { driver in
      driver.screen.expectLine("no rows")
      driver.play(["space j k G l h x"])
    }
    try await play(["CREATE TABLE t(v)", "INSERT INTO t VALUES (1), (1), ('1'), ('1'), (x'01'), (x'01'), (NULL)"]) { driver in
      driver.play(["l"])
      #expect(Set(Self.values("v", driver)) == ["1 2", "'1' 2", "x'01' 1 B 2", "∅ NULL 1"], "\(driver.screen)")
      for _ in 0..<4 { driver.play(["space j"]) }
      driver.screen.expectLine("t · 7 of 7 rows")
    }
    try await play([
      """
      CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      SELECT i, CASE i WHEN 2501 THEN abs(-9223372036854775808) ELSE i % 3 END AS b FROM n
      """
    ]) { driver in
      let words = driver.screen.split(separator: "\n").compactMap { line in line.split(separator: "│").last.map(String.init) }
      let text = words.joined(separator: " ").split(separator: " ").joined(separator: " ")
      #expect(text.contains("stopped at an error: integer overflow, in column b of v after 2,500 rows"), "\(driver.screen)")
      driver.play(["j j l h"])
    }
  }

  // MARK: While counting

  /// Facets of all columns of songs, each with two values.
  private static func facets(_ count: Int, isComplete: Bool = true) -> [Facet] {
    BrowserFixture.columns.map { column in
      let values = [ValueCount(.value("a"), count), ValueCount(.value("b"), 1)]
      return Facet(
        column: column.name, rows: count + 1, nulls: 0, distinct: .exact(2), content: .values(values), isComplete: isComplete)
    }
  }

  @Test("outdated numbers are dimmed once the new ones are late, and growing ones until they are final")
  func late() throws {
    var browser = BrowserFixture.openBrowser(columns: 120, rows: 36)
    browser.press("g f")
    browser.answer(LoadFacets.self, .success(Self.facets(70)))
    browser.press("] space")
    let before = try #require(browser.top(FacetsScreen.self))
    browser.screen.expectLine("70")
    #expect(!before.isUnsettled("id") && !before.isUnsettled("title"))
    #expect(browser.outstanding(LoadFacets.self).last?.request.columns.contains("title") == false, "its own facet stays")
    browser.report(LoadFacets.self, .late)
    let outdated = try #require(browser.top(FacetsScreen.self))
    #expect(outdated.isUnsettled("id") && !outdated.isUnsettled("title"))
    browser.report(LoadFacets.self, .counted(Self.facets(20, isComplete: false).filter { $0.column == "id" }))
    let growing = try #require(browser.top(FacetsScreen.self))
    #expect(growing.isUnsettled("id") && growing.facet(of: "id")?.rows == 21)
    browser.answer(LoadFacets.self, .success(Self.facets(30).filter { $0.column != "title" }))
    let settled = try #require(browser.top(FacetsScreen.self))
    #expect(BrowserFixture.columns.allSatisfy { !settled.isUnsettled($0.name) } && settled.facet(of: "title")?.rows == 71)
  }

  @Test("a count that may be greater says so")
  func bounds() {
    var browser = BrowserFixture.openBrowser(columns: 120, rows: 36)
    browser.press("g f")
    let facets = Self.facets(70).map { facet in
      var facet = facet
      facet.isContentExact = false
      return facet
    }
    browser.answer(LoadFacets.self, .success(facets))
    browser.screen.expectLine("≥ 70")
    browser.screen.expectLine("≥ 70 rows · 98.6 %")
  }

  @Test("numbers that may still grow are lower bounds, a column without a row yet is not said to have none, and a stop is told")
  func partial() throws {
    var browser = BrowserFixture.openBrowser(columns: 120, rows: 36)
    browser.press("g f")
    let none = Self.facets(70, isComplete: false).map { facet in
      var facet = facet
      (facet.rows, facet.content) = (0, .values([]))
      return facet
    }
    browser.report(LoadFacets.self, .counted(none))
    #expect(!browser.screen.contains("no rows"), "\(browser.screen)")
    browser.report(LoadFacets.self, .counted(Self.facets(70, isComplete: false)))
    browser.screen.expectLine("≥ 70")
    browser.screen.expectLine("≥ 70 rows · 98.6 %")
    // So are those of different values.
    for distinct in [Cardinality.exact(4_321), .estimated(4_410, error: 0.02)] {
      let facets = Self.facets(70, isComplete: false).map { facet in
        var facet = facet
        facet.distinct = distinct
        return facet
      }
      browser.report(LoadFacets.self, .counted(facets))
      browser.screen.expectLine("≥ 4,321")
    }
    browser.report(LoadFacets.self, .counted(none))
    browser.screen.expectLine("≥ 70", "what was counted stays until there is a row: \(browser.screen)")
    browser.answer(LoadFacets.self, .failure(.stopped))
    browser.screen.expectLine("stopped before the end")
    browser.screen.expectLine("≥ 70")
  }

  @Test("other values chosen meanwhile are counted in place of those, and leaving cancels")
  func superseding() throws {
    var browser = BrowserFixture.openBrowser(columns: 120, rows: 36)
    browser.press("g f")
    browser.answer(LoadFacets.self, .success(Self.facets(70)))
    browser.press("] space")
    let first = try #require(browser.outstanding(LoadFacets.self).last)
    let effects = browser.press("j space")
    #expect(effects.contains(.cancel(first.id)))
    let second = try #require(browser.outstanding(LoadFacets.self).last)
    #expect(second.request.subject.view.filter == "title in ('a', 'b')")
    #expect(browser.press("escape").contains(.cancel(second.id)))
  }

  @Test("of 2,000 columns those in sight are counted, and others when they are scrolled to")
  func manyColumns() async throws {
    let names = (0..<1_900).map { "c\($0)" }
    try await play([
      "CREATE TABLE t(\(names.joined(separator: ", ")))",
      "INSERT INTO t(c0, c1899) VALUES ('x', 'last'), ('x', 'last')",
    ]) { driver in
      #expect(Self.values("c0", driver) == ["x 2"], "\(driver.screen)")
      #expect(Self.facets(driver)?.facet(of: "c1000") == nil)
      driver.play(["G"])
      #expect(Self.values("c1899", driver) == ["last 2"], "\(driver.screen)")
      #expect(Self.facets(driver)?.facet(of: "c1000") == nil)
      driver.play(["space"])
      #expect(Self.filter(driver) == "c1899 = 'last'")
      driver.screen.expectLine("1,900 of 1,900 columns")
    }
  }
}

@Suite("While a facet is chosen", .gated)
struct FacetFlickerTests {
  @Test("no cell changes and changes back")
  func none() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE city(id INTEGER PRIMARY KEY, country TEXT, kind TEXT, size INTEGER)",
        """
        INSERT INTO city WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
          SELECT i, 'country ' || (i % 7), 'kind ' || (i * i % 5), i % 11 FROM n
        """)
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.play(["tab g f ]"])
        for keys in ["space", "j", "space", "]", "space", "F"] {
          var frames = [driver.terminal.painted].compactMap(\.self)
          // A machine that is slow enough dims what is outdated, which is meant.
          driver.terminal.onPaint = { if !Self.isDimmed(driver) { frames.append($0) } }
          driver.pressAtOnce(keys)
          driver.settleAtOnce()
          driver.terminal.onPaint = { _ in }
          #expect(Self.flickers(in: frames) == [], "\(keys)")
        }
        #expect(driver.browser.grid?.view.filter == "country in ('country 1', 'country 2')", "\(driver.screen)")
      }
    }
  }

  private static func isDimmed(_ driver: SessionDriver) -> Bool {
    let facets = driver.browser.overlay(FacetsScreen.self)
    return driver.browser.rows.areRowsOutdated(in: driver.browser.workspace)
      || facets?.columns.contains { facets?.isUnsettled($0) ?? false } ?? false
  }

  /// The cells between title and last line that come back to what they were.
  private static func flickers(in frames: [Surface]) -> [Point] {
    zip(zip(frames, frames.dropFirst()), frames.dropFirst(2)).flatMap { pair, third in
      (1..<35).flatMap { row in
        zip(pair.0.cells(inRow: row), zip(pair.1.cells(inRow: row), third.cells(inRow: row))).enumerated().compactMap { column, cells in
          let (first, (second, last)) = cells
          return first == last && first != second ? Point(column: column, row: row) : nil
        }
      }
    }
  }
}
