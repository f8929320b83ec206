import Foundation
import QuarryEngine
import TestSupport
import Testing

/// An import, an export or a backup that is interrupted at any moment leaves its table or file whole, or as it was.
@Suite(.gated, .enabled(if: InterruptedCommand.isPossible)) struct InterruptionTests {
  private let folder: TemporaryFolder
  /// Every run begins with these files and no others.
  private let originals: TemporaryFolder
  private static let rowCount = 8000

  init() throws {
    (folder, originals) = (try TemporaryFolder(), try TemporaryFolder())
    let note = String(repeating: "note ", count: 30)
    // More than the megabyte by which types are decided.
    let text = (1...Self.rowCount).reduce(into: "id,name,note\n") { $0 += "\($1),name \($1),\(note)\n" }
    _ = try originals.write(Data(text.utf8), to: "rows.csv")
  }

  // MARK: Import

  @Test(arguments: ["DELETE", "WAL"])
  func `an import into a table adds all rows or none`(journal: String) throws {
    try Fixtures.database(
      "app.db", in: originals, "PRAGMA journal_mode = \(journal)", "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, note TEXT)",
      "CREATE INDEX by_name ON t(name)", "INSERT INTO t VALUES (-1, 'old', NULL)")
    let command = InterruptedCommand(arguments: ["import", folder.path("app.db"), "t", folder.path("rows.csv")], folder: folder)
    try command.run(times: testRounds(30), prepare: restore) { interruption in
      let count = try rowCount()
      #expect(count == 1 || count == 1 + Self.rowCount, "\(interruption)")
      expectNoLie(interruption, isDone: count > 1)
    }
    #expect(try rowCount() == 1 + Self.rowCount)
    try expectNothingElse(["app.db", "rows.csv"])
    #expect(try BuiltProgram.run("undo", folder.path("app.db"), environment: ["HOME": folder.path]).status == 0)
    #expect(try rowCount() == 1)
  }

  @Test func `an import that makes the table makes all of it or nothing`() throws {
    let rejects = folder.path("rejects.csv")
    let command = InterruptedCommand(
      arguments: ["import", folder.path("app.db"), "t", folder.path("rows.csv"), "--create", "--rejects", rejects], folder: folder)
    try command.run(times: testRounds(30), prepare: restore) { interruption in
      let count = try rowCount()
      #expect(count == 0 || count == Self.rowCount, "\(interruption)")
      expectNoLie(interruption, isDone: count > 0)
      let rejected = try? String(contentsOfFile: rejects, encoding: .utf8)
      #expect(rejected == nil || rejected == "line,reason,record\n", "\(interruption)")
      // Whoever tries again names the same file, which must not be there.
      if interruption.signal == SIGINT { #expect((rejected != nil) == (count > 0), "\(interruption)") }
    }
    try expectNothingElse(["app.db", "rejects.csv", "rows.csv"])
  }

  /// Returns the number of rows of the table, 0 for none, in a database that is found to be sound.
  private func rowCount(_ name: String = "app.db") throws -> Int {
    let path = folder.path(name)
    guard FileManager.default.fileExists(atPath: path) else { return 0 }
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.write { db in
      #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
      guard try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema WHERE name = 't'") == 1 else { return 0 }
      return try Int.fetchOne(db, sql: "SELECT count(*) FROM t") ?? 0
    }
  }

  // MARK: Export and backup

  @Test(arguments: [["query", "SELECT id, name, note FROM t", "-o"], ["dump", "-o"], ["backup", "--force"]], [false, true])
  func `a file is written whole or stays as it was`(words: [String], isThere: Bool) throws {
    try makeTable()
    let path = folder.path("copy")
    let old = Data("old".utf8)
    if isThere { _ = try originals.write(old, to: "copy") }
    let command = InterruptedCommand(arguments: [words[0], folder.path("app.db")] + words.dropFirst() + [path], folder: folder)
    let whole = try expected(command)
    try command.run(times: testRounds(20), prepare: restore) { interruption in
      let written = FileManager.default.contents(atPath: path)
      #expect(written == whole || written == (isThere ? old : nil), "\(interruption): \(written?.count ?? -1) bytes")
      expectNoLie(interruption, isDone: written == whole)
    }
    #expect(FileManager.default.contents(atPath: path) == whole)
    try expectNothingElse(["app.db", "copy", "rows.csv"])
  }

  /// What a backup is to replace.
  enum Replaced: CaseIterable {
    case rollbackJournal, writeAheadLog
    /// A database whose last rows are in the log that a killed program has left.
    case leftLog
  }

  @Test(arguments: Replaced.allCases)
  func `a backup over a database leaves the old or the new one, sound and with all rows`(_ replaced: Replaced) throws {
    try makeTable()
    try makeReplaced(replaced)
    let command = InterruptedCommand(arguments: ["backup", "--force", folder.path("app.db"), folder.path("copy.db")], folder: folder)
    var counts: [Int: Int] = [:]
    try command.run(times: testRounds(40), prepare: restore) { interruption in
      let count = try rowCount("copy.db")
      counts[count, default: 0] += 1
      #expect(count == Self.oldRowCount || count == Self.rowCount, "\(interruption)")
      expectNoLie(interruption, isDone: count == Self.rowCount)
      #expect(try rowCount() == Self.rowCount, "\(interruption)")
    }
    print("backup over a database, interrupted: rows and how often: \(counts)")
    #expect(try rowCount("copy.db") == Self.rowCount)
    try expectNothingElse(["app.db", "copy.db", "rows.csv"])
  }

  private static let oldRowCount = 300

  private func makeReplaced(_ replaced: Replaced) throws {
    let path = originals.path("copy.db")
    let queue = try DatabaseQueue(path: path)
    try queue.withoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = \(replaced == .rollbackJournal ? "DELETE" : "WAL"); PRAGMA wal_autocheckpoint = 0")
      try db.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, name, note); PRAGMA wal_checkpoint")
      try db.execute(
        sql: """
          WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(Self.oldRowCount))
          INSERT INTO t SELECT x, 'old', hex(zeroblob(300)) FROM n
          """)
    }
    // As a kill leaves them: closing the connection removes the log.
    let files = try replaced == .leftLog ? originals.contents().filter { $0.key.hasPrefix("copy.db") && !$0.key.hasSuffix("-shm") } : [:]
    try queue.close()
    for (name, data) in files { _ = try originals.write(data, to: name) }
  }

  private func makeTable() throws {
    try Fixtures.database(
      "app.db", in: originals, "CREATE TABLE t(id INTEGER PRIMARY KEY, name, note)",
      """
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(Self.rowCount))
      INSERT INTO t SELECT x, 'name ' || x, hex(zeroblob(70)) FROM n
      """)
  }

  /// Returns what a command writes that nothing interrupts.
  private func expected(_ command: InterruptedCommand) throws -> Data {
    try restore()
    let outcome = try BuiltProgram.run(BuiltProgram.url, command.arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try #require(FileManager.default.contents(atPath: folder.path("copy")))
  }

  @Test(arguments: ["new.db", "mine.db"]) func `the result of a merge appears whole and checked, or not at all`(result: String) throws {
    try makeTable()
    let app = try #require(try originals.contents()["app.db"])
    for (name, sql) in [("mine.db", "UPDATE t SET name = 'mine' WHERE id % 3 = 0"), ("theirs.db", "DELETE FROM t WHERE id % 3 = 1")] {
      let path = try originals.write(app, to: name).path
      let queue = try DatabaseQueue(path: path)
      try queue.write { try $0.execute(sql: sql) }
      try queue.close()
    }
    let words = ["merge"] + ["app.db", "mine.db", "theirs.db"].map(folder.path) + ["-o", folder.path(result)]
    let (mine, merged) = (try originals.contents()["mine.db"], Self.rowCount - (Self.rowCount + 2) / 3)
    try InterruptedCommand(arguments: words, folder: folder).run(times: testRounds(8), prepare: restore) { interruption in
      let count = try rowCount(result)
      #expect(count == merged || count == (result == "new.db" ? 0 : Self.rowCount), "\(interruption)")
      expectNoLie(interruption, isDone: count == merged)
      let isUnchanged = try folder.contents()["mine.db"] == mine
      #expect(isUnchanged || result == "mine.db" && count == merged, "\(interruption)")
      // A killed program leaves at most its draft, which the next one removes.
      #expect(try folder.contents().keys.filter { $0.hasPrefix(".quarry-") }.count <= 1, "\(interruption)")
    }
    try expectNothingElse(Set(["app.db", "mine.db", result, "rows.csv", "theirs.db"]).sorted())
  }

  // MARK: Files as tables

  @Test func `what a killed program has read of a file is removed by the next one`() throws {
    let command = InterruptedCommand(arguments: ["query", folder.path("rows.csv"), "SELECT count(*) FROM rows"], folder: folder)
    try restore()
    try command.run(times: testRounds(20), prepare: {}) { interruption in
      let interrupted: ChildProcess.Ending = interruption.signal == SIGINT ? .exit(130) : .signal(SIGKILL)
      #expect([.exit(0), interrupted, .signal(interruption.signal)].contains(interruption.ending), "\(interruption)")
      let left = try folder.contents().keys.filter { $0.hasPrefix("quarry-files-") }
      #expect(left.count <= 1, "\(interruption)")
    }
    try expectNothingElse(["rows.csv"])
  }

  // MARK: -

  /// Puts the original files into the folder, and removes all others but those that earlier runs have left hidden.
  private func restore() throws {
    for name in try folder.contents().keys where !name.hasPrefix(".") { try FileManager.default.removeItem(atPath: folder.path(name)) }
    for (name, data) in try originals.contents() { _ = try folder.write(data, to: name) }
  }

  /// Expects a command to have ended as it says: one that ends well has done its work, and an interrupted one has not.
  private func expectNoLie(_ interruption: InterruptedCommand.Interruption, isDone: Bool) {
    switch interruption.ending {
    case .exit(0): #expect(isDone, "\(interruption)")
    case .exit(130): #expect(interruption.signal == SIGINT && !isDone, "\(interruption)")
    case .signal(interruption.signal): break
    default: Issue.record("\(interruption)")
    }
  }

  private func expectNothingElse(_ names: [String]) throws {
    #expect(try folder.contents().keys.filter { $0 != ".local" }.sorted() == names)
  }
}
