import Browser
import Foundation
import QuarryEngine
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("Width that columns share") struct ColumnShareTests {
  private typealias Demand = ColumnShare.Demand

  private static func number(_ values: Int, header: Int) -> Demand { Demand(least: values, values: values, header: header, type: header) }
  private static func text(_ values: Int, least: Int = 19) -> Demand {
    Demand(least: min(least, values), values: values, header: values, type: values)
  }

  @Test("each has all that it asks for where there is room")
  func whole() {
    let demands = [Self.number(4, header: 8), Self.text(60), Demand(least: 3, values: 3, header: 5, type: 12)]
    #expect(ColumnShare.widths(of: demands, in: 80) == [8, 60, 12])
    #expect(ColumnShare.widths(of: demands, in: 200) == [8, 60, 12])
    #expect(ColumnShare.widths(of: [], in: 10) == [])
  }

  @Test("types are cut before headers, headers before values, and of each kind the widest first")
  func order() {
    let demands = [Self.number(4, header: 8), Self.text(60), Demand(least: 3, values: 3, header: 5, type: 12)]
    #expect(ColumnShare.widths(of: demands, in: 75) == [8, 60, 7])
    #expect(ColumnShare.widths(of: demands, in: 70) == [5, 60, 5])
    #expect(ColumnShare.widths(of: demands, in: 67) == [4, 60, 3])
    #expect(ColumnShare.widths(of: demands, in: 60) == [4, 53, 3])
    #expect(ColumnShare.widths(of: demands, in: 26) == [4, 19, 3])
  }

  @Test("of texts that are cut each has as much, and the widest has the cell that is left over")
  func texts() {
    #expect(ColumnShare.widths(of: [Self.text(90), Self.text(20), Self.text(60)], in: 92) == [36, 20, 36])
    #expect(ColumnShare.widths(of: [Self.text(60), Self.text(90)], in: 51) == [25, 26])
  }

  @Test("where there is too little room for all, each has the least")
  func scarce() {
    #expect(ColumnShare.widths(of: [Self.number(8, header: 20), Self.text(90)], in: 5) == [8, 19])
    #expect(ColumnShare.widths(of: [Self.number(8, header: 20)], in: 0) == [8])
  }

  /// Makes demands that follow from a number.
  private static func demands(_ seed: Int) -> [Demand] {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    return (0..<1 + next(9)).map { _ in
      let least = 3 + next(12)
      let values = least + next(2) * next(80)
      let header = values + next(14)
      return Demand(least: least, values: values, header: header, type: header + next(2) * next(10))
    }
  }

  @Test("no cell is empty while a column is cut, none is taken twice, and no header has what a value lacks")
  func invariants() {
    for seed in 0..<400 {
      let demands = Self.demands(seed)
      for room in stride(from: 0, through: 260, by: 7) {
        let widths = ColumnShare.widths(of: demands, in: room)
        let (sum, least) = (widths.reduce(0, +), demands.reduce(0) { $0 + $1.least })
        #expect(sum == max(least, min(room, demands.reduce(0) { $0 + $1.type })), "\(demands) in \(room)")
        let isValueCut = zip(widths, demands).contains { $0 < $1.values }
        let isHeaderCut = zip(widths, demands).contains { $0 < $1.header }
        #expect(!isValueCut || zip(widths, demands).allSatisfy { $0 <= $1.values }, "\(demands) in \(room): \(widths)")
        #expect(!isHeaderCut || zip(widths, demands).allSatisfy { $0 <= $1.header }, "\(demands) in \(room): \(widths)")
      }
    }
  }
}

@Suite("Columns of real tables") struct ColumnsInSightTests {
  private static func driver(_ database: String, columns: Int, rows: Int) throws -> SessionDriver? {
    guard let path = sharedData?.appending(path: database).path else { return nil }
    return try SessionDriver(path: path, columns: columns, rows: rows)
  }

  /// Returns the names of the columns in sight, and whether cells are empty at the right while one of them is cut.
  private static func inSight(_ driver: SessionDriver) throws -> (names: [String], widths: [Int], empty: Int) {
    let grid = try #require(driver.browser.grid)
    let slots = grid.layout.slots(width: grid.extent.columns)
    let end = slots.last.map { $0.offset + $0.width } ?? 0
    return (slots.map { grid.columns[$0.column].name }, slots.map(\.width), grid.extent.columns - end)
  }

  @Test("six of Track are in sight at 80 columns with names and composers that can be read, all nine at 160")
  func track() async throws {
    try await onOwnThread {
      for (columns, rows, count) in [(80, 24, 6), (160, 40, 9)] {
        guard let driver = try Self.driver("chinook.db", columns: columns, rows: rows) else { return }
        driver.open(TableReference(name: "Track"))
        let (names, widths, empty) = try Self.inSight(driver)
        let all = ["TrackId", "Name", "AlbumId", "MediaTypeId", "GenreId", "Composer", "Milliseconds", "Bytes", "UnitPrice"]
        #expect(names == Array(all.prefix(count)), "\(driver.screen)")
        #expect(empty == 0, "\(driver.screen)")
        #expect(widths[1] >= 20 && widths[5] >= 20, "\(widths)")
        #expect(driver.screen.contains("+3 ›") == (count == 6), "\(driver.screen)")
      }
    }
  }

  @Test("no cell is empty at the right while a text is cut, also with names beside keys, wherever the cursor is")
  func noEmptyCells() async throws {
    try await onOwnThread {
      for (columns, rows) in [(80, 24), (100, 30), (120, 36), (140, 36), (160, 40)] {
        guard let driver = try Self.driver("chinook.db", columns: columns, rows: rows) else { return }
        for table in ["Track", "Customer", "Invoice", "Employee"] {
          driver.open(TableReference(name: table))
          for keys in ["0", "l l l", "$", "g k", "0"] {
            driver.press(keys)
            try Self.expectNoEmptyCells(driver)
          }
          driver.press("g k")
        }
      }
    }
  }

  @Test("columns keep their places while one scrolls through all rows", arguments: [80, 120, 160, 200])
  func scrolling(columns: Int) async throws {
    try await onOwnThread {
      for (database, table) in [("chinook.db", "Track"), ("chinook.db", "Invoice"), ("northwind.db", "Orders")] {
        guard let driver = try Self.driver(database, columns: columns, rows: 40) else { return }
        driver.open(TableReference(name: table))
        let grid = try #require(driver.browser.grid)
        let widths = grid.layout.slots(width: grid.extent.columns).map(\.width)
        var others = Set<[Int]>()
        for _ in 0..<24 {
          driver.press("pagedown")
          if let widths = driver.browser.grid?.layout.slots(width: grid.extent.columns).map(\.width) { others.insert(widths) }
        }
        #expect(others == [widths], "\(table)")
      }
    }
  }

  private static func expectNoEmptyCells(_ driver: SessionDriver) throws {
    let grid = try #require(driver.browser.grid)
    let slots = grid.layout.slots(width: grid.extent.columns)
    let empty = grid.extent.columns - (slots.last.map { $0.offset + $0.width } ?? 0)
    let rows = grid.window.rows.dropFirst(grid.top).prefix(grid.extent.rows)
    for slot in slots where !grid.layout.fixed.contains(slot.column) {
      let isCut = rows.contains { TextWidth.columns(of: CellText($0.cells[slot.column], glyphs: .unicode).text) > slot.width }
      #expect(!isCut || empty == 0, "\(grid.columns[slot.column].name) is cut beside \(empty) empty cells:\n\(driver.screen)")
    }
  }
}
