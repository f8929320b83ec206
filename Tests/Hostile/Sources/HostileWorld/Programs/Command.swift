/// A command of the program whose result is known: it has happened, or it has not.
struct Command: Sendable {
  var name: String
  /// The words behind `quarry`.
  ///
  /// `A` is a database, `M` and `T` are changed copies of it, `O` is an old copy, `C` a CSV file, `N` a new file.
  var words: [String]
  /// The commands that are run before it.
  var preparation: [[String]] = []
  /// The file that it changes or creates; nil if it only reads.
  var result: String?
  /// Commands that do the first parts of it, if it has parts that happen one by one.
  var parts: [[String]] = []
  /// Whether it can be undone.
  var isRecorded = false

  /// Whether it prints the same each time: rows, without times.
  var hasSteadyOutput: Bool { result == nil && name != "changes" }

  static let files = ["A": "app.db", "M": "mine.db", "T": "theirs.db", "O": "old.db", "C": "rows.csv", "N": "new"]

  func arguments(_ words: [String], in folder: CaseFolder) -> [String] {
    words.map { word in Self.files[word].map(folder.path) ?? word }
  }

  private static let update = "UPDATE t SET n = n + 1, name = name || 'x'"
  private static let deletion = "DELETE FROM t WHERE id % 3 = 0"
  private static let insertion = "INSERT INTO u SELECT id + 1000, name FROM t"

  /// The commands that write.
  static let writing: [Command] = [
    Command(name: "update", words: ["query", "A", update], result: "app.db", isRecorded: true),
    Command(name: "update without record", words: ["query", "A", "--no-changes", update], result: "app.db"),
    Command(
      name: "transaction", words: ["query", "A", "BEGIN; \(update); \(deletion); \(insertion); COMMIT"], result: "app.db",
      isRecorded: true),
    Command(
      name: "script", words: ["query", "A", "\(update); \(deletion); \(insertion)"], result: "app.db",
      parts: [["query", "A", update], ["query", "A", "\(update); \(deletion)"]]),
    Command(name: "change of the schema", words: ["query", "A", "ALTER TABLE t ADD COLUMN z; "], result: "app.db"),
    Command(name: "import", words: ["import", "A", "t", "C"], result: "app.db", isRecorded: true),
    Command(name: "import of a new table", words: ["import", "A", "made", "C", "--create"], result: "app.db"),
    Command(name: "undo", words: ["undo", "A"], preparation: [["query", "A", update]], result: "app.db"),
    Command(name: "new", words: ["new", "N"], result: "new"),
    Command(name: "backup", words: ["backup", "A", "N"], result: "new"),
    Command(name: "backup over a database", words: ["backup", "A", "O", "--force"], result: "old.db"),
    Command(name: "merge", words: ["merge", "A", "M", "T", "-o", "N"], result: "new"),
    Command(name: "merge into mine", words: ["merge", "A", "M", "T", "-o", "M"], result: "mine.db"),
    Command(name: "dump", words: ["dump", "A", "-o", "N"], result: "new"),
    Command(name: "rows into a file", words: ["rows", "A", "t", "-o", "N", "--format", "json"], result: "new"),
  ]

  /// The commands that only read.
  static let reading: [Command] = [
    Command(name: "rows", words: ["rows", "A", "t", "--sort", "-name"]), Command(name: "tables", words: ["tables", "A"]),
    Command(name: "counts", words: ["counts", "A", "t", "n"]), Command(name: "group", words: ["group", "A", "t", "--by", "n"]),
    Command(name: "profile", words: ["profile", "A", "t"]), Command(name: "search", words: ["search", "A", "name 7"]),
    Command(name: "check", words: ["check", "A"]), Command(name: "textconv", words: ["textconv", "A"]),
    Command(name: "diff", words: ["diff", "A", "M", "--format", "sql"]), Command(name: "dump to the output", words: ["dump", "A"]),
    Command(name: "query of a CSV file", words: ["query", "C", "SELECT count(*), sum(n) FROM rows"]),
    Command(name: "changes", words: ["changes", "A"], preparation: [["query", "A", update]]),
  ]

  /// Creates the files with which each command begins.
  static func originals(journal: String, in trial: Trial) throws -> [String: [UInt8]] {
    let script = """
      PRAGMA journal_mode = \(journal);
      CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, n INTEGER NOT NULL DEFAULT 0);
      CREATE INDEX by_name ON t(name);
      CREATE TABLE u(id INTEGER PRIMARY KEY, label);
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 300) INSERT INTO t(id, name) SELECT x, 'name ' || x FROM n;
      INSERT INTO u VALUES (1, 'one');
      """
    let changes = [
      "app.db": "", "mine.db": "UPDATE t SET name = 'mine' WHERE id % 3 = 0;", "theirs.db": "DELETE FROM t WHERE id % 3 = 1;",
      "old.db": "DROP TABLE u; DELETE FROM t WHERE id > 9;",
    ]
    try trial.files.replace(with: [:])
    for (name, change) in changes {
      let run = try trial.shell(["-bail", trial.files.path(name)], script: script + change)
      guard run.isSuccess else { throw World.MissingProgram(description: run.errors) }
    }
    let rows = (1001...1300).reduce(into: "id,name,n\n") { $0 += "\($1),row \($1),\($1 % 7)\n" }
    try trial.files.write(Array(rows.utf8), to: "rows.csv")
    return trial.files.contents
  }
}
