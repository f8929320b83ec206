import Browser
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("Times that say nothing", .gated)
struct EmptyTimeTests {
  private static func text(_ text: String) -> CellValue { .text(text, byteCount: text.utf8.count, isValid: true) }

  @Test(
    "are 00:00:00 after a date",
    arguments: [
      ("1996-07-04 00:00:00", "1996-07-04"), ("1996-07-04 00:00:00.000", "1996-07-04"), ("1996-07-04T00:00:00", "1996-07-04"),
      ("1996-07-04 00:00", "1996-07-04"), ("1996-07-04 00:0", nil), ("1996-07-04 00:01", nil), ("1996-07-04 00:00:", nil),
      ("1996-07-04 00:00:00Z", nil), ("1996-07-04 00:00:01", nil), ("1996-07-04", nil),
      ("1996-07-04 00:00:00.010", nil), ("1996-07-04 00:00:00.", nil), ("aaaa-07-04 00:00:00", nil), ("1996-07-04 00:00:00 or later", nil),
    ])
  func times(written: String, date: String?) {
    #expect(EmptyTime.date(of: Self.text(written)) == date)
    #expect(CellText(Self.text(written), hidesTime: true, glyphs: .unicode).text == date ?? written)
    #expect(CellText(Self.text(written), glyphs: .unicode).text == written)
  }

  /// Opens rows with a column of midnights and a column of other times.
  private static func browser() -> Browser {
    var browser = BrowserFixture.openBrowser(total: 3)
    let columns = [
      BrowserFixture.column("id", "INTEGER", .integer), BrowserFixture.column("day", "DATETIME", .numeric),
      BrowserFixture.column("at", "DATETIME", .numeric),
    ]
    let cells = (1...3).map { number in
      [.integer(Int64(number)), Self.text("2024-01-0\(number) 00:00:00.000"), Self.text("2024-01-0\(number) 0\(number - 1):00:00")]
    }
    let rows = cells.enumerated().map { WindowRow(key: .rowID(Int64($0.offset)), cells: $0.element) }
    browser.press("s")
    browser.open(
      OpenedRows(columns: columns, schema: nil, page: RowPage(rows: rows, firstNumber: .exact(0), reachesStart: true, reachesEnd: true)))
    return browser
  }

  @Test("are hidden in the columns that have no others, with a mark in the header; a command shows them")
  func toggling() {
    var browser = Self.browser()
    browser.press("j")
    browser.screen.expectLine("day◔")
    #expect(!browser.screen.contains("2024-01-02 00:00:00.000"))
    browser.screen.expectLine("2024-01-01 00:00:00", "the other column has times")
    #expect(!browser.screen.contains("at◔"))
    browser.perform(.toggleEmptyTimes)
    browser.press("k")
    browser.screen.expectLine("2024-01-02 00:00:00.000")
    #expect(!browser.screen.contains("day◔"))
    browser.perform(.toggleEmptyTimes)
    browser.press("j")
    browser.screen.expectLine("day◔")
  }

  @Test("are shown from the first other time in sight on, also when it has gone")
  func seen() {
    func rows(_ texts: String?...) -> [(Int) -> CellValue?] { texts.map { text in { _ in text.map(Self.text) ?? .null } } }
    var times = EmptyTimes(count: 1, rows: rows(nil, nil))
    #expect(times.hidden == [])
    times.note(rows("2024-01-01 00:00:00", nil))
    #expect(times.hidden == [0])
    times.note(rows(nil))
    #expect(times.hidden == [0])
    var later = EmptyTimes(count: 1, rows: rows("2024-01-03 00:00:00"))
    times.note(rows("2024-01-01 00:00:00", "2024-01-02 12:30:00"))
    #expect(times.hidden == [])
    times.note(rows("2024-01-01 00:00:00"))
    #expect(times.hidden == [])
    later.inherit(1, from: times)
    #expect(later.hidden == [], "the same rows in another order")
  }

  @Test("leave the columns as wide as they are while rows are sorted, and make room where a time comes into sight")
  func widths() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, day DATETIME, note TEXT)",
        """
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
        INSERT INTO t
        SELECT i, CASE i WHEN 1500 THEN '2024-02-29 12:30:00' WHEN 10 THEN NULL ELSE '2024-02-29 00:00:00' END, 'n' FROM n
        """)
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: 80, rows: 24)
        driver.press("tab")
        driver.screen.expectLine("day◔")
        driver.press("G")
        driver.screen.expectLine("2024-02-29  n")
        driver.press("1 5 0 0 G")
        driver.screen.expectLine("2024-02-29 12:30:00  n")
        driver.press("g g")
        driver.screen.expectLine("2024-02-29 00:00:00  n")
        #expect(!driver.screen.contains("day◔"))
      }
    }
  }
}

@Suite("Columns side by side", .gated)
struct ColumnLayoutTests {
  @Test("the column under the cursor is in sight however many are frozen, and whatever room there is")
  func frozen() {
    for widths in [[6, 40, 12, 3], [40, 40, 40, 40], [3, 3, 80, 3], [10, 10, 10, 10]] {
      for frozen in 0...widths.count {
        var layout = ColumnLayout(needs: widths.map { ColumnLayout.Need(width: $0, canBeCut: false) })
        if frozen > 0 { layout.toggleFreeze(upTo: frozen - 1) }
        for width in [1, 5, 20, 45, 90, 200] {
          for column in [0, 3, 1, 2, 0, 2, 3] {
            layout.reveal(column, width: width)
            let slot = layout.slots(width: width).first { $0.column == column }
            #expect(slot != nil, "column \(column) of \(widths), \(frozen) frozen, in \(width) cells")
            #expect(
              (slot?.width ?? 0) >= min(widths[column], width / 2), "column \(column) of \(widths), \(frozen) frozen, in \(width) cells")
          }
        }
      }
    }
  }

  @Test("those that are frozen stay in sight where there is room for them")
  func room() {
    var layout = ColumnLayout(needs: [8, 20, 30, 30].map { ColumnLayout.Need(width: $0, canBeCut: false) })
    layout.toggleFreeze(upTo: 1)
    layout.reveal(3, width: 70)
    #expect(layout.slots(width: 70).map(\.column) == [0, 1, 3])
    layout.reveal(2, width: 50)
    #expect(layout.slots(width: 50).map(\.column).prefix(2) == [0, 2])
    #expect(layout.isScrolled == false)
    layout.reveal(0, width: 50)
    #expect(layout.slots(width: 50).map(\.column).prefix(2) == [0, 1])
  }

  private static func layout(_ needs: [(width: Int, canBeCut: Bool)], in room: Int) -> ColumnLayout {
    var layout = ColumnLayout(needs: needs.map { ColumnLayout.Need(width: $0.width, canBeCut: $0.canBeCut) })
    layout.fit(into: room)
    return layout
  }

  @Test("all fit where there is room, each with what it needs")
  func whole() {
    #expect(Self.layout([(8, false), (60, true), (12, false)], in: 100).widths == [8, 60, 12])
  }

  @Test("a text has room to spare for longer ones in rows that are not read yet, and takes none from headers for them")
  func reserve() {
    var layout = ColumnLayout(
      needs: [.init(width: 20, canBeCut: false, values: 8), .init(width: 60, canBeCut: true), .init(width: 9, canBeCut: true)],
      awaitsMore: true)
    layout.fit(into: 93)
    #expect(layout.widths == [20, 60, 9])
    #expect(layout.spare(width: 93) == 0, "the header keeps its cells")
    layout.fit(into: 200)
    #expect(layout.widths == [20, 80, 13])
    #expect(layout.spare(width: 200) == 83)
    layout.raise(to: 90, of: 1)
    layout.fit(into: 200)
    #expect(layout.widths == [20, 90, 13])
    layout.fit(into: 93)
    #expect(layout.widths == [8, 72, 9])
    var read = ColumnLayout(needs: [.init(width: 20, canBeCut: false, values: 8), .init(width: 60, canBeCut: true)])
    read.fit(into: 90)
    #expect((read.widths, read.spare(width: 90)) == ([20, 60], 20))
  }

  @Test("of texts the longest are cut first, so that all columns stay in sight; numbers and keys are never cut")
  func cut() {
    let layout = Self.layout([(8, false), (90, true), (20, true), (60, true), (12, false)], in: 120)
    #expect(layout.widths == [8, 36, 20, 36, 12])
    #expect(layout.slots(width: 120).map(\.column) == [0, 1, 2, 3, 4])
  }

  @Test("where not all fit, texts keep a fair share, and a column with room for little more than … is left out")
  func scarce() {
    let layout = Self.layout([(8, false), (90, true), (9, false), (12, false), (9, false), (90, true), (12, false)], in: 77)
    #expect(layout.widths == [8, 19, 9, 12, 9, 19, 12])
    #expect(layout.slots(width: 77).map(\.column) == [0, 1, 2, 3, 4, 5])
    #expect(layout.slots(width: 67).map(\.column) == [0, 1, 2, 3, 4], "the sixth would have 2 cells")
  }

  @Test("a width that a person chose stays when others are fitted")
  func chosen() {
    var layout = Self.layout([(8, false), (90, true), (90, true)], in: 60)
    layout.fix(30, of: 2)
    layout.fit(into: 100)
    #expect(layout.widths[2] == 30)
    #expect(layout.widths[1] == 58)
  }

  @Test("values that come into sight make a column wider, and none narrower again")
  func grown() {
    var layout = Self.layout([(8, false), (10, true)], in: 60)
    layout.raise(to: 12, of: 0)
    layout.raise(to: 9, of: 1)
    layout.fit(into: 60)
    #expect(layout.widths == [12, 10])
  }

  @Test("what is frozen stays frozen when hidden columns come back, and is refused where it would leave no room")
  func freezing() {
    var layout = Self.layout([(8, false), (20, true), (9, false), (30, true)], in: 60)
    let isHidden = layout.hide(1)
    let isFrozen = layout.toggleFreeze(upTo: 2)
    #expect(isHidden && isFrozen)
    layout.showAll()
    #expect(layout.frozen == 3)
    let isTooMuch = !layout.toggleFreeze(upTo: 3)
    #expect(isTooMuch && layout.frozen == 3)
  }

  @Test("freezing takes the columns behind back into sight")
  func unscrolled() {
    var layout = Self.layout([(8, false), (20, false), (20, false), (30, false)], in: 40)
    layout.reveal(3, width: 40)
    layout.toggleFreeze(upTo: 0)
    layout.reveal(0, width: 40)
    #expect(layout.slots(width: 40).map(\.column) == [0, 1])
  }

  @Test("a number at the right edge is shown whole or not at all, a text cut")
  func edge() {
    #expect(Self.layout([(8, false), (20, false)], in: 20).slots(width: 20).map(\.column) == [0])
    #expect(Self.layout([(20, false), (30, true)], in: 30).slots(width: 30).map(\.column) == [0, 1])
  }

  @Test("a date at the right edge is shown whole or not at all")
  func dates() {
    var layout = ColumnLayout(needs: [.init(width: 10, canBeCut: true), .init(width: 23, canBeCut: true, isCutLast: true)])
    layout.fit(into: 30)
    #expect(layout.slots(width: 30).map(\.column) == [0])
    layout.reveal(1, width: 30)
    #expect(layout.slots(width: 30).map(\.width) == [23])
  }

  @Test("where not all fit, headers are cut so that more columns are in sight")
  func density() {
    let needs = (0..<9).map { _ in ColumnLayout.Need(width: 14, canBeCut: false, values: 6, least: 6) }
    var layout = ColumnLayout(needs: needs)
    layout.fit(into: 64)
    #expect(layout.slots(width: 64).map(\.width) == [7, 7, 6, 6, 6, 6, 6, 6])
  }

  @Test("room to spare goes to the names of types")
  func types() {
    var layout = ColumnLayout(needs: [.init(width: 8, canBeCut: false, wish: 13), .init(width: 5, canBeCut: true)])
    layout.fit(into: 40)
    #expect(layout.widths == [13, 5])
    layout.fit(into: 16)
    #expect(layout.widths == [9, 5])
  }
}
