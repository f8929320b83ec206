import Browser
import Foundation
import QuarryEngine
import QuarrySources
import TestSupport
import Testing

@Suite("Files that are deleted or replaced while they are on the screen", .gated)
struct MovedFileTests {
  /// Plays on a table `t` of which the file has one row, `old`; `replace` puts another file with the row `new` in its place.
  private func play(
    watchInterval: Duration? = nil, _ body: @escaping @Sendable (SessionDriver, _ path: String, _ replace: () throws -> Void) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(a)", "INSERT INTO t VALUES ('old')", "CREATE VIEW v AS SELECT a FROM t")
      let other = try makeDatabaseFile(
        in: folder, named: "other.db", "CREATE TABLE t(a)", "INSERT INTO t VALUES ('new')", "CREATE VIEW v AS SELECT a FROM t")
      try await onOwnThread {
        let driver = try SessionDriver(path: path, watchInterval: watchInterval)
        driver.open(TableReference(name: "t"))
        driver.screen.expectLine("old")
        try body(driver, path) { #expect(rename(other, path) == 0) }
      }
    }
  }

  private static func value(_ sql: String, at path: String) throws -> Int? {
    try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: sql) }
  }

  @Test("one that is replaced is told of by itself, and its rows are shown", arguments: ["t", "v"])
  func replaced(table: String) async throws {
    try await play(watchInterval: .milliseconds(5)) { driver, _, replace in
      driver.open(TableReference(name: table))
      try replace()
      driver.wait { driver.screen.contains("new") }
      #expect(!driver.screen.contains("old"))
      driver.screen.expectLine("“test.db” was replaced: you now see the new file")
      #expect(driver.browser.workspace.source.fileBadge == nil)
    }
  }

  /// How a file is damaged where it is, and a part of what is reported.
  enum Damage: CaseIterable {
    case overwritten, cut, emptied

    func apply(to bytes: Data) -> Data {
      switch self {
      case .overwritten: Data(repeating: 0x5A, count: bytes.count)
      case .cut: bytes.prefix(bytes.count / 2)
      case .emptied: Data()
      }
    }
  }

  @Test("one that is overwritten or cut has a badge, unasked and past the next key", arguments: Damage.allCases)
  func damaged(_ damage: Damage) async throws {
    try await play(watchInterval: .milliseconds(5)) { driver, path, _ in
      let file = URL(fileURLWithPath: path)
      let bytes = try Data(contentsOf: file)
      // Not atomically: the file stays the same one.
      try damage.apply(to: bytes).write(to: file)
      driver.wait { driver.browser.workspace.source.fileBadge == "file is damaged" }
      driver.press("l")
      driver.screen.expectLine("file is damaged")
      try bytes.write(to: file)
      driver.wait { driver.browser.workspace.source.fileBadge == nil }
      driver.wait { driver.screen.contains("old") && !driver.screen.contains("file is damaged") }
      // Each connection reads the file again: the one of the rows, and the one that writes.
      try DatabaseQueue(path: path).write { db in try db.execute(sql: "UPDATE t SET a = 'later'") }
      driver.wait { driver.screen.contains("later") }
      driver.press("f4")
      driver.type("UPDATE t SET a = 'mine' WHERE a = 'later'")
      driver.press("f5")
      #expect(driver.browser.workspace.source.transaction?.changes == 1, "\(driver.screen)")
    }
  }

  @Test("R sees it at once, and so do tables that are opened or gone back to after it")
  func refreshed() async throws {
    try await play { driver, _, replace in
      driver.open(TableReference(name: "v"))
      try replace()
      driver.screen.expectLine("old")
      driver.press("R")
      driver.screen.expectLine("new")
      #expect(!driver.screen.contains("old"), "\(driver.screen)")
      driver.press("ctrl-o")
      driver.screen.expectLine("new")
      #expect(!driver.screen.contains("old"), "\(driver.screen)")
    }
  }

  @Test("a statement does not write to a file that nobody has seen; once it is shown, it does")
  func statement() async throws {
    try await play { driver, path, replace in
      try replace()
      driver.press("f4")
      driver.type("DELETE FROM t WHERE a = 'new'")
      driver.press("f5")
      driver.screen.expectLine("“test.db” was replaced: you now see the new file; nothing was run: check the rows first")
      #expect(driver.browser.workspace.source.transaction == nil)
      #expect(try Self.value("SELECT count(*) FROM t", at: path) == 1)
      driver.press("f5")
      #expect(driver.browser.workspace.source.transaction?.changes == 1, "\(driver.screen)")
    }
  }

  @Test("with a transaction open in the old file nothing is committed there; rolled back, the new file is shown")
  func transaction() async throws {
    try await play { driver, path, replace in
      driver.press("f4")
      driver.type("UPDATE t SET a = 'mine' WHERE a = 'old'")
      driver.press("f5")
      driver.press("escape")
      #expect(driver.browser.workspace.source.transaction?.changes == 1)
      try replace()
      driver.press("f10")
      driver.type("commit")
      driver.press("enter")
      driver.screen.expectLine("old file")
      #expect(driver.browser.workspace.source.transaction?.changes == 1)
      driver.press("f10")
      driver.type("rollback")
      driver.press("enter")
      #expect(driver.browser.workspace.source.transaction == nil)
      driver.open(TableReference(name: "t"))
      driver.press("R")
      driver.screen.expectLine("new")
      #expect(driver.browser.workspace.source.fileBadge == nil, "\(driver.screen)")
      #expect(try Self.value("SELECT count(*) FROM t WHERE a = 'new'", at: path) == 1)
    }
  }

  @Test("one that is deleted stays on the screen, which says so, and statements are refused; one that comes after it is shown")
  func deleted() async throws {
    try await play(watchInterval: .milliseconds(5)) { driver, path, replace in
      try FileManager.default.removeItem(atPath: path)
      driver.wait { driver.screen.contains("deleted or moved") }
      driver.screen.expectLine("old")
      driver.screen.expectLine("file is gone")
      driver.press("f4")
      driver.type("INSERT INTO t VALUES (1)")
      driver.press("f5")
      driver.screen.expectLine("“test.db” was deleted or moved: you still see the file as it was opened; R checks again; nothing was")
      #expect(!FileManager.default.fileExists(atPath: path))
      try replace()
      driver.wait { driver.browser.workspace.source.fileBadge == nil }
      driver.open(TableReference(name: "t"))
      driver.screen.expectLine("new")
    }
  }

  @Test("one that is replaced by what is no database is told of, and the old rows stay")
  func replacedByText() async throws {
    try await play(watchInterval: .milliseconds(5)) { driver, path, _ in
      let text = path + ".txt"
      try Data(String(repeating: "no database at all. ", count: 100).utf8).write(to: URL(fileURLWithPath: text))
      #expect(rename(text, path) == 0)
      driver.wait { driver.browser.workspace.source.fileBadge != nil }
      #expect(driver.browser.notice?.text.contains("cannot be opened") == true)
      driver.screen.expectLine("old file")
    }
  }
}
