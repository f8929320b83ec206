import Foundation

extension Attack {
  /// Hostile bytes in every place text can come from, shown in a terminal.
  static let content = Attack(
    "content", "hostile bytes in names, values, errors and files, printed and shown in a terminal", fewCases: 5
  ) { trial in
    try ContentCase(trial).play()
  }
}

/// A database of hostile names and values.
private struct ContentCase {
  private let trial: Trial
  private let file: String
  private let table: String
  private let column: String

  init(_ trial: Trial) throws {
    self.trial = trial
    file = HostileText.randomName(&trial.random) + ".db"
    table = "t" + HostileText.randomName(&trial.random)
    column = "c" + HostileText.randomName(&trial.random)
    try create()
  }

  private func quoted(_ bytes: [UInt8]) -> [UInt8] {
    [0x22] + bytes.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] } + [0x22]
  }

  /// Creates the database by a script, because the shell reads bytes that are no UTF-8 as they are.
  private func create() throws {
    let (table, column) = (quoted(Array(table.utf8)), quoted(Array(column.utf8)))
    var script = Array("CREATE TABLE ".utf8) + table + Array("(id INTEGER PRIMARY KEY, ".utf8) + column
    // A name whose bytes are no UTF-8.
    script += Array(" TEXT, ".utf8) + quoted(Array("z".utf8) + HostileText.random(&trial.random)) + Array(" DEFAULT 0);\n".utf8)
    script += Array("CREATE INDEX ".utf8) + quoted(Array("i".utf8) + HostileText.random(&trial.random)) + Array(" ON ".utf8) + table
    script += Array("(".utf8) + column + Array(");\nCREATE VIEW ".utf8) + quoted(Array("v".utf8) + HostileText.random(&trial.random))
    script += Array(" AS SELECT * FROM ".utf8) + table + Array(";\nCREATE TRIGGER no BEFORE DELETE ON ".utf8) + table
    let message = HostileText.random(&trial.random).filter { $0 != 0x27 }
    script += Array(" BEGIN SELECT RAISE(ABORT, '".utf8) + message + Array("'); END;\n".utf8)
    for _ in 0..<12 {
      let hex = HostileText.random(&trial.random).map { String(Int($0) | 0x100, radix: 16).dropFirst() }.joined()
      let value = trial.random.oneIn(6) ? "x'\(hex)'" : "CAST(x'\(hex)' AS TEXT)"
      script += Array("INSERT INTO ".utf8) + table + Array("(".utf8) + column + Array(") VALUES (\(value));\n".utf8)
    }
    try trial.files.write(script, to: "script.sql")
    // Outside the folder of the files, because the hostile name may be any.
    let made = trial.folder.appending(path: "made.db").path
    let run = try trial.shell([made, ".read '\(trial.files.path("script.sql"))'"])
    if !run.isSuccess { trial.count("names that sqlite3 refuses") }
    try FileManager.default.moveItem(atPath: made, toPath: trial.files.path(file))
    try trial.files.write(Array("\(column.count),a\n".utf8) + HostileText.random(&trial.random) + Array(",2\n".utf8), to: "rows.csv")
  }

  func play() throws {
    for words in verbs where trial.random.oneIn(2) && trial.findings.isEmpty { try print(words) }
    if trial.findings.isEmpty { try show() }
  }

  private var verbs: [[String]] {
    let nowhere = HostileText.randomName(&trial.random)
    return [
      ["tables", file], ["schema", file], ["schema", file, table], ["schema", file, "--diagram"], ["rows", file, table],
      ["rows", file, table, "--where", "\(nowhere) = 1"], ["rows", file, nowhere], ["rows", file, table, "--sort", nowhere],
      ["search", file, "p"], ["counts", file, table, column], ["profile", file, table], ["group", file, table, "--by", column],
      ["chart", file, table, column], ["check", file], ["diff", file, "rows.csv"], ["diff", file, file], ["textconv", file],
      ["query", file, "DELETE FROM \"\(table.replacing("\"", with: "\"\""))\""], ["query", file, "SELECT \(nowhere)"],
      ["query", file, "SELECT '\(nowhere.replacing("'", with: "''"))' AS \"\(nowhere.replacing("\"", with: "\"\""))\""],
      ["query", "rows.csv", "SELECT * FROM rows"], ["tables", nowhere], ["filter-check", file, table, nowhere], [nowhere, file],
      ["import", file, table, "rows.csv"], ["undo", file], ["changes", file], ["dump", file, "-o", nowhere + "/x"],
      ["backup", file, nowhere + "/x"], ["config", "--check", "rows.csv"], ["rows", file, table, "--theme", nowhere],
      ["query", file, "SELECT * FROM \"\(table.replacing("\"", with: "\"\""))\"", "--format", "markdown"],
    ]
  }

  /// Prints to a terminal.
  private func print(_ words: [String]) throws {
    trial.count("verbs in a terminal")
    let words = words.map { $0.isEmpty ? "-" : $0 }
    let terminal = try PseudoTerminal([trial.world.program] + words, for: trial, size: (80, 24))
    terminal.waitForStart()
    // `diff` opens a screen in a terminal, and so does a word that is no verb.
    if terminal.model.isFullScreen { terminal.quit() }
    let ending = terminal.waitForEnd()
    let name = words[0] == file || words[0].contains(where: { !$0.isLetter && $0 != "-" }) ? "screen" : words[0]
    terminal.judge(ending, name: name, line: "\(words)", for: trial)
  }

  private func show() throws {
    trial.count("screens")
    let terminal = try PseudoTerminal([trial.world.program, file, "-t", table], for: trial, size: (100, 30))
    terminal.waitForStart()
    var keys: [String] = []
    for _ in 0..<25 where !terminal.hasEnded {
      let key = trial.random.pick(Keys.looking, default: "j")
      keys.append(key)
      terminal.type(key)
      terminal.settle(15)
    }
    trial.count("keys", keys.count)
    terminal.quit()
    let ending = terminal.waitForEnd()
    terminal.judge(ending, name: "screen", line: "\(file), keys \(keys)", for: trial)
  }
}
