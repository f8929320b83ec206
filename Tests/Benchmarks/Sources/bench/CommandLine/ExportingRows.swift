import Foundation
import QuarryEngine

/// Compares writing all rows of a table to nowhere, by ours and by SQLite's command line.
func exportingRows(of file: EventsFile, by program: Program, isShellAsked: Bool) -> [Comparison] {
  ["csv", "json"].map { format in
    let query = "SELECT * FROM events"
    let ours: Comparison.Work = { (try program.time(["query", file.path, query, "--format", format]), nil) }
    let shell: Comparison.Work = { (try program.time("sqlite3", ["-\(format)", file.path, query]), nil) }
    return Comparison(
      number: "14", what: "quarry query --format \(format)", goals: [.timesAsFast(1.5, .shell)], stretch: [.timesAsFast(3, .shell)],
      contestants: [(.ours, ours)] + (isShellAsked ? [(.shell, shell)] : []))
  }
}

/// Compares writing a database as SQL to nowhere, by ours and by SQLite's command line; ours has to read back equal first.
func dumping(_ file: EventsFile, by program: Program, in folder: TemporaryFolder, isShellAsked: Bool) -> [Comparison] {
  var isChecked = false
  let ours: Comparison.Work = {
    if !isChecked, isShellAsked { try checkDump(of: file, by: program, in: folder) }
    isChecked = true
    return (try program.time(["dump", file.path]), nil)
  }
  let shell: Comparison.Work = { (try program.time("sqlite3", [file.path, ".dump"]), nil) }
  return [
    Comparison(
      number: "24", what: "quarry dump", goals: [.atMost(0.25, .shell)], stretch: [.atMost(0.18, .shell)],
      contestants: [(.ours, ours)] + (isShellAsked ? [(.shell, shell)] : []))
  ]
}

/// Lets the shell load what the program dumps, and compares the rows with those that were dumped.
private func checkDump(of file: EventsFile, by program: Program, in folder: TemporaryFolder) throws {
  let copy = folder.url.appending(path: "dumped.db").path(percentEncoded: false)
  let script = folder.url.appending(path: "dump.sql").path(percentEncoded: false)
  _ = try program.time(["dump", file.path, "-o", script])
  _ = try program.time("sqlite3", [copy, ".read \(script)"])
  let differing = try DatabaseQueue(path: copy).withoutTransaction { db in
    try db.attach(path: file.path, as: "original")
    return try Int.fetchOne(db, sql: "SELECT count(*) FROM (SELECT * FROM original.events EXCEPT SELECT * FROM main.events)") ?? 0
  }
  let rows = try EventsFile(path: copy).rows
  guard differing == 0, rows == file.rows else { throw CError("the dump does not read back equal") }
}
