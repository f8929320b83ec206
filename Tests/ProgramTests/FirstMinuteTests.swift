import Foundation
import TestSupport
import Testing

/// README's first minute, typed into the program key by key.
@Suite("README's first minute", .gated) struct FirstMinuteTests {
  /// A row of the table: what is typed, in order.
  private static func rows() throws -> [[String]] {
    let readme = URL(fileURLWithPath: #filePath).appending(path: "../../../README.md").standardized
    let lines = try String(contentsOf: readme, encoding: .utf8).split(separator: "\n")
    let table = lines.drop { $0 != "| type | to |" }.dropFirst(2).prefix { $0.hasPrefix("| ") }
    return table.map { row in
      let cell = row.dropFirst(2).prefix { $0 != "|" }
      return cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map {
        String($0.element)
      }
    }
  }

  /// Keys as tmux names them; any other text is typed.
  private static let keys = [
    "⏎": "Enter", "Esc": "Escape", "Space": "Space", "^P": "C-p", "^S": "C-s", "^Q": "C-q", "F4": "F4", "F5": "F5",
  ]

  /// What the screen shows once a row has been typed, the last of which a following Esc removes, and what it no longer shows.
  private static let outcomes: [(shown: [String], hidden: [String])] = [
    (["e edit"], []),
    (["row 1 of 100,000"], []),
    (["events · 4,977 of 100,000 rows", "filter › kind = 'viewed' and seconds > 900"], []),
    (["sort seconds▼", "999.33"], []),
    (["filter › all rows", "events · 100,000 rows"], ["sort seconds"]),
    (["50,002", "kind · 100,000 rows · 5 values"], []),
    (["Facets", "50,002"], ["counting facets"]),
    ([" of 50,002"], ["filter › all rows"]),
    (["filter › all rows", "events · 100,000 rows"], ["choose"]),
    (["people · 9 rows", " of 9"], []),
    (["⏎ choose"], []),
    (["events where person_id = "], []),
    (["reminders · 20 rows", "row 1 of 20"], []),
    (["hit 2 of 2"], []),
    (["Search all tables", " hits in "], []),
    (["reminders · 20 rows", "birthday"], ["Search all tables"]),
    (["Call Ada", "1 change"], []),
    (["⏎ commit", "Call Ada"], []),
    (["1 row changed"], ["20 rows · 1 change"]),
    (["Parameters of", ":since", "⏎ run"], []),
    (["· 4 rows", "Esc goes to the results"], ["Parameters of"]),
    (["Chart · SELECT"], ["Esc goes to the results"]),
    (["CSV", "JSON", "INSERT"], []),
    (["╭─ Export"], []),
    (["Keys in the grid"], []),
    (["╭─ Commands"], []),
    (["THE END"], []),
  ]

  @Test func `its tasks work in a row, as written`() throws {
    let rows = try Self.rows()
    try #require(rows.count == Self.outcomes.count)
    let session = try TerminalSession(["--demo"], size: (columns: 120, rows: 36))
    try session.wait(for: "events · 100,000 rows")
    var last = ""
    for (row, outcome) in zip(rows, Self.outcomes) {
      for token in row {
        try Self.keys[token].map { try session.press($0) } ?? session.send(token)
        // A key that follows at once would be one with Alt.
        if token == "Esc" { try session.wait(until: { try !session.screen.contains(last) }, "Esc to remove \(last)") }
      }
      last = try #require(outcome.shown.last)
      let isSo = {
        let screen = try session.screen
        return outcome.shown.allSatisfy(screen.contains) && !outcome.hidden.contains(where: screen.contains)
      }
      try session.wait(until: isSo, "\(row.joined(separator: " ")) to show \(outcome)")
    }
    #expect(try session.exitStatus() == 0)
  }
}
