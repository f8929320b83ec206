import Browser
import Foundation
import QuarryEngine
import QuarryRows
import QuarrySources
import TestSupport
import Testing

@Suite("SQL written in the editor", .gated)
struct SQLEditorTests {
  /// Plays on a table of 26 letters, with the editor open.
  private func play(
    refusal: String? = nil, storage: @escaping @Sendable (URL) -> Storage = { _ in Storage() },
    _ body: @escaping @Sendable (SessionDriver, DatabaseQueue) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE letter(id INTEGER PRIMARY KEY, name TEXT NOT NULL, rank REAL)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 26) INSERT INTO letter SELECT i, char(96 + i), i / 2.0 FROM n",
        "CREATE INDEX letter_name ON letter(name)")
      let kept = storage(folder)
      try await onOwnThread {
        let driver = try SessionDriver(path: path, refusal: refusal, storage: kept)
        driver.press("f4")
        try body(driver, try DatabaseQueue(path: path))
      }
    }
  }

  /// Expects what another connection sees.
  private static func expect(_ number: Int, of sql: String, _ other: DatabaseQueue) throws {
    let seen = try other.read { db in try Int.fetchOne(db, sql: sql) }
    #expect(seen == number)
  }

  private static func names(_ driver: SessionDriver) -> [String] {
    driver.browser.grid?.window.rows.compactMap { if case .text(let text, _, _)? = $0.cells.first { text } else { nil } } ?? []
  }

  @Test("a misspelt name between double quotes is reported as the text that SQLite reads")
  func quotedText() async throws {
    try await play { driver, _ in
      driver.type("SELECT count(\"nmae\") FROM letter")
      driver.press("f5")
      driver.screen.expectLine(#"there is no column "nmae", so SQLite reads it as text: write 'nmae', or name if you mean that column"#)
    }
  }

  /// The names of the letters that the table shows.
  private static func letters(_ driver: SessionDriver) -> [String] {
    driver.browser.grid?.window.rows.compactMap { if case .text(let text, _, _)? = $0.cells.dropFirst().first { text } else { nil } } ?? []
  }

  @Test("the statement under the caret runs, and its rows take filter and order like any others")
  func running() async throws {
    try await play { driver, _ in
      driver.type("SELECT 1; SELECT name, rank FROM letter WHERE id <= 5 -- five\n; SELECT 2")
      driver.press("up")
      driver.press("f5")
      #expect(Self.names(driver) == ["a", "b", "c", "d", "e"], "\(driver.screen)")
      driver.press("f4")
      driver.type("&")
      driver.type("rank > 1")
      driver.press("enter")
      #expect(Self.names(driver) == ["c", "d", "e"], "\(driver.screen)")
      driver.press("s")
      driver.press("s")
      #expect(Self.names(driver) == ["e", "d", "c"], "\(driver.screen)")
    }
  }

  @Test("parameters are asked for once each, with their inferred types, and colons in texts and comments are none")
  func parameters() async throws {
    try await play { driver, _ in
      driver.type("SELECT name FROM letter WHERE id >= :least AND id < :most AND ':no' <> name AND id <> :least -- :nor")
      driver.press("f5")
      guard let form = driver.browser.top(ParameterForm.self) else { return #expect(Bool(false), "\(driver.screen)") }
      #expect(form.fields.map(\.parameter.token) == [":least", ":most"])
      #expect(form.fields.map(\.typeName) == ["integer", "integer"])
      driver.type("x")
      driver.press("enter")
      driver.screen.expectLine("expected here: an integer such as 42")
      driver.press("backspace")
      driver.type("3")
      driver.press("tab")
      driver.type("6")
      driver.press("enter")
      #expect(Self.names(driver) == ["d", "e"], "\(driver.screen)")
      driver.press("f7")
      driver.screen.expectLine(":least", "the form comes back")
      driver.press("enter")
      #expect(Self.names(driver) == ["d", "e"], "with the values of the last time")
    }
  }

  @Test("values of the compared column are offered, those that begin with what is written")
  func offers() async throws {
    try await play { driver, _ in
      driver.type("SELECT name FROM letter WHERE name = :name")
      driver.press("f5")
      driver.screen.expectLine(beginning: "a · b · c")
      driver.type("X")
      #expect(!driver.screen.contains("a · b · c"))
      driver.press("alt-down")
      driver.press("enter")
      #expect(Self.names(driver) == ["x"], "\(driver.screen)")
    }
  }

  @Test("Esc in the form runs nothing and loses nothing")
  func escape() async throws {
    try await play { driver, _ in
      driver.type("SELECT :a, :b")
      driver.press("f5")
      driver.press("tab")
      driver.type("half")
      driver.press("escape")
      #expect(driver.browser.sql.run == nil)
      #expect(driver.browser.sql.buffer.text == "SELECT :a, :b")
      driver.press("f5")
      guard let form = driver.browser.top(ParameterForm.self) else {
        Issue.record("no form: \(driver.screen)")
        return
      }
      #expect(form.fields.map(\.input.text) == ["", "half"])
      #expect(form.cursor == 1)
    }
  }

  @Test("an error marks its place in the text")
  func fault() async throws {
    try await play { driver, _ in
      driver.type("SELECT 'é';\nSELECT nam FROM letter")
      driver.press("f5")
      driver.screen.expectLine("no such column: nam; did you mean name?")
      let range = try #require(driver.browser.sql.editor.errorRange)
      #expect(String(decoding: Array(driver.browser.sql.buffer.text.utf8)[range], as: UTF8.self) == "nam")
      #expect(driver.browser.sql.editor.caretOffset == range.lowerBound)
    }
  }

  @Test("an error is said once, with its place and what may be meant, and one key writes that")
  func misspelling() async throws {
    try await play { driver, _ in
      driver.type("SELECT id,")
      driver.press("enter")
      driver.type("  nmae FROM letter WHERE id < 3")
      driver.press("f5")
      let told = driver.screen.components(separatedBy: "no such column: nmae; did you mean name?").count - 1
      #expect(told == 1, "\(driver.screen)")
      driver.screen.expectLine("line 2, column 3, marked in the text; in the editor Alt-⏎ writes name")
      driver.press("alt-enter")
      driver.press("f5")
      #expect(driver.browser.grid?.window.rows.count == 2, "\(driver.screen)")
    }
  }

  @Test("a plan is asked for of what has failed with the way to its text, and shown of what has changed rows")
  func plans() async throws {
    try await play { driver, _ in
      driver.type("SELECT nosuch")
      driver.press("f5")
      driver.press("f4 g x")
      driver.screen.expectLine("the statement failed, so there are no rows: F4 goes to it")
      driver.press("f4 end ctrl-u")
      driver.type("DELETE FROM letter WHERE name = 'b'")
      driver.press("f5")
      driver.press("enter")
      driver.press("f4 g x")
      driver.screen.expectLine("SEARCH letter USING INDEX letter_name (name=?)")
    }
  }

  @Test("results show the types of the columns that they come from, and no line for types where there are none")
  func types() async throws {
    try await play { driver, _ in
      driver.type("SELECT rank, rank + 1 AS more FROM letter; SELECT 1 AS one")
      driver.press("shift-f5")
      driver.press("f4 g T")
      #expect(driver.browser.grid?.columns.map(\.declaredType) == ["REAL", ""])
      let rows = driver.browser.grid?.extent.rows ?? 0
      driver.screen.expectLine("real")
      driver.press("g t")
      #expect(driver.browser.grid?.extent.rows == rows + 1)
    }
  }

  @Test("F4 leaves an editor in sight that has a text, and hides one that has none")
  func leaving() async throws {
    try await play { driver, _ in
      driver.type("SELECT 1")
      driver.press("f4")
      #expect(driver.browser.focus == .rows && driver.browser.sql.isShown)
      driver.press("f4 ctrl-u f4")
      #expect(driver.browser.focus == .rows && !driver.browser.sql.isShown, "\(driver.screen)")
    }
  }

  @Test("the title over the editor is the editor's, and the line over the rows names what they are")
  func titles() async throws {
    try await play { driver, _ in
      driver.type("SELECT 1")
      driver.press("f4")
      driver.open(TableReference(name: "letter"))
      let lines = driver.screen.split(separator: "\n").map(String.init)
      #expect(lines[0].contains("SQL · not saved"), "\(driver.screen)")
      #expect(lines.dropFirst().contains { $0.contains("letter · 26 rows") }, "\(driver.screen)")
    }
  }

  @Test("the line over the rows names the way to run the statement from where the keys are")
  func wayToRun() async throws {
    try await play { driver, _ in
      driver.open(TableReference(name: "letter"))
      driver.press("f4")
      driver.type("SELECT 1")
      driver.screen.expectLine("F5 runs the statement under the caret")
      driver.press("escape")
      driver.screen.expectLine("F4 edits the statement, F5 there runs it")
      driver.press("f4 f5")
      driver.screen.expectLine(beginning: "1 row")
      #expect(!driver.screen.contains("edits the statement"), "\(driver.screen)")
    }
  }

  @Test("the rows of a small result follow the text of the bar, and say of how many they are")
  func resultFilter() async throws {
    try await play { driver, _ in
      driver.type("SELECT name, rank FROM letter")
      driver.press("f5")
      driver.press("f4 &")
      driver.type("rank > 12")
      #expect(Self.names(driver) == ["y", "z"], "\(driver.screen)")
      #expect(driver.screen.contains("2 of 26 rows"), "\(driver.screen)")
      driver.press("ctrl-u")
      driver.type("rank > :least")
      driver.screen.expectLine("⏎ applies")
    }
  }

  @Test("what writes stays in a transaction until it is committed, and nobody else sees it before")
  func commit() async throws {
    try await play { driver, other in
      driver.type("UPDATE letter SET rank = 0 WHERE id < 4")
      driver.press("f5")
      driver.screen.expectLine("3 rows changed, not committed yet")
      let count = "SELECT count(*) FROM letter WHERE rank = 0"
      try Self.expect(0, of: count, other)
      driver.press("escape")
      driver.screen.expectLine("open transaction: 3 rows changed  F10 commit or rollback", "an open transaction is in sight")
      driver.press("ctrl-q")
      driver.screen.expectLine("A transaction is open: 3 rows changed", "leaving asks")
      driver.press("enter")
      #expect(!driver.browser.hasEnded)
      driver.press("f10")
      driver.type("commit")
      driver.press("enter")
      driver.screen.expectLine("committed")
      try Self.expect(3, of: count, other)
    }
  }

  @Test(
    "a table that is looked at during a transaction shows what that has changed, and as it was when that is rolled back",
    arguments: ["commit", "rollback"])
  func changedRows(end: String) async throws {
    try await play { driver, other in
      driver.type("UPDATE letter SET name = 'zz' WHERE id = 1; DELETE FROM letter WHERE id > 3; CREATE TABLE made(x);")
      driver.press("shift-f5")
      driver.screen.expectLine("the tables show the changes")
      driver.press("enter")
      #expect(driver.browser.workspace.source.transaction != nil, "Enter leaves it open")
      driver.open(TableReference(name: "letter"))
      driver.press("escape escape")
      #expect(Self.letters(driver) == ["zz", "b", "c"], "\(driver.screen)")
      #expect(driver.browser.grid?.total == .exact(3), "\(driver.screen)")
      #expect(driver.browser.catalog.tables.contains { $0.reference.name == "made" }, "\(driver.screen)")
      driver.press("& r a n k > 1 enter")
      #expect(Self.letters(driver) == ["c"], "\(driver.screen)")
      driver.press("g F")
      try Self.expect(26, of: "SELECT count(*) FROM letter", other)
      driver.press("f10")
      driver.type(end)
      driver.press("enter")
      #expect(Self.letters(driver).prefix(4) == (end == "commit" ? ["zz", "b", "c"] : ["a", "b", "c", "d"]), "\(driver.screen)")
      #expect(driver.browser.catalog.tables.contains { $0.reference.name == "made" } == (end == "commit"), "\(driver.screen)")
    }
  }

  @Test("a transaction that is rolled back leaves the file as it was, and queries see it meanwhile")
  func rollBack() async throws {
    try await play { driver, other in
      driver.type("INSERT INTO letter(name) VALUES (:name) RETURNING name;\nSELECT name FROM letter WHERE id > 26;")
      driver.press("shift-f5")
      driver.type("ä")
      driver.press("enter")
      #expect(driver.browser.rows.results.tabs.count == 2, "\(driver.screen)")
      driver.press("down down")
      driver.press("enter")
      #expect(Self.names(driver) == ["ä"], "\(driver.screen)")
      driver.press("f10")
      driver.type("rollback")
      driver.press("enter")
      try Self.expect(26, of: "SELECT count(*) FROM letter", other)
      #expect(driver.browser.workspace.source.transaction == nil)
    }
  }

  @Test("all rows that a statement returns of what it wrote are there, counted, and are filtered as others are")
  func returnedRows() async throws {
    try await play { driver, _ in
      driver.type(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) INSERT INTO letter(name) SELECT 'n' || i FROM n RETURNING name"
      )
      driver.press("f5")
      #expect(driver.browser.grid?.total == .exact(2_500), "\(driver.screen)")
      driver.press("escape escape")
      driver.press("G")
      #expect(Self.names(driver).last == "n2500", "\(driver.screen)")
      driver.press("g e")
      driver.screen.expectLine("these rows come from a RETURNING clause: no SELECT can read them again")
      driver.press("&")
      driver.type("name = 'n2000'")
      driver.press("enter")
      #expect(driver.browser.grid?.total == .exact(1), "\(driver.screen)")
    }
  }

  @Test("numbers further down are shown whole, though their column was as wide as those at the top; a width that was chosen stays")
  func grownColumn() async throws {
    try await play { driver, _ in
      driver.type("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500) SELECT i * 1000 AS k, i AS j FROM n")
      driver.press("f5")
      driver.press("escape escape")
      driver.press("l < < h")
      driver.press("G")
      let width = try #require(driver.browser.grid?.layout.widths)
      driver.screen.expectLine("1500000")
      #expect(width[0] >= 7 && width[1] == 3)
      driver.press("g g")
      #expect(driver.browser.grid?.layout.widths == width, "no column becomes narrower")
    }
  }

  @Test("what takes all rows asks first, and says how many")
  func hazard() async throws {
    try await play { driver, other in
      driver.type("DELETE FROM letter")
      driver.press("f5")
      driver.screen.expectLine("This deletes every row of letter: 26 rows")
      driver.press("enter")
      #expect(driver.browser.workspace.source.transaction == nil)
      driver.press("f5")
      driver.press("down")
      driver.press("enter")
      #expect(driver.browser.workspace.source.transaction?.changes == 26)
      driver.press("down down")
      driver.press("enter")
      try Self.expect(26, of: "SELECT count(*) FROM letter", other)
    }
  }

  @Test(
    "in a session that only reads, what writes is refused with the reason",
    arguments: [
      "DELETE FROM letter WHERE id = 1", "WITH a AS (SELECT 1) INSERT INTO letter(name) SELECT 'x' FROM a", "CREATE TABLE u(x)", "VACUUM",
    ])
  func refusal(sql: String) async throws {
    try await play(refusal: "this session is read-only") { driver, other in
      driver.type(sql)
      driver.press("f5")
      driver.screen.expectLine("this session is read-only")
      try Self.expect(26, of: "SELECT count(*) FROM letter", other)
    }
  }

  @Test("several statements have a tab each, up to the one that fails, and what they changed can be undone")
  func tabs() async throws {
    try await play { driver, _ in
      driver.type(
        "SELECT name FROM letter WHERE id = 1; UPDATE letter SET rank = 1 WHERE id = 1; SELECT abs(-9223372036854775807 - 1); SELECT 3")
      driver.press("shift-f5")
      #expect(driver.browser.rows.results.tabs.count == 3, "\(driver.screen)")
      driver.screen.expectLine("statement 3 of 4: integer overflow")
      #expect(driver.browser.workspace.source.transaction?.changes == 1)
      driver.press("escape")
      driver.press("f4")
      driver.press("g t")
      #expect(Self.names(driver) == ["a"], "\(driver.screen)")
    }
  }

  @Test("a statement that never ends is stopped, and the next one runs")
  func endless() async throws {
    try await play { driver, _ in
      driver.type("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
      driver.pressAtOnce("f5")
      driver.press("ctrl-c")
      driver.screen.expectLine("stopped")
      #expect(driver.browser.sql.run == nil)
      driver.press("ctrl-u")
      driver.type("SELECT name FROM letter WHERE id = 2")
      driver.press("f5")
      #expect(Self.names(driver) == ["b"], "\(driver.screen)")
    }
  }

  @Test("of a query with many rows the first are there before the last")
  func streaming() async throws {
    try await play { driver, _ in
      driver.type("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) SELECT 'n' || i FROM n")
      driver.press("f5")
      #expect(Self.names(driver).first == "n1")
    }
  }

  @Test("the plan of a statement is told in words")
  func plan() async throws {
    try await play { driver, _ in
      driver.type("SELECT * FROM letter WHERE name = :name ORDER BY rank")
      driver.press("alt-l")
      driver.screen.expectLine("· finds rows of letter by the index letter_name (name=?)")
      driver.screen.expectLine("· sorts the rows for ORDER BY")
      // The statement stays in sight, and so does the catalog.
      driver.screen.expectLine("1 SELECT * FROM letter WHERE name = :name ORDER BY rank")
      driver.screen.expectLine("▾ Tables")
    }
  }

  @Test("filter and order of a table become SQL in the editor, which gives the same rows")
  func tableAsSQL() async throws {
    try await play { driver, _ in
      driver.press("f4")
      driver.open(TableReference(name: "letter"))
      driver.type("&")
      driver.type("id < 4")
      driver.press("enter")
      driver.press("l")
      driver.press("s")
      driver.press("s")
      driver.press("g e")
      #expect(driver.browser.sql.buffer.text == "SELECT * FROM letter WHERE (id < 4) ORDER BY name DESC;")
      driver.press("f5")
      #expect(driver.browser.grid?.window.rows.map { $0.cells[0] } == [.integer(3), .integer(2), .integer(1)], "\(driver.screen)")
    }
  }

  @Test("completion knows the columns of an alias")
  func completion() async throws {
    try await play { driver, _ in
      driver.type("SELECT l.na FROM letter l")
      for _ in 0..<14 { driver.press("left") }
      driver.press("tab")
      #expect(driver.browser.sql.buffer.text == "SELECT l.name FROM letter l", "\(driver.screen)")
    }
  }
}
