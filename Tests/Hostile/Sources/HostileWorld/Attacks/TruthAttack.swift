import Foundation

extension Attack {
  /// Sessions whose screen is compared with the shell's rows after each step.
  static let truth = Attack(
    "truth", "sessions of moves, filters, sorts, edits, commits, undos and other writers, whose screen the shell's rows must agree with",
    fewCases: 1
  ) { trial in
    let session = try TruthCase(trial)
    try session.play()
  }
}

/// A session that a model follows.
final class TruthCase {
  let trial: Trial
  let terminal: PseudoTerminal
  var model = TruthModel()
  /// The staged changes before each step that changed them, and those that were undone.
  var history: [TruthModel.Staged] = []
  var undone: [TruthModel.Staged] = []
  /// The rows that the last commit has changed as they were before, as long as it can be undone without a conflict.
  var beforeCommit: [Int: TruthModel.Row] = [:]
  var story: [String] = []
  /// A number that no value has had.
  var fresh = 1000
  private let journal: String
  static let patience = Duration.seconds(15)

  init(_ trial: Trial) throws {
    self.trial = trial
    journal = trial.random.oneIn(2) ? "DELETE" : "WAL"
    let count = trial.random.pick([0, 1, 2, 17, 60, 300, 900], default: 60)
    let step = 1 + trial.random.below(5)
    let script = """
      PRAGMA journal_mode = \(journal);
      CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, n INTEGER, size REAL, note TEXT);
      WITH RECURSIVE x(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM x LIMIT \(max(1, count)))
      INSERT INTO t SELECT x * \(step), 'w' || (x * 7 % 50), x * 13 % 41 - 5, x / 4.0, CASE WHEN x % 5 THEN 'o' || x END FROM x
      WHERE \(count) > 0;
      \(trial.random.oneIn(2) ? "CREATE INDEX by_n ON t(n);" : "")
      """
    try trial.files.replace(with: [:])
    let made = try trial.shell(["-bail", trial.files.path("app.db")], script: script)
    guard made.isSuccess else { throw World.MissingProgram(description: made.errors) }
    terminal = try PseudoTerminal([trial.world.program, "app.db", "-t", "t"], for: trial, size: (80, 24))
    story = ["\(journal), \(count) rows"]
  }

  var line: String { story.suffix(60).joined(separator: ", ") }

  func play() throws {
    terminal.waitForStart()
    try model.read(trial)
    expectTruth()
    let isLong = trial.random.oneIn(8)
    let count = isLong ? 400 : 8 + trial.random.below(40)
    var usage: ProcessUsage?
    for number in 0..<count where trial.findings.isEmpty {
      try step()
      trial.count("steps")
      // By then each connection has been opened, and memory that is used again has been asked for.
      if isLong, number == 150 { usage = terminal.usage }
    }
    if trial.findings.isEmpty, let usage {
      trial.count("long sessions")
      expectFlat(usage, terminal.usage, count)
    }
    terminal.quit()
    terminal.judge(terminal.waitForEnd(), name: "truth", line: line, for: trial)
    let state = try Expectation.state(of: "app.db", in: trial)
    trial.expect(!state.hasPrefix("damaged"), "truth: damages the database", "\(line): \(state)")
  }

  private func expectFlat(_ before: ProcessUsage, _ after: ProcessUsage, _ steps: Int) {
    let details = "\(line): after \(steps) steps \(after), before \(before)"
    trial.expect(after.memory - before.memory < 30_000, "truth: memory grows", details)
    trial.expect(after.descriptors - before.descriptors < 16, "truth: descriptors are not closed", details)
    trial.expect(after.threads - before.threads < 12, "truth: threads do not end", details)
  }

  // MARK: Steps

  private func step() throws {
    switch trial.random.below(20) {
    case 0..<7: move()
    case 7, 8: try filter()
    case 9, 10: try sort()
    case 11, 12, 13: edit()
    case 14: delete()
    case 15: trial.random.oneIn(2) ? undo() : redo()
    case 16: try commit()
    case 17: try undoCommit()
    case 18: try write()
    case 19 where trial.random.oneIn(2): resize()
    default: look()
    }
  }

  private func move() {
    let (count, place) = (model.rows.count, model.position)
    // One row stays visible.
    let page = max(1, TruthScreen(terminal.model.screen).capacity - 1)
    guard count > 0 else { return }
    let moves: [(keys: String, cursor: TruthModel.Cursor)] = [
      ("j", .at(min(count, place + 1))), ("k", .at(max(1, place - 1))), ("\u{1B}[B", .at(min(count, place + 1))),
      ("\u{1B}[A", .at(max(1, place - 1))), ("G", .at(count)), ("gg", .at(1)),
      ("\u{1B}[6~", .at(min(count, place + page))), ("\u{1B}[5~", .at(max(1, place - page))),
      ("5j", .at(min(count, place + 5))), ("3k", .at(max(1, place - 3))), ("\(1 + count / 2)G", .at(1 + count / 2)),
    ]
    let next = trial.random.pick(moves, default: moves[0])
    model.cursor = next.cursor
    type(next.keys)
    expectTruth()
  }

  private func filter() throws {
    let number = trial.random.below(40) - 5
    let filters = [
      "n > \(number)", "n < \(number) and size > 3", "name = 'w\(abs(number))'", "note is null", "n = \(number)", "size between 2 and 9",
      "id > \(number * 8)", "n > 5000", "not (n > \(number))", "name like 'w1%'",
    ]
    if model.filter != nil, trial.random.oneIn(2) {
      model.filter = nil
      type("gF")
    } else {
      let text = trial.random.pick(filters, default: "n > 3")
      model.filter = text
      type("&")
      terminal.settle(15)
      type("\u{15}\(text)\r")
    }
    model.cursor = .anywhere
    try readAndExpect()
  }

  private func sort() throws {
    let next: (column: Int, isDescending: Bool)? =
      model.sort?.column == model.column ? (model.sort?.isDescending == true ? nil : (model.column, true)) : (model.column, false)
    model.cursor = model.current.map { .firstOrOn(id: $0.id) } ?? .anywhere
    model.sort = next
    type("s")
    try readAndExpect()
  }

  /// Changes the size, and keeps the row of the cursor.
  private func resize() {
    // The list of tables would stand beside wider rows.
    let size = (78 + trial.random.below(10), 10 + trial.random.below(35))
    story.append("\(size.0)x\(size.1)")
    terminal.resize(size)
    expectTruth()
  }

  /// Opens something and closes it again.
  private func look() {
    let keys = trial.random.pick(["#", "?", "i", "gv", "\u{10}", "gf", ":", "gC", "g", "gu", "v"], default: "?")
    let before = terminal.model.screen.lines
    type(keys)
    terminal.wait(upTo: .seconds(5)) { $0.screen.lines != before }
    terminal.settle(15)
    // What is closed may have opened something of its own.
    for _ in 0..<4 {
      let open = terminal.model.screen.lines
      type("\u{1B}")
      if terminal.wait(upTo: .seconds(2), until: { $0.screen.lines != open && model.disagreement(with: $0.screen) == nil }) { break }
    }
    // An escape that is followed at once begins another key.
    terminal.wait(milliseconds: 100)
    expectTruth()
    moveSideways()
    expectTruth()
  }

  private func moveSideways() {
    let isRight = trial.random.oneIn(2)
    type(isRight ? "l" : "h")
    model.column = isRight ? min(TruthModel.columns.count - 1, model.column + 1) : max(0, model.column - 1)
  }

  // MARK: Expectations

  func type(_ keys: String) {
    story.append(keys.debugDescription)
    terminal.type(keys)
    trial.count("keys", keys.count)
  }

  func readAndExpect() throws {
    try model.read(trial)
    expectTruth()
  }

  /// Waits until the screen agrees with the shell.
  func expectTruth() {
    guard trial.findings.isEmpty else { return }
    let model = model
    let isSo = terminal.wait(upTo: Self.patience) { model.disagreement(with: $0.screen) == nil }
    trial.count("screens compared")
    if isSo {
      self.model.follow(terminal.model.screen)
      return story.append("row \(self.model.position)")
    }
    let screen = terminal.model.screen
    trial.report(
      "truth: the screen does not agree with the rows",
      "\(line): \(model.disagreement(with: screen) ?? "it does now"), ended: \(terminal.hasEnded)\n\(screen.lines.joined(separator: "\n"))")
  }
}
