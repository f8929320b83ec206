import Foundation
import TestSupport
import Testing

/// The program is killed while a statement of the health page runs: no row is lost, and the statement can run again.
@Suite(.gated, .enabled(if: Fixtures.shell != nil)) struct HealthInterruptionTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("app.db")
  }

  /// Returns the output of the sqlite3 shell.
  private func shell(_ sql: String) throws -> String {
    try BuiltProgram.run(#require(Fixtures.shell), [path, sql]).text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func size(of suffix: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
    return attributes?[.size] as? Int ?? 0
  }

  @Test(arguments: [("DELETE", "-journal"), ("WAL", "-wal")])
  func `a REINDEX that is killed leaves all rows, and can run again`(mode: String, suffix: String) throws {
    try Fixtures.database(
      "app.db", in: folder, "PRAGMA journal_mode = \(mode)", "CREATE TABLE t(id INTEGER PRIMARY KEY, a INT, b INT)",
      """
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 400000)
      INSERT INTO t SELECT x, x * 7919 % 400009, x * 104729 % 400009 FROM n
      """, "CREATE INDEX i ON t(a)")
    // The entries of the index are those of another column.
    _ = try shell("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE INDEX i ON t(b)' WHERE name = 'i'")
    let sums = "SELECT count(*), sum(id), sum(a), sum(b) FROM t NOT INDEXED"
    let before = try shell(sums)
    #expect(try shell("PRAGMA integrity_check").contains("missing from index i"))
    let session = try TerminalSession([path])
    try session.wait(for: "400,000")
    try session.press(":")
    try session.send("health")
    try session.press("Enter")
    try session.wait(for: "REINDEX main.i")
    try session.press("Enter")
    try session.wait(for: "Yes, run it")
    let start = size(of: suffix)
    try session.press("Down", "Enter")
    // The journal grows, or the statement has already ended.
    try session.wait(until: { try size(of: suffix) > start || session.screen.contains("has run") }, "the index to be built")
    try session.signal(SIGKILL)
    try session.waitForEnd()
    #expect(try shell(sums) == before)
    #expect(try shell("REINDEX i; PRAGMA integrity_check") == "ok")
    #expect(try shell(sums) == before)
  }
}
