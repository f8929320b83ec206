import Browser
import Terminal
import TestSupport
import Testing

@Suite("Palette and help", .gated)
struct PaletteTests {
  private func found(_ text: String, in browser: Browser = BrowserFixture.openBrowser(columns: 140)) -> [String] {
    var browser = browser
    browser.press("f10")
    browser.type(text)
    return browser.top(Picker.self)?.matches.map(\.item.label) ?? []
  }

  @Test(
    "finds commands by what people call them",
    arguments: [
      ("export", "export"), ("save", "export"), ("csv", "export"), ("csv", "import"), ("csv", "copy-as"),
      ("download", "export"), ("load", "import"),
      ("delete", "delete-rows"), ("edit", "edit-cell"), ("insert", "new-row"), ("commit", "commit"),
      ("count", "count-values"), ("group by", "count-values"), ("distinct", "count-values"), ("histogram", "count-values"),
      ("statistics", "profile"), ("pivot", "facets"), ("drill down", "facets"), ("resize", "fit-column"), ("width", "fit-column"),
      ("wider", "widen-column"), ("color", "choose-theme"),
      ("colour", "choose-theme"), ("dark", "choose-theme"), ("exit", "quit"), ("q", "quit"), ("info", "details"),
      ("describe", "details"), ("schema", "details"), ("search", "find"), ("grep", "find"), ("where", "filter"),
      ("order by", "sort-column"), ("execute", "run-statement"), ("join", "follow-foreign-key"), ("relation", "follow-foreign-key"),
      ("reload", "refresh"), ("table", "jump-to-table"), ("sql", "edit-sql"), ("theme", "choose-theme"),
    ])
  func synonyms(word: String, command: String) {
    #expect(found(word).prefix(5).contains(command), "\(found(word).prefix(8))")
  }

  @Test(
    "finds what verbs of the command line do",
    arguments: [("diff", "diff"), ("compare", "diff"), ("merge", "diff"), ("backup", "back-up-database"), ("new", "new-row")])
  func verbs(word: String, command: String) {
    #expect(found(word).first == command, "\(found(word).prefix(8))")
  }

  @Test("copies a command line that names the open file")
  func shell() throws {
    var browser = BrowserFixture.openBrowser(columns: 140)
    func copied(_ browser: inout Browser) -> String? {
      browser.press(":")
      browser.type("backup")
      for case .copyToClipboard(let copy) in browser.press("enter") { return copy.text }
      return nil
    }
    #expect(copied(&browser) == nil)
    #expect(browser.screen.contains("no open file can be named on a command line"))
    let file = OpenedFiles.File(path: "my songs.db", database: "main")
    browser = BrowserFixture.openBrowser(columns: 140, opened: OpenedFiles([file]))
    #expect(copied(&browser) == "quarry backup 'my songs.db' copy.db")
  }

  @Test("has no command of a screen that is not open, and one that is not available only where it is typed")
  func available() {
    let all = found("")
    #expect(!all.contains("rename-column") && !all.contains("history-newer") && !all.contains("commit"))
    #expect(found("rename-column") == [] && found("rollback").contains("rollback"))
  }

  @Test("puts a command whose whole name was typed first, also if it is not available")
  func wholeName() {
    #expect(found("commit").first == "commit" && found("rollback").first == "rollback")
    #expect(found("commi").first != "commit")
  }

  @Test("puts the commands chosen before first, the latest of them at the top")
  func use() {
    var browser = BrowserFixture.openBrowser(columns: 140)
    for command in ["fit-column", "sort-column", "fit-column"] {
      browser.press(":")
      browser.type(command)
      browser.press("enter")
    }
    #expect(found("", in: browser).prefix(2) == ["fit-column", "sort-column"])
    #expect(browser.memory.chosenCommands == ["fit-column", "sort-column"])
  }

  @Test("says of the nearest way to what cannot be done yet how it is that")
  func nearest() {
    var browser = BrowserFixture.openBrowser(columns: 140)
    browser.press(":")
    browser.type("vacuum")
    browser.screen.expectLine("Run it as SQL in the editor")
  }

  @Test("puts the commands of the screen first, then the program's, and the panes last")
  func order() throws {
    for keys in ["", "tab", "f4"] {
      var browser = BrowserFixture.openBrowser()
      browser.press(keys)
      let labels = found("", in: browser)
      let own = browser.focusedCommands
      #expect(own.contains(try #require(labels.first)))
      #expect(labels.last == "pane-right")
      #expect(Set(labels.suffix(6)) == ["next-pane", "previous-pane", "pane-left", "pane-down", "pane-up", "pane-right"])
    }
  }

  @Test("by name goes before by synonym, and by letters in order after both")
  func ranks() {
    #expect(found("filter").first == "filter")
    #expect(found("record").first.map { $0.contains("record") } == true)
    #expect(found("xyzzy") == [])
  }

  @Test("help begins with what the screen is for, then has its own keys by what they do, then those of every place, and moves")
  func help() throws {
    var browser = BrowserFixture.openBrowser(columns: 120, rows: 140)
    browser.press("?")
    let screen = browser.screen
    let places = [
      "Keys in the grid", "The rows of a table", "Looking and finding", "Filtering", "Sorting", "Following", "Everywhere", "Moving",
    ]
    .map { screen.firstRange(of: $0)?.lowerBound }
    #expect(places.allSatisfy { $0 != nil } && places.compactMap(\.self) == places.compactMap(\.self).sorted(), "\(screen)")
    browser.type("natural")
    browser.screen.expectLine("gS")
    #expect(!browser.screen.contains("Looking and finding"))
    browser.press("escape tab ?")
    browser.screen.expectLine(beginning: "The tables and views of the database; the open one is marked.")
    #expect(!browser.screen.contains("Sort by this column"))
  }

  @Test("a click on a title of the help leaves it open, one beside it closes it")
  func titles() throws {
    var browser = BrowserFixture.openBrowser(columns: 120, rows: 40)
    browser.press("?")
    let row = try #require(
      browser.screen.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains(" Filtering ") })
    _ = browser.update(.eventArrived(.mouse(Mouse(.press(.left), at: Point(column: 60, row: row)))))
    #expect(browser.top(Picker.self) != nil)
    _ = browser.update(.eventArrived(.mouse(Mouse(.press(.left), at: Point(column: 0, row: row)))))
    #expect(browser.overlays.isEmpty)
  }
}

@Suite("A click on the last line", .gated)
struct HintClickTests {
  private func click(_ text: String, _ browser: inout Browser) throws {
    let line = try #require(browser.screen.split(separator: "\n", omittingEmptySubsequences: false).last)
    let place = try #require(line.firstRange(of: text)?.lowerBound)
    let column = line.distance(from: line.startIndex, to: place)
    _ = browser.update(.eventArrived(.mouse(Mouse(.press(.left), at: Point(column: column, row: browser.size.rows - 1)))))
  }

  @Test("performs the command of the hint under it", arguments: [80, 120])
  func performs(columns: Int) throws {
    var browser = BrowserFixture.openBrowser(columns: columns)
    try click("? keys", &browser)
    browser.screen.expectLine("Keys in the grid")
    try click("Esc back", &browser)
    #expect(browser.overlays.isEmpty)
    try click("commands", &browser)
    browser.screen.expectLine("Commands")
    browser.press("escape")
    try click("F4 SQL", &browser)
    #expect(browser.focus == .editor)
  }

  @Test("does nothing in a gap, on a sentence, or on the place of the row")
  func gaps() throws {
    var browser = BrowserFixture.openBrowser(columns: 120)
    try click("  ? keys", &browser)
    try click("row 1", &browser)
    #expect(browser.overlays.isEmpty)
    browser.notice = Notice("a long sentence that lies where hints would be, were it not there to be read by all of us")
    try click("sentence", &browser)
    #expect(browser.overlays.isEmpty && browser.notice == nil)
  }

  @Test("lists name Enter and Esc, not the arrows")
  func arrows() {
    for keys in ["?", ":", "ctrl-p", "i"] {
      var browser = BrowserFixture.openBrowser(columns: 120)
      browser.press(keys)
      #expect(!browser.screen.contains("Down down") && !browser.screen.contains("Up up"))
    }
  }

  @Test("hints keep a gap to what stands at their right", arguments: 30...120)
  func gap(columns: Int) throws {
    let browser = BrowserFixture.openBrowser(columns: columns, total: 3_503)
    let line = try #require(browser.screen.split(separator: "\n", omittingEmptySubsequences: false).last)
    let place = try #require(line.firstRange(of: "row 1")?.lowerBound)
    #expect(line[..<place].hasSuffix("   "), "\(line)")
  }
}
