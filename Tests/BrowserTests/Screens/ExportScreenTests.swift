import Browser
import Foundation
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("The export of rows", .gated)
struct ExportScreenTests {
  private static let people = [
    "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, age INTEGER, note TEXT)",
    "INSERT INTO person VALUES (1, 'Ada', 36, NULL), (2, 'Grace', 85, 'x,y'), (3, 'Ken', 75, ''), (4, 'Alan', 41, NULL)",
  ]

  /// Plays on a table of four people, with the keys in the grid.
  private func play(_ body: @escaping @Sendable (SessionDriver, URL) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, Self.people[0], Self.people[1])
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.play(["tab"])
        try body(driver, folder)
      }
    }
  }

  private static func text(_ folder: URL, _ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  /// Writes what is shown to a file in the folder.
  private static func export(to name: String, in folder: URL, _ driver: SessionDriver) {
    driver.play(["X ctrl-u", "'\(folder.path)/\(name)'", "enter"])
  }

  @Test("writes what is seen: the rows that the filter keeps, in their order, without hidden columns")
  func whatIsSeen() async throws {
    try await play { driver, folder in
      driver.play(["&", "'age > 40'", "enter l s 2 l -"])
      Self.export(to: "people.csv", in: folder, driver)
      let written = try Self.text(folder, "people.csv")
      #expect(written == "id,name,age\n4,Alan,41\n2,Grace,85\n3,Ken,75\n")
      driver.screen.expectLine("wrote 3 rows to \(folder.path)/people.csv: 42 B")
      #expect(!driver.browser.hasTopScreen)
    }
  }

  @Test("writes the selection where there is one, and all rows where that is chosen")
  func selection() async throws {
    try await play { driver, folder in
      driver.play(["l v j l"])
      Self.export(to: "selected.json", in: folder, driver)
      let written = try Self.text(folder, "selected.json")
      #expect(written == #"[{"name":"Ada","age":36},\#n{"name":"Grace","age":85}]\#n"#)
      driver.play(["X"])
      driver.screen.expectLine("2 rows: name, age (without 2 not selected)")
      driver.play(["down down"])
      driver.screen.expectLine("‹the selection: 2 rows›")
      driver.play(["right up up ctrl-u", "'\(folder.path)/all.csv'", "enter"])
      #expect(try Self.text(folder, "all.csv").split(separator: "\n").count == 5)
    }
  }

  @Test("writes columns that are computed, but in INSERT statements, which a table takes")
  func computed() async throws {
    try await play { driver, folder in
      driver.browser.grid.map { #expect($0.view.columns.isEmpty) }
      driver.play(["f4", "'select name, age * 2 as twice from person where id < 3'", "f5 escape"])
      Self.export(to: "result.sql", in: folder, driver)
      let written = try Self.text(folder, "result.sql")
      #expect(
        written == "INSERT INTO result(name,twice) VALUES('Ada',72);\nINSERT INTO result(name,twice) VALUES('Grace',170);\n")
    }
  }

  @Test("takes the format that the ending of the path says, and gives the path the ending of a format that is chosen")
  func format() async throws {
    try await play { driver, _ in
      driver.play(["X ctrl-u", "'p.md'"])
      driver.screen.expectLine("‹Markdown›")
      driver.play(["down left"])
      driver.screen.expectLine("‹JSON lines›")
      driver.screen.expectLine("p.ndjson")
      driver.play(["up ctrl-u", "'notes.v2.txt'", "down right"])
      driver.screen.expectLine("‹Markdown›")
      driver.screen.expectLine("notes.v2.txt")
    }
  }

  @Test("completes the path by Tab, and names what it may go on with")
  func completion() async throws {
    try await play { driver, folder in
      for name in ["alpha.csv", "alpine.csv"] { try Data().write(to: folder.appending(path: name)) }
      driver.play(["X ctrl-u", "'\(folder.path)/al'", "tab"])
      driver.screen.expectLine("\(folder.path)/alp")
      driver.screen.expectLine("alpha.csv  alpine.csv")
      driver.play(["'h'", "tab"])
      driver.screen.expectLine("\(folder.path)/alpha.csv")
    }
  }

  @Test("asks before it replaces a file, which stays as it is unless that is wanted")
  func replacing() async throws {
    try await play { driver, folder in
      try Data("old".utf8).write(to: folder.appending(path: "p.csv"))
      Self.export(to: "p.csv", in: folder, driver)
      driver.screen.expectLine("p.csv already exists")
      driver.play(["escape"])
      #expect(driver.browser.top(ExportScreen.self) != nil && driver.screen.contains("p.csv"), "\(driver.screen)")
      #expect(try Self.text(folder, "p.csv") == "old")
      driver.play(["enter down enter"])
      let written = try Self.text(folder, "p.csv")
      #expect(written.hasPrefix("id,name,age,note\n1,Ada,36,\n"))
      #expect(!driver.browser.hasTopScreen)
    }
  }

  @Test("says what stands against a path, and keeps what was written", arguments: ["", "nowhere/p.csv", "test.db", "test.db-wal"])
  func refusal(name: String) async throws {
    try await play { driver, folder in
      Self.export(to: name, in: folder, driver)
      let form = try #require(driver.browser.top(ExportScreen.self), "\(driver.screen)")
      #expect(form.path.text == "\(folder.path)/\(name)")
      let words = ["": "is a folder", "nowhere/p.csv": "does not exist"][name] ?? "belongs to the"
      #expect(driver.screen.contains(words), "\(driver.screen)")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names.allSatisfy { $0.hasPrefix("test.db") })
    }
  }

  @Test("says that staged changes will not be in the file")
  func staged() async throws {
    try await play { driver, folder in
      driver.play(["l e", "'!'", "enter X"])
      driver.screen.expectLine("1 staged change will not be in the file: ^S in the grid commits first")
    }
  }

  @Test("a click chooses a format")
  func click() async throws {
    try await play { driver, _ in
      driver.play(["X"])
      let lines = driver.screen.split(separator: "\n", omittingEmptySubsequences: false)
      let row = try #require(lines.firstIndex { $0.contains("‹CSV›") })
      let column = try #require(
        lines[row].firstRange(of: "JSON").map { lines[row].distance(from: lines[row].startIndex, to: $0.lowerBound) })
      driver.send([.mouse(Mouse(.press(.left), at: Point(column: column, row: row)))])
      driver.screen.expectLine("‹JSON›")
      driver.screen.expectLine("person.json")
    }
  }

  @Test("writes all of the table under the cursor of the catalog, whatever the grid shows of it")
  func catalog() async throws {
    try await play { driver, folder in
      driver.play(["&", "'age > 40'", "enter shift-tab"])
      Self.export(to: "all.json", in: folder, driver)
      driver.screen.expectLine(beginning: "wrote 4 rows to")
      let written = try Self.text(folder, "all.json")
      #expect(written.hasPrefix(#"[{"id":1,"name":"Ada","age":36,"note":null},"#))
      #expect(driver.browser.focus == .catalog)
    }
  }

  @Test("goes on while something else is looked at: Esc and other tables do not end it, ^C does")
  func background() {
    var browser = BrowserFixture.openBrowser()
    _ = browser.press("X enter")
    let isCancelled = { (effects: [Effect]) in
      effects.contains { effect in
        guard case .cancel(let id) = effect else { return false }
        return browser.outstanding(ExportRows.self).contains { $0.id == id }
      }
    }
    #expect(!isCancelled(browser.press("escape")))
    browser.screen.expectLine(beginning: "writing albums.csv")
    _ = browser.press("X")
    browser.screen.expectLine("albums.csv is still being written: ^C stops it")
    let effects = browser.press("ctrl-c")
    #expect(isCancelled(effects))
  }

  @Test("refuses what is no file, such as the terminal or a pipe that nobody reads", arguments: ["/dev/stdout", "/dev/null", "pipe"])
  func device(name: String) async throws {
    try await play { driver, folder in
      let path = name.hasPrefix("/") ? name : folder.appending(path: name).path
      if path != name { #expect(mkfifo(path, 0o600) == 0) }
      driver.play(["X ctrl-u", "'\(path)'", "enter"])
      #expect(driver.screen.contains("is a pipe or a device"), "\(driver.screen)")
      #expect(driver.browser.top(ExportScreen.self) != nil)
    }
  }

  @Test("takes a path that ends in a slash for a folder, whether it is there or not")
  func folder() async throws {
    try await play { driver, folder in
      Self.export(to: "new/", in: folder, driver)
      #expect(driver.screen.contains("is a folder"), "\(driver.screen)")
      #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "new").path))
    }
  }

  @Test("is named in the title with its progress, is stopped by ^C, and is asked about before the program ends")
  func progress() throws {
    var browser = BrowserFixture.openBrowser()
    _ = browser.press("X enter")
    browser.report(ExportRows.self, RowProgress(rows: 250, total: 1_000, elapsed: .seconds(1)))
    browser.screen.expectLine("writing albums.csv: 25 % read, 3 s left")
    _ = browser.press("ctrl-q")
    browser.screen.expectLine("albums.csv is being written")
    #expect(!browser.hasEnded, "\(browser.screen)")
    let effects = browser.press("down enter")
    #expect(effects.contains { if case .cancel = $0 { true } else { false } })
    browser.answer(ExportRows.self, .failure(.stopped))
    #expect(browser.hasEnded)
  }
}
