import Browser
import Foundation
import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("What is changed in the grid", .gated)
struct StagingTests {
  /// Plays on a table of three people, whose rows the grid shows.
  static func play(
    columns: Int = 120, rows: Int = 36, refusal: String? = nil, externalEditor: ExternalEditor = ExternalEditor(environment: [:]),
    _ statements: String...,
    body: @escaping @Sendable (SessionDriver, DatabaseQueue) throws -> Void
  ) async throws {
    let made =
      statements.isEmpty
      ? [
        "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER, note)",
        "INSERT INTO person VALUES (1, 'Ada', 36, NULL), (2, 'Grace', 85, '7'), (3, 'Linus', NULL, x'00ff')",
      ] : statements
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, made.joined(separator: ";"))
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: columns, rows: rows, refusal: refusal, externalEditor: externalEditor)
        driver.press("enter")
        try body(driver, try DatabaseQueue(path: path))
      }
    }
  }

  private static let person = TableReference(name: "person")

  private static func value(_ column: String, _ row: Int64, _ driver: SessionDriver) -> StagedValue? {
    driver.browser.workspace.staged.value(of: column, in: .stored(.rowID(row)), of: person)
  }

  @Test("is staged: the grid shows it with a mark, the title counts it, the file is as it was")
  func cell() async throws {
    try await Self.play { driver, other in
      driver.press("l")
      driver.press("e")
      driver.screen.expectLine("stored: text 'Ada'")
      driver.press("end")
      driver.type(" L.")
      driver.screen.expectLine("will be stored: text 'Ada L.'")
      driver.press("enter")
      #expect(Self.value("name", 1, driver) == .value("Ada L."))
      driver.screen.expectLine("1 ~Ada L.")
      driver.screen.expectLine("person · 3 rows · 1 change")
      let name = try other.read { db in try String.fetchOne(db, sql: "SELECT name FROM person WHERE id = 1") }
      #expect(name == "Ada")
    }
  }

  @Test("keeps the storage class: digits are an integer in a column of integers, and stay a text where a text was")
  func storageClasses() async throws {
    try await Self.play { driver, _ in
      driver.press("l l e")
      driver.press("ctrl-u")
      driver.type("037")
      driver.press("enter")
      #expect(Self.value("age", 1, driver) == .value(37))
      driver.press("j l e")
      driver.press("ctrl-u")
      driver.type("8")
      driver.press("enter")
      #expect(Self.value("note", 2, driver) == .value("8"))
    }
  }

  @Test("a staged cell that gets another value is told, and so is a new row that goes")
  func restaging() async throws {
    try await Self.play { driver, _ in
      driver.press("l l g n")
      driver.press("e")
      driver.type("40")
      driver.press("enter")
      driver.press("g n")
      driver.screen.expectLine("staged: age of 1 row")
      driver.press("g n")
      driver.screen.expectLine("nothing changed: the cells have these values already")
      driver.press("o")
      driver.press("d d")
      driver.screen.expectLine("new row removed: u restores it")
    }
  }

  @Test("an expression that is wrong is refused, however often Enter is pressed")
  func wrongExpression() async throws {
    try await Self.play { driver, _ in
      driver.press("l l V G e")
      driver.type("=nosuch + 1")
      driver.press("enter")
      #expect(driver.screen.contains("nosuch") && !driver.screen.contains("stages it anyway"), "\(driver.screen)")
    }
  }

  @Test("changes rows from the first through the last, most of which are not loaded")
  func farSelection() async throws {
    try await Self.play(
      "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT)",
      "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 3000) INSERT INTO person SELECT i, i FROM n"
    ) { driver, _ in
      driver.press("G V")
      driver.screen.expectLine("the rows at the cursor are still being read: press the key again")
      driver.press("g g")
      driver.press("l V")
      driver.press("G e")
      driver.screen.expectLine("name of the selected rows · text")
      driver.type("x")
      driver.press("enter")
      driver.screen.expectLine("staged: name of 3,000 rows")
      driver.press("V")
      driver.press("g g")
      driver.press("d d")
      driver.screen.expectLine("staged: deletion of 3,000 rows; ^S commits it, u undoes it")
    }
  }

  @Test(
    "lays JSON out in lines, and stores it in one, with its blanks where they were",
    arguments: [(#"{"a":[1.50,2],"b":{}}"#, #"{"a":[1.50,3],"b":{}}"#), (#"[{"a": 2, "b": 2}]"#, #"[{"a": 2, "b": 3}]"#)])
  func json(_ text: String, _ changed: String) async throws {
    try await Self.play(
      "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO person VALUES (1, '\(text)')"
    ) { driver, _ in
      driver.press("l e")
      driver.screen.expectLine("name · json")
      #expect(driver.browser.workspace.staged.isEmpty, "\(driver.screen)")
      driver.press("enter")
      #expect(driver.browser.workspace.staged.isEmpty)
      driver.press("e")
      // The last 2 is on a line of its own.
      for _ in 0..<(text.hasPrefix("{") ? 3 : 2) { driver.press("up") }
      driver.press("end backspace")
      driver.type("3")
      driver.press("enter")
      #expect(Self.value("name", 1, driver) == .value(.text(changed)), "\(driver.screen)")
      driver.press("e ctrl-end backspace")
      driver.screen.expectLine("The JSON ends too early.")
      driver.press("enter")
      #expect(Self.value("name", 1, driver) == .value(.text(changed)), "\(driver.screen)")
    }
  }

  @Test("refuses a text in a column of integers, with the way out, and keeps what was written")
  func refusal() async throws {
    try await Self.play { driver, _ in
      driver.press("l l e")
      driver.press("ctrl-u")
      driver.type("old")
      driver.press("enter")
      driver.screen.expectLine("integer")
      driver.screen.expectLine("old")
      #expect(driver.browser.workspace.staged.isEmpty)
      for _ in 0..<3 { driver.press("alt-t") }
      driver.screen.expectLine("will be stored: text 'old'")
      driver.press("enter")
      #expect(Self.value("age", 1, driver) == .value("old"))
    }
  }

  @Test("NULL, an empty text and the value as it was are three things")
  func null() async throws {
    try await Self.play { driver, _ in
      driver.press("l e ctrl-u enter")
      #expect(Self.value("name", 1, driver) == .value(""))
      driver.press("e alt-n")
      driver.press("enter")
      driver.screen.expectLine("NOT NULL constraint failed:")
      driver.press("enter")
      #expect(Self.value("name", 1, driver) == .value(.null))
      driver.press("e")
      driver.type("Ada")
      driver.press("enter")
      #expect(driver.browser.workspace.staged.isEmpty, "the value is that of the file again")
      driver.press("l g n")
      #expect(Self.value("age", 1, driver) == .value(.null))
    }
  }

  @Test("Esc leaves the cell as it was, Tab stages and goes on to the next")
  func leaving() async throws {
    try await Self.play { driver, _ in
      driver.press("l e end")
      driver.type("x")
      driver.press("escape")
      #expect(driver.browser.workspace.staged.isEmpty)
      driver.press("e end")
      driver.type("x")
      driver.press("tab")
      #expect(Self.value("name", 1, driver) == .value("Adax"))
      #expect(driver.browser.top(CellEditor.self)?.subject.title == "age")
    }
  }

  @Test("can be undone and done again")
  func undo() async throws {
    try await Self.play { driver, _ in
      driver.press("l g n")
      driver.press("u")
      #expect(driver.browser.workspace.staged.isEmpty)
      driver.press("ctrl-r")
      #expect(Self.value("name", 1, driver) == .value(.null))
      driver.press("u u")
      driver.screen.expectLine("no staged change to undo")
      #expect(!driver.screen.contains("gu"), "without a record of commits the key shows none: \(driver.screen)")
    }
  }

  @Test("the same value for all cells that are selected is one step")
  func selection() async throws {
    try await Self.play { driver, _ in
      driver.press("l l v G e")
      driver.type("5")
      driver.press("enter")
      #expect(driver.browser.workspace.staged.counts.cells == 3, "\(driver.screen)")
      driver.press("u")
      #expect(driver.browser.workspace.staged.isEmpty)
    }
  }

  @Test("rows are deleted when they are committed, and kept by the same keys again")
  func deletion() async throws {
    try await Self.play { driver, _ in
      driver.press("d d")
      #expect(driver.browser.workspace.staged.status(of: .stored(.rowID(1)), in: Self.person) == .deleted)
      driver.press("e")
      driver.screen.expectLine("this row will be deleted: dd restores it")
      driver.press("escape d d")
      #expect(driver.browser.workspace.staged.isEmpty)
      driver.press("V G d d")
      #expect(driver.browser.workspace.staged.counts.deletedRows == 3)
    }
  }

  @Test("a new row follows the last, takes values, and goes with the keys that delete")
  func newRow() async throws {
    try await Self.play { driver, _ in
      driver.press("o")
      driver.screen.expectLine("auto")
      driver.press("e")
      driver.type("Barbara")
      driver.press("enter")
      driver.screen.expectLine("Barbara")
      #expect(driver.browser.workspace.staged.counts.newRows == 1)
      driver.press("k")
      #expect(driver.browser.grid?.currentRow?.key == .rowID(3))
      driver.press("j d d")
      #expect(driver.browser.workspace.staged.isEmpty)
    }
  }

  @Test("a row like another one has its values, but for the rowid")
  func copiedRow() async throws {
    try await Self.play { driver, _ in
      driver.press("j O")
      guard case .inserted(let values)? = driver.browser.workspace.staged.rows(of: Self.person).first?.change else {
        return #expect(Bool(false), "\(driver.screen)")
      }
      #expect(values == ["name": .value("Grace"), "age": .value(85), "note": .value("7")])
    }
  }

  @Test("what is pasted goes over the cell, over the selection, or becomes new rows")
  func pasting() async throws {
    try await Self.play { driver, _ in
      driver.press("l")
      driver.send([.paste("Ada\u{308}")])
      #expect(Self.value("name", 1, driver) == .value("Ada\u{308}"))
      driver.press("u v j")
      driver.send([.paste("x\ny\n")])
      #expect(Self.value("name", 1, driver) == .value("x") && Self.value("name", 2, driver) == .value("y"), "\(driver.screen)")
      driver.press("u V")
      driver.press("escape")
      driver.send([.paste("name\tage\nKen\t\nRob\t64\n")])
      let new = driver.browser.workspace.staged.rows(of: Self.person).map(\.change)
      #expect(new == [.inserted(["name": .value("Ken"), "age": .value(.null)]), .inserted(["name": .value("Rob"), "age": .value(64)])])
    }
  }

  private static let people = """
    CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER CHECK (age > 0)) STRICT;
    INSERT INTO person VALUES (1, 'Ada', 36), (2, 'Bob', 5)
    """

  @Test("each way to stage a value tells what the table's rules say of it, as the field does")
  func rules() async throws {
    try await Self.play(Self.people) { driver, _ in
      driver.press("l g n")
      driver.screen.expectLine("NOT NULL constraint failed: person.name. It is staged anyway: u undoes it")
      driver.press("u l")
      driver.send([.paste("-1")])
      driver.screen.expectLine("CHECK constraint failed: age > 0. It is staged anyway: u undoes it")
      driver.press("u V j e")
      driver.type("=0 - age")
      driver.press("enter")
      driver.screen.expectLine("CHECK constraint failed: age > 0. It is staged anyway: u undoes it")
      driver.press("u")
      driver.send([.paste("name\tage\nKen\t1\n\t2\n")])
      driver.screen.expectLine("NOT NULL constraint failed: person.name. It is staged anyway: u undoes it")
      driver.press("u k l e end")
      driver.type("1")
      driver.press("enter")
      #expect(!driver.screen.contains("staged anyway"), "\(driver.screen)")
    }
  }

  @Test("NULL for an INTEGER PRIMARY KEY is refused in a row that is there, and the next number in a new one")
  func nullKey() async throws {
    try await Self.play(Self.people) { driver, _ in
      driver.press("g n")
      driver.screen.expectLine("SQLite refuses NULL in id, the INTEGER PRIMARY KEY of an existing row")
      #expect(driver.browser.workspace.staged.isEmpty)
      driver.press("e alt-n")
      driver.screen.expectLine("SQLite refuses NULL in id, the INTEGER")
      driver.press("escape")
      driver.press("o 0 g n")
      driver.screen.expectLine("SQLite assigns the next number to id when the row is committed")
      driver.press("e alt-n")
      driver.screen.expectLine("will be stored: the next number")
    }
  }

  @Test("Tab and Shift-Tab go from field to field of a new row, in the grid and in the field; elsewhere they go to the panes")
  func fields() async throws {
    try await Self.play { driver, _ in
      driver.press("o")
      #expect(driver.browser.grid?.column == 1)
      driver.press("tab")
      #expect(driver.browser.grid?.column == 2 && driver.browser.focusedPane == .rows)
      driver.press("shift-tab shift-tab shift-tab")
      #expect(driver.browser.grid?.column == 3, "the first field follows the last")
      driver.press("e end")
      driver.type("x")
      driver.press("shift-tab")
      #expect(driver.browser.top(CellEditor.self)?.subject.title == "age")
      driver.type("7")
      driver.press("tab")
      #expect(driver.browser.top(CellEditor.self)?.subject.title == "note")
      driver.press("escape")
      #expect(driver.browser.workspace.staged.rows(of: Self.person).map(\.change) == [.inserted(["note": "x", "age": 7])])
      driver.press("k tab")
      #expect(driver.browser.focusedPane == .catalog)
    }
  }

  @Test("what cannot be changed says why where e is pressed")
  func obstacles() async throws {
    try await Self.play(refusal: "the database was opened read-only") { driver, _ in
      driver.press("e")
      driver.screen.expectLine("cannot change values of person: the database was opened read-only")
    }
    try await Self.play("CREATE TABLE t(a, b AS (a + 1))", "INSERT INTO t VALUES (1)", "CREATE VIEW v AS SELECT a FROM t") { driver, _ in
      driver.press("l e")
      driver.screen.expectLine("cannot change values of t: b is a generated column")
    }
  }
}
