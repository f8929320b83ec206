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
