import Browser
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("The filter bar", .gated)
struct FilterBarTests {
  private static let cheap = ViewReport(sql: "(length > 3)", lamp: .search)
  private static let dear = ViewReport(sql: "(length > 3)", lamp: .scan)
  private static let wrong = ViewReport(TextRemark("There is no column lenght", in: 0..<6, mended: ["length > 3"]))

  /// Tells the browser what the engine says of the text in the bar.
  private func report(_ report: ViewReport, to browser: inout Browser) throws -> [Effect] {
    let draft = try #require(browser.grid.map(browser.rows.filter.draft))
    let check = try #require(browser.outstanding(CheckView.self).last)
    #expect(check.request.view == draft)
    return browser.answer(CheckView.self, .success(report))
  }

  private func opened(_ effects: [Effect]) -> RowView? {
    effects.requests(OpenRows.self).first?.request.view
  }

  private func marks(_ sort: String) -> [OrderMark] {
    sort.split(separator: ", ").map { key in
      let name = key.drop { $0 == "-" }
      return OrderMark(column: BrowserFixture.columns.firstIndex { $0.name == name }, name: String(name), isDescending: key.hasPrefix("-"))
    }
  }

  /// Lets the rows arrive that a view has asked for.
  private func arrive(in browser: inout Browser, total: Int = 12) throws -> [Effect] {
    let view = try #require(browser.rows.opening.pending?.view)
    return browser.open(OpenedRows(page: BrowserFixture.page(0..<total, of: total), view: view, order: marks(view.sort)))
  }

  @Test("stands under the grid, and says that all rows are shown")
  func idle() {
    let browser = BrowserFixture.openBrowser()
    let lines = browser.screen.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[lines.count - 2].contains("filter › all rows"))
  }

  @Test("shows the filter that was asked for while its rows are on their way, and the one that stays when they do not come")
  func awaited() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("&")
    browser.type("length > 3")
    _ = try report(Self.cheap, to: &browser)
    browser.press("enter")
    #expect(browser.rows.opening.pending?.view.filter == "length > 3")
    browser.screen.expectLine("filter › length > 3")
    browser.press("ctrl-c")
    #expect(browser.rows.opening.pending == nil)
    browser.screen.expectLine("filter › all rows")
  }

  @Test("is checked at each key, and the last answer wins")
  func checks() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("&")
    let first = try #require(browser.update(.eventArrived(.key(Key("l")))).requests(CheckView.self).first)
    let grid = try #require(browser.grid)
    #expect(first.request.grid == grid.id && first.request.view == RowView(filter: "l") && first.request.text == .filter)
    browser.type("e")
    _ = browser.update(.answered(first.id, .success(Self.wrong)))
    #expect(!browser.screen.contains("no column"))
  }

  @Test("keys typed after Enter wait until the text has been checked, and the rows get them")
  func keysAfterEnter() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("&")
    browser.type("length > 3")
    browser.press("enter")
    _ = browser.update(.typed("s"))
    #expect(browser.rows.filter.bar.field.text == "length > 3")
    let effects = try report(Self.cheap, to: &browser)
    #expect(!browser.rows.filter.bar.isTyping)
    #expect(effects.requests(OpenRows.self).last?.request.view == RowView(filter: "length > 3", sort: "id"))
  }

  @Test("keys typed after Enter reach the bar if its text is refused")
  func keysAfterRefusal() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("&")
    browser.type("lenght > 3")
    browser.press("enter")
    browser.press("0")
    _ = try report(Self.wrong, to: &browser)
    #expect(browser.rows.filter.bar.isTyping && browser.rows.filter.bar.field.text == "lenght > 30")
  }

  @Test("Escape after Enter drops the keys that wait")
  func escapeAfterEnter() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("&")
    browser.type("length > 3")
    browser.press("enter")
    browser.press("s")
    browser.press("escape")
    #expect(!browser.rows.filter.bar.isTyping)
    #expect(browser.grid?.view == RowView() && browser.rows.opening.pending == nil)
  }

  @Test("a text that could not be checked is not applied, and keys wait no longer")
  func checkFails() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("&")
    browser.type("length > 3")
    browser.press("enter")
    browser.press("0")
    browser.answer(CheckView.self, .failure(Problem("the disk is gone")))
    #expect(browser.rows.filter.bar.field.text == "length > 30")
    #expect(!browser.rows.filter.isApplying)
  }

  @Test("shows the fault, and one key mends it")
  func faults() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("f6")
    browser.type("lenght > 3")
    _ = try report(Self.wrong, to: &browser)
    browser.screen.expectLine("There is no column lenght")
    var surface = Surface(size: browser.size)
    browser.draw(into: &surface)
    let row = try #require(surface.text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains("lenght > 3") })
    let bar = surface.cells(inRow: row).drop { $0.text != "›" }
    let underlined = bar.prefix(20).filter { $0.style.attributes.contains(.reverse) }.map(\.text).joined()
    #expect(underlined == "lenght")
    browser.press("enter")
    #expect(browser.rows.filter.bar.isTyping == true)
    browser.press("alt-enter")
    #expect(browser.rows.filter.bar.field.text == "length > 3")
  }

  @Test("says what may not be meant in the line of the SQL, and the same key mends it")
  func advice() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("f6")
    browser.type("made = 2021-01-01")
    _ = try report(Self.cheap, to: &browser)
    let before = browser.screen.split(separator: "\n", omittingEmptySubsequences: false)
    var doubtful = Self.cheap
    doubtful.advice = [TextRemark("Midnight alone.", in: 0..<17, mended: ["made ^= '2021-01-01'"])]
    browser.type("2")
    browser.press("backspace")
    _ = try report(doubtful, to: &browser)
    let after = browser.screen.split(separator: "\n", omittingEmptySubsequences: false)
    // The last line names the key that mends it.
    let changed = after.indices.dropLast().filter { after[$0] != before[$0] }
    #expect(changed.map { before[$0].contains("(length > 3)") } == [true])
    #expect(changed.map { after[$0].contains("Midnight alone.  Alt-⏎ made ^= '2021-01-01'") } == [true])
    browser.press("alt-enter")
    #expect(browser.rows.filter.bar.field.text == "made ^= '2021-01-01'")
  }

  @Test("what is too long for a line goes on in the next, and what would mend it stands whole", arguments: [80, 120])
  func longReport(columns: Int) throws {
    var browser = BrowserFixture.openBrowser(columns: columns)
    browser.press("f6")
    browser.type("x")
    let sentence = (1...12).map { "word\($0)" }.joined(separator: " ") + "."
    let mended = "length > 3 and title ~ 'something that is long' and artist = 1"
    _ = try report(ViewReport(TextRemark(sentence, in: 0..<1, mended: [mended])), to: &browser)
    let lines = browser.screen.split(separator: "\n").map(String.init)
    let place = try #require(lines.firstIndex { $0.contains("word1 ") })
    #expect(lines[place...].joined().contains("word12."))
    let offer = "Alt-⏎ \(columns == 80 ? "length > 3 and" : mended)"
    #expect(lines[place...].contains { $0.contains(offer) })
    #expect(lines[place - 1].contains("filter ›"))
  }

  @Test(
    "f begins a comparison and offers values; another operator takes the place of the equal sign",
    arguments: [
      (">", "id >"), ("~", "id ~"), ("in ", "id in "), ("is(", "id is("), ("7", "id = 7"), ("into", "id = into"),
    ])
  func comparison(typed: String, text: String) throws {
    var browser = BrowserFixture.openBrowser()
    #expect(browser.press("f").requests(CompleteView.self).map(\.request.caret) == [5])
    #expect(browser.rows.filter.bar.field.text == "id = ")
    let value = Completion(label: "7", detail: "", range: 5..<5, replacement: "7")
    browser.answer(CompleteView.self, .success([value]))
    #expect(browser.rows.filter.bar.completions?.items == [value], "one value alone is not taken")
    browser.type(typed)
    #expect(browser.rows.filter.bar.field.text == text)
  }

  private static func items(_ words: String..., in range: Range<Int>) -> [Completion] {
    words.map { Completion(label: $0, detail: "", range: range, replacement: $0) }
  }

  /// Begins a comparison with the values 7 to 9 in a list, and types one digit.
  private func compare(with digit: String) -> Browser {
    var browser = BrowserFixture.openBrowser()
    browser.press("f")
    browser.answer(CompleteView.self, .success(Self.items("7", "8", "9", in: 5..<5)))
    browser.type(digit)
    return browser
  }

  @Test("Enter and Tab insert nothing of the list of a former text", arguments: ["enter", "tab"])
  func formerList(key: String) throws {
    var browser = compare(with: "5")
    #expect(browser.rows.filter.bar.completions != nil)
    browser.press(key)
    #expect(browser.rows.filter.bar.field.text == "id = 5")
    #expect(opened(try report(Self.cheap, to: &browser)) == RowView(filter: "id = 5"))
  }

  @Test("the list of a text whose rows replace the others is that text's")
  func listOfNewRows() throws {
    var browser = compare(with: "5")
    #expect(opened(try report(Self.cheap, to: &browser)) == RowView(filter: "id = 5"))
    let before = try #require(browser.grid?.id)
    let asked = try arrive(in: &browser).requests(CompleteView.self).map(\.request)
    #expect(asked.map(\.grid) == [browser.grid?.id] && browser.grid?.id != before)
    browser.answer(CompleteView.self, .success(Self.items("5", "55", in: 5..<6)))
    #expect(browser.rows.filter.bar.completions?.items.map(\.label) == ["5", "55"])
    browser.press("down enter")
    #expect(browser.rows.filter.bar.field.text == "id = 55")
  }

  @Test("a completion that the text has already does not keep Enter from applying it")
  func typedOut() throws {
    var browser = compare(with: "8")
    browser.answer(CompleteView.self, .success(Self.items("8", "88", in: 5..<6)))
    browser.press("enter")
    #expect(opened(try report(Self.dear, to: &browser)) == RowView(filter: "id = 8"))
    _ = try arrive(in: &browser)
    #expect(browser.rows.filter.bar.isTyping == false)
  }

  @Test("a list closes with the word that it completes, and a word that is inserted stands by itself")
  func words() {
    var browser = compare(with: "8")
    browser.answer(CompleteView.self, .success(Self.items("and", "or", in: 6..<6)))
    #expect(browser.rows.filter.bar.completions == nil)
    browser.press("tab")
    browser.answer(CompleteView.self, .success(Self.items("and", "or", in: 6..<6)))
    browser.press("enter")
    #expect(browser.rows.filter.bar.field.text == "id = 8 and")
  }

  @Test("a text that ends too early is no fault yet: what may follow is said in the same voice as the SQL")
  func unfinished() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("&")
    browser.type("length > 3 and")
    var early = ViewReport(TextRemark("A value is missing after and.", in: 11..<14))
    (early.isUnfinished, early.continuation) = (true, "id  title")
    _ = try report(early, to: &browser)
    browser.screen.expectLine("may follow: id  title  · Tab lists it")
    #expect(!browser.screen.contains("✗"))
    #expect(!browser.screen.contains("missing"))
    browser.press("enter")
    browser.screen.expectLine("A value is missing after and.")
  }

  @Test("rows follow the text where that is cheap, else on Enter, and the bar says so")
  func following() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("&")
    browser.type("length > 3")
    #expect(opened(try report(Self.dear, to: &browser)) == nil)
    browser.screen.expectLine("⏎ applies")
    #expect(opened(browser.press("enter")) == RowView(filter: "length > 3"))
    _ = try arrive(in: &browser)
    #expect(browser.rows.filter.bar.isTyping == false)
    browser.screen.expectLine("filter › length > 3")
    browser.press("&")
    browser.type("0")
    #expect(opened(try report(Self.cheap, to: &browser)) == RowView(filter: "length > 30"))
    _ = try arrive(in: &browser)
    #expect(browser.rows.filter.bar.field.text == "length > 30")
    #expect(browser.rows.filter.bar.isTyping == true)
  }

  @Test("Enter before the answer waits for it")
  func impatience() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("&")
    browser.type("length > 3")
    #expect(opened(browser.press("enter")) == nil)
    #expect(opened(try report(Self.dear, to: &browser)) == RowView(filter: "length > 3"))
  }

  @Test("keeps the columns as they are when the rows change")
  func layout() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("l -")
    let hidden = browser.grid?.layout.hidden
    browser.press("=")
    _ = try arrive(in: &browser)
    #expect(browser.grid?.layout.hidden == hidden)
    #expect(browser.rows.opening.history.back.isEmpty)
  }

  @Test("Up and Down go through what was applied before, and back to what was begun")
  func history() throws {
    var browser = BrowserFixture.openBrowser()
    for text in ["id = 1", "id = 2"] {
      browser.press("g F")
      _ = browser.rows.opening.pending.map { _ in try? arrive(in: &browser) }
      browser.press("&")
      browser.type(text)
      _ = try report(Self.dear, to: &browser)
      browser.press("enter")
      _ = try arrive(in: &browser)
    }
    browser.press("&")
    browser.press("ctrl-u")
    browser.type("be")
    browser.press("up")
    #expect(browser.rows.filter.bar.field.text == "id = 2")
    browser.press("up")
    #expect(browser.rows.filter.bar.field.text == "id = 1")
    browser.press("down down")
    #expect(browser.rows.filter.bar.field.text == "be")
  }

  @Test("Tab completes, and a list has the keys while it is open")
  func completion() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("&")
    browser.type("le")
    let grid = try #require(browser.grid)
    let asked = browser.press("tab").requests(CompleteView.self).map(\.request)
    #expect(asked.map(\.grid) == [grid.id] && asked.map(\.view) == [RowView(filter: "le")])
    #expect(asked.map(\.text) == [.filter] && asked.map(\.caret) == [2])
    let items = ["length", "length("].map { Completion(label: $0, detail: "column", range: 0..<2, replacement: $0) }
    browser.answer(CompleteView.self, .success(items))
    browser.screen.expectLine("length(")
    browser.press("down enter")
    #expect(browser.rows.filter.bar.field.text == "length(")
    #expect(browser.rows.filter.bar.isTyping == true)
    #expect(browser.rows.filter.bar.completions == nil)
  }

  @Test("Esc leaves first the list, then the bar")
  func escape() {
    var browser = BrowserFixture.openBrowser()
    browser.press("& tab")
    let items = ["id", "title"].map { Completion(label: $0, detail: "", range: 0..<0, replacement: $0) }
    browser.answer(CompleteView.self, .success(items))
    browser.press("escape")
    #expect(browser.rows.filter.bar.completions == nil)
    #expect(browser.rows.filter.bar.isTyping == true)
    browser.press("escape")
    #expect(browser.rows.filter.bar.isTyping == false)
    #expect(!browser.hasEnded)
  }

  @Test(
    "a value under the cursor is included and excluded, NULL and blobs too",
    arguments: [
      ("=", "id = 1"), ("!", "id != 1"), ("l =", "title = 'song 0'"), ("j j j l l =", "album_id is null"),
      ("j j j l l !", "album_id is not null"),
      ("$ =", "cover = x'89504e47'"),
    ])
  func values(keys: String, filter: String) throws {
    var browser = BrowserFixture.openBrowser()
    let effects = browser.press(keys)
    if keys.hasPrefix("$") {
      #expect(opened(effects) == nil)
      browser.screen.expectLine("cannot filter by this value: too long or not valid text")
    } else {
      #expect(opened(effects) == RowView(filter: filter))
    }
  }

  @Test("a condition joins those before it, and the last goes first")
  func terms() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("=")
    _ = try arrive(in: &browser)
    #expect(opened(browser.press("l !")) == RowView(filter: "id = 1 and title != 'song 0'"))
    _ = try arrive(in: &browser)
    #expect(opened(browser.press("F")) == RowView(filter: "id = 1"))
    _ = try arrive(in: &browser)
    #expect(opened(browser.press("g F")) == RowView())
  }

  @Test("s turns the order of a column, S adds a key, gS drops all")
  func sorting() throws {
    var browser = BrowserFixture.openBrowser()
    for (keys, sort) in [
      ("s", "id"), ("s", "-id"), ("l S", "-id, title"), ("S", "-id, -title"), ("S", "-id"), ("h s", ""), ("s", "id"), ("g S", ""),
    ] {
      #expect(opened(browser.press(keys)) == RowView(sort: sort), "after \(keys)")
      _ = try arrive(in: &browser)
    }
  }

  @Test("keys that come before the rows change the view that was asked for")
  func haste() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("s")
    #expect(opened(browser.press("s")) == RowView(sort: "-id"))
    #expect(opened(browser.press("=")) == RowView(filter: "id = 1", sort: "-id"))
    #expect(opened(browser.press("g S")) == RowView(filter: "id = 1"))
  }

  @Test("a click on a header sorts by it, a right one adds a key")
  func clicks() throws {
    var browser = BrowserFixture.openBrowser()
    let row = try #require(browser.screen.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains("title") })
    let line = Array(browser.screen.split(separator: "\n", omittingEmptySubsequences: false)[row])
    let column = try #require(line.indices.first { line[$0...].starts(with: Array("title")) })
    let point = Point(column: column, row: row)
    #expect(opened(browser.update(.eventArrived(.mouse(Mouse(.press(.left), at: point))))) == nil)
    #expect(opened(browser.update(.eventArrived(.mouse(Mouse(.release, at: point))))) == RowView(sort: "title"))
    _ = try arrive(in: &browser)
    #expect(opened(browser.update(.eventArrived(.mouse(Mouse(.press(.right), at: point))))) == RowView(sort: "-title"))
  }

  @Test("a drag on a header sorts by nothing")
  func drag() throws {
    var browser = BrowserFixture.openBrowser()
    let row = try #require(browser.screen.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains("title") })
    let events = [Mouse(.press(.left), at: Point(column: 46, row: row)), Mouse(.drag, at: Point(column: 48, row: row))]
    for event in events + [Mouse(.release, at: Point(column: 46, row: row))] {
      #expect(opened(browser.update(.eventArrived(.mouse(event)))) == nil)
    }
    #expect(browser.rows.opening.pending == nil)
  }

  @Test("a parameter is asked for in a form, and what is wrong in it is said under its field")
  func parameters() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("&")
    browser.type("length > :min")
    var asking = Self.cheap
    asking.parameters = [FormParameter(identity: ":min", token: ":min", typeName: "real", reading: ParameterReading(type: .real))]
    #expect(opened(try report(asking, to: &browser)) == nil)
    browser.press("enter")
    browser.screen.expectLine(":min")
    browser.type("x")
    browser.press("enter")
    browser.screen.expectLine("expected here: a number such as 1.5 or")
    browser.screen.expectLine("2e-3")
    browser.press("backspace")
    browser.type("2.5")
    #expect(opened(browser.press("enter")) == RowView(filter: "length > :min", arguments: [":min": .real(2.5)]))
  }

  @Test("a table is shown again as it was left, also after a new start")
  func memory() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("=")
    _ = try arrive(in: &browser)
    let saved = browser.remember().compactMap { if case .saveMemory(let memory) = $0 { memory } else { nil } }
    let memory = try #require(saved.last)
    #expect(memory[TableReference(name: "albums")]?.filter == "id = 1")
    var next = Browser(
      options: BrowserOptions(title: "music.db", table: TableReference(name: "albums")), size: Size(columns: 80, rows: 24),
      themes: ThemeCatalog(),
      theme: .fallback, keymap: Keymap(), memory: memory)
    #expect(opened(next.start()) == RowView(filter: "id = 1"))
  }

  @Test("a filter is kept under a name and chosen again")
  func keptFilters() throws {
    var browser = BrowserFixture.openBrowser()
    browser.press("&")
    browser.type("id = 7")
    browser.press("alt-s")
    browser.type("seven")
    browser.press("enter")
    browser.press("ctrl-u alt-o enter")
    #expect(browser.rows.filter.bar.field.text == "id = 7")
    #expect(opened(try report(Self.dear, to: &browser)) == RowView(filter: "id = 7"))
  }
}
