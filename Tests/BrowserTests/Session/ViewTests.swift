import Browser
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Views of real tables", .gated)
struct ViewTests {
  /// Plays on a table `t` of so many rows, with the columns `id`, `back` (which falls) and `kind` (which has an index).
  private func play(rows: Int = 1_000, options: String = "", _ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, back INTEGER, kind INTEGER, made DATETIME)\(options)",
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
        INSERT INTO t SELECT i, -i, i % 7, '2021-01-01 10:00' FROM n
        """,
        "CREATE INDEX t_kind ON t(kind)", "CREATE VIEW v AS SELECT id, back FROM t")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.press("tab")
        try body(driver)
      }
    }
  }

  /// Which of the rows of the table the cursor is on, and on which line of the screen.
  private static func place(_ driver: SessionDriver) -> [Int] {
    guard let grid = driver.browser.grid, case .integer(let id)? = grid.currentRow?.cells.first else { return [] }
    return [Int(id), grid.row - grid.top]
  }

  /// - Parameter number: The row's number; nil in the table's own order, where it becomes known some time later.
  private static func expect(_ driver: SessionDriver, at place: [Int], number: Int?, after keys: String) {
    driver.press(keys)
    #expect(Self.place(driver) == place, "after \(keys)")
    guard let number else { return }
    driver.screen.expectLine(beginning: "row \(Plural.grouped(number)) of", "after \(keys):\n\(driver.screen)")
  }

  @Test("the cursor stays on its row and its line when the rows are sorted or narrowed anew", arguments: ["", " WITHOUT ROWID"])
  func keptRow(options: String) async throws {
    try await play(options: options) { driver in
      driver.press("7 0 1 G")
      driver.press("k")
      let place = Self.place(driver)
      #expect(place.first == 700)
      for (keys, number) in [("l s", 301), ("s", 700), ("l =", 100), ("h s", 100), ("g F", nil)] as [(String, Int?)] {
        Self.expect(driver, at: place, number: number, after: keys)
      }
    }
  }

  @Test(
    "a number past the last row goes to that, and says which it is",
    arguments: [
      ("5 0 0 0 G", "the last row is 1,000"), ("5 0 0 0 g g", "the last row is 1,000"), ("7 0 0 G", ""),
    ])
  func pastTheEnd(keys: String, notice: String) async throws {
    try await play { driver in
      driver.press(keys)
      driver.screen.expectLine("row \(notice.isEmpty ? "700" : "1,000") of 1,000")
      #expect(driver.browser.notice?.text ?? "" == notice)
    }
  }

  @Test("where the row is left out, and in a view, whose rows have no key, it goes to the first row")
  func lostRow() async throws {
    try await play { driver in
      driver.press("7 0 0 G")
      Self.expect(driver, at: [1, 0], number: 1, after: "l l !")
      driver.open(TableReference(name: "v"))
      driver.press("7 0 0 G")
      Self.expect(driver, at: [1_000, 0], number: 1, after: "l s")
    }
  }

  @Test("of many rows it stays as well, be it by an index, by sorting all of them, or past a filter that looks at each")
  func manyRows() async throws {
    try await play(rows: 100_001) { driver in
      driver.press("7 0 0 0 0 G")
      let place = Self.place(driver)
      #expect(place.first == 70_000)
      Self.expect(driver, at: place, number: 10_000, after: "l l s")
      Self.expect(driver, at: place, number: 10_000, after: "=")
      driver.press("g F")
      Self.expect(driver, at: place, number: nil, after: "g S")
      Self.expect(driver, at: place, number: 30_002, after: "h s")
      driver.press("&")
      driver.type("back < -5")
      driver.press("enter")
      #expect(Self.place(driver).first == 70_000)
      driver.screen.expectLine("row 30,002 of 99,996")
      driver.press("g S")
      #expect(Self.place(driver).first == 70_000)
    }
  }

  @Test(
    "the lamp tells how the rows are found and whether they are sorted",
    arguments: [
      ("", "id = 3", "● search"), ("", "back < -5", "● scan  "), ("back", "back < -5", "● scan + sort"), ("back", "kind = 3", "● sort"),
    ])
  func lamp(sort: String, filter: String, lamp: String) async throws {
    try await play { driver in
      driver.press("g s")
      driver.type(sort)
      driver.press("enter")
      driver.press("&")
      driver.type(filter)
      #expect(driver.screen.contains(lamp), "\(driver.screen)")
    }
  }

  @Test("a day stands for all of its times, and the very text of one is remarked on, which the remark mends")
  func advice() async throws {
    try await play { driver in
      driver.press("&")
      driver.type("made is '2021-01-01'")
      driver.screen.expectLine("This matches only values stored as 2021-01-01, without a time.")
      driver.press("alt-enter")
      #expect(driver.screen.contains("made = 2021-01-01"), "\(driver.screen)")
      #expect(driver.browser.rows.filter.bar.report?.advice == [])
      #expect(driver.browser.grid?.total == .exact(1_000))
    }
  }

  @Test("each parameter without a name has a field and a value of its own")
  func parameters() async throws {
    try await play { driver in
      driver.press("&")
      driver.type("id between ? and ?")
      driver.press("enter")
      driver.type("10")
      driver.press("tab")
      driver.type("12")
      driver.press("enter")
      #expect(driver.browser.grid?.total == .exact(3))
      #expect(driver.browser.grid?.view.arguments == ["1": .integer(10), "2": .integer(12)])
    }
  }
}
