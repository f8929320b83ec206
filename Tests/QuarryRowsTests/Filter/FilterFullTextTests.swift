import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// `match` on full-text tables.
@Suite(.gated) struct FilterFullTextTests {
  private func withNotes<Value>(_ body: (Database, FilterColumns) throws -> Value) throws -> Value {
    let queue = try makeDatabase(
      "CREATE VIRTUAL TABLE notes USING fts5(title, body)",
      "INSERT INTO notes VALUES ('green day', 'rock'), ('day off', 'green tea'), ('it''s late', 'night')")
    return try queue.read { db in
      try body(db, FilterColumns(of: try db.tableSchema(TableReference(name: "notes")), in: db))
    }
  }

  @Test(
    "A row is kept where the table or the column has the words",
    arguments: [
      ("notes match 'green'", [1, 2]), ("title match 'green'", [1]), ("NOTES match 'body : green OR title : late'", [2, 3]),
      ("notes match 'day' and body ~ tea", [2]), ("(notes match 'day' and title match 'off') and rowid > 1", [2]),
      ("notes match '\"it''s late\"'", [3]), ("rowid > 1 and notes match 'gr*'", [2]),
    ])
  func rows(text: String, rows: [Int]) throws {
    try withNotes { db, columns in
      let filter = try Filter.compile(text, columns: columns)
      let sql = try #require(filter.sqlText)
      #expect(try Int.fetchAll(db, literal: "SELECT rowid FROM notes WHERE \(sql) ORDER BY 1") == rows)
      #expect(try FilterSyntax.parse(try #require(filter.syntax).description, columns: columns) == filter.syntax)
    }
  }

  private static let place = "SQLite allows match only at the top level of a filter, joined to other conditions by and."

  @Test(
    "match is refused where SQLite does not take it, and a query that FTS5 does not take at its place",
    arguments: [
      ("not notes match 'x'", "notes match 'x'", place), ("notes match 'x' or rowid = 1", "notes match 'x'", place),
      ("title not match 'x'", "match", place), ("notes match green day", "green day", "The words after match need single quotes."),
      ("notes match body", "body", "The words after match need single quotes."),
      ("notes match 'a AND'", "AND", "A word is missing after AND."),
      ("notes match 'it''s'", "''", "' has no meaning in a search. Put a word with it in double quotes."),
      ("notes match 'titel : x'", "titel", "There is no column titel to search. Put text with a colon or a minus sign in double quotes."),
      ("notes match '(a OR b'", "(", "This parenthesis is not closed."), ("notes match ''", "", "There is no word to search for."),
      ("notes match", "match", "The words to search for are missing after match."),
    ])
  func refusals(text: String, fault: String, sentence: String) throws {
    try withNotes { _, columns in
      let errors = FilterTextSource.errors(text, columns)
      let error = try #require(errors.first)
      #expect(errors.count == 1)
      #expect(String(decoding: Array(text.utf8)[error.range], as: UTF8.self) == fault)
      #expect(error.sentence == sentence)
    }
  }

  @Test("A parameter's words are looked for")
  func parameters() throws {
    try withNotes { db, columns in
      let filter = try Filter.compile("notes match :words", columns: columns, parameters: ["words": .text("late")])
      let sql = try #require(filter.sqlText)
      #expect(try Int.fetchAll(db, literal: "SELECT rowid FROM notes WHERE \(sql)") == [3])
    }
  }

  @Test("Rows that match are counted and read page by page, in their own order and sorted")
  func pages() async throws {
    let queue = try makeDatabase(
      "CREATE VIRTUAL TABLE notes USING fts5(title)",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) INSERT INTO notes SELECT iif(i % 5, 'x ', 'y ') || i FROM n"
    )
    let table = TableReference(name: "notes")
    let columns = try await queue.read { db in FilterColumns(of: try db.tableSchema(table), in: db) }
    for sort in ["", "-title"] {
      let view = try RowView(filter: "notes match 'y' and rowid > 100", sort: sort).compiled(for: columns)
      let reader = RowReader(view.applied(to: RowSet(.table(table))), on: ReadConnections(queue))
      #expect(try await reader.count() == .exact(980))
      let page = try await reader.page(PageRequest(.first, limit: 3))
      #expect(page.rows.count == 3)
    }
  }

  @Test("Random queries are refused exactly where FTS5 refuses them", arguments: 1...4 as ClosedRange<UInt64>)
  func differential(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let pieces = [
      "green", "day", "title", "body", "it", "AND", "OR", "NOT", "NEAR", "NEAR(", "(", ")", "{", "}", ":", "-", "+", "*", "^", ",", "3",
      "\"a b\"", "\"", "é", "'", ".",
    ]
    try withNotes { db, columns in
      var taken = 0
      for _ in 0..<testRounds(3_000) {
        let blank = random.below(2) == 0 ? " " : ""
        let query = (0..<1 + random.below(6)).map { _ in pieces[random.below(pieces.count)] }.joined(separator: blank)
        let isTaken = (try? Int.fetchAll(db, sql: "SELECT rowid FROM notes WHERE notes MATCH ?", arguments: [query])) != nil
        let text = "notes match " + FilterSyntax(.literal(.text(query))).description
        let errors = FilterTextSource.errors(text, columns)
        if errors.isEmpty != isTaken { Issue.record("\(query): \(isTaken ? "taken" : "refused") by FTS5; \(errors)") }
        if isTaken { taken += 1 }
      }
      #expect(taken > 200, "\(taken)")
    }
  }
}
