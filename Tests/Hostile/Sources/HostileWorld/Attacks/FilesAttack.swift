extension Attack {
  /// Damaged databases of every kind through every verb that reads.
  public static let files = Attack(
    "files", "damaged databases of every kind, through every verb that reads", fewCases: 6
  ) { trial in
    try FilesCase(trial).play()
  }
}

/// A damaged database, and what the sqlite3 shell says of it.
private struct FilesCase {
  private let trial: Trial
  private let sample: SampleDatabase
  private let table: String
  private let damage: Damage
  private let sound: [String: [UInt8]]

  init(_ trial: Trial) throws {
    self.trial = trial
    sample = SampleDatabase.random(&trial.random)
    table = trial.random.pick(SampleDatabase.tables, default: "t")
    sound = try trial.world.samples.files(of: sample, for: trial)
    var damage = Damage(sound, pageSize: sample.pageSize)
    for _ in 0...trial.random.below(2) { damage.apply(&trial.random) }
    self.damage = damage
  }

  func play() throws {
    trial.count("damaged databases")
    let oracle = try ShellVerdict(of: damage.files, in: trial)
    for verb in ReadingVerb.all(table) where !trial.random.oneIn(4) {
      try play(verb, oracle)
      if !trial.findings.isEmpty { break }
    }
  }

  private func play(_ verb: ReadingVerb, _ oracle: ShellVerdict) throws {
    try trial.files.replace(with: damage.files)
    try trial.files.write(sound["app.db"] ?? [], to: "sound.db")
    let run = try trial.quarry(verb.arguments(in: trial.files))
    let line = "\(verb.words.joined(separator: " ")) of a database with \(sample): \(damage.description)"
    let unread = verb.tables.filter { oracle.isDamaged($0) }
    if run.isSuccess, !unread.isEmpty {
      trial.count("damage seen by the shell")
      trial.report(
        "\(verb.words[0]): success where sqlite3 reports damage", "\(line); \(unread): \(oracle.errors(unread))")
    } else if !unread.isEmpty {
      trial.count("damage seen by the shell")
    }
    try expectUnchanged(verb, oracle, line)
  }

  private func expectUnchanged(_ verb: ReadingVerb, _ oracle: ShellVerdict, _ line: String) throws {
    let after = trial.files.contents
    for name in ["app.db", "app.db-wal", "app.db-journal"] where after[name] != damage.files[name] {
      // SQLite rolls the transaction of a crash back: then the file must be what the shell makes of it.
      let isRolledBack = sample.state == .hotJournal && (name == "app.db" ? after[name] == oracle.recovered : after[name] == nil)
      trial.expect(isRolledBack, "\(verb.words[0]): \(name) is changed", "\(line): \(after[name]?.count ?? -1) bytes")
    }
    let allowed = Set(damage.files.keys).union(["app.db-shm", "sound.db", "sound.db-wal", "sound.db-shm"]).union(verb.result)
    let left = after.keys.filter { !allowed.contains($0) && !($0 == "app.db-wal" && after[$0]?.isEmpty == true) }
    trial.expect(left.isEmpty, "\(verb.words[0]): leaves files", "\(line): \(left)")
  }
}

/// What the sqlite3 shell says of each table.
struct ShellVerdict {
  private var messages: [String: String] = [:]
  /// The database after the shell has read it.
  let recovered: [UInt8]?

  init(of files: [String: [UInt8]], in trial: Trial) throws {
    try trial.files.replace(with: files)
    for table in SampleDatabase.tables {
      let run = try trial.shell([trial.files.path("app.db"), "SELECT * FROM \(table) NOT INDEXED"])
      let isView = run.errors.contains("no such index") || table == "v"
      let whole = isView ? try trial.shell([trial.files.path("app.db"), "SELECT * FROM \(table)"]) : run
      if !whole.isSuccess { messages[table] = whole.errors }
    }
    recovered = trial.files.read("app.db")
  }

  /// Whether the shell cannot read all rows.
  func isDamaged(_ table: String) -> Bool { messages[table] != nil }

  func errors(_ tables: [String]) -> String { tables.compactMap { messages[$0] }.joined(separator: " ") }
}

/// A verb that reads a database.
struct ReadingVerb {
  /// The words behind `quarry`: `F` is the database, `S` a sound one, `N` a new file.
  var words: [String]
  /// The tables of which it reads all rows, so that it must report their damage.
  var tables: [String] = []
  /// The files that it may leave.
  var result: Set<String> = []

  func arguments(in folder: CaseFolder) -> [String] {
    let paths = ["F": folder.path("app.db"), "S": folder.path("sound.db"), "N": folder.path("new")]
    return words.map { paths[$0] ?? $0 }
  }

  static func all(_ table: String) -> [ReadingVerb] {
    let column = SampleDatabase.columns[table] ?? "name"
    let new: Set<String> = ["new"]
    return [
      ReadingVerb(words: ["tables", "F"]), ReadingVerb(words: ["schema", "F"]), ReadingVerb(words: ["schema", "F", "--diagram"]),
      ReadingVerb(words: ["rows", "F", table], tables: [table]),
      ReadingVerb(words: ["rows", "F", table, "--sort", "-\(column)"], tables: [table]),
      ReadingVerb(words: ["rows", "F", table, "--where", "\(column) != 'x'"]),
      ReadingVerb(words: ["rows", "F", table, "-o", "N", "--format", "json"], tables: [table], result: new),
      ReadingVerb(words: ["search", "F", "name 1"]),
      ReadingVerb(words: ["counts", "F", table, column], tables: [table]),
      ReadingVerb(words: ["profile", "F", table], tables: [table]),
      ReadingVerb(words: ["group", "F", table, "--by", column]),
      ReadingVerb(words: ["chart", "F", table, column]),
      ReadingVerb(words: ["check", "F"], tables: [table]), ReadingVerb(words: ["check", "F", "--quick"]),
      ReadingVerb(words: ["diff", "F", "S"]), ReadingVerb(words: ["diff", "S", "F", "--format", "sql"]),
      ReadingVerb(words: ["textconv", "F"]),
      ReadingVerb(words: ["dump", "F"], tables: SampleDatabase.tables.filter { $0 != "v" }),
      ReadingVerb(words: ["backup", "F", "N"], tables: ["t", "u", "w", "g"], result: new),
      ReadingVerb(words: ["merge", "S", "F", "S", "-o", "N"], result: new),
      ReadingVerb(words: ["query", "F", "SELECT * FROM \(table)"], tables: table == "v" ? [] : [table]),
      ReadingVerb(words: ["query", "F", "SELECT count(*), max(\(column)) FROM \(table)"]),
      ReadingVerb(words: ["filter-check", "F", table, "\(column) = 1"]), ReadingVerb(words: ["changes", "F"]),
    ]
  }
}
