import Foundation
import QuarryEngine
import Terminal
import TestSupport
import Testing

@testable import Browser

/// The whole browser on a database that a server has: each key leads to the same screen as on a file.
@Suite struct RemoteSourceTests {
  /// The keys of a walk, part by part.
  private static let walk: [(title: String, keys: [String])] = [
    ("the catalog", ["j j k"]),
    ("a jump to a table", ["ctrl-p", "'track'", "enter"]),
    ("moves", ["G g g j j l l"]),
    ("a filter", ["&", "'seconds > 200'", "enter"]),
    ("no filter", ["&", "ctrl-u", "enter"]),
    ("a sort", ["s s G g g"]),
    ("no sort", ["g S"]),
    ("a search", ["/", "'blue'", "enter"]),
    ("a table with foreign keys", ["ctrl-p", "'album'", "enter"]),
    ("a foreign key, and back", ["l l g d ctrl-o"]),
    ("a record", ["enter", "escape"]),
    ("a statement with a parameter", ["f4", "'SELECT title, seconds FROM track WHERE seconds > :least ORDER BY title'", "f5", "'200'", "enter"]),
    ("back in the grid", ["escape", "f4"]),
  ]

  private func play(
    writes: Bool = false, _ body: @escaping @Sendable (_ file: SessionDriver, _ server: SessionDriver) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let paths = ["file", "server"].map { folder.appendingPathComponent("\($0).db").path }
      for path in paths {
        try await DatabaseQueue(path: path).withoutTransaction { db in for sql in MusicDatabase.script { try db.execute(sql: sql) } }
      }
      let changes = folder.appendingPathComponent("changes").path
      try await onOwnThread {
        let file = try SessionDriver(path: paths[0], changes: ChangeLogFolder(path: changes), isTimeless: true)
        let source = RemoteDataSource(ServedDatabase(path: paths[1]), changesFolder: changes, watchInterval: nil)
        try body(file, SessionDriver(source: source, isTimeless: true))
      }
    }
  }

  @Test func `a walk ends each part with the same text on the screen`() async throws {
    try await play { file, server in
      for (title, keys) in Self.walk {
        file.play(keys)
        server.play(keys)
        #expect(server.screen == file.screen, "\(title)")
      }
    }
  }

  @Test func `values are counted and profiled, and looked for in all tables`() async throws {
    try await play { file, server in
      for keys in [["ctrl-p", "'track'", "enter", "l l g c"], ["escape"], [":", "'profile'", "enter"], ["escape"]] {
        file.play(keys)
        server.play(keys)
        #expect(server.screen == file.screen, "\(keys)")
      }
    }
  }

  @Test func `an edit is committed, and taken back`() async throws {
    try await play { file, server in
      let parts = [
        ["ctrl-p", "'album'", "enter"], ["l e", "' II'", "enter"], ["j j l g n j d d o e", "'New'", "enter"], ["g z"], ["enter"],
        ["escape"], ["g u"], ["G"], ["escape"],
      ]
      for keys in parts {
        file.play(keys)
        server.play(keys)
        #expect(Self.timeless(server.screen) == Self.timeless(file.screen), "\(keys)")
      }
    }
  }

  /// Returns a screen without the times at which something was committed.
  private static func timeless(_ screen: String) -> String {
    screen.replacing(/\d\d:\d\d(:\d\d)?/, with: "time")
  }

  @Test func `what is read only says how it can be written`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("server.db").path
      try await DatabaseQueue(path: path).withoutTransaction { db in for sql in MusicDatabase.script { try db.execute(sql: sql) } }
      try await onOwnThread {
        let source = RemoteDataSource(ServedDatabase(path: path), refusal: "read-only: --write opens it to be written", watchInterval: nil)
        let driver = SessionDriver(source: source)
        driver.play(["ctrl-p", "'album'", "enter", "l e"])
        #expect(driver.screen.contains("--write"), "\(driver.screen)")
        driver.play(["f4", "'DELETE FROM album'", "f5"])
        #expect(driver.screen.contains("--write"), "\(driver.screen)")
      }
    }
  }
}
