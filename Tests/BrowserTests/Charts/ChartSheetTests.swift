import Browser
import QuarryRows
import Terminal
import TestSupport
import Testing

@Suite("Charts as text", .gated)
struct ChartSheetTests {
  private static func text(_ text: String) -> CellValue { .text(text, byteCount: text.utf8.count, isValid: true) }
  private static func real(_ number: Double) -> CellValue { .real(number) }

  /// Draws rows of columns that are called a, b, c.
  private static func sheet(
    _ rows: [[CellValue]], _ spec: ChartSpec, _ scales: ChartColumn.Scale..., size: Size = Size(columns: 40, rows: 12),
    ink: ChartInk = .unicode
  ) -> ChartSheet {
    let columns = zip(["a", "b", "c"], scales).map { ChartColumn($0, $1) }
    var sampler = ChartSampler(spec.query, columns: columns)
    for row in rows { sampler.add(spec.query.columns.map { row[$0] }) }
    return ChartSheet(sampler.sample, spec: spec, columns: columns, size: size, ink: ink)
  }

  /// The labels below a chart, without the blanks before them.
  private static func lastLine(_ sheet: ChartSheet) -> String? {
    sheet.text.split(separator: "\n").last.map { String($0.drop { $0 == " " }) }
  }

  private static let sales: [[CellValue]] = [
    [text("Chile"), .integer(30)], [text("Peru"), .integer(-10)], [.null, .integer(4)], [text("Chile"), .integer(10)],
    [text("日本"), .integer(20)], [text("two\nlines"), .integer(1)], [text("Peru"), .null],
  ]
  private static let bars = ChartSpec(ChartQuery(kind: .bar, x: 0, ys: [1]))

  @Test("of more categories than are kept apart it is said that any may be the greatest")
  func manyCategories() {
    let rows = (0..<50_001).map { [CellValue.integer(Int64($0)), .integer($0 == 50_000 ? 9 : 1)] }
    let text = Self.sheet(rows, Self.bars, .category, .number, size: Size(columns: 80, rows: 12)).text
    #expect(text.contains("only the first 50,000 categories are compared"), "\(text)")
    #expect(!Self.sheet(Array(rows.dropLast()), Self.bars, .category, .number).text.contains("compared"))
  }

  @Test("bars are the sums of their categories from a baseline at zero, the greatest first; what has no number is counted")
  func bars() {
    #expect(
      Self.sheet(Self.sales, Self.bars, .category, .number).text == """
        sum of b by a  7 rows
            Chile          │████████████████▊ 40

             日本          │████████▍ 20

             NULL          │█▋ 4

        two␊lines          │▍ 1

             Peru  -10 ████│

        1 value omitted: 1 NULL
        """)
  }

  @Test("a text that reads like another category is in quotes, and others are not")
  func likeLabels() {
    let rows: [[CellValue]] = [
      [.integer(1), .integer(8)], [Self.text("1"), .integer(7)], [.null, .integer(6)], [Self.text("NULL"), .integer(5)],
      [Self.text("2"), .integer(4)],
    ]
    let lines = Self.sheet(rows, Self.bars, .category, .number).text.split(separator: "\n")
    let labels = lines.compactMap { line in line.split(separator: "│").first.map { $0.filter { $0 != " " } } }
    #expect(labels.dropFirst() == ["1", "'1'", "NULL", "'NULL'", "2"], "\(labels)")
  }

  @Test("in ASCII nothing but ASCII is drawn, apart from what is quoted")
  func ascii() {
    let sheet = Self.sheet(Self.sales.filter { $0[0] != Self.text("日本") }, Self.bars, .category, .number, ink: .ascii)
    #expect(sheet.text.replacing("␊", with: "").allSatisfy { $0.isASCII }, "\(sheet.text)")
    let points = (0..<50).map { [Self.real(Double($0)), Self.real(Double($0 * $0))] }
    for kind in [ChartQuery.Kind.line, .scatter, .histogram] {
      let query = ChartQuery(kind: kind, x: 0, ys: kind == .histogram ? [] : [1])
      let text = Self.sheet(points, ChartSpec(query), .number, .number, ink: .ascii).text
      #expect(text.allSatisfy { $0.isASCII }, "\(text)")
    }
  }

  @Test("bars that do not fit are added up in a line, in the order of the rows or of the lengths")
  func others() {
    let rows = (1...30).map { [CellValue.integer(Int64($0)), .integer(Int64($0 % 7))] }
    var spec = Self.bars
    let byValue = Self.sheet(rows, spec, .category, .number, size: Size(columns: 40, rows: 6)).text
    #expect(byValue.hasPrefix("b by a  30 rows\n 6 │") && byValue.hasSuffix("\n… and 26 others: 63"), "\(byValue)")
    spec.isByValue = false
    let inOrder = Self.sheet(rows, spec, .category, .number, size: Size(columns: 40, rows: 6)).text
    #expect(inOrder.contains("\n1 │") && inOrder.contains("\n4 │") && inOrder.hasSuffix("… and 26 others: 77"), "\(inOrder)")
  }

  @Test("a line shows the extremes of each column of dots, however many points lie on it")
  func extremes() throws {
    let points = (0..<20_000).map { [Self.real(Double($0)), Self.real($0 == 10_000 ? 100 : $0 == 15_000 ? -100 : 0)] }
    let sheet = Self.sheet(points, ChartSpec(ChartQuery(kind: .line, x: 0, ys: [1])), .number, .number, size: Size(columns: 46, rows: 11))
    #expect(
      sheet.text == """
        b over a  20,000 rows
         100 ┤   ·   ·   ·   ·   ·⡇  ·   ·   ·   ·   ·
             │                    ⡇
             │                   ⢰⡇
             │                   ⢸⡇
           0 ┤⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⢹⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉
             │                             ⢸
             │                             ⢸
        -100 ┤                             ⢸
             └┬─────────┬─────────┬────────┬─────────┬
              0        5 k      10 k     15 k     20 k
        """, "\(sheet.text)")
  }

  @Test("counts by units of the calendar have a zero where there is no row")
  func gaps() throws {
    let rows = ["2024-01-05", "2024-01-20", "2024-02-10", "2024-05-01"].map { [Self.text($0)] }
    var spec = ChartSpec(ChartQuery(kind: .line, x: 0))
    spec.unit = .month
    let picture = Self.sheet(rows, spec, .time(.text)).picture
    let stops = picture.stops.map { "\($0.name): \($0.values.map(\.text).joined())" }
    #expect(stops == ["2024-01: 2", "2024-02: 1", "2024-03: 0", "2024-04: 0", "2024-05: 1"])
    #expect(picture.unit == .month)
  }

  @Test("a histogram has bins of a rounded width that hold every number once")
  func histogram() {
    let numbers = (0..<500).map { [Self.real(Double($0 * $0 % 97) / 10)] } + [[.null], [Self.text("x")]]
    let sheet = Self.sheet(numbers, ChartSpec(ChartQuery(kind: .histogram, x: 0)), .number, size: Size(columns: 80, rows: 20))
    let counts = sheet.picture.stops.compactMap { $0.values.first.flatMap { Int($0.text) } }
    #expect(counts.reduce(0, +) == 500)
    #expect(sheet.title == "rows by a in steps of 2")
    #expect(sheet.picture.stops.first?.name == "0 to 2")
    #expect(sheet.remarks == ["2 values omitted: 1 NULL, 1 text"])
  }

  @Test(
    "one number again and again is a bar of its own, under its name", arguments: [(5.0, "5"), (0.37, "0.37"), (123_456_789, "123,456,789")])
  func oneNumber(number: Double, name: String) {
    let sheet = Self.sheet(
      Array(repeating: [Self.real(number)], count: 3), ChartSpec(ChartQuery(kind: .histogram, x: 0)), .number)
    #expect(sheet.title == "rows by a")
    #expect(
      sheet.picture.stops.map(\.name) == [name] && sheet.picture.stops.map(\.rows) == [.range(from: number, to: number, includesEnd: true)])
    #expect(Self.lastLine(sheet) == name, "\(sheet.text)")
  }

  @Test("one day is named as a day")
  func oneDay() {
    let sheet = Self.sheet([[Self.text("2024-05-01")]], ChartSpec(ChartQuery(kind: .histogram, x: 0)), .time(.text))
    #expect(sheet.title == "rows by day of a")
    #expect(Self.lastLine(sheet) == "2024-05-01", "\(sheet.text)")
  }

  @Test("whole numbers side by side have a bin each")
  func wholeNumbers() {
    let rolls = (0..<60).map { [CellValue.integer(Int64($0 % 6 + 1))] }
    let picture = Self.sheet(rolls, ChartSpec(ChartQuery(kind: .histogram, x: 0)), .number).picture
    #expect(picture.stops.map(\.name) == ["1", "2", "3", "4", "5", "6"])
    #expect(picture.stops.allSatisfy { $0.values.first?.text == "10" })
  }

  @Test("series are told apart by marks, and more than can be are named")
  func series() {
    let rows = (0..<20).map { [CellValue.integer(Int64($0)), .integer(Int64($0)), Self.text("s\($0 % 8)")] }
    let sheet = Self.sheet(rows, ChartSpec(ChartQuery(kind: .scatter, x: 0, ys: [1], series: 2)), .number, .number, .category)
    #expect(sheet.picture.legend.map(\.mark) == ["●", "■", "▲", "◆", "○", "□"])
    #expect(sheet.remarks == ["2 more series not shown"])
    #expect(sheet.title == "b against a, by c")
  }

  @Test("all of one value, one point, and nothing are drawn too", arguments: ChartQuery.Kind.allCases)
  func little(kind: ChartQuery.Kind) {
    let query = ChartQuery(kind: kind, x: 0, ys: kind == .histogram ? [] : [1])
    for rows in [[], [[CellValue.integer(3), .integer(3)]], Array(repeating: [CellValue.integer(3), .integer(3)], count: 5)] {
      let sheet = Self.sheet(rows, ChartSpec(query), .number, .number)
      #expect(sheet.picture.stops.count == min(1, rows.count), "\(sheet.text)")
      #expect(sheet.text.contains("there is nothing to draw") == rows.isEmpty)
    }
  }

  @Test(
    "numbers of every size, signs and logarithms are drawn within the sheet",
    arguments: ChartQuery.Kind.allCases,
    [Size(columns: 36, rows: 8), Size(columns: 20, rows: 4), Size(columns: 1, rows: 1), Size(columns: 200, rows: 50)])
  func anything(kind: ChartQuery.Kind, size: Size) {
    let greatest = Double.greatestFiniteMagnitude
    let numbers: [Double] = [-1e300, 1e300, 0, 1, -1, 1e-300, .infinity, -.infinity, greatest, -greatest, 7]
    for numbers in [numbers, numbers.map { max(1e-9, abs($0)) }, [-5, -4, -3]] {
      var spec = ChartSpec(ChartQuery(kind: kind, x: 0, ys: kind == .histogram ? [] : [1]))
      spec.isLogarithmic = numbers.allSatisfy { $0 > 0 }
      let sheet = Self.sheet(numbers.map { [Self.real($0), Self.real($0)] }, spec, .number, .number, size: size)
      var surface = Surface(size: Size(columns: size.columns + 10, rows: size.rows + 5))
      sheet.draw(into: &surface, at: Point(column: 0, row: 0), cursor: 0, appearance: Appearance(theme: .fallback, glyphs: .unicode))
      for row in 0..<surface.size.rows {
        let beyond = surface.cells(inRow: row).dropFirst(row < size.rows ? size.columns : 0)
        #expect(beyond.allSatisfy { $0.text == " " || $0.text.isEmpty }, "row \(row) of \(size): \(surface.text)")
      }
    }
  }
}

extension ChartSheet {
  fileprivate var text: String { surface(Appearance(theme: .fallback, glyphs: .unicode)).text }
}

@Suite("Which chart suits columns", .gated)
struct ChartSpecTests {
  private static let orders = [
    ChartColumn("id", .number, isKey: true), ChartColumn("customer", .category), ChartColumn("ordered", .time(.text)),
    ChartColumn("amount", .number), ChartColumn("weight", .number),
  ]

  @Test("dates make a line, categories bars, two numbers points, one a histogram; keys measure nothing")
  func first() {
    #expect(ChartSpec(columns: Self.orders).query == ChartQuery(kind: .line, x: 2, ys: [3]))
    #expect(ChartSpec(columns: Array(Self.orders.prefix(2))).query == ChartQuery(kind: .bar, x: 1, ys: [0]))
    #expect(ChartSpec(columns: Array(Self.orders.suffix(2))).query == ChartQuery(kind: .scatter, x: 0, ys: [1]))
    #expect(ChartSpec(columns: Array(Self.orders.suffix(1))).query == ChartQuery(kind: .histogram, x: 0))
  }

  @Test("the column under the cursor is what it is about")
  func focus() {
    #expect(ChartSpec(columns: Self.orders, focus: 1).query == ChartQuery(kind: .bar, x: 1))
    #expect(ChartSpec(columns: Self.orders, focus: 2).query == ChartQuery(kind: .line, x: 2))
    #expect(ChartSpec(columns: Self.orders, focus: 4).query == ChartQuery(kind: .histogram, x: 4))
  }

  @Test("another kind keeps the columns that it can be of, back and forth")
  func changed() {
    let histogram = ChartSpec(columns: Self.orders, focus: 4)
    let line = histogram.changed(to: .line, columns: Self.orders)
    #expect(line.query == ChartQuery(kind: .line, x: 2, ys: [4]) && line.aggregate == .none)
    let bars = line.changed(to: .bar, columns: Self.orders)
    #expect(bars.query == ChartQuery(kind: .bar, x: 2, ys: [4]) && bars.aggregate == .sum)
    #expect(bars.changed(to: .scatter, columns: Self.orders).query == ChartQuery(kind: .scatter, x: 2, ys: [4]))
    #expect(line.changed(to: .histogram, columns: Self.orders).query == ChartQuery(kind: .histogram, x: 4))
    #expect(histogram.changed(to: .bar, columns: Self.orders).query == ChartQuery(kind: .bar, x: 1, ys: [4]))
  }

  @Test("what the columns do not make is said with their names")
  func obstacles() {
    let line = ChartSpec(ChartQuery(kind: .line, x: 1, ys: [3]))
    #expect(line.obstacle(columns: Self.orders) == "no values of “customer” are numbers or dates")
    #expect(ChartSpec(ChartQuery(kind: .bar, x: 1, ys: [1])).obstacle(columns: Self.orders) == "no values of “customer” are numbers")
    #expect(ChartSpec(ChartQuery(kind: .bar, x: 1, ys: [3])).obstacle(columns: Self.orders) == nil)
  }
}
