import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("What is gathered of rows for a chart", .gated)
struct ChartSamplerTests {
  private static func text(_ text: String) -> CellValue { .text(text, byteCount: text.utf8.count, isValid: true) }

  private static func bins(_ sample: ChartSample) throws -> ChartBins {
    guard case .bins(let bins) = sample.content else { throw CancellationError() }
    return bins
  }

  @Test("categories are told apart as SQLite tells values apart, NULL being one of them, and what has no number is counted")
  func bars() throws {
    var sampler = ChartSampler(ChartQuery(kind: .bar, x: 0, ys: [1]), columns: [ChartColumn("kind", .category), ChartColumn("n", .number)])
    let rows: [[CellValue]] = [
      [.integer(1), .integer(2)], [.real(1), .real(0.5)], [Self.text("1"), .integer(7)], [.null, .integer(3)], [.null, .null],
      [.integer(1), Self.text("x")], [.integer(1), .real(.infinity)], [.integer(1), .blob([0], byteCount: 1)],
    ]
    for row in rows { sampler.add(row) }
    guard case .bars(let bars) = sampler.sample.content else { throw CancellationError() }
    #expect(bars.categories == [.integer(1), Self.text("1"), .null])
    #expect(bars.bins == [[ChartBin(2).adding(0.5), ChartBin(7), ChartBin(3)]])
    #expect(sampler.sample.rows == 8)
    #expect(sampler.sample.omissions.words == "4 values omitted: 1 NULL, 1 text, 1 blob, 1 infinite")
  }

  @Test("a bin has count, sum, mean, least, greatest, first and last, and its sum does not lose small numbers among great ones")
  func bin() {
    let bin = ChartBin(3).adding(-1).adding(4)
    #expect([bin.first, bin.last, bin.least, bin.greatest] == [3, 4, -1, 4])
    #expect(ChartAggregate.allCases.map { bin.value($0) } == [4, 6, 2, 3, -1, 4])
    #expect(ChartBin(1).adding(1e100).adding(1).adding(-1e100).sum == 2)
  }

  @Test("a million points keep their extremes and their number in bounded memory")
  func million() throws {
    var sampler = ChartSampler(ChartQuery(kind: .line, x: 0, ys: [1]), columns: [ChartColumn("x", .number), ChartColumn("y", .number)])
    for x in 0..<1_000_000 { sampler.add([.real(Double(x) / 7), .integer(x == 654_321 ? -5 : Int64(x % 10))]) }
    let bins = try Self.bins(sampler.sample)
    #expect(bins.series[0].count <= ChartBins.limit && bins.series[0].count > 1000)
    #expect(bins.series[0].values.reduce(0) { $0 + $1.count } == 1_000_000)
    let least = try #require(bins.series[0].min { $0.value.least < $1.value.least })
    #expect(least.value.least == -5 && abs(least.key - 654_321 / 7) < 1_000_000 / 7 / 1000)
  }

  @Test("times beyond what is kept are gathered by units of the calendar")
  func times() throws {
    let columns = [ChartColumn("at", .time(.seconds))]
    var sampler = ChartSampler(ChartQuery(kind: .line, x: 0), columns: columns)
    for hour in 0..<72_000 { sampler.add([.integer(Int64(hour) * 3600 + 1)]) }
    let bins = try Self.bins(sampler.sample)
    #expect(bins.grain == .time(.day))
    #expect(bins.series[0].count == 3_000)
    #expect(bins.series[0][0]?.count == 24)
  }

  @Test("dates are read in each of SQLite's forms; what is none is left out")
  func dates() throws {
    let rows: [CellValue] = [
      Self.text("2024-01-31"), Self.text("2024-01-31 00:00:00"), Self.text("2024-01-31T01:00:00+01:00"), .integer(1_706_659_200),
      Self.text("2024-01"), Self.text("31.01.2024"), Self.text("soon"), .integer(.max), .null,
    ]
    let column = ChartColumn("at", declaredType: "DATETIME", sample: rows.filter { $0 != .integer(.max) })
    #expect(column.scale == .time(.seconds))
    var sampler = ChartSampler(ChartQuery(kind: .histogram, x: 0), columns: [column])
    for row in rows { sampler.add([row]) }
    let bins = try Self.bins(sampler.sample)
    #expect(bins.series[0].mapValues(\.count) == [1_706_659_200_000: 4, 1_704_067_200_000: 1])
    #expect(sampler.sample.omissions.words == "4 values omitted: 1 NULL, 2 text, 1 not a date")
  }

  @Test("points that lie together are one dot, whatever their number")
  func dots() {
    var sampler = ChartSampler(ChartQuery(kind: .scatter, x: 0, ys: [1]), columns: [ChartColumn("x", .number), ChartColumn("y", .number)])
    for point in 0..<300_000 { sampler.add([.real(Double(point % 1000) + Double(point) / 1e7), .real(Double(point / 1000))]) }
    guard case .dots(let dots) = sampler.sample.content else { return }
    #expect(dots.counts.count <= 513 * 257)
    #expect(dots.counts.values.reduce(0, +) == 300_000)
  }

  @Test("numbers of any size have their bins", arguments: [1e-300, 1e300])
  func extremes(size: Double) throws {
    for kind in [ChartQuery.Kind.line, .scatter, .histogram] {
      let query = ChartQuery(kind: kind, x: 0, ys: kind == .histogram ? [] : [0])
      var sampler = ChartSampler(query, columns: [ChartColumn("x", .number)])
      for number in 0..<70_000 { sampler.add([.real(Double(number - 35_000) * size / 1e4 * 10)]) }
      #expect(sampler.sample.omissions.total == 0)
    }
  }

  @Test("further series than are kept are counted")
  func series() {
    let query = ChartQuery(kind: .bar, x: 0, series: 0)
    var sampler = ChartSampler(query, columns: [ChartColumn("x", .category)])
    for number in 0..<30 { sampler.add([.integer(Int64(number))]) }
    #expect(sampler.sample.series.count == ChartSample.seriesLimit)
    #expect(sampler.sample.omissions.words == "6 values omitted: 6 of other series")
  }

  @Test("further categories than are kept apart are added up")
  func categories() {
    var bars = ChartBars()
    for number in 0..<(ChartBars.limit + 3) { bars.add(.integer(Int64(number)), 2, to: 0) }
    #expect(bars.categories.count == ChartBars.limit)
    #expect(bars.further == [ChartBin(2).adding(2).adding(2)])
  }
}

extension ChartBin {
  fileprivate func adding(_ value: Double) -> ChartBin {
    var bin = self
    bin.add(value)
    return bin
  }
}

@Suite("What a column is measured by", .gated)
struct ChartColumnTests {
  private static func text(_ text: String) -> CellValue { .text(text, byteCount: text.utf8.count, isValid: true) }

  @Test(
    "values, declared type and name tell it",
    arguments: [
      ("size", "", [.integer(1), .real(2), .null], .number), ("kind", "TEXT", [text("a")], .category),
      ("made", "DATE", [.null], .time(.text)), ("price", "REAL", [], .number), ("note", "", [.null], .category),
      ("ordered", "TEXT", [text("1997-08-25"), text("1997-08-26 12:00:00")], .time(.text)),
      ("month", "", [text("1997-08")], .time(.text)), ("year", "", [text("1997"), text("1998")], .time(.text)),
      ("zip", "TEXT", [text("1234"), text("9876")], .category), ("year", "INTEGER", [.integer(1959), .integer(1997)], .time(.years)),
      ("price", "INTEGER", [.integer(1959), .integer(1997)], .number),
      ("created_at", "INTEGER", [.integer(1_706_659_200)], .time(.seconds)), ("length", "INTEGER", [.integer(1_706_659_200)], .number),
      ("mixed", "", [.integer(1), text("x"), text("y")], .category),
    ] as [(String, String, [CellValue], ChartColumn.Scale)])
  func scale(name: String, type: String, sample: [CellValue], scale: ChartColumn.Scale) {
    #expect(ChartColumn(name, declaredType: type, sample: sample).scale == scale)
  }

  @Test("a column whose values are all the same has nothing to show")
  func constant() {
    #expect(ChartColumn("size", declaredType: "", sample: [.integer(0), .null, .integer(0)]).isConstant)
    #expect(!ChartColumn("size", declaredType: "", sample: [.integer(0), .integer(1)]).isConstant)
    #expect(!ChartColumn("size", declaredType: "", sample: [.integer(0)]).isConstant)
  }

  @Test("keys are told by their names where no schema does", arguments: ["id", "ID", "artist_id", "TrackId"])
  func key(name: String) {
    #expect(ChartColumn(name, declaredType: "", sample: []).isKey)
    #expect(!ChartColumn("width", declaredType: "", sample: []).isKey)
  }
}

@Suite("Steps along the axis of a chart", .gated)
struct ChartGrainTests {
  @Test("steps of numbers begin at multiples of a power of 10, whatever a product's rounding")
  func decimals() {
    #expect(ChartGrain.decimal(-1).start(of: 0.3) == 0.3)
    #expect(ChartGrain.decimal(-2).start(of: 0.29) == 0.29)
    #expect(ChartGrain.decimal(1).start(of: -0.5) == -10)
    #expect(ChartGrain.decimal(2).start(of: 299.9) == 200)
  }

  @Test("units of the calendar begin where people begin them, also before 1970")
  func units() throws {
    func time(_ text: String) throws -> Double { try Double(#require(CivilTime(text)).sinceEpoch) }
    let moment = try time("1969-08-20 13:45:59.500")
    let starts: [(ChartTimeUnit, String)] = [
      (.second, "1969-08-20 13:45:59"), (.minute, "1969-08-20 13:45:00"), (.hour, "1969-08-20 13:00:00"), (.day, "1969-08-20"),
      (.week, "1969-08-18"), (.month, "1969-08-01"), (.quarter, "1969-07-01"), (.year, "1969-01-01"),
    ]
    for (unit, start) in starts {
      let expected = try time(start)
      #expect(unit.start(of: moment) == expected, "\(unit)")
      #expect(unit.start(of: unit.start(of: moment)) == unit.start(of: moment), "\(unit)")
    }
    let (january, october) = try (time("1970-01-01"), time("1968-10-01"))
    #expect(ChartTimeUnit.month.adding(5, to: moment) == january)
    #expect(ChartTimeUnit.quarter.adding(-3, to: moment) == october)
    let texts: [(ChartTimeUnit, String)] = [
      (.year, "1969"), (.quarter, "1969 Q3"), (.month, "1969-08"), (.day, "1969-08-20"), (.minute, "1969-08-20 13:45"),
      (.second, "1969-08-20 13:45:59"),
    ]
    for (unit, text) in texts { #expect(unit.text(of: moment) == text) }
  }
}
