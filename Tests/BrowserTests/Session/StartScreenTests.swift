import Browser
import Foundation
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("The start screen", .gated)
struct StartScreenTests {
  /// Plays on the start screen of a program that has had some files open.
  private func play(
    _ files: [String] = ["music.db"], size: Size = Size(columns: 100, rows: 30),
    _ body: @escaping @Sendable (SessionDriver, URL) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let recent = RecentFiles(path: folder.appending(path: "state/recent").path)
      for name in files { try recent.note([makeDatabaseFile(in: folder, named: name, "CREATE TABLE t(x)")]) }
      try await onOwnThread {
        let driver = SessionDriver(
          source: NoDatabase(), columns: size.columns, rows: size.rows, storage: Storage(recent: recent), first: .startScreen)
        try body(driver, folder)
      }
    }
  }

  @Test("lists what was opened before, the last first, and what else can be done")
  func list() async throws {
    try await play(["a.db", "b.db"]) { driver, _ in
      let screen = driver.screen
      for text in ["Quarry", "Recent files", "8.2 kB", "the demo", "the tour", "⏎ open", "Esc quit"] {
        #expect(screen.contains(text), "\(text) in\n\(screen)")
      }
      // Minutes may pass on a busy machine before the screen is shown.
      #expect(screen.contains("just now") || screen.contains(/[0-9] minutes? ago/))
      let places = ["b.db", "a.db", "the demo"].compactMap { screen.firstRange(of: $0)?.lowerBound }
      #expect(places.count == 3 && places == places.sorted())
    }
  }

  @Test("what was opened before stands apart from what else can be done, where there is room", arguments: [30, 9])
  func gap(rows: Int) async throws {
    try await play(["a.db", "b.db"], size: Size(columns: 100, rows: rows)) { driver, folder in
      let lines = driver.screen.split(separator: "\n", omittingEmptySubsequences: false)
      let file = try #require(lines.firstIndex { $0.contains("a.db") })
      let path = try #require(lines.firstIndex { $0.contains("by its path") })
      #expect(path == file + (rows == 30 ? 2 : 1), "\(driver.screen)")
      driver.send([.mouse(Mouse(.press(.left), at: Point(column: 20, row: path)))])
      driver.screen.expectLine("open › a path, or host:path; Tab completes")
    }
  }

  @Test("Enter, or a click, opens the file under the cursor")
  func opens() async throws {
    for isClicked in [false, true] {
      try await play(["a.db", "b.db"]) { driver, folder in
        if isClicked {
          let row = try #require(driver.screen.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains("a.db") })
          driver.send([.mouse(Mouse(.press(.left), at: Point(column: 20, row: row)))])
        } else {
          driver.press("j enter")
        }
        #expect(driver.browser.hasEnded && driver.browser.ending == nil)
        #expect(driver.browser.successor == .files([folder.appending(path: "a.db").standardizedFileURL.path]))
      }
    }
  }

  @Test("a file that is gone is marked; it says why it cannot be opened, stays, and can be taken out of the list")
  func gone() async throws {
    try await play { driver, folder in
      try FileManager.default.removeItem(at: folder.appending(path: "music.db"))
      driver.press("enter")
      driver.screen.expectLine(beginning: "There is no file")
      #expect(!driver.browser.hasEnded && driver.browser.successor == nil)
      driver.press("x")
      #expect(!driver.screen.contains("music.db"))
      driver.screen.expectLine("the demo")
    }
  }

  @Test("a path can be written, with completion by Tab; what is no database says so and stays")
  func path() async throws {
    try await play { driver, folder in
      try Data(repeating: 1, count: 64).write(to: folder.appending(path: "muse.txt"))
      driver.press("o")
      driver.type("\(folder.path)/mu")
      driver.press("tab")
      driver.screen.expectLine("muse.txt  music.db")
      driver.type("e")
      driver.press("tab")
      driver.press("enter")
      #expect(driver.screen.contains("muse.txt") && driver.screen.contains("is not an SQLite database"), "\(driver.screen)")
      #expect(!driver.browser.hasEnded)
      driver.press("ctrl-u")
      driver.type("\(folder.path)/musi")
      driver.press("tab")
      driver.press("enter")
      #expect(driver.browser.successor == .files(["\(folder.path)/music.db"]))
    }
  }

  @Test("a new database is made at a path and opened; what is there already is not touched")
  func new() async throws {
    try await play { driver, folder in
      driver.press("n")
      driver.screen.expectLine("new › the path of the new database; Tab completes")
      driver.screen.expectLine("⏎ create")
      driver.type("\(folder.path)/music.db")
      driver.press("enter")
      #expect(driver.screen.contains("already exists: open it as a"), "\(driver.screen)")
      driver.press("ctrl-u")
      driver.type("web1:/srv/new.db")
      driver.press("enter")
      driver.screen.expectLine("A database on another machine is created by a command: quarry new web1:/srv/new.db")
      driver.press("ctrl-u")
      driver.type("\(folder.path)/new.db")
      driver.press("enter")
      #expect(driver.browser.successor == .created("\(folder.path)/new.db"))
      let bytes = try Data(contentsOf: folder.appending(path: "new.db"))
      #expect(bytes.count == 4096)
    }
  }

  @Test("a misspelt path is answered with a similar one")
  func near() async throws {
    try await play { driver, folder in
      driver.press("o")
      driver.type("\(folder.path)/musik")
      driver.press("enter")
      #expect(driver.screen.contains("Did you mean"), "\(driver.screen)")
    }
  }

  @Test("one key opens the demo, one the tour; Esc leaves the line of the path, then the program")
  func keys() async throws {
    for (keys, next) in [("d", Successor.demo(isTour: false)), ("t", .demo(isTour: true)), ("q", nil), ("o escape escape", nil)] {
      try await play { driver, _ in
        driver.press(keys)
        #expect(driver.browser.hasEnded && driver.browser.successor == next, "\(keys)")
      }
    }
    try await play { driver, _ in
      driver.press("o escape")
      #expect(!driver.browser.hasEnded)
    }
  }

  @Test("works at every size", arguments: ScreenSizeTests.sizes)
  func sizes(size: Size) async throws {
    try await play((0..<60).map { "file\($0).db" }, size: size) { driver, _ in
      driver.press("G k k k k o")
      driver.type("/nowhere/at/all")
      driver.press("enter")
      #expect(!driver.browser.hasEnded)
      #expect(driver.screen.split(separator: "\n").allSatisfy { TextWidth.columns(of: String($0)) <= size.columns })
    }
  }

  @Test("over an open database is reached by its command, and Esc goes back to that")
  func another() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(x)")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.press("f10")
        driver.type("open-database")
        driver.press("enter")
        driver.screen.expectLine("the demo")
        driver.screen.expectLine("Esc back")
        driver.press("escape")
        #expect(!driver.browser.hasEnded && driver.browser.overlays.isEmpty)
      }
    }
  }
}

@Suite("The list of what was opened", .gated)
struct RecentFilesTests {
  @Test("has the last first, each once, most 50, in a file for nobody else")
  func order() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "state/recent").path
      let recent = RecentFiles(path: path)
      for number in 0..<60 { try recent.note(["/data/\(number).db"]) }
      try recent.note(["/data/20.db"])
      try recent.note(["/data/a.db", "/data/b.db"])
      let files = recent.load().map(\.files)
      #expect(files.count == 50)
      #expect(files.prefix(3) == [["/data/a.db", "/data/b.db"], ["/data/20.db"], ["/data/59.db"]])
      #expect(files.filter { $0 == ["/data/20.db"] }.count == 1)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      try recent.forget(["/data/20.db"])
      #expect(recent.load().map(\.files).prefix(2) == [["/data/a.db", "/data/b.db"], ["/data/59.db"]])
    }
  }

  @Test("is empty where the file is not there, or nobody can read it")
  func damaged() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "recent")
      #expect(RecentFiles(path: file.path).load() == [])
      try Data("not JSON".utf8).write(to: file)
      #expect(RecentFiles(path: file.path).load() == [])
      try RecentFiles(path: file.path).note(["/a.db"])
      #expect(RecentFiles(path: file.path).load().map(\.files) == [["/a.db"]])
      try Data("damage".utf8).write(to: file)
      let error = #expect(throws: StateFileError.self) { try RecentFiles(path: file.path).note(["/b.db"]) }
      #expect(error == .damaged(path: file.path, keptAs: file.path + ".damaged-2"), "the first was set aside before")
      #expect(RecentFiles(path: file.path).load().map(\.files) == [["/b.db"]])
    }
  }

  @Test(
    "tells how long ago that was",
    arguments: [(20, "just now"), (60, "1 minute ago"), (7_300, "2 hours ago"), (172_900, "2 days ago"), (2_592_000, "2024-01-01")])
  func age(seconds: Double, text: String) throws {
    let now = try Date("2024-01-31T12:00:00Z", strategy: .iso8601)
    let opened = now.addingTimeInterval(-seconds).formatted(.iso8601)
    #expect(RecentFile(RecentFiles.Entry(files: ["/nowhere/a.db", "/b.db"], opened: opened), now: now).opened == text)
    #expect(RecentFile(RecentFiles.Entry(files: ["/nowhere/a.db", "/b.db"], opened: opened), now: now).name == "a.db and 1 more")
  }
}
