import Browser
import Terminal
import TestSupport
import Testing

@Suite("While a filter is typed", .gated)
struct FlickerTests {
  /// A cell that has changed and changed back from one frame to the next and the one after it.
  private struct Flicker: Hashable {
    var key: Character
    var point: Point
    var cells: [Cell]
  }

  /// Types a text, a key at a time, and returns every frame of each key: what was on the screen before, and all that was painted.
  ///
  /// Those are left out that dim rows while others are read, which they do on a machine that is slow enough.
  private static func frames(typing text: String, _ driver: SessionDriver) -> [(key: Character, frames: [Surface])] {
    text.map { character in
      var frames = [driver.terminal.painted].compactMap(\.self)
      driver.terminal.onPaint = { if !driver.browser.rows.areRowsOutdated(in: driver.browser.workspace) { frames.append($0) } }
      defer { driver.terminal.onPaint = { _ in } }
      driver.pressAtOnce(character == " " ? "space" : String(character))
      driver.settleAtOnce()
      return (character, frames)
    }
  }

  /// Returns the cells over the bar that come back to what they were.
  private static func flickers(in keys: [(key: Character, frames: [Surface])], rows: Range<Int>) -> [Flicker] {
    keys.flatMap { key, frames in
      zip(zip(frames, frames.dropFirst()), frames.dropFirst(2)).flatMap { pair, third in
        rows.flatMap { row in
          zip(pair.0.cells(inRow: row), zip(pair.1.cells(inRow: row), third.cells(inRow: row))).enumerated().compactMap { column, cells in
            let (first, (second, last)) = cells
            guard first == last, first != second else { return nil }
            return Flicker(key: key, point: Point(column: column, row: row), cells: [first, second, last])
          }
        }
      }
    }
  }

  @Test(
    "no cell of the rows changes and changes back", arguments: ["name ~ 'city 1'", "height > 12 and name ~ 3", "city 77", "height = x"])
  func none(text: String) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE city(id INTEGER PRIMARY KEY, name TEXT, height REAL)",
        """
        INSERT INTO city WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
          SELECT i, 'city ' || i, i % 100 / 2.0 FROM n
        """)
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.press("tab &")
        let keys = Self.frames(typing: text, driver)
        #expect(keys.allSatisfy { $0.frames.count >= 2 })
        let flickers = Self.flickers(in: keys, rows: 1..<32)
        #expect(flickers == [], "\(flickers.count) cells")
      }
    }
  }
}
