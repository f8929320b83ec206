import Browser
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("Where the cursor is when rows are sorted", .gated)
struct SortPlaceTests {
  /// Plays on 100 rows with the columns `id` and `back`, which falls, and a view of them.
  private func play(_ body: @escaping @Sendable (SessionDriver) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, back INTEGER)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) INSERT INTO t SELECT i, -i FROM n",
        "CREATE VIEW v AS SELECT * FROM t")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.press("tab")
        try body(driver)
      }
    }
  }

  private static func id(_ driver: SessionDriver) -> CellValue? { driver.browser.grid?.currentRow?.cells.first }

  /// Whether no row is hidden above while lines below are empty.
  private static func isFilled(_ driver: SessionDriver) -> Bool {
    driver.browser.grid.map { $0.top == 0 || $0.top + $0.extent.rows <= $0.window.rows.count || !$0.window.reachesEnd } ?? false
  }

  @Test("it is on the first, as long as nobody has moved it, by key or by a click on the header", arguments: ["t", "v"])
  func top(table: String) async throws {
    try await play { driver in
      driver.open(TableReference(name: table))
      for id in [100, 1, 1] as [Int64] {
        driver.press("l s")
        #expect(Self.id(driver) == .integer(id), "\(driver.screen)")
        #expect(driver.browser.grid?.top == 0)
      }
      let line = try #require(driver.screen.split(separator: "\n").first { $0.contains("back") })
      let column = line.prefix(upTo: try #require(line.firstRange(of: "back")).lowerBound).count
      let row = try #require(
        driver.screen.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains("back") && $0.contains("id") })
      for action in [Mouse.Action.press(.left), .release] { driver.send([.mouse(Mouse(action, at: Point(column: column, row: row)))]) }
      #expect(driver.browser.grid?.view.sort == "back")
      #expect(Self.id(driver) == .integer(100), "\(driver.screen)")
    }
  }

  @Test("it stays on its row where it has been moved, with the screen full; the top is a key away, and another leads back")
  func row() async throws {
    try await play { driver in
      driver.press("G")
      driver.press("k")
      #expect(Self.id(driver) == .integer(99))
      for keys in ["l s", "s", "s", "="] {
        driver.press(keys)
        #expect(Self.id(driver) == .integer(99), "after \(keys)")
        #expect(Self.isFilled(driver), "after \(keys):\n\(driver.screen)")
      }
      driver.press("g F")
      driver.press("g g")
      #expect(Self.id(driver) == .integer(1))
      driver.press("`")
      #expect(Self.id(driver) == .integer(99))
      driver.press("`")
      #expect(Self.id(driver) == .integer(1))
    }
  }

  @Test(
    "it is on the same row, whether the keys come one after the other or at once",
    arguments: [["g S", "g F"], ["g F", "g S"], ["s", "g F"]])
  func atOnce(keys: [String]) async throws {
    for isAtOnce in [false, true] {
      try await play { driver in
        driver.open(TableReference(name: "t"))
        driver.play(["l s &", "'id between 20 and 60'", "enter"])
        for key in keys { if isAtOnce { driver.pressAtOnce(key) } else { driver.press(key) } }
        driver.settle()
        #expect(driver.browser.grid?.view.filter == "")
        #expect(Self.id(driver) == .integer(1), "\(keys) at once: \(isAtOnce)\n\(driver.screen)")
        #expect(driver.browser.grid?.top == 0)
      }
    }
  }

  @Test("from the top, where sorting has taken it, a key leads back to its row, whatever it has been sorted by since")
  func back() async throws {
    try await play { driver in
      driver.press("`")
      driver.screen.expectLine("you have not jumped yet")
      driver.press("l s s")
      #expect(Self.id(driver) == .integer(1))
      driver.press("s s")
      #expect(Self.id(driver) == .integer(100))
      driver.press("`")
      #expect(Self.id(driver) == .integer(1))
      #expect(Self.isFilled(driver))
    }
  }
}
