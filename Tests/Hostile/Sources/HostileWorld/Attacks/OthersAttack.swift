import Foundation

extension Attack {
  /// Other programs that write, vacuum, checkpoint and change the schema.
  static let others = Attack(
    "others", "writers, VACUUM, checkpoints and changes of the schema beside commands and a screen", fewCases: 3
  ) { trial in
    try OthersCase(trial).play()
  }
}

/// A database that several programs write at the same time.
private struct OthersCase {
  private let trial: Trial
  private let journal: String
  private var path: String { trial.files.path("app.db") }

  init(_ trial: Trial) throws {
    self.trial = trial
    journal = trial.random.oneIn(2) ? "DELETE" : "WAL"
    try trial.files.replace(with: try Command.originals(journal: journal, in: trial))
  }

  /// The SQL of another program that changes nothing of what is counted.
  private static let disturbances = [
    "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA wal_checkpoint(RESTART)", "CREATE INDEX more ON t(n)", "DROP INDEX IF EXISTS more",
    "ALTER TABLE u ADD COLUMN x", "ALTER TABLE u RENAME COLUMN label TO tag", "ALTER TABLE u RENAME COLUMN tag TO label",
    "CREATE TABLE new(a)", "DROP TABLE IF EXISTS new", "ANALYZE", "REINDEX", "PRAGMA optimize", "DELETE FROM u WHERE id > 1",
  ]

  func play() throws {
    let terminal = try PseudoTerminal([trial.world.program, "app.db", "-t", "t"], for: trial, size: (80, 24))
    terminal.waitForStart()
    let ours = "'\(trial.world.program)' query '\(path)' 'UPDATE t SET n = n + 1 WHERE id = 7'"
    let theirs = "'\(trial.world.shell)' -cmd '.timeout 60000' '\(path)' 'INSERT INTO t(name) VALUES (1)'"
    let writers = try [ours, ours, theirs].enumerated().map { try start($0.element, $0.offset) }
    try disturb(terminal, until: { writers.allSatisfy { $0.poll() != nil } })
    for writer in writers where writer.poll() == nil { writer.send(SIGKILL) }
    for writer in writers { trial.expect(writer.waitForEnd() == .exit(0), "others: a writer hangs", journal) }
    terminal.quit()
    terminal.judge(terminal.waitForEnd(), name: "others: screen", line: journal, for: trial)
    try expectAllCommits()
  }

  /// Starts a shell that runs a command several times, and prints how often it succeeded.
  private func start(_ command: String, _ number: Int) throws -> RunningProgram {
    let script = "n=0; for i in 1 2 3 4 5 6 7 8; do \(command) > /dev/null 2>> \"$0-errors\" && n=$((n+1)); done; echo $n"
    let output = trial.folder.appending(path: "writer-\(number)").path
    let writing = O_WRONLY | O_CREAT | O_TRUNC
    trial.count("commits tried", 8)
    return try RunningProgram(
      ["/bin/sh", "-c", script, output], environment: trial.environment,
      streams: [("/dev/null", O_RDONLY), (output, writing), (output + "-log", writing)])
  }

  /// Disturbs the writers, and looks around on the screen, until they have ended.
  private func disturb(_ terminal: PseudoTerminal, until isOver: () -> Bool) throws {
    let end = ContinuousClock.now + ProgressWatch.limit
    while !isOver(), .now < end {
      let sql = trial.random.pick(Self.disturbances, default: "VACUUM")
      try trial.shell(["-cmd", ".timeout 1000", path, sql])
      trial.count("disturbances")
      terminal.type(trial.random.pick(Keys.looking, default: "j"))
      terminal.read(waiting: 10)
    }
  }

  /// Expects each success to be a row or a count, and no other.
  private func expectAllCommits() throws {
    let successes = (0..<3).map { number in
      let text = FileManager.default.contents(atPath: trial.folder.appending(path: "writer-\(number)").path) ?? Data()
      return Int(String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
    }
    trial.count("commits", successes.reduce(0, +))
    let run = try trial.shell([path, "SELECT n FROM t WHERE id = 7; SELECT count(*) - 300 FROM t; PRAGMA integrity_check"])
    let expected = "\(successes[0] + successes[1])\n\(successes[2])\nok\n"
    trial.expect(run.text == expected, "others: commits are lost", "\(journal): \(expected) expected, \(run.text) found \(run.errors)")
    let left = trial.files.names.filter { $0.hasPrefix(".") }
    trial.expect(left.isEmpty, "others: leaves files", "\(journal): \(left)")
  }
}
