import Foundation

extension Attack {
  /// A kill at any system call of everything that writes.
  public static let kills = Attack(
    "kills", "a kill before or during a system call of everything that writes", fewCases: 20
  ) { trial in
    let command = trial.random.pick(Command.writing, default: Command.writing[0])
    let faulted = try FaultedCommand(command, trial)
    let calls = faulted.expectation.calls[.any] ?? 0
    // The last calls decide, and are few.
    let number = trial.random.oneIn(3) ? calls - trial.random.below(min(calls, 30)) : 1 + trial.random.below(calls)
    trial.count("kills")
    try faulted.play(FaultShim.Fault(call: .any, number: number, effect: trial.random.oneIn(2) ? .kill : .tear))
  }

  /// A system call that fails.
  public static let faults = Attack(
    "faults", "a system call that fails, in verbs that read and write, in both journal modes", fewCases: 20
  ) { trial in
    let commands = trial.random.oneIn(3) ? Command.reading : Command.writing
    let faulted = try FaultedCommand(trial.random.pick(commands, default: commands[0]), trial)
    let calls = FaultShim.Call.allCases.filter { $0 != .any && faulted.expectation.calls[$0] ?? 0 > 0 }
    let call = trial.random.pick(calls, default: .open)
    let canBeShort = [.write, .pwrite, .read, .pread].contains(call)
    let code = trial.random.pick(call.errors, default: EIO)
    let effect: FaultShim.Fault.Effect = canBeShort && trial.random.oneIn(4) ? .short : .error(code)
    // An interrupted call is repeated, so it may not be interrupted for ever.
    let isLasting = trial.random.oneIn(3) && code != EINTR
    let count = faulted.expectation.calls[call] ?? 1
    trial.count("faults of \(call.rawValue)")
    try faulted.play(FaultShim.Fault(call: call, number: 1 + trial.random.below(count), effect: effect, isLasting: isLasting))
  }

  /// Each of the faults that the program did not survive once.
  public static let knownFaults = Attack(
    "known-faults", "the faults that were findings once", fewCases: 1
  ) { trial in
    for (name, journal, fault) in FaultShim.Fault.known {
      let commands = (Command.reading + Command.writing).filter { $0.name == name }
      trial.expect(!commands.isEmpty, "there is no command \(name)", "\(fault)")
      for command in commands { try FaultedCommand(command, trial, journal: journal).play(fault) }
      trial.count("faults")
    }
  }
}

extension FaultShim.Fault {
  /// The command, its journal mode if that matters, and the fault.
  fileprivate static let known: [(command: String, journal: String?, fault: FaultShim.Fault)] = [
    ("search", nil, FaultShim.Fault(call: .thread, number: 1, effect: .error(EAGAIN), isLasting: true)),
    ("counts", nil, FaultShim.Fault(call: .thread, number: 8, effect: .error(EAGAIN), isLasting: true)),
    // The first one after the program has checked that it can start threads, unless there are more than four processors.
    ("counts", nil, FaultShim.Fault(call: .thread, number: 11, effect: .error(EAGAIN), isLasting: true)),
    ("check", nil, FaultShim.Fault(call: .pread, number: 15, effect: .error(EIO))),
    ("check", nil, FaultShim.Fault(call: .pread, number: 21, effect: .error(EIO), isLasting: true)),
    ("new", nil, FaultShim.Fault(call: .write, number: 2, effect: .error(EIO))),
    ("query of a CSV file", nil, FaultShim.Fault(call: .write, number: 2, effect: .error(EIO))),
    // The copy of the write-ahead log into the file that replaces the database.
    ("merge into mine", "WAL", FaultShim.Fault(call: .pwrite, number: 56, effect: .error(EIO))),
    ("merge into mine", "WAL", FaultShim.Fault(call: .pwrite, number: 57, effect: .error(EIO))),
  ]
}

/// A command with a fault, and what must be true afterwards.
private struct FaultedCommand {
  let expectation: Expectation
  private let command: Command
  private let trial: Trial
  private let journal: String

  init(_ command: Command, _ trial: Trial, journal: String? = nil) throws {
    (self.command, self.trial) = (command, trial)
    self.journal = journal ?? (trial.random.oneIn(2) ? "DELETE" : "WAL")
    expectation = try trial.world.expectations.expectation(of: command, journal: self.journal, in: trial)
  }

  func play(_ fault: FaultShim.Fault) throws {
    try trial.begin(command, expectation.originals)
    let isKill = fault.call == .any
    let run = try trial.quarry(
      command.arguments(command.words, in: trial.files), environment: trial.world.shim.environment(fault, for: trial), mayCrash: isKill)
    let state = try Expectation.state(of: command.result, in: trial)
    let line = "\(command.name), \(journal), \(fault): \(run.ending), \(run.errors)"
    expectNoTear(state, line)
    if !isKill || run.isSuccess { expectTruth(run, state, line) }
    if !isKill, fault.call != .unlink { expectNothingLeft(line) }
    for (name, bytes) in expectation.originals where name != command.result && name != "app.db" {
      trial.expect(trial.files.read(name) == bytes, "\(command.name): changes \(name)", line)
    }
    if trial.findings.isEmpty { try goOn(state, line) }
  }

  private func expectNoTear(_ state: String, _ line: String) {
    let isWhole = ([expectation.before, expectation.after] + expectation.parts).contains(state)
    trial.expect(isWhole, "\(command.name): neither the old nor the new state", "\(line)\n\(state.prefix(500))")
  }

  /// Expects success to be reported exactly where it happened.
  private func expectTruth(_ run: ProgramRun, _ state: String, _ line: String) {
    // Of two databases that differ, `diff` reports that by its status too.
    if run.isSuccess || run.status == expectation.status && !run.errors.contains("quarry: ") {
      trial.count("commands that succeed with a fault")
      trial.expect(state == expectation.after, "\(command.name): reports a success that did not happen", line)
      if command.hasSteadyOutput {
        trial.expect(run.output == expectation.output, "\(command.name): prints other rows and reports success", line)
      }
    } else if state != expectation.before {
      trial.count("commands that report both a failure and what is done")
      let isTold = Self.phrases.contains { run.errors.contains($0) }
      trial.expect(isTold, "\(command.name): does not report what has happened", line)
    } else {
      trial.count("commands that fail")
      trial.expect(!run.errors.isEmpty, "\(command.name): fails without a message", line)
      let errors = run.errors.replacing("Nothing was imported", with: "")
      let isLie = Self.phrases.first { errors.contains($0) }
      trial.expect(isLie == nil, "\(command.name): reports what has not happened", line)
    }
  }

  /// What a message says if something was done before the error.
  private static let phrases = [
    "has run", "have run", "is complete", "` undoes", "was undone", "imported", "was created", "is written", "was written",
  ]

  private func expectNothingLeft(_ line: String) {
    let known = Set(Command.files.values).flatMap { [$0, "\($0)-wal", "\($0)-shm", "\($0)-journal"] }
    let left = trial.files.names.filter { !known.contains($0) } + CaseFolder(url: trial.folder.appending(path: "tmp")).names
    trial.expect(left.isEmpty, "\(command.name): leaves files", "\(line): \(left)")
  }

  /// Tries what a person does next: undo what is there, or do it again.
  private func goOn(_ state: String, _ line: String) throws {
    if command.isRecorded {
      let undo = try trial.quarry(["undo", trial.files.path("app.db")])
      let undone = try Expectation.state(of: command.result, in: trial)
      trial.expect(undone == expectation.before, "\(command.name): cannot be undone", "\(line)\nundo: \(undo.errors)")
    } else if state != expectation.before {
      return
    }
    let again = try trial.quarry(command.arguments(command.words, in: trial.files))
    let last = try Expectation.state(of: command.result, in: trial)
    trial.expect(again.status == expectation.status, "\(command.name): fails the next time", "\(line)\nthen: \(again.errors)")
    trial.expect(last == expectation.after, "\(command.name): does something else the next time", "\(line)\nthen: \(again.errors)")
    let left = CaseFolder(url: trial.folder.appending(path: "tmp")).names + trial.files.names.filter { $0.hasPrefix(".") }
    trial.expect(left.isEmpty, "\(command.name): never removes what a killed program left", "\(line): \(left)")
  }
}
