import Browser
import Foundation
import QuarryEngine
import TestSupport
import Testing

@Suite("A record and the rows around it")
struct RecordReferencesTests {
  private func play(_ script: [String], columns: Int = 120, rows: Int = 36, _ body: @escaping @Sendable (SessionDriver) throws -> Void)
    async throws
  {
    try await withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("test.db").path
      try await DatabaseQueue(path: path).withoutTransaction { db in for sql in script { try db.execute(sql: sql) } }
      try await onOwnThread { try body(SessionDriver(path: path, columns: columns, rows: rows)) }
    }
  }

  private static let script = [
    "PRAGMA foreign_keys = OFF",
    "CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT)",
    "CREATE TABLE album(id INTEGER PRIMARY KEY, title TEXT, artist_of_first_edition INTEGER REFERENCES artist, other INTEGER REFERENCES artist)",
    "CREATE TABLE track(id INTEGER PRIMARY KEY, album INTEGER REFERENCES album, note TEXT)",
    "INSERT INTO artist VALUES (1, 'Nina Simone'), (2, 'Björk')",
    "INSERT INTO album VALUES (1, 'Pastel Blues', 1, 9), (2, 'Homogenic', 2, NULL)",
    "INSERT INTO track VALUES (1, 1, 'a'), (2, 1, 'b'), (3, 2, 'c')",
  ]

  @Test(arguments: [(120, 36), (80, 24)])
  func `a foreign key has the name of its row, and who refers here is below the fields`(columns: Int, rows: Int) async throws {
    try await play(Self.script, columns: columns, rows: rows) { driver in
      driver.play(["ctrl-p", "'album'", "enter", "enter"])
      driver.screen.expectLine("1 · Nina Simone")
      driver.screen.expectLine("9 · no such row")
      driver.screen.expectLine("← 2 track")
      driver.play(["]"])
      driver.screen.expectLine("2 · Björk")
      driver.screen.expectLine("← 1 track")
    }
  }

  @Test(arguments: [(120, 36), (80, 24)])
  func `no label is cut while there is room`(columns: Int, rows: Int) async throws {
    try await play(Self.script, columns: columns, rows: rows) { driver in
      driver.play(["ctrl-p", "'album'", "enter", "enter"])
      #expect(driver.browser.top(RecordScreen.self) != nil)
      let record = try #require(driver.browser.top(RecordScreen.self))
      #expect(record.nameColumns == "  artist_of_first_edition".count, "\(driver.screen)")
    }
  }

  @Test func `a label longer than half of the room takes what its value leaves`() async throws {
    let name = "the_name_of_a_column_that_is_longer_than_half_of_the_room"
    let script = [
      "CREATE TABLE wide(id INTEGER PRIMARY KEY, \(name) INTEGER, text TEXT)",
      "INSERT INTO wide VALUES (1, 7, 'a text ' || replace(hex(zeroblob(100)), '00', 'x '))",
    ]
    try await play(script, columns: 80, rows: 24) { driver in
      driver.play(["ctrl-p", "'wide'", "enter", "enter"])
      driver.screen.expectLine("\(name)  7")
    }
  }

  @Test func `a staged value has the name of the row that it refers to`() async throws {
    try await play(Self.script) { driver in
      driver.play(["ctrl-p", "'album'", "enter", "l l e", "ctrl-u", "'2'", "enter", "enter"])
      driver.screen.expectLine("2 · Björk")
    }
  }
}
