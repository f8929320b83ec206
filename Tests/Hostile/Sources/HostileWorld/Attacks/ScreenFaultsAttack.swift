import Foundation

extension Attack {
  /// A system call that fails under a screen.
  static let screenFaults = Attack(
    "screen-faults", "a system call that fails while a screen shows, changes, commits and undoes", fewCases: 2
  ) { trial in
    let journal = trial.random.oneIn(2) ? "DELETE" : "WAL"
    try trial.files.replace(with: try Command.originals(journal: journal, in: trial))
    let (call, most) = trial.random.pick(FaultShim.Fault.onScreens, default: (.pread, 100))
    let code = trial.random.pick(call.errors, default: EIO)
    // An interrupted call is repeated, so it may not be interrupted for ever.
    let isLasting = trial.random.oneIn(3) && code != EINTR
    let fault = FaultShim.Fault(call: call, number: 1 + trial.random.below(most), effect: .error(code), isLasting: isLasting)
    let terminal = try PseudoTerminal(
      [trial.world.program, "app.db", "-t", "t"], for: trial, size: (100, 30), environment: trial.world.shim.environment(fault, for: trial))
    terminal.waitForStart()
    // The threads of Swift's tasks end after five seconds, and the next task needs a new one.
    if call == .thread, isLasting, trial.random.oneIn(3) { terminal.wait(milliseconds: 6000) }
    var keys: [String] = []
    for _ in 0..<14 where !terminal.hasEnded {
      let next = trial.random.pick(trial.random.oneIn(3) ? Keys.looking : FaultShim.Fault.screenKeys, default: "j")
      keys.append(next)
      terminal.type(next)
      terminal.settle(20)
    }
    trial.count("faults of \(call.rawValue)")
    terminal.quit()
    let line = "\(journal), \(fault), keys \(keys)"
    terminal.judge(terminal.waitForEnd(), name: "faults: screen", line: line, for: trial)
    let state = try Expectation.state(of: "app.db", in: trial)
    trial.expect(!state.hasPrefix("damaged"), "faults: screen damages the database", "\(line): \(state)")
  }
}

extension FaultShim.Fault {
  /// The calls, and about how many of them a short session makes; a terminal that cannot be read or written is hung up.
  fileprivate static let onScreens: [(FaultShim.Call, Int)] = [
    (.pwrite, 30), (.fsync, 8), (.open, 80), (.ftruncate, 4), (.mmap, 12), (.pread, 120), (.rename, 3), (.unlink, 10), (.malloc, 4000),
    (.thread, 20),
  ]

  /// Keys that change the rows, commit and undo.
  fileprivate static let screenKeys = [
    "e7\r", "\u{13}", "\u{13}\r", "\r", "dd", "o", "gu", "u\r", "\u{1B}OSUPDATE t SET n = n + 1\u{1B}[15~", "\u{1B}", "j", "gf", "#",
    "/name 7\r", "G",
  ]
}
