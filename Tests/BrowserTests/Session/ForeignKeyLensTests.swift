import Browser
import Foundation
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("The foreign key lens, by key", .gated)
struct ForeignKeyLensTests {
  private static let script = [
    "CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT UNIQUE)",
    "INSERT INTO artist VALUES (1, 'Nina Simone'), (2, 'Miles Davis'), (12, 'Björk')",
    "CREATE TABLE album(id INTEGER PRIMARY KEY, title TEXT, artist_id INTEGER REFERENCES ARTIST, sequel_of INTEGER REFERENCES album)",
    "INSERT INTO album VALUES (1, 'Pastel Blues', 1, NULL), (2, 'Kind of Blue', 2, 1), (3, 'Lost', 99, NULL), (4, 'Post', 12, 2)",
    "CREATE TABLE track(title TEXT, album_id INTEGER REFERENCES album)",
    "INSERT INTO track VALUES ('a', 2), ('b', 2), ('c', 1), ('d', NULL)",
  ]

  private func play(
    _ table: String = "album", columns: Int = 120, rows: Int = 36, storage: Storage = Storage(),
    _ body: @escaping @Sendable (SessionDriver, DatabaseQueue) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("test.db").path
      let queue = try DatabaseQueue(path: path)
      try await queue.withoutTransaction { db in
        try db.execute(sql: "PRAGMA foreign_keys = OFF")
        for sql in Self.script { try db.execute(sql: sql) }
      }
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: columns, rows: rows, storage: storage, watchInterval: nil)
        driver.press("tab ctrl-p")
        driver.type(table)
        driver.press("enter")
        try body(driver, queue)
      }
    }
  }

  private static func line(_ driver: SessionDriver, with text: String) -> String {
    driver.screen.split(separator: "\n").first { $0.contains(text) }.map(String.init) ?? ""
  }

  @Test("Labels stand behind the values, a missing row is told, and the key takes them away again")
  func labels() async throws {
    try await play { driver, _ in
      #expect(!driver.screen.contains("Nina Simone"))
      driver.press("g k")
      #expect(Self.line(driver, with: "Pastel Blues").contains("1 · Nina Simone"))
      #expect(Self.line(driver, with: "Kind of Blue").contains("1 · Pastel Blues"))
      #expect(Self.line(driver, with: "Lost").contains("99 · no such row"))
      driver.press("g k")
      #expect(!driver.screen.contains("Nina Simone") && !driver.screen.contains("no such row"))
    }
  }

  @Test("The strip shows the row referred to, and counts those that refer to the cursor's row")
  func strip() async throws {
    try await play { driver, _ in
      driver.press("g k")
      driver.screen.expectLine("→ ARTIST 1 · Nina Simone  name Nina Simone")
      driver.screen.expectLine("← 1 album · 1 track")
      driver.press("j")
      driver.screen.expectLine("→ ARTIST 2 · Miles Davis")
      driver.screen.expectLine("← 1 album · 2 track")
      driver.press("$")
      driver.screen.expectLine("→ album 1 · Pastel Blues")
      driver.press("j")
      driver.screen.expectLine("→ ARTIST 99 · no such row")
      driver.screen.expectLine("← 0 album · 0 track")
    }
  }

  @Test("Values stay what they are to filters and copies")
  func values() async throws {
    try await play { driver, _ in
      driver.press("g k l l")
      driver.press("=")
      #expect(driver.browser.grid?.view.filter == "artist_id = 1")
      #expect(Self.line(driver, with: "Pastel Blues").contains("1 · Nina Simone"))
      driver.press("y")
      #expect(driver.browser.workspace.copied?.text == "1")
    }
  }

  @Test("What others write is seen")
  func changes() async throws {
    try await play { driver, queue in
      driver.press("g k")
      try queue.write { db in
        try db.execute(sql: "UPDATE artist SET name = 'Eunice' WHERE id = 1; INSERT INTO track VALUES ('e', 1)")
      }
      driver.press("R")
      #expect(Self.line(driver, with: "Pastel Blues").contains("1 · Eunice"))
      driver.screen.expectLine("← 1 album · 2 track")
    }
  }

  @Test("Going to another table and back keeps the lens, and the next start has it too")
  func kept() async throws {
    try await play { driver, _ in
      driver.press("g k l l g d")
      #expect(driver.browser.grid?.title == "ARTIST")
      driver.press("ctrl-o")
      #expect(Self.line(driver, with: "Pastel Blues").contains("1 · Nina Simone"))
      #expect(driver.browser.workspace.memory[TableReference(name: "album")]?.showsReferences == true)
      driver.press("ctrl-p")
      driver.type("track")
      driver.press("enter ctrl-p")
      driver.type("album")
      driver.press("enter")
      #expect(Self.line(driver, with: "Pastel Blues").contains("1 · Nina Simone"))
    }
  }

  @Test("Small screens have room for it", arguments: [(80, 24), (40, 10), (10, 4), (1, 1)])
  func sizes(columns: Int, rows: Int) async throws {
    try await play(columns: columns, rows: rows) { driver, _ in
      driver.press("g k")
      if columns >= 40 { #expect(driver.screen.contains("→ ARTIST 1") || driver.screen.contains("1 · Ni")) }
      driver.press("j l h k g k")
      #expect(driver.browser.grid?.lens == nil)
    }
  }
}
