import Foundation
import QuarryEngine
import QuarryRows
import TestSupport
import Testing
import quarry

/// `quarry doctor`, in an environment that each test makes for itself.
@Suite(.gated) struct DoctorTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs the program with these variables and no others; nil leaves one out.
  private func run(_ arguments: String..., with variables: [String: String?] = [:]) throws -> BuiltProgram.Outcome {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let standard: [String: String?] = ["HOME": folder.path, "PATH": path, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"]
    let environment = standard.merging(variables) { $1 }.compactMap { name, value in value.map { "\(name)=\($0)" } }
    return try BuiltProgram.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["-i"] + environment.sorted() + [BuiltProgram.url.path, "doctor"] + arguments)
  }

  private func line(_ subject: String, of outcome: BuiltProgram.Outcome, sourceLocation: SourceLocation = #_sourceLocation) throws -> String
  {
    let lines = outcome.text.split(separator: "\n").map(String.init)
    return try #require(lines.first { $0.dropFirst(2).hasPrefix(subject + " ") }, "\(outcome.text)", sourceLocation: sourceLocation)
  }

  @Test func `each check is one line with a mark, and nothing that works has status 1`() throws {
    let outcome = try run()
    #expect(outcome.errors.isEmpty)
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.filter { $0.wholeMatch(of: #/[✓·!✗] [\w\/]+ +\S.*/#) == nil } == [])
    let subjects = ["quarry", "terminal", "colors", "keys", "clipboard", "locale", "characters", "SQLite", "threads", "features"]
    for subject in subjects + ["ncurses", "OpenSSL", "settings", "state", "statements", "temporary", "/proc", "limits"] {
      #expect(lines.contains { $0.dropFirst(2).hasPrefix(subject + " ") }, "\(subject)")
    }
    #expect(outcome.status == (lines.contains { $0.hasPrefix("✗") } ? 1 : 0), "\(outcome.text)")
    #expect(try line("SQLite", of: outcome).contains(Database.sqliteVersion))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty, "nothing is written")
  }

  @Test(
    arguments: [
      (nil, "! terminal    no terminal here, and TERM is not set"),
      ("nosuch", "! terminal    TERM=nosuch is not in the terminfo database; Quarry takes it for xterm-256color"),
      ("kitty-nosuch", "✓ terminal    TERM=kitty-nosuch is not in the terminfo database; Quarry's entry for xterm-256color suits it"),
      ("dumb", "✗ terminal    TERM=dumb cannot place its cursor"), ("xterm-256color", "✓ terminal    TERM=xterm-256color is in terminfo"),
    ] as [(String?, String)])
  func `the terminal type is looked up`(name: String?, beginning: String) throws {
    let outcome = try run(with: ["TERM": name])
    #expect(try line("terminal", of: outcome).hasPrefix(beginning), "\(outcome.text)")
    if beginning.hasPrefix("✗") { #expect(outcome.status == 1 && outcome.text.contains("Fix: ")) }
  }

  @Test func `colors, keys and locale say what there is`() throws {
    var outcome = try run(with: ["COLORTERM": "truecolor"])
    #expect(try line("colors", of: outcome) == "✓ colors      24-bit (COLORTERM=truecolor)")
    #expect(try line("keys", of: outcome).hasPrefix("✓"))
    outcome = try run(with: ["TERM": "vt100", "LC_ALL": "POSIX"])
    #expect(try line("colors", of: outcome).hasPrefix("! colors      none"))
    let keys = try line("keys", of: outcome)
    #expect(keys.contains("f12") && keys.contains("shift-left") && !keys.contains("f2,"), "\(keys)")
    #expect(try line("clipboard", of: outcome).hasPrefix("!"))
    #expect(try line("locale", of: outcome).hasPrefix("! locale      LC_ALL=POSIX is not UTF-8"))
    outcome = try run(with: ["NO_COLOR": "1"])
    #expect(try line("colors", of: outcome).contains("NO_COLOR selects the theme mono"))
  }

  @Test(arguments: [("on", "✓"), ("external", "!"), ("off", "!")])
  func `tmux is asked whether it passes copies on`(value: String, mark: String) throws {
    try folder.writeScript("echo \(value)", to: "tmux")
    let outcome = try run(with: ["TMUX": "/tmp/tmux-0/default,1,0", "PATH": "\(folder.path):/usr/bin:/bin"])
    let line = try line("clipboard", of: outcome)
    #expect(line.hasPrefix("\(mark) clipboard"), "\(line)")
    #expect(line.contains("set-clipboard is \(value)"))
  }

  @Test func `without tmux's answer it says so`() throws {
    let outcome = try run(with: ["TMUX": "/nowhere,1,0", "PATH": folder.path])
    #expect(try line("clipboard", of: outcome).contains("tmux does not answer. Fix: tmux set-option -s set-clipboard on"))
  }

  @Test func `an error in the settings is named with its line, and is a fault`() throws {
    let settings = folder.path(".config/quarry/config.toml")
    try FileManager.default.createDirectory(atPath: folder.path(".config/quarry"), withIntermediateDirectories: true)
    try Data("mouse = true\n".utf8).write(to: URL(fileURLWithPath: settings))
    #expect(try line("settings", of: run()) == "✓ settings    \(settings)")
    try Data("mouse = true\ntheme = 'nosuch'\n".utf8).write(to: URL(fileURLWithPath: settings))
    let outcome = try run()
    #expect(try line("settings", of: outcome).hasPrefix("✗ settings    \(settings):2: "), "\(outcome.text)")
    #expect(outcome.status == 1)
  }

  @Test func `without a home, what is not saved is named`() throws {
    let outcome = try run(with: ["HOME": nil])
    #expect(try line("state", of: outcome).hasPrefix("✗ state       HOME is not set, so staged changes"))
    #expect(outcome.status == 1)
    let other = try run(with: ["HOME": nil, "XDG_STATE_HOME": folder.path, "XDG_DATA_HOME": folder.path])
    #expect(try line("state", of: other) == "✓ state       \(folder.path)/quarry is writable")
  }

  @Test func `a folder that is a file cannot hold the state`() throws {
    _ = try folder.write(Data(), to: "file")
    let outcome = try run(with: ["XDG_STATE_HOME": folder.path("file"), "TMPDIR": folder.path("none")])
    #expect(try line("state", of: outcome).hasPrefix("✗ state       \(folder.path("file"))"))
    #expect(outcome.status == 1)
  }

  @Test func `a folder for temporary files that is missing, or is a file, is a fault, because nothing creates it`() throws {
    let file = try folder.write(Data(), to: "file").path
    for (path, reason) in [(folder.path("none"), "No such file or directory"), (file, "Not a directory")] {
      let outcome = try run(with: ["TMPDIR": path])
      #expect(try line("temporary", of: outcome).hasPrefix("✗ temporary   \(path) cannot be written (\(reason))"), "\(outcome.text)")
      #expect(outcome.status == 1)
    }
    #expect(try line("temporary", of: run(with: ["TMPDIR": folder.path])) == "✓ temporary   \(folder.path) is writable")
  }

  @Test func `a database is checked too, and one in WAL mode is named if that has a bug`() throws {
    let path = try Fixtures.database("wal.db", in: folder, "PRAGMA journal_mode = WAL", "CREATE TABLE t(a)")
    let lines = try run(path).text.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("✓ database    “\(path)”: 1 table or view, journal mode wal") })
    let hasBug = SQLiteBug.of(version: Database.sqliteVersion).contains { $0.name == "WAL-reset bug" }
    #expect(lines.contains { $0.hasPrefix("! database    “\(path)” is in WAL mode") } == hasBug)
    let missing = try run(folder.path("no.db"))
    #expect(try line("database", of: missing).hasPrefix("✗ database    There is no file"))
    #expect(missing.status == 1)
  }

  @Test(
    arguments: [
      ("3.40.1", ["WAL-reset bug", "UPSERT bug"]), ("3.45.2", ["WAL-reset bug"]), ("3.44.6", ["UPSERT bug"]),
      ("3.44.5", ["WAL-reset bug", "UPSERT bug"]),
      ("3.50.6", ["WAL-reset bug"]), ("3.50.7", []), ("3.51.2", ["WAL-reset bug"]), ("3.51.3", []), ("3.52.0", ["withdrawn"]),
      ("3.53.0", []),
      ("3.34.1", ["WAL-reset bug"]), ("3.6.23", []), ("4.0.0", []), ("", []), ("x.y.z", []),
    ] as [(String, [String])])
  func `the bugs of a version of SQLite are known`(version: String, names: [String]) {
    #expect(SQLiteBug.of(version: version).map(\.name) == names)
  }

  @Test func `on a terminal a long line is broken between words, under its text`() {
    let finding = Finding(.warning, "keys", "one two three four five six seven eight", fix: "nine ten")
    #expect(finding.line == "! keys        one two three four five six seven eight. Fix: nine ten")
    #expect(
      finding.lines(columns: 30) == [
        "! keys        one two three", "              four five six", "              seven eight.", "              Fix: nine ten",
      ])
    #expect(finding.lines(columns: 80) == [finding.line])
    #expect(finding.lines(columns: 10) == [finding.line])
  }

  @Test func `the version names the SQLite that is linked`() throws {
    let lines = try BuiltProgram.run("--version").text.split(separator: "\n")
    #expect(lines.first?.wholeMatch(of: #/quarry \d+\.\d+\.\d+/#) != nil)
    #expect(lines.dropFirst() == ["SQLite \(Database.sqliteVersion)"])
  }
}
