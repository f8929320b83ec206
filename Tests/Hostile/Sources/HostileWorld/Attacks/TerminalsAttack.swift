import Foundation

extension Attack {
  /// Terminals of all types, in all languages, that misbehave in every state of the screen.
  static let terminals = Attack(
    "terminals", "types of terminals, damaged entries and locales; storms of sizes, deaf and vanishing terminals, cut keys, pastes",
    fewCases: 1
  ) { trial in
    try TerminalsCase(trial).play()
  }
}

/// A screen in a bad terminal.
private final class TerminalsCase {
  private let trial: Trial
  private let surroundings: TerminalSurroundings
  private let state: ScreenState
  private let terminal: PseudoTerminal
  private var story: [String] = []

  init(_ trial: Trial) throws {
    self.trial = trial
    try trial.files.replace(with: try Command.originals(journal: trial.random.oneIn(2) ? "DELETE" : "WAL", in: trial))
    surroundings = try TerminalSurroundings(trial)
    state = trial.random.pick(ScreenState.all, default: .grid)
    var variables = surroundings.variables
    variables["VISUAL"] = try trial.waitingEditor()
    terminal = try PseudoTerminal(
      [trial.world.program, "app.db", "-t", "t"], for: trial, size: (80, 24), environment: variables, without: surroundings.missing)
  }

  private var line: String {
    "\(surroundings.variables), without \(surroundings.missing), \(state.name), \(story)"
  }

  func play() throws {
    terminal.waitForStart()
    if terminal.hasEnded { return judgeRefusal() }
    trial.count("screens")
    terminal.enter(state)
    for _ in 0...trial.random.below(3) where !terminal.hasEnded && trial.findings.isEmpty {
      disturb()
      expectPainting()
    }
    if trial.random.oneIn(4) { return vanish() }
    terminal.quit()
    // The first signal waits for the editor, which a paste opens again for each E; the second does not.
    if state.name == ScreenState.externalEditor.name {
      terminal.wait(milliseconds: 300)
      terminal.signal(SIGTERM)
    }
    let ending = terminal.waitForEnd()
    if surroundings.isDamaged || !surroundings.isOfXtermFamily { judgeEnd(ending) } else { judge(ending) }
  }

  private func judge(_ ending: ProgramRun.Ending) {
    terminal.judge(ending, name: "terminals", line: line, for: trial)
  }

  /// Judges where a terminal speaks in a way that the model does not know.
  private func judgeEnd(_ ending: ProgramRun.Ending) {
    switch ending {
    case .exit: break
    case .signal(let number): trial.expect([SIGTERM, SIGINT].contains(number), "terminals: ended by signal \(number)", line)
    case .hang(let state): trial.report("terminals: does not end", "\(line): \(state)")
    }
    trial.expect(terminal.changedModes.isEmpty, "terminals: does not restore the modes of the line", "\(line): \(terminal.changedModes)")
  }

  /// Expects a program that shows no screen to say why.
  private func judgeRefusal() {
    trial.count("refusals")
    let ending = terminal.waitForEnd()
    let text = String(decoding: terminal.lastOutput, as: UTF8.self)
    judge(ending)
    trial.expect(ending != .exit(0), "terminals: shows nothing and reports success", "\(line): \(text)")
    let isSentence = text.contains("erminal") || text.contains("TERM")
    trial.expect(isSentence, "terminals: does not say why it shows no screen", "\(line): \(text.debugDescription)")
  }

  // MARK: Disturbances

  private func disturb() {
    switch trial.random.below(6) {
    case 0, 1: storm()
    case 2: beDeaf()
    case 3: cutKey()
    case 4: paste()
    default:
      let keys = trial.random.pick(Keys.looking, default: "j")
      story.append(keys.debugDescription)
      terminal.type(keys)
    }
  }

  private static let sizes = [
    (1, 1), (0, 0), (500, 200), (2, 1), (1, 2), (80, 1), (1, 24), (3, 3), (10, 4), (0, 24), (80, 0), (79, 24), (81, 25), (200, 60),
    (40, 10),
  ]

  private func storm() {
    let count = 1 + trial.random.below(30)
    for _ in 0..<count where !terminal.hasEnded {
      let size = trial.random.pick(Self.sizes, default: (1, 1))
      story.append("\(size.0)x\(size.1)")
      terminal.resize((size.0, size.1))
      switch trial.random.below(3) {
      case 0: break
      // Within the painting of the size before.
      case 1: usleep(useconds_t(trial.random.below(3000)))
      default: terminal.read(waiting: Int32(trial.random.below(12)))
      }
    }
    trial.count("sizes", count)
  }

  /// Does not read for a while, as a terminal that is scrolled back or whose line is slow.
  private func beDeaf() {
    trial.count("times without reading")
    story.append("deaf")
    for _ in 0..<(10 + trial.random.below(30)) where !terminal.hasEnded {
      if trial.random.oneIn(2) { terminal.resize((60 + trial.random.below(100), 20 + trial.random.below(40))) }
      terminal.typeBlindly(trial.random.pick(["j", "k", "l", "h", "G", "gg"], default: "j"))
      usleep(useconds_t(trial.random.below(15_000)))
    }
  }

  /// Sends a key whose bytes come late, or never.
  private func cutKey() {
    trial.count("keys that are cut")
    let key = trial.random.pick(
      ["\u{1B}[B", "\u{1B}[15~", "\u{1B}OS", "\u{1B}[<0;10;5M", "\u{1B}[1;5C", "é", "漢", "\u{1B}[200~x\u{1B}[201~", "\u{1B}\u{1B}[A"],
      default: "\u{1B}[B")
    let bytes = Array(key.utf8)
    let cut = 1 + trial.random.below(bytes.count - 1)
    let pause = trial.random.pick([1, 20, 60, 300], default: 1)
    story.append("\(key.debugDescription) cut at \(cut) for \(pause) ms")
    terminal.type(Array(bytes[..<cut]))
    terminal.wait(milliseconds: pause)
    if !trial.random.oneIn(4) { terminal.type(Array(bytes[cut...])) }
    terminal.settle(20)
  }

  private func paste() {
    let length = trial.random.pick([0, 1, 5000, 1 << 20], default: 1)
    let isOpen = trial.random.oneIn(3)
    let pattern = trial.random.pick(["x", "name,1\r", "\u{1B}", "漢", "\u{1B}[201", "'; DROP TABLE t; --\r\n", "\0"], default: "x")
    story.append("\(isOpen ? "open " : "")paste of \(length) bytes of \(pattern.debugDescription)")
    trial.count("pastes")
    let text = Array(repeatElement(Array(pattern.utf8), count: length / pattern.utf8.count + 1).joined())
    terminal.type(Array("\u{1B}[200~".utf8) + text + (isOpen ? [] : Array("\u{1B}[201~".utf8)))
    let memory = terminal.usage.memory
    trial.expect(memory < 300_000, "terminals: takes much memory for a paste", "\(line): \(memory) KiB")
  }

  /// Takes the terminal away.
  private func vanish() {
    trial.count("terminals that vanish")
    story.append("vanish")
    terminal.hangUp()
    if case .hang(let state) = terminal.waitForEnd() { trial.report("terminals: does not end without its terminal", "\(line): \(state)") }
  }

  /// Expects the screen to be painted after a new size.
  private func expectPainting() {
    guard !terminal.hasEnded, state.name != ScreenState.externalEditor.name else { return }
    terminal.settle(5)
    terminal.resize((70 + trial.random.below(60), 20 + trial.random.below(20)))
    let before = terminal.model.byteCount
    let isOurs = surroundings.isOfXtermFamily
    let isPainted = terminal.wait(upTo: .seconds(20)) { model in
      isOurs ? model.screen.spoiledPlaces.isEmpty && model.screen.lines.contains { !$0.isEmpty } : model.byteCount > before
    }
    let missing = terminal.model.screen.spoiledPlaces
    trial.expect(
      isPainted || terminal.hasEnded, "terminals: does not paint after a new size",
      "\(line): \(terminal.model.screen.columns)x\(terminal.model.screen.rows): \(missing.count) cells, \(missing.prefix(5))")
  }
}

extension Trial {
  /// Creates a program for `VISUAL` that waits for a line, and returns its path.
  func waitingEditor() throws -> String {
    let path = folder.appending(path: "editor").path
    try Data("#!/bin/sh\necho waiting\nread -r line\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }
}
