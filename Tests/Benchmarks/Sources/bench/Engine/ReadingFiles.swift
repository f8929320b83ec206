import Foundation
import Loops
import QuarryEngine
import QuarryFiles

/// Compares reading a separated text as a table with what the import of the sqlite3 shell does into a table of the same types: the same
/// work in C, and where it is asked the shell itself.
func readingFiles(of file: EventsFile, in folder: TemporaryFolder, by program: Program, isShellAsked: Bool) -> [Comparison] {
  let text = Lazily { try SeparatedText(of: file, in: folder) }
  let all: Comparison.Work = {
    let reading = try text.value.read()
    return (reading.all, reading.rows)
  }
  let shell: Comparison.Work = { (try text.value.importByShell(program), nil) }
  return [
    Comparison(
      number: "21", what: "a CSV as a table: first rows", goals: [.within(.milliseconds(50))], stretch: [.within(.milliseconds(30))],
      contestants: [(.ours, { (try text.value.read().first, nil) })]),
    Comparison(
      number: "21", what: "the same: all rows", goals: [.atMost(0.5, .c), .atMost(0.5, .shell)],
      stretch: [.atMost(0.37, .c), .atMost(0.37, .shell)],
      contestants: [(.ours, all), (.c, { try text.value.importByC() })] + (isShellAsked ? [(.shell, shell)] : [])),
    Comparison(
      number: "21", what: "the same: memory", goals: [.within(.mebibytes(64))], stretch: [.within(.mebibytes(32))],
      contestants: [(.ours, { (try text.value.memory(program), nil) })]),
  ]
}

/// The events as comma-separated values.
private struct SeparatedText {
  private let path: String
  private let database: String

  init(of file: EventsFile, in folder: TemporaryFolder) throws {
    path = folder.url.appending(path: "events.csv").path(percentEncoded: false)
    database = folder.url.appending(path: "imported.db").path(percentEncoded: false)
    let output = try OutputFile(path: path)
    try DatabaseQueue(path: file.path).read { db in
      let statement = try db.makeStatement(sql: "SELECT * FROM events")
      let exporter = RowExporter(.csv, columns: statement.columnNames) { try output.write($0) }
      while try statement.step() { try exporter.write(statement) }
      try exporter.finish()
    }
    try output.finish()
  }

  /// Reads the text as a table; tells when the first rows were there, when all were, and how many there are.
  func read() throws -> (first: Amount, all: Amount, rows: Int64) {
    let start = ContinuousClock.now
    let tables = try FileTables([path])
    try tables.start()
    let first = ContinuousClock.now - start
    try tables.wait()
    let all = ContinuousClock.now - start
    return (.seconds(first / .seconds(1)), .seconds(all / .seconds(1)), Int64(tables.progress.rows))
  }

  private static let schema =
    "CREATE TABLE events(id INTEGER, ts TEXT, user_id INTEGER, kind TEXT, amount REAL, note TEXT, payload TEXT)"

  /// Lets the shell make the table and fill it; the header of the text is passed over.
  func importByShell(_ program: Program) throws -> Amount {
    defer { removeDatabase() }
    return try program.time("sqlite3", [database, Self.schema, ".import --csv --skip 1 \(path) events"])
  }

  /// Does in C what the shell does.
  func importByC() throws -> Comparison.Result {
    defer { removeDatabase() }
    var (nanoseconds, message): (Int64, UnsafePointer<CChar>?) = (0, nil)
    let rows = loops_import(database, Self.schema, "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", 7, path, &nanoseconds, &message)
    guard rows >= 0 else { throw CError(message.map { String(cString: $0) } ?? "the file cannot be imported") }
    return (.seconds(Double(nanoseconds) / 1e9), rows)
  }

  /// Returns how much memory the program has at most that reads the text as a table and counts its rows.
  func memory(_ program: Program) throws -> Amount {
    try program.memory(["query", path, "SELECT count(*) FROM events"])
  }

  private func removeDatabase() {
    for suffix in ["", "-journal"] { try? FileManager.default.removeItem(atPath: database + suffix) }
  }
}
