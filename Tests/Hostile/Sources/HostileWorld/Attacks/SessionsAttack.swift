import Foundation

extension Attack {
  /// Random keys, signals, sizes and hangups on random screens.
  static let sessions = Attack(
    "sessions", "random keys, pastes, sizes, signals, stops and hangups on a full screen", fewCases: 6
  ) { trial in
    try SessionCase(trial).play()
  }
}

/// A session that a restless person plays in a bad terminal.
private final class SessionCase {
  private let trial: Trial
  private var sent: Set<Int32> = []
  private let terminal: PseudoTerminal
  private let line: String

  init(_ trial: Trial) throws {
    self.trial = trial
    let journal = trial.random.oneIn(2) ? "DELETE" : "WAL"
    try trial.files.replace(with: try Command.originals(journal: journal, in: trial))
    let arguments = trial.random.pick(Self.openings, default: ["app.db"])
    let environment = Self.environment(&trial.random)
    terminal = try PseudoTerminal(
      [trial.world.program] + arguments, for: trial, size: Self.size(&trial.random), environment: environment)
    line = "quarry \(arguments.joined(separator: " ")), \(journal), \(environment)"
  }

  private static let openings = [
    ["app.db"], ["app.db", "-t", "t"], ["app.db", "mine.db", "-t", "t"], ["rows.csv"], ["--demo"], ["diff", "app.db", "mine.db"], [],
    ["app.db", "-t", "t", "--where", "id > 7", "--sort", "-name"], ["app.db", "--read-only"], ["app.db", "-t", "t", "--ascii"],
  ]

  /// The types of terminals, most of them known to the system; some machines know few.
  private static let types = [
    "xterm-256color", "xterm-256color", "xterm", "screen", "screen-256color", "tmux-256color", "linux", "vt100", "vt220", "rxvt", "ansi",
    "xterm-kitty", "foot", "alacritty", "st-256color", "nonsense", "dumb", "", "xterm-direct", "konsole", "putty", "cygwin", "sun",
  ]

  private static func environment(_ random: inout CaseRandom) -> [String: String] {
    var variables = ["TERM": random.pick(types, default: "xterm")]
    if random.oneIn(4) { variables["LC_ALL"] = random.pick(["C", "POSIX", "en_US.ISO-8859-1", "nonsense"], default: "C") }
    if random.oneIn(6) { variables["HOME"] = random.pick(["", "/nonexistent", "/dev/null"], default: "") }
    if random.oneIn(4) { variables["COLORTERM"] = "truecolor" }
    if random.oneIn(8) { variables["NO_COLOR"] = "1" }
    return variables
  }

  private static func size(_ random: inout CaseRandom) -> (columns: Int, rows: Int) {
    if random.oneIn(4) { return (1 + random.below(20), 1 + random.below(6)) }
    return (20 + random.below(180), 6 + random.below(60))
  }

  func play() throws {
    terminal.waitForStart()
    var steps: [String] = []
    for _ in 0..<(10 + trial.random.below(40)) where !terminal.hasEnded { steps.append(step()) }
    trial.count("steps", steps.count)
    let hasHungUp = end(&steps)
    let ending = terminal.waitForEnd()
    let story = "\(line), \(steps)"
    if hasHungUp || steps.contains("kill") {
      if case .hang(let state) = ending { trial.report("screen: hangs after a hangup", "\(story): \(state)") }
    } else {
      terminal.judge(ending, name: "screen", line: story, signals: sent.union([SIGTERM]), for: trial)
    }
    try expectSound(story)
  }

  /// Does one thing, and returns what it was.
  private func step() -> String {
    switch trial.random.below(16) {
    case 0: return resize(1)
    case 1: return resize(20)
    case 2: return signal(trial.random.pick(trial.random.oneIn(6) ? [SIGUSR1, SIGALRM] : [SIGWINCH, SIGCONT, SIGPIPE], default: SIGWINCH))
    case 3:
      terminal.type("\u{1A}")
      trial.count("stops")
      return "^Z"
    case 4:
      terminal.signal(SIGTSTP)
      trial.count("stops")
      return "SIGTSTP"
    case 5:
      terminal.signal(SIGSTOP)
      terminal.type(trial.random.pick(Keys.looking, default: "j"))
      terminal.signal(SIGCONT)
      return "SIGSTOP, SIGCONT"
    case 6: return paste()
    case 7:
      let bytes = trial.random.bytes(1 + trial.random.below(12)).filter { ![0x03, 0x11].contains($0) }
      terminal.type(bytes)
      trial.count("keys", bytes.count)
      return "bytes \(bytes)"
    case 8:
      terminal.settle(20)
      return "wait"
    default: return keys()
    }
  }

  private func keys() -> String {
    let keys = (0...trial.random.below(6)).map { _ in trial.random.pick(Keys.looking + Keys.changing, default: "j") }.joined()
    // A key that is cut in its midst, as slow lines do.
    let bytes = Array(keys.utf8)
    let cut = trial.random.below(bytes.count)
    terminal.type(Array(bytes[..<cut]))
    if trial.random.oneIn(3) { terminal.read(waiting: 5) }
    terminal.type(Array(bytes[cut...]))
    trial.count("keys", bytes.count)
    return keys.debugDescription
  }

  private func paste() -> String {
    let text = HostileText.random(&trial.random)
    let times = trial.random.oneIn(8) ? 2000 : 1
    let isOpen = trial.random.oneIn(5)
    terminal.type(Array("\u{1B}[200~".utf8) + [[UInt8]](repeating: text, count: times).joined())
    if !isOpen { terminal.type("\u{1B}[201~") }
    trial.count("pastes")
    return "\(times) × paste of \(text)\(isOpen ? " without an end" : "")"
  }

  private func resize(_ times: Int) -> String {
    for _ in 0..<times { terminal.resize(Self.size(&trial.random)) }
    trial.count("sizes", times)
    return "\(times) sizes"
  }

  private func signal(_ number: Int32) -> String {
    terminal.signal(number)
    sent.insert(number)
    trial.count("signals")
    return "signal \(number)"
  }

  /// Ends the session, and returns whether the terminal has gone.
  private func end(_ steps: inout [String]) -> Bool {
    let signals = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]
    switch trial.random.below(6) {
    case 0:
      terminal.hangUp()
      steps.append("hangup")
      trial.count("hangups")
      return true
    case 1:
      terminal.signal(SIGKILL)
      steps.append("kill")
    case 2, 3:
      steps.append(signal(trial.random.pick(signals, default: SIGTERM)))
      // Most signals are taken for a wish that may still be refused.
      terminal.settle(100)
      terminal.quit()
    default:
      terminal.quit()
      steps.append("quit")
    }
    return false
  }

  /// Expects each database to be sound.
  private func expectSound(_ story: String) throws {
    for name in ["app.db", "mine.db", "theirs.db", "old.db"] {
      let state = try Expectation.state(of: name, in: trial)
      trial.expect(!state.hasPrefix("damaged"), "screen: damages a database", "\(story): \(name): \(state)")
    }
    // The next start removes what a program that had no time has left.
    try trial.quarry(["query", trial.files.path("rows.csv"), "SELECT 1"])
    let left = trial.files.names.filter { $0.hasPrefix(".quarry") } + CaseFolder(url: trial.folder.appending(path: "tmp")).names
    trial.expect(left.isEmpty, "screen: leaves files", "\(story): \(left)")
  }
}
