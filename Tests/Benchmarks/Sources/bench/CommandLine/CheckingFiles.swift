import Foundation

/// Compares the quick checks of a database with SQLite's own by its command line.
func checking(_ file: EventsFile, by program: Program, isShellAsked: Bool) -> [Comparison] {
  let ours: Comparison.Work = { (try program.time(["check", "--quick", file.path]), nil) }
  let shell: Comparison.Work = { (try program.time("sqlite3", [file.path, "PRAGMA quick_check"]), nil) }
  return [
    Comparison(
      number: "check", what: "quarry check --quick", goals: [.atMost(1.2, .shell)],
      contestants: [(.ours, ours)] + (isShellAsked ? [(.shell, shell)] : []))
  ]
}
