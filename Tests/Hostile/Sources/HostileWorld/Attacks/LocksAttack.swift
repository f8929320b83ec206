import Foundation

extension Attack {
  /// A writer that does not wait for locks, beside a screen.
  public static let locks = Attack(
    "locks", "a writer that does not wait for locks, and locks that outlive a read, beside a screen", fewCases: 1
  ) { trial in
    let journal = trial.random.oneIn(2) ? "DELETE" : "WAL"
    try trial.files.replace(with: try Command.originals(journal: journal, in: trial))
    let terminal = try PseudoTerminal([trial.world.program, "app.db", "-t", "t"], for: trial, size: (100, 30))
    terminal.waitForStart()
    for _ in 0..<4 where !terminal.hasEnded {
      let activity = trial.random.pick(Activity.all, default: Activity.all[0])
      let writes = try WritesBeside(terminal, activity, trial)
      let line = "\(journal), beside \(activity.name): \(writes.lines)"
      trial.count("commits without a busy timeout", WritesBeside.count)
      trial.count("commits refused beside \(activity.name)", writes.refused)
      trial.expect(writes.made + writes.refused == WritesBeside.count, "locks: a commit is lost, or fails for another reason", line)
      try expectNoLock(terminal, journal, line, trial)
    }
    terminal.quit()
    terminal.judge(terminal.waitForEnd(), name: "locks: screen", line: journal, for: trial)
  }

  /// Expects the screen to leave the file to others as soon as it has nothing to read.
  private static func expectNoLock(_ terminal: PseudoTerminal, _ journal: String, _ line: String, _ trial: Trial) throws {
    let sql = journal == "WAL" ? "PRAGMA wal_checkpoint(TRUNCATE)" : "BEGIN EXCLUSIVE; COMMIT"
    let free = journal == "WAL" ? "0|0|0\n" : ""
    var last = ""
    for _ in 0..<50 where !terminal.hasEnded {
      terminal.settle()
      let run = try trial.shell([trial.files.path("app.db"), sql])
      last = run.text + run.errors
      trial.count("looks for a lock")
      if last == free { return }
      terminal.read(waiting: 200)
    }
    trial.expect(terminal.hasEnded, "locks: a lock remains while nothing is read", "\(line): \(last)")
  }
}

/// What a person does while another program writes.
private struct Activity {
  var name: String
  var keys: [String]

  static let all = [
    Activity(name: "an idle screen", keys: []), Activity(name: "scrolling", keys: ["j", "\u{1B}[6~", "G", "gg"]),
    Activity(name: "counts", keys: ["#", "\u{1B}"]), Activity(name: "a profile", keys: ["g#", "\u{1B}"]),
    Activity(name: "a search", keys: ["g/name 7\r", "\u{1B}"]), Activity(name: "a sort", keys: ["s"]),
    Activity(name: "a filter", keys: ["/name ~ 7\r", "\u{1B}"]), Activity(name: "groups", keys: ["gG", "\u{1B}"]),
  ]
}

/// Commits of the sqlite3 shell, which never waits, while keys are typed.
private struct WritesBeside {
  static let count = 40

  /// The number of commits that took effect, and of those that a lock refused.
  let made: Int
  let refused: Int
  /// What the shell said.
  let lines: String

  init(_ terminal: PseudoTerminal, _ activity: Activity, _ trial: Trial) throws {
    let before = try Self.value(trial)
    let (script, errors) = (trial.folder.appending(path: "writes.sql").path, trial.folder.appending(path: "writes-errors").path)
    let write = "UPDATE t SET n = n + 1 WHERE id = 1;\n.shell sleep 0.01\n"
    try Data(String(repeating: write, count: Self.count).utf8).write(to: URL(filePath: script))
    let writer = try RunningProgram(
      [trial.world.shell, trial.files.path("app.db")], environment: trial.environment,
      streams: [(script, O_RDONLY), ("/dev/null", O_WRONLY), (errors, O_WRONLY | O_CREAT | O_TRUNC)])
    var turn = 0
    while writer.poll() == nil {
      if !activity.keys.isEmpty { terminal.type(activity.keys[turn % activity.keys.count]) }
      turn += 1
      terminal.read(waiting: 20)
    }
    lines = String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self)
    refused = lines.split(separator: "\n").count { $0.hasSuffix("database is locked (5)") }
    made = try Self.value(trial) - before
  }

  /// The value that each commit increases.
  private static func value(_ trial: Trial) throws -> Int {
    let run = try trial.shell(["-cmd", ".timeout 10000", trial.files.path("app.db"), "SELECT n FROM t WHERE id = 1"])
    return Int(run.text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }
}
