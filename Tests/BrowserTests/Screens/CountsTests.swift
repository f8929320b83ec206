import Browser
import Foundation
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("The counts of a column", .gated)
struct CountsTests {
  /// Plays on a table, with the cursor on its second column.
  private func play(
    _ sql: String..., columns: Int = 120, _ body: @escaping @Sendable (SessionDriver) throws -> Void
  ) async throws {
    try await SessionDriver.play(on: sql, columns: columns, keys: "tab l", body)
  }

  private static let cities = [
    "CREATE TABLE city(id INTEGER PRIMARY KEY, country TEXT, height INTEGER)",
    "INSERT INTO city(country, height) VALUES ('Peru', 1), ('Peru', 2), ('Peru', 3), ('Chile', 4), ('Chile', 5), ('Cuba', 6), (NULL, 7)",
  ]

  private func playCities(columns: Int = 120, _ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await play(Self.cities[0], Self.cities[1], columns: columns, body)
  }

  /// The lines in the frame, without it and without blanks at their ends.
  private static func lines(_ driver: SessionDriver) -> [String] {
    let lines = driver.screen.split(separator: "\n").map(String.init)
    return lines.compactMap { line in
      guard let end = line.lastIndex(of: "│"), let start = line[..<end].lastIndex(of: "│") else { return nil }
      return line[line.index(after: start)..<end].trimmed
    }.filter { !$0.isEmpty }
  }

  /// The value of each line, as it is shown.
  private static func values(_ driver: SessionDriver) -> [String] {
    lines(driver).dropFirst().map { line in
      String(line.drop { "▌✓ ".contains($0) }.split(separator: "  ", omittingEmptySubsequences: true).first ?? "")
    }
  }

  private static func filter(_ driver: SessionDriver) -> String? { driver.browser.grid?.view.filter }

  @Test("name each value with its count and its share, the most frequent first")
  func listing() async throws {
    try await playCities { driver in
      driver.play(["#"])
      driver.screen.expectLine("country · 7 rows · 3 values and NULL")
      #expect(Self.values(driver) == ["Peru", "Chile", "∅ NULL", "Cuba"])
      #expect(Self.lines(driver)[1].contains("3    42.9 %  ████"))
      #expect(Self.lines(driver)[4].contains("1    14.3 %  ████"))
    }
  }

  @Test("keep their columns where a share is nearly all or nearly nothing")
  func extremeShares() async throws {
    try await play(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v)",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO t SELECT i, i = 7 FROM n"
    ) { driver in
      driver.play(["#"])
      let ends = try ["share", "> 99.9 %", "< 0.1 %"].map { text in
        let line = try #require(driver.screen.split(separator: "\n").first { $0.contains(text) })
        return line.distance(from: line.startIndex, to: try #require(line.firstRange(of: text)).upperBound)
      }
      #expect(Set(ends).count == 1, "\(driver.screen)")
    }
  }

  @Test("tell apart what looks alike: numbers and texts, nothing and blanks, a blob and its digits")
  func kinds() async throws {
    try await play(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v)",
      "INSERT INTO t(v) VALUES (1), (1.0), ('1'), (NULL), ('NULL'), (''), (' '), (x'01'), (CAST(x'ff' AS TEXT)), (2.5), ('plain')"
    ) { driver in
      driver.play(["# s"])
      driver.screen.expectLine("v · 11 rows · 9 values and NULL")
      #expect(Self.values(driver) == ["∅ NULL", "1", "2.5", "''", "' '", "'1'", "'NULL'", "plain", "x'ff' 1 B", "x'01' 1 B"])
    }
  }

  @Test("keep the rows with the value under the cursor, besides what the filter says already")
  func keeping() async throws {
    try await playCities { driver in
      driver.play(["# enter"])
      #expect(Self.filter(driver) == "country = 'Peru'" && !driver.browser.hasTopScreen, "\(driver.screen)")
      driver.play(["l # j enter"])
      #expect(Self.filter(driver) == "country = 'Peru' and height = 2", "\(driver.screen)")
      driver.play(["F"])
      #expect(Self.filter(driver) == "country = 'Peru'")
    }
  }

  @Test("leave a value out, and keep or leave out several that are marked")
  func several() async throws {
    try await playCities { driver in
      driver.play(["# j !"])
      driver.screen.expectLine("city · 5 of 7 rows")
      #expect(Self.filter(driver) == "country != 'Chile'", "\(driver.screen)")
      driver.play(["g F # space space"])
      driver.screen.expectLine("2 marked")
      driver.screen.expectLine("⏎ include 2")
      driver.play(["enter"])
      #expect(Self.filter(driver) == "country in ('Peru', 'Chile')")
      driver.play(["g F # j j space space !"])
      #expect(Self.filter(driver) == "country is not null and country != 'Cuba'", "\(driver.screen)")
      driver.play(["g F # space escape"])
      #expect(driver.browser.top(CountsScreen.self) != nil && !driver.screen.contains("marked"), "Esc drops the marks first")
      driver.play(["escape"])
      #expect(!driver.browser.hasTopScreen && Self.filter(driver) == "")
    }
  }

  @Test("sort by the value and by the count, either way around")
  func sorting() async throws {
    try await playCities { driver in
      driver.play(["# s"])
      #expect(Self.values(driver) == ["∅ NULL", "Chile", "Cuba", "Peru"], "\(driver.screen)")
      driver.play(["s"])
      #expect(Self.values(driver) == ["Peru", "Cuba", "Chile", "∅ NULL"])
      driver.play(["s"])
      #expect(Self.values(driver).last == "Peru")
      driver.play(["s"])
      #expect(Self.values(driver).first == "Peru")
    }
  }

  @Test("find a value while it is typed, from the cursor on, and go back where that is given up")
  func finding() async throws {
    try await playCities { driver in
      driver.play(["# /"])
      driver.type("c")
      #expect(Self.current(driver) == "Chile")
      driver.type("u")
      #expect(Self.current(driver) == "Cuba", "\(driver.screen)")
      driver.play(["escape"])
      #expect(Self.current(driver) == "Peru")
      driver.play(["/"])
      driver.type("c")
      driver.play(["enter n"])
      #expect(Self.current(driver) == "Cuba")
      driver.play(["n"])
      #expect(Self.current(driver) == "Chile")
      driver.play(["N"])
      #expect(Self.current(driver) == "Cuba")
      driver.play(["/"])
      driver.type("xyz")
      driver.play(["enter"])
      driver.screen.expectLine("“xyz” was not found")
    }
  }

  private static func current(_ driver: SessionDriver) -> String? {
    lines(driver).first { $0.hasPrefix("▌") }.map { $0.dropFirst().trimmed.split(separator: " ").first.map(String.init) ?? "" }
  }

  @Test("are of the rows that the filter keeps, say how many it leaves out, and are counted again when it changes")
  func filtered() async throws {
    try await playCities { driver in
      driver.play(["&"])
      driver.type("height > 2")
      driver.play(["enter #"])
      driver.screen.expectLine("country · 5 of 7 rows · 3 values and NULL")
      #expect(Self.lines(driver)[1].contains("Chile"))
    }
  }

  @Test("are counted again when somebody else writes")
  func written() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, Self.cities[0], Self.cities[1])
      let writer = try DatabaseQueue(path: path)
      try await onOwnThread {
        let driver = try SessionDriver(path: path, watchInterval: .milliseconds(5))
        driver.play(["tab l #"])
        try writer.write { db in try db.execute(sql: "INSERT INTO city(country) VALUES ('Cuba'), ('Cuba'), ('Cuba')") }
        driver.wait { driver.screen.contains("country · 10 rows") && Self.values(driver).first == "Cuba" }
      }
    }
  }

  @Test("say how many ranges there are, several empty ones being one, and where there is nothing to put into ranges")
  func ranges() async throws {
    try await play(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v, name TEXT)", "INSERT INTO t(v, name) VALUES (1, 'a'), (1000, 'b'), (NULL, 'c'), ('x', 'd')"
    ) { driver in
      driver.play(["# b"])
      let ranges = Self.values(driver).count { $0.contains(" to < ") || $0.contains(" to ") }
      driver.screen.expectLine("v · 4 rows · \(ranges) ranges, 1 other value and NULL")
      #expect(ranges == 3, "\(driver.screen)")
      driver.play(["b ] b"])
      driver.screen.expectLine("name has too few numbers or dates (2024-05-01) to count in ranges")
      driver.screen.expectLine("name · 4 rows · 4 values")
      #expect(Self.lines(driver)[0].hasPrefix("value"), "\(driver.screen)")
    }
  }

  @Test("say what ranges take, where there is one number, and where dates are written in several forms", arguments: ["same", "day"])
  func fewNumbers(column: String) async throws {
    let values = "(1, 5, '2024-05-01'), (2, 5, '2024-05-02'), (3, NULL, '03.05.2024'), (4, 5, '05/04/2024')"
    try await play("CREATE TABLE t(id INTEGER PRIMARY KEY, same, day TEXT)", "INSERT INTO t VALUES \(values)") { driver in
      driver.play([column == "same" ? "# b" : "l # b"])
      driver.screen.expectLine("\(column) has too few numbers or dates (2024-05-01) to count in ranges")
    }
  }

  @Test("of a record are those of its field, and the cursor of the grid goes there")
  func record() async throws {
    for columns in [80, 160] {
      try await playCities(columns: columns) { driver in
        driver.play(["h enter j j #"])
        driver.screen.expectLine("height · 7 rows · 7 values")
        driver.play(["enter"])
        #expect(Self.filter(driver) == "height = 1" && driver.browser.grid?.column == 2, "\(driver.screen)")
      }
    }
  }

  @Test("and all that covers the rows say nothing of the row under the grid's cursor", arguments: ["#", "g #", "g v", "g /"])
  func position(keys: String) async throws {
    try await playCities(columns: 80) { driver in
      driver.screen.expectLine("row 1 of 7")
      driver.play([keys])
      #expect(driver.browser.hasTopScreen && !driver.screen.contains("row 1 of 7"), "\(driver.screen)")
      driver.play(["escape"])
      driver.screen.expectLine("row 1 of 7")
    }
  }

  @Test("go to the column beside, and the cursor of the grid with them")
  func columns() async throws {
    try await playCities { driver in
      driver.play(["# ]"])
      driver.screen.expectLine("height · 7 rows · 7 values")
      driver.play(["] [ ["])
      driver.screen.expectLine("id · 7 rows · 7 values")
      #expect(driver.browser.grid?.column == 0)
    }
  }

  @Test("are there of results of queries too, with names that have to be quoted")
  func results() async throws {
    try await playCities { driver in
      driver.play(["f4"])
      driver.type("SELECT height % 2 AS \"odd \"\"one\"\"\", * FROM city")
      driver.play(["f5 escape # enter"])
      #expect(Self.filter(driver) == "\"odd \"\"one\"\"\" = 1" && driver.screen.contains("4 of 7 rows"), "\(driver.screen)")
    }
  }

  @Test("say that a table is empty, and how far a view was counted that fails")
  func failures() async throws {
    try await play("CREATE TABLE t(a, b)") { driver in
      driver.play(["#"])
      driver.screen.expectLine("There are no rows to count.")
    }
    try await play(
      "CREATE TABLE n(i INTEGER PRIMARY KEY)",
      "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 20000) INSERT INTO n SELECT i FROM c",
      "CREATE VIEW v AS SELECT i % 3 AS a, CASE WHEN i > 10000 THEN abs(-9223372036854775808) ELSE i % 5 END AS b FROM n"
    ) { driver in
      driver.open("v")
      driver.play(["l #"])
      driver.screen.expectLine("stopped at an error: integer overflow, in column b of v after 10,000 rows; the rows after it are")
      driver.play(["escape"])
      #expect(!driver.browser.hasTopScreen)
    }
  }

  @Test("are not there where the data source cannot count")
  func capability() async throws {
    try await onOwnThread {
      let driver = SessionDriver(
        source: MemorySource(tables: [MemorySource.Table(name: "t", columns: ["a"], rows: [[.integer(1)]])]))
      for keys in ["tab #", "g #", "g f"] {
        driver.play([keys])
        driver.screen.expectLine("this data source does not count values")
      }
    }
  }

  // MARK: While counting

  private static func counts(_ values: [(String, Int)], isComplete: Bool = false) -> ValueCounts {
    let sorted = values.sorted { $0.0 < $1.0 }.map { ValueCount(.value(.text($0.0)), $0.1) }
    return ValueCounts(sorted, isComplete: isComplete, progress: RowProgress(rows: 10, total: 100))
  }

  /// Has a browser count the titles of songs, of which some have been counted.
  private static func counting(_ values: [(String, Int)]) -> Browser {
    var browser = BrowserFixture.openBrowser()
    browser.press("l #")
    browser.tell(counts(values))
    return browser
  }

  @Test("grow while rows are read, the cursor on its value and in its line")
  func growing() {
    var browser = Self.counting([("a", 9), ("b", 5), ("c", 4), ("d", 3)])
    browser.screen.expectLine("title · ≥ 21 rows · ≥ 4 values")
    browser.press("j j")
    let row = browser.screen.split(separator: "\n").firstIndex { $0.contains("▌") && $0.contains(" c ") }
    #expect(row != nil, "\(browser.screen)")
    browser.tell(Self.counts([("a", 9), ("b", 15), ("c", 40), ("d", 30), ("e", 50), ("f", 41)]))
    #expect(browser.top(CountsScreen.self)?.current?.value == .value("c"), "\(browser.screen)")
    browser.answerLines()
    #expect(browser.top(CountsScreen.self)?.current?.value == .value("c"), "\(browser.screen)")
  }

  @Test("stay at the top of the list where nobody has moved the cursor")
  func growingAtTop() {
    var browser = Self.counting([("a", 9), ("b", 5)])
    browser.tell(Self.counts([("a", 9), ("b", 15)]))
    #expect(browser.top(CountsScreen.self)?.current?.value == .value("b"), "\(browser.screen)")
  }

  @Test("are cancelled by leaving, and stopped by ^C with what was counted until then")
  func cancelling() {
    var browser = Self.counting([("a", 9), ("b", 5)])
    let effects = browser.press("escape")
    #expect(effects.contains { if case .cancel = $0 { true } else { false } } && !browser.hasTopScreen)
    browser = Self.counting([("a", 9), ("b", 5)])
    browser.press("ctrl-c")
    browser.screen.expectLine("stopped before the end")
    browser.screen.expectLine("title · ≥ 14 rows · ≥ 2 values")
  }

  @Test("and the profile under them are cancelled when another command covers them all")
  func closingAll() {
    var browser = BrowserFixture.openBrowser()
    browser.press("g #")
    var profile = ColumnProfile(name: "title", declaredType: "TEXT")
    (profile.rows, profile.texts) = (10, 10)
    let progress = RowProgress(rows: 10, total: 100)
    let table = TableProfile(rows: 10, columns: [profile], isComplete: false, progress: progress)
    browser.report(LoadProfile.self, content: table, progress: progress)
    browser.press("#")
    #expect(browser.outstanding(LoadProfile.self).count == 1 && browser.outstanding(CountValues.self).count == 1)
    let effects = browser.press("f4")
    #expect(!browser.hasTopScreen && effects.count { if case .cancel = $0 { true } else { false } } == 2)
    #expect(browser.outstanding(LoadProfile.self).isEmpty && browser.outstanding(CountValues.self).isEmpty)
  }

  @Test("come to an end while somebody writes, and are counted again then, the former ones in sight until that has ended")
  func writtenMeanwhile() {
    var browser = Self.counting([("a", 9)])
    let first = browser.outstanding(CountValues.self).map(\.id)
    _ = browser.update(.filesChanged)
    #expect(browser.outstanding(CountValues.self).map(\.id) == first)
    browser.answer(CountValues.self, .success(Self.counts([("a", 12)], isComplete: true)))
    browser.answerLines()
    browser.screen.expectLine("title · 12 rows · 1 value")
    #expect(browser.outstanding(CountValues.self).count == 1, "\(browser.screen)")
    browser.tell(Self.counts([("a", 2)]))
    browser.screen.expectLine("title · 12 rows · 1 value")
    browser.answer(CountValues.self, .success(Self.counts([("a", 13)], isComplete: true)))
    browser.answerLines()
    browser.screen.expectLine("title · 13 rows · 1 value")
    #expect(browser.outstanding(CountValues.self).isEmpty, "\(browser.screen)")
  }

  @Test("have the columns of their final values, whatever was counted before them")
  func finalWidths() {
    func screen(after former: [(String, Int)]) -> String {
      var browser = Self.counting(former)
      browser.answer(CountValues.self, .success(Self.counts([("a", 12)], isComplete: true)))
      browser.answerLines()
      return browser.screen
    }
    #expect(screen(after: [("a long text", 1), ("a", 1)]) == screen(after: [("a", 1)]))
  }

  @Test("ask for the lines in sight alone, however many values there are")
  func paging() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("l #")
    let values = (0..<100_000).map { ValueCount(.value(.integer(Int64($0))), 1) }
    _ = browser.answer(CountValues.self, .success(ValueCounts(values)))
    let first = try #require(browser.outstanding(LoadCountLines.self).last?.request.range)
    #expect(first.count < 200)
    browser.answerLines()
    browser.press("G")
    let last = try #require(browser.outstanding(LoadCountLines.self).last?.request.range)
    #expect(last.contains(99_999) && last.count < 200)
    browser.answerLines()
    browser.screen.expectLine("99999")
    browser.screen.expectLine("100,000 of 100,000")
  }
}

extension StringProtocol {
  /// The text without blanks at its ends.
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

extension Browser {
  /// Tells what has been counted so far, and lists the lines that are asked for then.
  fileprivate mutating func tell(_ counts: ValueCounts) {
    report(CountValues.self, content: counts, progress: counts.progress)
    answerLines()
  }

  /// Lists the lines that have been asked for.
  fileprivate mutating func answerLines() {
    guard let request = outstanding(LoadCountLines.self).last?.request else { return }
    _ = answer(LoadCountLines.self, .success(request.lines))
  }
}
