import Browser
import Foundation
import QuarryEngine
import Terminal
import TestSupport
import Testing

/// The map of the tables, played by its keys.
@Suite(.gated) struct MapScreenTests {
  private static let shop = [
    "CREATE TABLE artist(id INTEGER PRIMARY KEY)", "CREATE TABLE album(id INTEGER PRIMARY KEY, artist REFERENCES artist)",
    "CREATE TABLE track(id INTEGER PRIMARY KEY, album REFERENCES album, genre REFERENCES genre, gone REFERENCES gone)",
    "CREATE TABLE genre(id INTEGER PRIMARY KEY)", "CREATE TABLE playlist(track REFERENCES track)", "CREATE TABLE alone(a)",
    "CREATE VIEW tracks AS SELECT * FROM track",
  ]

  private func play(
    _ script: [String] = shop, columns: Int = 120, rows: Int = 36, _ body: @escaping @Sendable (SessionDriver) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending(path: "test.db").path
      try await DatabaseQueue(path: path).withoutTransaction { db in for sql in script { try db.execute(sql: sql) } }
      try await onOwnThread { try body(SessionDriver(path: path, columns: columns, rows: rows)) }
    }
  }

  @Test func `begins at the open table, and arrow keys go to the next one in their direction`() async throws {
    try await play { driver in
      driver.open(TableReference(name: "track"))
      driver.press("g m")
      func current() -> String? { driver.browser.top(MapScreen.self)?.currentName }
      #expect(current() == "track")
      driver.press("right")
      #expect(current() == "album")
      driver.press("l")
      #expect(current() == "artist")
      driver.press("right")
      #expect(current() == "artist", "nothing is farther to the right")
      driver.press("h left left left")
      #expect(current() == "playlist")
      driver.press("enter")
      #expect(driver.browser.workspace.grid?.title == "playlist")
      #expect(driver.browser.overlays.isEmpty)
    }
  }

  @Test func `digits show the tables around one, and 0 or Esc show all`() async throws {
    try await play { driver in
      driver.open(TableReference(name: "artist"))
      driver.press("g m")
      func names() -> [String] { driver.browser.top(MapScreen.self)?.names ?? [] }
      #expect(names() == ["album", "alone", "artist", "genre", "playlist", "track", "gone"])
      driver.press("1")
      #expect(names() == ["album", "artist"])
      driver.screen.expectLine("2 of 6 tables")
      driver.press("2")
      #expect(names() == ["album", "artist", "track"])
      driver.press("9")
      #expect(names() == ["album", "artist", "genre", "playlist", "track", "gone"])
      driver.press("0")
      #expect(names().count == 7)
      driver.press("space")
      #expect(names() == ["album", "artist"])
      driver.press("escape")
      #expect(names().count == 7)
      driver.press("escape")
      #expect(driver.browser.overlays.isEmpty)
    }
  }

  @Test func `/ finds a table by a part of its name`() async throws {
    try await play { driver in
      driver.press("g m /")
      driver.type("LIST")
      driver.press("enter")
      #expect(driver.browser.top(MapScreen.self)?.currentName == "playlist")
      driver.press("/")
      driver.type("a")
      driver.press("enter n")
      let first = driver.browser.top(MapScreen.self)?.currentName
      driver.press("n N")
      #expect(driver.browser.top(MapScreen.self)?.currentName == first)
      driver.press("/")
      driver.type("nowhere")
      driver.press("enter")
      driver.screen.expectLine("“nowhere” was not found")
    }
  }

  @Test func `a table that does not exist is marked, and cannot be opened`() async throws {
    try await play { driver in
      driver.press("g m /")
      driver.type("gone")
      driver.press("enter")
      driver.screen.expectLine("does not exist")
      driver.press("enter")
      driver.screen.expectLine("the table gone does not exist; only foreign keys name it")
      #expect(driver.browser.top(MapScreen.self) != nil)
    }
  }

  @Test func `a table that another program creates appears`() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, Self.shop[0])
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: 80, rows: 24, watchInterval: .milliseconds(5))
        driver.press("g m")
        #expect(driver.browser.top(MapScreen.self)?.names == ["artist"])
        try DatabaseQueue(path: path).withoutTransaction { try $0.execute(sql: Self.shop[1]) }
        driver.wait { driver.browser.top(MapScreen.self)?.names == ["album", "artist"] }
      }
    }
  }

  @Test func `y copies the shown tables as a Mermaid diagram`() async throws {
    try await play { driver in
      driver.open(TableReference(name: "artist"))
      driver.press("g m 1")
      var browser = driver.browser
      let texts = browser.press("y").compactMap { if case .copyToClipboard(let text) = $0 { text.text } else { nil } }
      #expect(texts.first?.hasPrefix("erDiagram\n  \"album\" {\n") == true)
      #expect(texts.first?.contains("\"artist\" |o--o{ \"album\" : \"artist\"\n") == true)
      #expect(texts.first?.contains("track") == false)
    }
  }

  @Test func `tables in memory have a map, and a database without tables says so`() async throws {
    let tables = [
      MemorySource.Table(name: "moon", columns: ["id", "planet"], rows: [], reference: ("planet", "planet")),
      MemorySource.Table(name: "planet", columns: ["id"], rows: []),
    ]
    try await onOwnThread {
      let driver = SessionDriver(source: MemorySource(tables: tables), columns: 80, rows: 24)
      driver.press("g m")
      #expect(driver.browser.top(MapScreen.self)?.names == ["moon", "planet"])
    }
    try await play(["PRAGMA user_version = 1"]) { driver in
      driver.press("g m")
      driver.screen.expectLine("there are no tables")
      driver.press("enter space y 1 left / escape")
    }
  }

  @Test func `any size of the screen and odd names are drawn`() async throws {
    let long = String(repeating: "椎名林檎", count: 8)
    let odd = ["CREATE TABLE \"a\nb\"(x PRIMARY KEY, y REFERENCES \"\(long)\")", "CREATE TABLE \"\(long)\"(\"\u{1B}\" PRIMARY KEY)"]
    for (columns, rows) in [(1, 1), (8, 4), (20, 5), (39, 9), (200, 60)] {
      try await play(odd, columns: columns, rows: rows) { driver in
        driver.press("g m right down pagedown 1 0")
        #expect(driver.browser.top(MapScreen.self) != nil)
      }
    }
  }
}
