import Foundation
import QuarryEngine

/// Compares finding 1,000 changed rows of a table with what SQLite's program for that takes: in a copy of the file, and in a file that was
/// written anew, so that it shares no pages.
func comparingFiles(of file: EventsFile, by program: Program, in folder: TemporaryFolder, isShellAsked: Bool) -> [Comparison] {
  let copied = Lazily { try ChangedFile(of: file, named: "copied.db", in: folder) }
  let written = Lazily { try ChangedFile(of: file, named: "written.db", in: folder).writtenAnew(in: folder) }
  return [
    comparing(file, with: copied, "a copied file", goal: 0.15, stretch: 0.08, by: program, in: folder, isShellAsked),
    comparing(file, with: written, "a file written anew", goal: 0.5, stretch: 0.37, by: program, in: folder, isShellAsked),
  ]
}

private func comparing(
  _ file: EventsFile, with other: Lazily<ChangedFile>, _ what: String, goal: Double, stretch: Double, by program: Program,
  in folder: TemporaryFolder, _ isShellAsked: Bool
) -> Comparison {
  var isChecked = false
  let ours: Comparison.Work = {
    let other = try other.value
    if !isChecked { try other.check(file, by: program, in: folder) }
    isChecked = true
    return (try program.time(["diff", file.path, other.path], exit: 1), nil)
  }
  let sqldiff: Comparison.Work = { (try program.time("sqldiff", [file.path, other.value.path]), nil) }
  return Comparison(
    number: "22", what: "quarry diff, 1,000 rows changed: \(what)", goals: [.atMost(goal, .sqldiff)],
    stretch: [.atMost(stretch, .sqldiff)], contestants: [(.ours, ours)] + (isShellAsked ? [(.sqldiff, sqldiff)] : []))
}

/// A copy of the table of events in which some notes are others.
private struct ChangedFile {
  let path: String
  /// How many rows are others.
  let count: Int

  init(of file: EventsFile, named name: String, in folder: TemporaryFolder) throws {
    let copy = folder.url.appending(path: name)
    try FileManager.default.copyItem(atPath: file.path, toPath: copy.path(percentEncoded: false))
    path = copy.path(percentEncoded: false)
    let queue = try DatabaseQueue(path: path)
    count = try queue.write { db in
      let step = max(1, file.rows / 1000)
      try db.execute(sql: "UPDATE events SET note = 'changed ' || id WHERE id % \(step) = 0")
      return db.changesCount
    }
    try queue.close()
  }

  private init(path: String, count: Int) {
    (self.path, self.count) = (path, count)
  }

  /// Writes the rows into a new file, and removes this one.
  func writtenAnew(in folder: TemporaryFolder) throws -> ChangedFile {
    let new = folder.url.appending(path: "anew.db").path(percentEncoded: false)
    let queue = try DatabaseQueue(path: path)
    try queue.withoutTransaction { try $0.execute(sql: "VACUUM INTO '\(new)'") }
    try queue.close()
    try FileManager.default.removeItem(atPath: path)
    return ChangedFile(path: new, count: count)
  }

  /// Checks that the program finds the rows.
  func check(_ file: EventsFile, by program: Program, in folder: TemporaryFolder) throws {
    let output = folder.url.appending(path: "differences.csv").path(percentEncoded: false)
    _ = try program.time(["diff", file.path, path, "--summary", "-o", output], exit: 1)
    let text = try String(contentsOfFile: output, encoding: .utf8)
    guard text.contains("\nevents,rows,0,0,\(count)\n") else { throw CError("not all \(count) changed rows are found: \(text)") }
  }
}

/// Compares two files of many empty tables, which has to cost little for each, with what the shell takes to list them.
func comparingEmptyTables(by program: Program, in folder: TemporaryFolder, isShellAsked: Bool) -> [Comparison] {
  let paths = Lazily { () -> [String] in
    try ["tables.db", "others.db"].map { name in
      let path = folder.url.appending(path: name).path(percentEncoded: false)
      let queue = try DatabaseQueue(path: path)
      try queue.write { db in
        for number in 0..<5000 { try db.execute(sql: "CREATE TABLE t\(number)(id INTEGER PRIMARY KEY, name TEXT, size REAL)") }
      }
      try queue.close()
      return path
    }
  }
  let ours: Comparison.Work = { (try program.time(["diff"] + paths.value), nil) }
  let shell: Comparison.Work = { (try program.time("sqlite3", [try paths.value[0], ".dump"]), nil) }
  return [
    Comparison(
      number: "30", what: "quarry diff of 5,000 empty tables", goals: [.atMost(4, .shell)],
      contestants: [(.ours, ours)] + (isShellAsked ? [(.shell, shell)] : []))
  ]
}
