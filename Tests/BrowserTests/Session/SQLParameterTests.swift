import Browser
import Foundation
import QuarryEngine
import QuarryRows
import QuarrySources
import Terminal
import TestSupport
import Testing

/// What users of other tools trip over when they run statements with parameters.
@Suite("Parameters filled in on the screen", .gated)
struct SQLParameterTests {
  private func play(_ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, photo BLOB)",
        "INSERT INTO t VALUES (1, 'one', NULL), (2, 'two', NULL), (3, ':id', NULL)")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.press("f4")
        try body(driver)
      }
    }
  }

  /// Fills in one value after the other and runs.
  private static func fill(_ driver: SessionDriver, _ values: [String]) {
    for (index, value) in values.enumerated() {
      if index > 0 { driver.press("tab") }
      driver.type(value)
    }
    driver.press("enter")
  }

  private static func cells(_ driver: SessionDriver) -> [[CellValue]] {
    driver.browser.grid?.window.rows.map(\.cells) ?? []
  }

  @Test("a new row's key has no values to choose from, and what a row is looked for by has")
  func newKey() async throws {
    try await play { driver in
      driver.type("INSERT INTO t(id, name) VALUES (:id, :name)")
      driver.press("f5")
      #expect(driver.browser.top(ParameterForm.self)?.current?.offers == [], "\(driver.screen)")
      driver.press("escape")
      driver.play(["end ctrl-u", "'SELECT * FROM t WHERE id = :id'", "f5"])
      #expect(driver.browser.top(ParameterForm.self)?.current?.offers == [.integer(1), .integer(2), .integer(3)], "\(driver.screen)")
    }
  }

  @Test("the form leaves the statement and the line of its results in sight where there is room", arguments: [24, 36, 12])
  func formBelow(rows: Int) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT)")
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: 80, rows: rows)
        driver.play(["f4", "'SELECT 7 AS seven'", "f5 end ctrl-u", "'SELECT * FROM t WHERE id > :least'", "f5"])
        driver.screen.expectLine("╭─ Parameters of SELECT * FROM t WHERE id > :least")
        #expect(driver.screen.contains("SELECT * FROM t WHERE id > :least\n") || rows == 12, "\(driver.screen)")
        #expect(driver.screen.contains("1 SELECT 7 AS seven") || rows == 12, "\(driver.screen)")
      }
    }
  }

  @Test(
    "every kind of parameter, alone and mixed, is asked for once and has its value",
    arguments: [
      ("SELECT id FROM t WHERE id = :id", ["2"], [[2]]), ("SELECT id FROM t WHERE id = @id", ["2"], [[2]]),
      ("SELECT id FROM t WHERE id = $id", ["2"], [[2]]), ("SELECT id FROM t WHERE id = $1", ["2"], [[2]]),
      ("SELECT id FROM t WHERE id = ?", ["2"], [[2]]), ("SELECT id FROM t WHERE id = ?1 OR id = ?1 + 1", ["2"], [[2], [3]]),
      ("SELECT id FROM t WHERE id IN (?, :x, @y, $z, ?7)", ["1", "2", "9", "9", "9"], [[1], [2]]),
      ("SELECT :id + 0, :id2 + 0", ["1", "2"], [[1, 2]]), ("SELECT :a+0,:b+0", ["1", "2"], [[1, 2]]),
      ("WITH c AS (SELECT id FROM t WHERE id > :least) SELECT id FROM c WHERE id < :most", ["1", "3"], [[2]]),
      ("SELECT id FROM t WHERE name = ':id' -- :no\n /* :nor */ AND id >= :least", ["0"], [[3]]),
      ("SELECT id FROM t WHERE id IN (SELECT value FROM json_each(:list))", ["[1, 3]"], [[1], [3]]),
      ("SELECT id FROM t ORDER BY id LIMIT :n OFFSET :skip", ["1", "1"], [[2]]),
      ("SELECT count(*) FROM t WHERE name LIKE :pattern", ["%o%"], [[2]]),
    ] as [(String, [String], [[Int64]])])
  func kinds(sql: String, values: [String], rows: [[Int64]]) async throws {
    try await play { driver in
      driver.type(sql)
      driver.press("f5")
      guard let form = driver.browser.top(ParameterForm.self) else {
        Issue.record("no form: \(driver.screen)")
        return
      }
      #expect(form.fields.count == values.count)
      Self.fill(driver, values)
      #expect(Self.cells(driver) == rows.map { $0.map(CellValue.integer) }, "\(driver.screen)")
    }
  }

  @Test("a name and the number that it has are one field, which is called by both")
  func namedAndNumbered() async throws {
    try await play { driver in
      driver.type("SELECT id FROM t WHERE id = :id OR id = ?1 + 1 OR id = $id")
      driver.press("f5")
      let form = try #require(driver.browser.top(ParameterForm.self))
      #expect(form.fields.map(\.label) == [":id = ?1", "$id"])
      #expect(driver.screen.contains(":id = ?1 "))
      Self.fill(driver, ["1", "3"])
      #expect(Self.cells(driver) == [[.integer(1)], [.integer(2)], [.integer(3)]], "\(driver.screen)")
    }
  }

  @Test("the form is as wide as its fields and its title need, and leaves what lies beside it in sight")
  func width() async throws {
    try await play { driver in
      let long = "SELECT id FROM t WHERE name = :name AND name <> 'a text that makes the statement and the title of the form long'"
      for (sql, width) in [(long, 72), ("SELECT id FROM t WHERE id = :id", 51)] {
        driver.press("ctrl-a ctrl-k")
        driver.type(sql)
        driver.press("f5")
        for columns in [80, 110, 200] {
          driver.send([.resized(Size(columns: columns, rows: 24))])
          let frame = driver.screen.split(separator: "\n").first { $0.contains("╭") } ?? ""
          let box = frame.drop { $0 != "╭" }.prefix { $0 != "╮" }
          #expect(box.count + 1 == width, "\(columns): \(frame)")
          #expect(frame.contains("…") == (sql == long), "\(frame)")
        }
        driver.press("escape")
      }
    }
  }

  @Test("text needs no quotes, an empty text is no NULL, and a number with zeros before it stays a text where a text is wanted")
  func texts() async throws {
    try await play { driver in
      driver.type("SELECT id FROM t WHERE name = :name")
      driver.press("f5")
      Self.fill(driver, ["two"])
      #expect(Self.cells(driver) == [[.integer(2)]])
      driver.press("ctrl-end")
      driver.press("ctrl-u")
      driver.type("SELECT typeof(:a), typeof(:b), typeof(:c)")
      driver.press("f5")
      driver.press("tab")
      driver.press("alt-t")
      driver.press("tab")
      driver.type("007")
      driver.press("enter")
      let texts = Self.cells(driver).first?.map { if case .text(let text, _, _) = $0 { text } else { "?" } }
      #expect(texts == ["text", "null", "text"], "\(driver.screen)")
    }
  }

  @Test("the bytes of a file are a blob")
  func files() async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "photo.bin")
      try Data([0, 255, 10]).write(to: file)
      try await play { driver in
        driver.type("INSERT INTO t(id, photo) VALUES (:id, :photo) RETURNING hex(photo)")
        driver.press("f5")
        Self.fill(driver, ["9", "@\(file.path)"])
        driver.press("escape")
        driver.screen.expectLine("00FF0A")
      }
    }
  }

  private static func form(_ driver: SessionDriver) -> ParameterForm? {
    driver.browser.top(ParameterForm.self)
  }

  @Test("a file that cannot be read leaves the form open, with the reason under the field")
  func noFile() async throws {
    try await play { driver in
      driver.type("UPDATE t SET photo = :photo WHERE id = :id")
      driver.press("f5")
      Self.fill(driver, ["@/no/such/file", "1"])
      #expect(Self.form(driver)?.fields.map(\.error) == ["There is no file “/no/such/file”.", nil])
      driver.screen.expectLine("There is no file “/no/such/file”.")
      Self.fill(driver, ["x"])
      #expect(Self.form(driver)?.fields.first?.error == "There is no file “/no/such/filex”.")
      driver.press("ctrl-u")
      Self.fill(driver, ["00ff"])
      #expect(Self.form(driver) == nil && driver.browser.workspace.source.transaction?.changes == 1, "\(driver.screen)")
    }
  }

  @Test("what is wrong with a field is told whole, in as many lines as it takes")
  func longError() async throws {
    try await play { driver in
      driver.type("SELECT * FROM t WHERE id = :id AND name = :name")
      driver.press("f5")
      Self.fill(driver, ["9223372036854775808", "x"])
      let text = driver.screen.split(separator: "\n").map { $0.replacing("│", with: " ") }.joined(separator: " ")
      let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("expected here: an integer from -9223372036854775808 to 9223372036854775807"), "\(driver.screen)")
    }
  }

  @Test("two parameters without names have their numbers, one has none")
  func unnamed() async throws {
    try await play { driver in
      driver.type("SELECT ?, :a, ?")
      driver.press("f5")
      #expect(Self.form(driver)?.fields.map(\.label) == ["?1", ":a", "?3"])
      driver.press("escape")
      driver.press("ctrl-u")
      driver.type("SELECT ?")
      driver.press("f5")
      #expect(Self.form(driver)?.fields.map(\.label) == ["?"])
    }
  }

  @Test("what is written after a value was chosen takes its place; a caret that was moved stays in it")
  func chosen() async throws {
    try await play { driver in
      driver.type("SELECT id FROM t WHERE id = :id")
      driver.press("f5")
      driver.press("alt-down")
      #expect(Self.form(driver)?.fields.first?.input.text == "1")
      driver.type("23")
      #expect(Self.form(driver)?.fields.first?.input.text == "23")
      driver.press("ctrl-u")
      driver.press("alt-down")
      driver.press("left")
      driver.type("4")
      #expect(Self.form(driver)?.fields.first?.input.text == "41")
    }
  }

  @Test("fields that are out of sight are told of")
  func manyFields() async throws {
    try await play { driver in
      driver.type("SELECT " + (1...50).map { ":p\($0)" }.joined(separator: ", "))
      driver.press("f5")
      driver.screen.expectLine("34 more below")
      #expect(!driver.screen.contains("more above"), "\(driver.screen)")
      for _ in 0..<49 { driver.press("tab") }
      driver.screen.expectLine("34 more above")
      #expect(!driver.screen.contains("more below"), "\(driver.screen)")
      driver.screen.expectLine(":p50")
    }
  }

  @Test("values come back for a statement that was only laid out anew, and its title is shown")
  func rememberedValues() async throws {
    try await play { driver in
      driver.type("SELECT id FROM t WHERE id = :id")
      driver.press("f5")
      driver.screen.expectLine("Parameters of SELECT id FROM t WHERE id = :id", "without a title it is the statement: \(driver.screen)")
      Self.fill(driver, ["2"])
      driver.press("ctrl-end")
      driver.press("ctrl-u")
      driver.send([.paste("-- title: One of them\nSELECT id\n  FROM t\n WHERE id = :id")])
      driver.press("f5")
      #expect(Self.form(driver)?.fields.map(\.input.text) == ["2"])
      driver.screen.expectLine("Parameters of One of them")
    }
  }

  @Test("a date, a number and JSON are looked at before anything runs")
  func checkedTypes() async throws {
    try await play { driver in
      driver.type("SELECT value FROM json_each(:list), t WHERE julianday(:day) > 0")
      driver.press("f5")
      #expect(Self.form(driver)?.fields.first?.typeName == "json")
      Self.fill(driver, ["[1,"])
      #expect(Self.form(driver)?.fields.first?.error == "The JSON ends too early.")
    }
  }

  @Test("the form of a filter comes back by the same key, and offers the values of the column")
  func filterForm() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, made DATE, price NUMERIC)",
        "INSERT INTO t VALUES (1, '1997-01-31', 1.5), (2, '1998-01-31', 2), (3, NULL, 3)")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.press("tab")
        driver.press("&")
        driver.type("id = :id")
        driver.press("enter")
        driver.press("alt-down")
        #expect(Self.form(driver)?.fields.first?.input.text == "1", "\(driver.screen)")
        driver.type("2")
        driver.press("enter")
        #expect(Self.cells(driver).map { $0[0] } == [.integer(2)], "\(driver.screen)")
        driver.press("f7")
        #expect(Self.form(driver)?.fields.map(\.input.text) == ["2"], "\(driver.screen)")
        driver.press("ctrl-u")
        driver.type("3")
        driver.press("enter")
        #expect(Self.cells(driver).map { $0[0] } == [.integer(3)], "\(driver.screen)")
        driver.press("&")
        driver.press("ctrl-u")
        driver.type("made > :day and price > :least")
        driver.press("enter")
        Self.fill(driver, ["01/02/1997", "abc"])
        #expect(Self.form(driver)?.fields.map { $0.error != nil } == [true, true], "\(driver.screen)")
      }
    }
  }

  @Test("a selection that has parameters asks for its own alone")
  func selection() async throws {
    try await play { driver in
      driver.type("SELECT :a; SELECT id FROM t WHERE id = :b")
      for _ in 0..<"SELECT id FROM t WHERE id = :b".count { driver.press("shift-left") }
      driver.press("f5")
      guard let form = driver.browser.top(ParameterForm.self) else {
        Issue.record("no form: \(driver.screen)")
        return
      }
      #expect(form.fields.map(\.parameter.token) == [":b"])
    }
  }

  @Test("several statements share a name, which is asked for once")
  func several() async throws {
    try await play { driver in
      driver.type("SELECT id FROM t WHERE id = :id; SELECT name FROM t WHERE id = :id AND name <> :other;")
      driver.press("shift-f5")
      Self.fill(driver, ["2", "x"])
      #expect(driver.browser.rows.results.tabs.count == 2, "\(driver.screen)")
      #expect(Self.cells(driver) == [[.text("two", byteCount: 3, isValid: true)]])
    }
  }

  @Test("an error in the midst of a transaction says what is left of it")
  func transactionAfterError() async throws {
    try await play { driver in
      driver.type("UPDATE t SET name = 'x'  WHERE id < 3; INSERT INTO t(id) VALUES (1); ")
      driver.press("shift-f5")
      guard case .failed(let fault)? = driver.browser.rows.results.current?.content else {
        return #expect(Bool(false), "\(driver.screen)")
      }
      let sentence = "UNIQUE constraint failed: t.id; the open transaction still contains earlier changes: 2 rows"
      #expect(fault.sentence == "statement 2 of 2: \(sentence)")
      driver.screen.expectLine("statement 2 of 2: UNIQUE constraint failed: t.id; the open transaction")
      #expect(driver.browser.workspace.source.transaction?.changes == 2)
    }
  }

  @Test("a disk that is full loses nothing that was there, and says what became of the transaction")
  func fullDisk() async throws {
    try await play { driver in
      driver.type("PRAGMA max_page_count = 3; INSERT INTO t(photo) VALUES (zeroblob(100000));")
      driver.press("shift-f5")
      #expect(driver.screen.contains("database or disk is full"), "\(driver.screen)")
      #expect(driver.browser.workspace.source.transaction == nil)
      driver.press("ctrl-u")
      driver.type("SELECT count(*) FROM t")
      driver.press("f5")
      #expect(Self.cells(driver) == [[.integer(3)]], "\(driver.screen)")
    }
  }

  @Test("a result of 2,000 columns is shown")
  func wideResult() async throws {
    try await play { driver in
      driver.send([.paste("SELECT " + (1...2_000).map { "\($0) AS c\($0)" }.joined(separator: ", "))])
      driver.press("f5")
      #expect(driver.browser.grid?.columns.count == 2_000, "\(driver.screen)")
      driver.press("f4")
      driver.press("$")
      driver.screen.expectLine("c2000")
    }
  }

  @Test("a script of megabytes is taken, and a statement of it runs")
  func longScript() async throws {
    try await play { driver in
      let line = "INSERT INTO t(name) VALUES ('a text of some length, so that the script is long'); -- :no\n"
      driver.send([.paste(String(repeating: line, count: 22_000) + "SELECT 42")])
      driver.press("f5")
      #expect(Self.cells(driver) == [[.integer(42)]], "\(driver.screen)")
    }
  }
}
