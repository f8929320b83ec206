import Foundation

extension Attack {
  /// Files that other programs take away from a screen.
  static let moves = Attack(
    "moves", "files that are renamed, removed, replaced and cut while a screen is open", fewCases: 2
  ) { trial in
    try MovesCase(trial).play()
  }
}

/// A screen whose database is moved.
private final class MovesCase {
  private let trial: Trial
  private let journal: String
  private let originals: [String: [UInt8]]
  private var isCut = false
  private var story: [String] = []

  init(_ trial: Trial) throws {
    self.trial = trial
    journal = trial.random.oneIn(2) ? "DELETE" : "WAL"
    originals = try Command.originals(journal: journal, in: trial)
    try trial.files.replace(with: originals)
  }

  func play() throws {
    let terminal = try PseudoTerminal([trial.world.program, "app.db", "-t", "t"], for: trial, size: (100, 30))
    terminal.waitForStart()
    for _ in 0...trial.random.below(3) where !terminal.hasEnded {
      type(to: terminal)
      try move()
      type(to: terminal)
    }
    terminal.quit()
    // Mapped memory is lost when another program cuts the file.
    let signals: Set<Int32> = isCut ? [SIGTERM, SIGBUS] : [SIGTERM]
    terminal.judge(terminal.waitForEnd(), name: "moves: screen", line: line, signals: signals, for: trial)
    try expectSound()
  }

  private var line: String { "\(journal), \(story)" }

  private func type(to terminal: PseudoTerminal) {
    for _ in 0..<trial.random.below(6) where !terminal.hasEnded {
      let keys = trial.random.pick(trial.random.oneIn(2) ? Keys.looking : Keys.changing, default: "j")
      story.append(keys.debugDescription)
      terminal.type(keys)
      terminal.settle(15)
    }
    trial.count("keys")
  }

  /// Does what another program may do to the file.
  private func move() throws {
    let path = trial.files.path("app.db")
    trial.count("moves")
    switch trial.random.below(5) {
    case 0:
      story.append("rename")
      rename(path, trial.files.path("moved-\(story.count).db"))
    case 1:
      story.append("remove")
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    case 2:
      story.append("cut")
      isCut = true
      truncate(path, off_t(trial.random.below(trial.files.read("app.db")?.count ?? 1)))
    case 3:
      story.append("back")
      rename(path, path + "-away")
      usleep(useconds_t(trial.random.below(300_000)))
      rename(path + "-away", path)
    default:
      // The logs of the old file would be used for the new one.
      story.append("replace")
      try trial.files.write(originals["old.db"] ?? [], to: "fresh.db")
      for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
      rename(trial.files.path("fresh.db"), path)
    }
    if trial.random.oneIn(2) { usleep(useconds_t(trial.random.below(400_000))) }
  }

  private func expectSound() throws {
    for name in trial.files.names where name.hasSuffix(".db") && !isCut {
      let state = try Expectation.state(of: name, in: trial)
      trial.expect(!state.hasPrefix("damaged"), "moves: a database is damaged", "\(line): \(name): \(state)")
    }
    for (name, bytes) in originals where name != "app.db" {
      trial.expect(trial.files.read(name) == bytes, "moves: changes \(name)", line)
    }
    let left = trial.files.names.filter { $0.hasPrefix(".") }
    trial.expect(left.isEmpty, "moves: leaves files", "\(line): \(left)")
  }
}
