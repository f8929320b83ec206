import Browser
import QuarryRows
import TestSupport
import Testing

@Suite("Axes of charts", .gated)
struct ChartAxisTests {
  private static func labels(_ range: ClosedRange<Double>, count: Int = 5, hasZero: Bool = false, isWhole: Bool = false) -> [String] {
    ChartAxis(roundedAround: range, count: count, hasZero: hasZero, isWhole: isWhole).ticks.map(\.label)
  }

  @Test("ticks are 1, 2, 2.5 or 5 times a power of 10 apart, and hold all numbers")
  func rounded() {
    #expect(Self.labels(3...97) == ["0", "20", "40", "60", "80", "100"])
    #expect(Self.labels(0.12...0.19) == ["0.12", "0.14", "0.16", "0.18", "0.20"])
    #expect(Self.labels(0...12) == ["0", "2.5", "5.0", "7.5", "10.0", "12.5"])
    #expect(Self.labels(0...12, isWhole: true) == ["0", "5", "10", "15"])
    #expect(Self.labels(-30...45) == ["-40", "-20", "0", "20", "40", "60"])
    #expect(Self.labels(0...4_600_000) == ["0", "1 M", "2 M", "3 M", "4 M", "5 M"])
    #expect(Self.labels(0...2_400_000) == ["0", "0.5 M", "1.0 M", "1.5 M", "2.0 M", "2.5 M"])
    #expect(Self.labels(1_000...1_500) == ["1000", "1100", "1200", "1300", "1400", "1500"])
    #expect(Self.labels(0...3e18) == ["0", "1e+18", "2e+18", "3e+18"])
  }

  @Test("zero is on the axis where bars begin there, or where it costs little room")
  func zero() {
    #expect(Self.labels(90...100, hasZero: true).first == "0")
    #expect(Self.labels(90...100).first == "90")
    #expect(Self.labels(10...100).first == "0")
    #expect(Self.labels(-100 ... -10).last == "0")
  }

  @Test("equal numbers, and one, lie within the axis", arguments: [0, 5, -5, 1e300, 1e-300, 0.1])
  func equal(number: Double) {
    for isWhole in [true, false] {
      let axis = ChartAxis(roundedAround: number...number, count: 5, hasZero: false, isWhole: isWhole)
      #expect(axis.low < axis.high && axis.low <= number && number <= axis.high, "\(axis)")
      #expect((0...1).contains(axis.place(of: number)))
      let across = ChartAxis(numbers: number...number, columns: 60, isWhole: isWhole)
      #expect((0...1).contains(across.place(of: number)))
    }
  }

  @Test("the greatest and the least of all doubles have a place")
  func greatest() {
    let range = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    for axis in [
      ChartAxis(roundedAround: range, count: 5, hasZero: false, isWhole: true), ChartAxis(numbers: range, columns: 70, isWhole: true),
    ] {
      #expect(axis.place(of: range.lowerBound) <= 0.5 && axis.place(of: range.upperBound) >= 0.5)
      #expect(axis.place(of: 0) == 0.5)
    }
  }

  @Test("a logarithmic axis goes from a power of 10 to another")
  func logarithmic() {
    let axis = ChartAxis(logarithmicAround: 3...40_000, count: 5)
    #expect(axis.ticks.map(\.label) == ["1", "10", "100", "1000", "10 k", "100 k"])
    #expect(abs(axis.place(of: 100) - 0.4) < 1e-9)
  }

  private static func time(_ text: String) throws -> Double {
    let values = [CellValue.text(text, byteCount: text.utf8.count, isValid: true)]
    var sampler = ChartSampler(ChartQuery(kind: .line, x: 0), columns: [ChartColumn("at", .time(.text))])
    sampler.add(values)
    guard case .bins(let bins) = sampler.sample.content else { throw Problem("no time") }
    return try #require(bins.range).lowerBound
  }

  @Test(
    "ticks of times are where units of the calendar begin",
    arguments: [
      ("1959-01-01", "2024-01-01", 60, ["1960", "1970", "1980", "1990", "2000", "2010", "2020"]),
      ("1996-07-04", "1998-05-06", 70, ["Oct", "1997", "Apr", "Jul", "Oct", "1998", "Apr"]),
      ("2024-01-20", "2024-03-10", 70, ["Jan 22, 2024", "Feb", "Feb 8", "Feb 15", "Feb 22", "Mar", "Mar 8"]),
      ("2024-01-31 08:20", "2024-01-31 12:10", 60, ["2024-01-31 09:00", "10:00", "11:00", "12:00"]),
      ("2024-01-31 23:59:50", "2024-02-01 00:00:10", 60, ["2024-01-31 23:59:50", "23:59:55", "Feb 1", "00:00:05", "00:00:10"]),
    ])
  func calendar(start: String, end: String, columns: Int, labels: [String]) throws {
    let axis = try ChartAxis(times: Self.time(start)...Self.time(end), columns: columns)
    #expect(axis.ticks.map(\.label) == labels)
  }

  @Test("labels never take more room than there is", arguments: [10, 30, 80, 200])
  func room(columns: Int) throws {
    let start = try Self.time("2024-01-31 08:20:11")
    for span in [1e3, 1e5, 1e7, 1e9, 1e11, 1e13] {
      let ticks = ChartAxis(times: start...(start + span), columns: columns).ticks
      #expect(ticks.count * 4 <= max(columns, 8), "\(ticks.map(\.label))")
      let numbers = ChartAxis(numbers: 0...span, columns: columns, isWhole: true).ticks
      #expect(numbers.map { $0.label.count }.reduce(0, +) <= max(columns, 12), "\(numbers.map(\.label))")
    }
  }
}

@Suite("Numbers in charts", .gated)
struct ChartNumberTests {
  @Test(
    "are exact up to 15 digits, grouped, without zeros at their end",
    arguments: [
      (0, "0"), (1_265_793.0399999993, "1,265,793.04"), (-1234.5, "-1,234.5"), (0.1 + 0.2, "0.3"), (1e15, "1e+15"), (1.5e-7, "1.5e-7"),
      (-0.25, "-0.25"), (123_456_789, "123,456,789"), (0.001234, "0.001234"), (.infinity, "∞"),
    ])
  func text(number: Double, text: String) {
    #expect(ChartNumber.text(number) == text)
  }

  @Test(
    "are rounded to the digits that are asked for, whole numbers never",
    arguments: [(1_265_793.04, "1,265,793"), (26.218518, "26.2185")])
  func rounded(number: Double, text: String) {
    #expect(ChartNumber.text(number, digits: 6) == text)
    #expect(ChartNumber.text(123_456_789, digits: 6) == "123,456,789")
  }
}
