import Foundation

extension Attack {
  /// A kill at any system call of a screen that changes, commits and undoes.
  static let screenKills = Attack(
    "screen-kills", "a kill before or during a system call of a screen that changes, commits and undoes", fewCases: 2
  ) { trial in
    try KilledScreen(trial).play()
  }
}

/// What a person does at a screen.
private struct ScreenSession {
  /// Keys, and the number of changes that the file has afterwards.
  typealias Step = (keys: String, state: Int)

  var name: String
  var steps: [Step]
  /// What it commits, as SQL.
  var changes: [String]

  private static let edit: [Step] = [("le7\r", 0), ("\u{13}", 0), ("\r", 1)]
  private static let edited = "UPDATE t SET name = '7' WHERE id = 1"
  private static let undo: [Step] = [("gu", 1), ("u", 0)]
  private static let deletion = "DELETE FROM t WHERE id % 3 = 0"
  private static let update = "UPDATE t SET n = n + 1, name = name || 'x' WHERE id % 2 = 0"
  private static let (editor, run, runAll) = ("\u{1B}OS", "\u{1B}[15~", "\u{1B}[15;2~")
  /// The second answer to the question about the open transaction.
  private static let commit = "\u{1B}[B\r"

  static let all = [
    ScreenSession(name: "an edit", steps: edit, changes: [edited]),
    ScreenSession(
      name: "deleted rows", steps: [("dd", 0), ("jjdd", 0), ("\u{13}", 0), ("\r", 1)], changes: ["DELETE FROM t WHERE id IN (1, 3)"]),
    ScreenSession(
      name: "two commits", steps: edit + [("jle8\r", 1), ("\u{13}", 1), ("\r", 2)],
      changes: [edited, "UPDATE t SET n = 8 WHERE id = 2"]),
    ScreenSession(name: "a commit and its undo", steps: edit + undo, changes: [edited]),
    ScreenSession(name: "a statement", steps: [(editor + update, 0), (run, 0), (commit, 1)], changes: [update]),
    ScreenSession(
      name: "a transaction", steps: [("\(editor)BEGIN; \(update); \(deletion); COMMIT", 0), (runAll, 1)],
      changes: ["\(update); \(deletion)"]),
    ScreenSession(
      name: "a statement and its undo", steps: [(editor + deletion, 0), (run, 0), (commit, 1), ("\u{1B}", 1), ("\u{1B}", 1)] + undo,
      changes: [deletion]),
  ]
}

/// A session that is played twice: whole, and with a kill.
private struct KilledScreen {
  private let trial: Trial
  private let journal: String
  private let session: ScreenSession
  private let originals: [String: [UInt8]]
  /// The contents of the file before each change and after the last one, as SQLite itself makes them.
  private let states: [String]

  init(_ trial: Trial) throws {
    self.trial = trial
    journal = trial.random.oneIn(2) ? "DELETE" : "WAL"
    session = trial.random.pick(ScreenSession.all, default: ScreenSession.all[0])
    originals = try Command.originals(journal: journal, in: trial)
    var states = [try Expectation.state(of: "app.db", in: trial)]
    for change in session.changes {
      try trial.shell([trial.files.path("app.db"), change])
      states.append(try Expectation.state(of: "app.db", in: trial))
    }
    self.states = states
  }

  private var line: String { "\(journal), \(session.name)" }

  func play() throws {
    try trial.begin(with: originals)
    let counts = trial.folder.appending(path: "counts").path
    let whole = try play(session.steps, trial.world.shim.environment(counts: counts, for: trial))
    if let step = whole.failure {
      trial.report("screen-kills: a step has not its effect, without a kill", "\(line), \(step.keys.debugDescription)")
    }
    trial.expect(Self.isGood(whole.ending), "screen-kills: a session fails without a kill", "\(line): \(whole.ending)")
    let calls = FaultShim.counts(at: counts)[.any] ?? 0
    guard calls > 0, trial.findings.isEmpty else { return trial.expect(calls > 0, "screen-kills: no call was counted", line) }
    try kill(at: 1 + trial.random.below(calls))
  }

  /// Plays the session with a kill, and looks at what is left.
  private func kill(at number: Int) throws {
    try trial.begin(with: originals)
    let fault = FaultShim.Fault(call: .any, number: number, effect: trial.random.oneIn(2) ? .kill : .tear)
    let ending = try play(session.steps, trial.world.shim.environment(fault, for: trial)).ending
    trial.count(ending == .signal(SIGKILL) ? "kills" : "sessions that ended before the kill")
    let line = "\(line), \(fault): \(ending)"
    let left = try state()
    trial.expect(states.contains(left), "screen-kills: neither the state before a step nor after it", "\(line)\n\(left.prefix(500))")
    let again = try play([], [:]).ending
    trial.expect(Self.isGood(again), "screen-kills: does not start again", "\(line), then \(again)")
    trial.expect(try state() == left, "screen-kills: the next start changes the file", line)
    try undo(left, line)
  }

  private static func isGood(_ ending: ProgramRun.Ending) -> Bool { ending == .exit(0) || ending == .signal(SIGTERM) }

  /// Undoes what was committed, step by step, and expects the rows from before.
  private func undo(_ left: String, _ line: String) throws {
    var runs: [String] = []
    while left != states[0], runs.count <= states.count {
      let run = try trial.quarry(["undo", trial.files.path("app.db")])
      runs.append("\(run.ending) \(run.errors)")
      let now = try state()
      trial.expect(states.contains(now), "screen-kills: an undo leads to a state that never was", "\(line)\n\(runs)")
      if now == states[0] { return }
      guard run.isSuccess else { break }
    }
    trial.expect(left == states[0], "screen-kills: what was committed cannot be undone", "\(line)\n\(runs)")
  }

  private func state() throws -> String { try Expectation.state(of: "app.db", in: trial) }

  /// Waits until the file has a state, or the program has ended.
  private func reaches(_ expected: String, _ terminal: PseudoTerminal) throws -> Bool {
    for _ in 0..<100 {
      if try state() == expected { return true }
      if terminal.hasEnded { return false }
      terminal.wait(milliseconds: 50)
    }
    return false
  }

  /// Types the keys on a screen, each as soon as the file shows the effect of those before; a step without it ends the session.
  ///
  /// - Returns: The step without an effect, and the ending.
  private func play(
    _ steps: [ScreenSession.Step], _ environment: [String: String]
  ) throws -> (failure: ScreenSession.Step?, ending: ProgramRun.Ending) {
    let terminal = try PseudoTerminal(
      [trial.world.program, "app.db", "-t", "t"], for: trial, size: (100, 30), environment: environment)
    terminal.waitForStart()
    _ = terminal.wait(upTo: .seconds(20)) { $0.screen.lines.contains { $0.contains("name 9") } }
    var failure: ScreenSession.Step?
    for step in steps where failure == nil && !terminal.hasEnded {
      terminal.type(step.keys)
      terminal.settle(100)
      if try !reaches(states[step.state], terminal) { failure = step }
    }
    trial.count("steps", steps.count)
    terminal.quit()
    return (failure, terminal.waitForEnd())
  }
}
