import Foundation
import TestSupport
import Testing

/// A commit of staged changes, or an undo, that is interrupted at any moment is whole or not at all, and its record and what is offered as
/// staged agree with the file.
@Suite(.gated, .enabled(if: InterruptedCommand.isPossible && Fixtures.shell != nil)) struct ChangeInterruptionTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("app.db")
  }

  private func run(_ words: String...) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(BuiltProgram.url, words, environment: ["HOME": folder.path])
  }

  /// Returns what the sqlite3 shell prints of a query.
  private func shell(_ sql: String) throws -> String {
    try BuiltProgram.run(#require(Fixtures.shell), [path, sql]).text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Returns how many commits are recorded.
  private func recordedCount() throws -> Int { try run("changes", path).text.split(separator: "\n").count - 1 }

  /// The database and what the program keeps of it, to begin with them anew.
  private struct Start {
    private let database: Data
    private let path: String
    private let state: String
    private let copy: TemporaryFolder

    /// Copies both, of which no program has anything open.
    init(path: String, home: TemporaryFolder) throws {
      self.path = path
      (database, state, copy) = (try Data(contentsOf: URL(fileURLWithPath: path)), home.path(".local"), try TemporaryFolder())
      try FileManager.default.copyItem(atPath: state, toPath: copy.path("state"))
    }

    func restore() throws {
      for suffix in ["-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      // Not atomically: the records are of this very file.
      try database.write(to: URL(fileURLWithPath: path))
      try? FileManager.default.removeItem(atPath: state)
      try FileManager.default.copyItem(atPath: copy.path("state"), toPath: state)
    }
  }

  // MARK: Undo

  private static let rowCount = 2000

  @Test(arguments: ["DELETE", "WAL"], ["UPDATE t SET name = 'later'", "DROP TABLE t"])
  func `an undo takes everything back or nothing, and the record says which`(journal: String, statement: String) throws {
    try Fixtures.database(
      "app.db", in: folder, "PRAGMA journal_mode = \(journal)", "CREATE TABLE t(id INTEGER PRIMARY KEY, name, note)",
      """
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(Self.rowCount))
      INSERT INTO t SELECT x, 'early', hex(zeroblob(70)) FROM n
      """)
    #expect(try run("query", path, statement).status == 0)
    let start = try Start(path: path, home: folder)
    let command = InterruptedCommand(arguments: ["undo", path], folder: folder)
    try command.run(times: testRounds(8), prepare: start.restore) { interruption in
      let recorded = try recordedCount()
      let isDone = try expectAllOrNothing("\(interruption)")
      #expect(recorded == (isDone ? 2 : 1), "\(interruption)")
      switch interruption.ending {
      case .exit(0): #expect(isDone, "\(interruption)")
      case .exit(130): #expect(!isDone, "\(interruption)")
      default: #expect(interruption.ending == .signal(interruption.signal), "\(interruption)")
      }
      // What was undone is not undone twice, and what was not can be.
      #expect(try run("undo", path).status == (isDone ? 1 : 0), "\(interruption)")
      #expect(try expectAllOrNothing("\(interruption), undone anew"))
    }
    #expect(try expectAllOrNothing("to its end"))
  }

  /// Returns whether all rows are there as they were at first; expects that else none is, in a database that the shell finds to be sound.
  private func expectAllOrNothing(_ when: String) throws -> Bool {
    #expect(try shell("PRAGMA integrity_check") == "ok", "\(when)")
    guard try shell("SELECT count(*) FROM sqlite_schema WHERE name = 't'") == "1" else { return false }
    let early = try shell("SELECT count(*) FROM t WHERE name = 'early'")
    #expect(early == "0" || early == "\(Self.rowCount)", "\(when)")
    return early != "0"
  }

  // MARK: Staged changes

  @Test(arguments: ["DELETE", "WAL"])
  func `a commit from the screen is made or still offered as staged, and the record says which`(journal: String) throws {
    try Fixtures.database(
      "app.db", in: folder, "PRAGMA journal_mode = \(journal)", "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, note)",
      "CREATE INDEX by_name ON t(name)", "INSERT INTO t VALUES (1, 'one', 1), (2, 'two', 2)")
    try stage()
    let start = try Start(path: path, home: folder)
    let usual = try commit { _ in .max }
    let seed = UInt64.random(in: 0 ... .max)
    print("a commit from the screen is interrupted at random: seed \(seed), of \(usual) reads and writes")
    var random = SplitMix(seed: seed)
    for _ in 0..<testRounds(4) {
      try start.restore()
      let calls = Int.random(in: 0...usual, using: &random)
      _ = try commit { $0 + calls }
      try expectAgreement("killed after \(calls) of \(usual) reads and writes, seed \(seed)")
    }
  }

  /// Stages two changed rows and a new one, and kills the program.
  private func stage() throws {
    let session = try TerminalSession(path, "-t", "t", environment: ["HOME": folder.path])
    try session.wait(for: "row 1 of 2")
    try session.press("l", "e", "later", "Enter", "j", "e", "later", "Enter", "O")
    try session.wait(for: "3 changes")
    try session.wait(until: { try stagedBytes.contains { $0.ranges(of: Data("later".utf8)).count == 3 } }, "all to be on disk")
    try kill(session)
  }

  /// Takes over what is staged, commits it, and kills the program once that has made so many reads and writes, or has ended.
  ///
  /// - Parameter limit: Returns the number of reads and writes at which the program is killed from that at which the commit begins.
  /// - Returns: How many reads and writes the commit made.
  private func commit(until limit: (Int) -> Int) throws -> Int {
    let session = try TerminalSession(path, "-t", "t", environment: ["HOME": folder.path])
    try session.wait(for: "3 changes from an earlier session, not committed")
    try session.press("Enter")
    try session.wait(for: "t · 2 rows · 3 changes")
    try session.press("C-s")
    try session.wait(for: "nothing is written yet")
    let counter = CallCounter(of: try session.processIdentifier)
    let begin = try #require(counter.count)
    try session.press("Enter")
    let calls = counter.wait(until: limit(begin)) { (try? stagedBytes.isEmpty) == true }
    try kill(session)
    return calls - begin
  }

  private func kill(_ session: TerminalSession) throws {
    try session.signal(SIGKILL)
    try session.waitForEnd()
    #expect(try session.exitStatus() == 128 + Int(SIGKILL))
  }

  /// What the files have in which staged changes are kept.
  private var stagedBytes: [Data] {
    get throws {
      let staged = folder.url.appending(path: ".local/state/quarry/staged")
      let names = try FileManager.default.contentsOfDirectory(atPath: staged.path).filter { $0.hasSuffix(".changes") }
      return names.compactMap { try? Data(contentsOf: staged.appending(path: $0)) }
    }
  }

  /// Expects that a killed commit was made or not, and that the record, what is offered and what can be undone say the same.
  private func expectAgreement(_ when: String) throws {
    let recorded = try recordedCount()
    let early = "1|one|1\n2|two|2"
    let rows = try shell("SELECT * FROM t ORDER BY id")
    #expect(rows == early || rows == "1|later|1\n2|later|2\n3|later|2", "\(when)")
    #expect(try shell("PRAGMA integrity_check") == "ok", "\(when)")
    let isDone = rows != early
    #expect(recorded == (isDone ? 1 : 0), "\(when)")
    #expect(try isOffered() == !isDone, "\(when)")
    let undo = try run("undo", path)
    #expect(undo.status == (isDone ? 0 : 1) && undo.errors.contains("nothing to undo") == !isDone, "\(when): \(undo.errors)")
    #expect(try shell("SELECT * FROM t ORDER BY id") == early, "\(when)")
  }

  /// Returns whether a new session offers what an earlier one has staged.
  private func isOffered() throws -> Bool {
    guard try !stagedBytes.isEmpty else { return false }
    let session = try TerminalSession(path, "-t", "t", environment: ["HOME": folder.path])
    var isOffered = false
    try session.wait(
      until: {
        isOffered = try session.screen.contains("from an earlier session, not committed")
        return try isOffered || stagedBytes.isEmpty
      }, "what was staged to be offered or forgotten")
    try kill(session)
    return isOffered
  }
}
