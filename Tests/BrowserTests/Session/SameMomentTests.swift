import Browser
import QuarryEngine
import TestSupport
import Testing

/// Keys that are pressed before what the ones before them have begun is answered.
@Suite("Things that happen at the same moment each get their answer", .gated)
struct SameMomentTests {
  private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  /// Plays on the database of the pictures, which another connection sees too.
  private func play(_ body: @escaping @Sendable (SessionDriver, Stage) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let stage = try Stage(folder: folder, script: MusicDatabase.script)
      try await onOwnThread { try body(try SessionDriver(path: stage.path, storage: stage.storage), stage) }
    }
  }

  /// Expects what another connection sees.
  private static func expect(_ number: Int, of sql: String, _ stage: Stage) throws {
    let seen = try stage.other.read { db in try Int.fetchOne(db, sql: sql) }
    #expect(seen == number)
  }

  private static func performAtOnce(_ command: String, _ driver: SessionDriver) {
    driver.pressAtOnce("f10")
    for letter in command { driver.pressAtOnce(String(letter)) }
    driver.pressAtOnce("enter")
  }

  @Test("a commit that is asked for while a statement runs is refused with the reason, and is done once that has been stopped")
  func commit() async throws {
    try await play { driver, stage in
      driver.play(["f4", "'UPDATE track SET genre = NULL WHERE id = 1'", "f5 escape"])
      driver.play(["ctrl-u", "'\(Self.endless)'"])
      driver.pressAtOnce("f5")
      driver.waitAtOnce { driver.screen.contains("running") }
      Self.performAtOnce("commit", driver)
      driver.waitAtOnce { driver.screen.contains("a statement is running") }
      driver.pressAtOnce("escape")
      driver.press("ctrl-c")
      driver.screen.expectLine("stopped")
      driver.screen.expectLine("open transaction: 1 row changed")
      Self.performAtOnce("commit", driver)
      driver.settle()
      driver.screen.expectLine("committed")
      try Self.expect(1, of: "SELECT genre IS NULL FROM track WHERE id = 1", stage)
    }
  }

  @Test("an undo that is asked for before the commits have been read is not told that there are none")
  func undo() async throws {
    try await withTemporaryFolder { folder in
      let stage = try Stage(folder: folder, script: MusicDatabase.script, recordsCommits: true)
      try await onOwnThread {
        let driver = try SessionDriver(path: stage.path, changes: stage.changes, storage: stage.storage)
        driver.pressAtOnce("g u u")
        driver.waitAtOnce { driver.screen.contains("the commits are still being read") }
        driver.settle()
        driver.press("u")
        driver.screen.expectLine("no commits through Quarry yet")
      }
    }
  }

  @Test("a text that is saved is said to be so, though the list of statements is asked for at once")
  func saving() async throws {
    try await play { driver, stage in
      driver.play(["f4", "'SELECT 1'", "alt-s", "'fresh'"])
      driver.pressAtOnce("enter f9")
      driver.settle()
      driver.screen.expectLine("Statements")
      driver.screen.expectLine("saved as fresh")
      driver.play(["escape", "f9"])
      driver.screen.expectLine("▌ by artist")
      driver.screen.expectLine("fresh")
    }
  }

  @Test("of two writes in a row the first is done, and the second is refused with the reason")
  func writes() async throws {
    try await play { driver, stage in
      driver.play(["f4", "'INSERT INTO tag VALUES ('twice', 1)'"])
      driver.pressAtOnce("f5")
      driver.pressAtOnce("f5")
      driver.waitAtOnce { true }
      driver.screen.expectLine("a statement is running: ^C stops it")
      driver.settle()
      driver.screen.expectLine("1 row changed, not committed yet")
      driver.press("down enter")
      try Self.expect(1, of: "SELECT count(*) FROM tag WHERE name = 'twice'", stage)
    }
  }

  @Test("two commits in a row are one, and both have their answer")
  func commits() async throws {
    try await play { driver, stage in
      driver.play(["f4", "'INSERT INTO tag VALUES ('once', 1)'", "f5 escape"])
      Self.performAtOnce("commit", driver)
      Self.performAtOnce("commit", driver)
      driver.settle()
      driver.play(["escape"])
      try Self.expect(1, of: "SELECT count(*) FROM tag WHERE name = 'once'", stage)
      #expect(!driver.screen.contains("open transaction"), "\(driver.screen)")
    }
  }

  @Test("a filter that is written and applied while rows are being sorted comes with the order")
  func filterWhileSorting() async throws {
    try await play { driver, _ in
      driver.open("track")
      driver.press("3 l")
      driver.pressAtOnce("s s &")
      for letter in "id<4" { driver.pressAtOnce(String(letter)) }
      driver.pressAtOnce("enter")
      driver.settle()
      driver.screen.expectLine("track · 3 of 40 rows · sort seconds▼")
      driver.screen.expectLine("filter › id<4")
      driver.screen.expectLine("Track 3")
      #expect(!driver.screen.contains("Track 4"), "\(driver.screen)")
    }
  }

  @Test("a filter that is written while another table is being opened does not narrow that table, and is in the history of its own")
  func filterWhileOpening() async throws {
    try await play { driver, _ in
      driver.open("track")
      for key in ["ctrl-p", "a", "l", "b", "u", "m", "enter", "&", "i", "d", "<", "4"] { driver.pressAtOnce(key) }
      driver.settle()
      driver.screen.expectLine("album · 6 rows")
      driver.screen.expectLine("filter › all rows")
      driver.open("track")
      driver.screen.expectLine("track · 40 rows")
      driver.press("& up")
      driver.screen.expectLine("filter › id<4")
    }
  }

  @Test(
    "an editor that is left and closed while its statement runs leaves it running; the grid is there, and the rows come when it is opened again"
  )
  func closing() async throws {
    try await play { driver, _ in
      driver.play(["f4", "'SELECT title AS found FROM track WHERE id = 7'"])
      for key in ["f5", "ctrl-w", "j", "q"] { driver.pressAtOnce(key) }
      driver.settle()
      #expect(!driver.screen.contains("running"), "\(driver.screen)")
      driver.press("f4")
      driver.screen.expectLine(beginning: "1 SELECT title AS found")
      driver.screen.expectLine("Track 7")
    }
  }

  @Test("a text that is closed while its statement runs: the statement ends, and what it changed is asked about")
  func closingText() async throws {
    try await play { driver, stage in
      driver.play(["f4", "'DELETE FROM tag WHERE name = 'studio''"])
      driver.pressAtOnce("f5")
      driver.pressAtOnce("alt-w")
      driver.settle()
      driver.screen.expectLine("1 row changed, not committed yet")
      driver.play(["down down enter"])
      driver.screen.expectLine("rolled back: all changes undone")
      try Self.expect(1, of: "SELECT count(*) FROM tag WHERE name = 'studio'", stage)
    }
  }

  @Test("to quit while a statement runs stops it first; what was changed before is asked about")
  func quitting() async throws {
    try await play { driver, stage in
      driver.play(["f4", "'\(Self.endless)'"])
      driver.pressAtOnce("f5")
      driver.waitAtOnce { driver.screen.contains("running") }
      driver.press("ctrl-q")
      #expect(driver.browser.hasEnded, "\(driver.screen)")
    }
    try await play { driver, stage in
      driver.play(["f4", "'DELETE FROM tag WHERE name = 'studio''", "f5 escape", "ctrl-u", "'\(Self.endless)'"])
      driver.pressAtOnce("f5")
      driver.waitAtOnce { driver.screen.contains("running") }
      driver.press("ctrl-q")
      #expect(!driver.browser.hasEnded)
      driver.screen.expectLine("A transaction is open: 1 row changed")
    }
  }

  @Test("a statement that is run while a table is being opened has its rows on the screen, whichever comes first")
  func runningWhileOpening() async throws {
    try await play { driver, _ in
      driver.play(["f4", "'SELECT 'from the editor''"])
      for key in ["ctrl-p", "t", "r", "a", "c", "k", "enter", "f4", "f5"] { driver.pressAtOnce(key) }
      driver.settle()
      driver.screen.expectLine("from the editor")
      driver.open("track")
      driver.screen.expectLine("track · 40 rows")
    }
  }
}
