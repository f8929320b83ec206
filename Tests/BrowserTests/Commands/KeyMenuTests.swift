import Browser
import Terminal
import TestSupport
import Testing

@Suite("The list of what may follow a key", .gated)
struct KeyMenuTests {
  private static let area = Rect(column: 0, row: 1, columns: 80, rows: 22)

  private static func entries(_ count: Int, help: String = "Do something") -> [KeyMenu.Entry] {
    (0..<count).map {
      KeyMenu.Entry(key: String(UnicodeScalar(UInt8(97 + $0 % 26))), help: "\(help) \($0)", command: Command(rawValue: "c\($0)"))
    }
  }

  private func lines(_ menu: KeyMenu, columns: Int = 80, rows: Int = 24) -> [String] {
    var surface = Surface(size: Size(columns: columns, rows: rows))
    menu.draw(into: &surface, appearance: Appearance(theme: .fallback, glyphs: .unicode))
    return surface.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("stands in columns just above the last line, framed, each entry whole where there is room")
  func columns() {
    let menu = KeyMenu(Self.entries(10), title: "g…", in: Self.area)
    #expect(menu.box.endRow == Self.area.endRow)
    #expect(menu.hidden == 0)
    let shown = lines(menu)
    #expect(shown[menu.box.row].hasPrefix("╭─ g… ─") && shown[menu.box.endRow - 1].hasSuffix("Esc cancels ─╯"))
    #expect(Set(menu.cells.map(\.area.column)).count == 3, "\(shown)")
    for index in 0..<10 { #expect(shown.contains { $0.contains("Do something \(index)") }) }
  }

  @Test("takes more columns and cuts its texts before it hides an entry; what it hides it counts")
  func small() {
    let low = Rect(column: 0, row: 1, columns: 40, rows: 8)
    let tight = KeyMenu(Self.entries(10, help: "Do something of some length"), title: "g…", in: low)
    #expect(tight.hidden == 0 && tight.cells.count == 10)
    #expect(lines(tight, columns: 40, rows: 10).contains { $0.contains("…") })
    let full = KeyMenu(Self.entries(30), title: "g…", in: low)
    #expect(full.cells.count + full.hidden == 30 && full.hidden > 0)
    #expect(lines(full, columns: 40, rows: 10).contains { $0.contains("\(full.hidden) more") })
    #expect(KeyMenu(Self.entries(3), title: "g…", in: Rect(column: 0, row: 0, columns: 1, rows: 1)).box.isEmpty)
  }

  @Test("comes with the first key and goes with the next one, or with Esc, and moves nothing", arguments: ["escape", "z", "F"])
  func pending(next: String) {
    var browser = BrowserFixture.openBrowser()
    let before = browser.screen.split(separator: "\n", omittingEmptySubsequences: false)
    browser.press("g")
    let screen = browser.screen.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(screen.contains { $0.contains("Follow foreign key") } && screen.contains { $0.contains("Remove the sorting") })
    #expect(screen.first == before.first && screen[1] == before[1])
    #expect(screen.last?.contains("F4 SQL   : commands   ? keys") == true && screen.last?.hasSuffix("g…") == true)
    browser.press(next)
    #expect(browser.lastLine.keys.isEmpty)
    #expect(!browser.screen.contains("Follow foreign key"))
    #expect(browser.focus == .rows)
  }

  @Test("puts keys of one command side by side")
  func sides() {
    var browser = BrowserFixture.openBrowser()
    browser.press("ctrl-w")
    browser.screen.expectLine("h Left")
  }

  @Test("performs what is clicked; a click beside an entry only closes it")
  func click() throws {
    for (column, isHit) in [(3, true), (-1, false)] {
      var browser = BrowserFixture.openBrowser()
      browser.press("g")
      let menu = try #require(browser.keyMenu(in: ScreenLayout(browser).body))
      let cell = try #require(menu.cells.first { $0.entry.command == .sortBar })
      let point = isHit ? Point(column: cell.area.column + column, row: cell.area.row) : Point(column: 5, row: 2)
      _ = browser.update(.eventArrived(.mouse(Mouse(.press(.left), at: point))))
      #expect(browser.lastLine.keys.isEmpty)
      #expect((browser.rows.filter.bar.isTyping == true) == isHit)
    }
  }
}

@Suite("A key that does nothing", .gated)
struct ForeignKeybindingHintTests {
  @Test(
    "is told with what does what it is known for elsewhere",
    arguments: [
      ("x", "x is not bound here: dd deletes this row or the selected rows, once you commit"),
      ("p", "Y copies a row"), ("u", "no staged change to undo: gu shows commits"),
      ("ctrl-s", "nothing is staged: e changes a value"),
      ("tab delete", "tables are dropped in SQL: F4 opens the editor for a DROP TABLE"),
      ("f4 ctrl-s", "Alt-s saves the text"),
    ])
  func known(keys: String, sentence: String) {
    var browser = BrowserFixture.openBrowser(columns: 160)
    browser.press(keys)
    #expect(browser.notice?.text.contains(sentence) == true, "\(browser.notice?.text ?? "no notice")")
  }

  @Test("is told with the way back where a record covers the pane that it is for")
  func covered() {
    var browser = BrowserFixture.openBrowser(columns: 100)
    browser.press("enter s")
    #expect(browser.notice?.text.contains("Esc goes back") == true, "\(browser.notice?.text ?? "no notice")")
  }

  @Test(
    "is told with the pane that it is for",
    arguments: [
      ("tab =", "= is not bound here: it is a key in the grid (show only rows with this value); Tab goes there"),
      ("tab f4 escape tab =", "^W j goes there"),
    ])
  func elsewhere(keys: String, sentence: String) {
    var browser = BrowserFixture.openBrowser(columns: 160)
    browser.press(keys)
    #expect(browser.notice?.text.contains(sentence) == true, "\(browser.notice?.text ?? "no notice")")
  }

  @Test(
    "after a prefix is told with the list of what may follow it, and else with help",
    arguments: [("g b", "gb is not bound here: g lists the keys that may follow"), ("f11", "F11 is not bound here; ? lists the keys")])
  func prefix(keys: String, sentence: String) {
    var browser = BrowserFixture.openBrowser(columns: 160)
    browser.press(keys)
    #expect(browser.notice?.text == sentence)
  }

  @Test("gives way to a command that is bound to it")
  func bound() {
    var browser = BrowserFixture.openBrowser()
    browser = Browser(
      options: browser.options, size: browser.size, themes: browser.themes, theme: .fallback,
      keymap: Keymap(userText: "[everywhere]\n\"e\" = \"help\"", file: "keys.toml"))
    browser.press("e")
    #expect(browser.top(Picker.self) != nil)
  }

  @Test("has advice that names keys and commands which there are")
  func names() throws {
    let commands = Set(CommandList.standard.declarations.map(\.command.rawValue))
    for habit in ForeignKeybindingHint.all {
      for key in habit.keys { #expect(Keymap.parse(key) != nil, "\(key)") }
      for name in habit.advice.matches(of: #/\{([a-z-]+)\}/#).map({ String($0.1) }) { #expect(commands.contains(name), "\(name)") }
    }
    for synonym in CommandSynonyms.all { #expect(commands.contains(synonym.command.rawValue), "\(synonym.command)") }
  }
}
