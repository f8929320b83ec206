import Browser
import Foundation
import QuarryChanges
import QuarryEngine
import QuarryFiles
import QuarrySources
import TestSupport
import Testing

@Suite("The screen of a merge", .gated)
struct MergeScreenTests {
  private static let rows = "CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, b TEXT); INSERT INTO t VALUES (1, 1, 'b'), (2, 2, 'b');"

  /// Plays on the conflicts of a merge.
  private func play(
    _ schema: String = rows, mine: String, theirs: String, size: (Int, Int) = (80, 24),
    _ body: @escaping @Sendable (SessionDriver, PendingMerge, URL) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let merge = try await MergeFixture.merge(in: folder, schema, mine: mine, theirs: theirs)
      try await onOwnThread {
        try body(SessionDriver(source: NoDatabase(), columns: size.0, rows: size.1, first: .merge(merge)), merge, folder)
      }
    }
  }

  private func values(_ sql: String, in folder: URL) throws -> [String] {
    try DatabaseQueue(path: folder.appendingPathComponent("result.db").path).read { try String.fetchAll($0, sql: sql) }
  }

  @Test("one conflict is settled, and the result written, by three keys")
  func one() async throws {
    try await play(mine: "UPDATE t SET a = 5 WHERE id = 1;", theirs: "UPDATE t SET a = 6 WHERE id = 1;") { driver, merge, folder in
      driver.screen.expectLine("Merge into result.db · 0 of 1 settled")
      driver.press("t")
      driver.screen.expectLine("all settled: ^S writes /srv/music/result.db")
      driver.press("ctrl-s")
      driver.screen.expectLine("Write the result to /srv/music/result.db?")
      driver.press("enter")
      #expect(driver.browser.hasEnded && merge.written != nil)
      let found = try values("SELECT id || ' ' || a FROM t", in: folder)
      #expect(found == ["1 6", "2 2"])
    }
  }

  @Test("decisions are undone, and those of the rest at once")
  func undo() async throws {
    try await play(mine: "UPDATE t SET a = 5, b = 'm';", theirs: "UPDATE t SET a = 6, b = 't';") { driver, merge, folder in
      driver.play(["t", "m", "u"])
      driver.screen.expectLine("Merge into result.db · 1 of 4 settled")
      driver.press("M")
      driver.screen.expectLine("Merge into result.db · 4 of 4 settled")
      driver.play(["u", "T", "w", "enter"])
      let found = try values("SELECT a || b FROM t", in: folder)
      #expect(found == ["6t", "6t"])
    }
  }

  @Test("a value of one's own is typed as in the grid: with the type of its column")
  func edit() async throws {
    try await play(mine: "UPDATE t SET a = 5 WHERE id = 1;", theirs: "UPDATE t SET a = 6 WHERE id = 1;") { driver, merge, folder in
      driver.press("e")
      driver.type("x")
      driver.press("enter")
      driver.screen.expectLine(beginning: "“x” is not valid here")
      driver.play(["backspace", "'42'", "enter", "w", "enter"])
      let found = try values("SELECT typeof(a) || a FROM t", in: folder)
      #expect(found == ["integer42", "integer2"])
    }
  }

  @Test("both new rows stay if theirs gets another key")
  func renumber() async throws {
    try await play(mine: "INSERT INTO t VALUES (3, 1, 'm');", theirs: "INSERT INTO t VALUES (3, 1, 't');") { driver, merge, folder in
      driver.play(["r", "w", "enter"])
      let found = try values("SELECT id || b FROM t", in: folder)
      #expect(found == ["1b", "2b", "3m", "4t"])
    }
  }

  @Test("nothing is written before all conflicts are settled, and leaving asks")
  func leaving() async throws {
    try await play(mine: "UPDATE t SET a = 5;", theirs: "UPDATE t SET a = 6;") { driver, merge, folder in
      driver.play(["t", "w"])
      driver.screen.expectLine("1 conflict to settle first: nothing is written before that")
      driver.press("q")
      driver.screen.expectLine("Leave without writing /srv/music/result.db and lose 1 decision?")
      driver.press("enter")
      #expect(!driver.browser.hasEnded)
      driver.play(["ctrl-q", "down", "enter"])
      #expect(driver.browser.hasEnded && merge.written == nil)
      #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("result.db").path))
    }
  }

  @Test("conflicts of the merged rows come after the others")
  func merged() async throws {
    let schema = "CREATE TABLE t(id INTEGER PRIMARY KEY, a, u UNIQUE); INSERT INTO t VALUES (1, 1, 1);"
    let (mine, theirs) = ("UPDATE t SET a = 2; INSERT INTO t VALUES (2, 0, 7);", "UPDATE t SET a = 3; INSERT INTO t VALUES (3, 0, 7);")
    try await play(schema, mine: mine, theirs: theirs) { driver, merge, folder in
      driver.play(["m", "w", "enter"])
      driver.screen.expectLine("1 conflict of the merged rows: nothing is written yet")
      driver.screen.expectLine("UNIQUE constraint failed: t.u.")
      driver.play(["t", "w", "enter"])
      let found = try values("SELECT id || '-' || a FROM t", in: folder)
      #expect(found == ["1-2", "3-0"])
    }
  }

  @Test("values that a side got in the meantime are conflicts again")
  func changed() async throws {
    try await play(mine: "UPDATE t SET a = 5 WHERE id = 1;", theirs: "UPDATE t SET a = 6 WHERE id = 1;") { driver, merge, folder in
      try DatabaseQueue(path: folder.appendingPathComponent("theirs.db").path).write {
        try $0.execute(sql: "UPDATE t SET a = 7 WHERE id = 1")
      }
      driver.play(["t", "w", "enter"])
      #expect(!driver.browser.hasEnded && merge.written == nil)
      driver.screen.expectLine("Merge into result.db · 1 of 2 settled")
    }
  }

  @Test("any size is drawn, and every key answers", arguments: [(120, 36), (40, 10), (12, 4), (1, 1)])
  func sizes(size: (Int, Int)) async throws {
    try await withTemporaryFolder { folder in
      let merge = try await MergeFixture.merge(in: folder)
      try await onOwnThread {
        let driver = SessionDriver(source: NoDatabase(), columns: size.0, rows: size.1, first: .merge(merge))
        driver.play([
          "j", "k", "G", "g g", "n", "N", "enter", "escape", "ctrl-f", "ctrl-b", "?", "escape", "f4", "ctrl-p", "escape", "K", "escape",
        ])
        #expect(!driver.browser.hasEnded)
      }
    }
  }
}
