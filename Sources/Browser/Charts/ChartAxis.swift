internal import Libc
import QuarryRows

/// A place of an axis that has a label.
package struct ChartTick: Hashable, Sendable {
  var value: Double
  package var label: String
}

/// A range of numbers or times along one side of a chart, with its ticks.
package struct ChartAxis: Hashable, Sendable {
  /// The values at both ends.
  package private(set) var low, high: Double
  package private(set) var ticks: [ChartTick] = []
  private(set) var isLogarithmic = false

  /// Returns where a value lies, 0 being the low end and 1 the high one.
  package func place(of value: Double) -> Double {
    if isLogarithmic { return (log10(value) - log10(low)) / (log10(high) - log10(low)) }
    // Halves, since the difference of two doubles can be infinite.
    let span = high / 2 - low / 2
    return span > 0 ? (value / 2 - low / 2) / span : 0.5
  }

  // MARK: Numbers

  /// Makes the vertical axis of numbers, which ends at round ones.
  ///
  /// - Parameters:
  ///   - count: About how many ticks it has.
  ///   - hasZero: Whether zero must be on it; it also is where that leaves the numbers most of the room.
  ///   - isWhole: Whether all are whole numbers, so that nothing lies between two of them.
  package init(roundedAround range: ClosedRange<Double>, count: Int, hasZero: Bool, isWhole: Bool) {
    var (least, greatest) = (range.lowerBound, range.upperBound)
    if hasZero || (least > 0 && least < greatest / 2) { least = min(0, least) }
    if hasZero || (greatest < 0 && greatest > least / 2) { greatest = max(0, greatest) }
    if least == greatest {
      let room = least == 0 ? 1 : max(abs(least) / 10, isWhole ? 1 : 0)
      (least, greatest) = (hasZero && least == 0 ? 0 : least - room, greatest + room)
    }
    let step = Self.step(spanning: least...greatest, count: max(1, count), isWhole: isWhole)
    let (start, end) = ((least / step).rounded(.down) * step, (greatest / step).rounded(.up) * step)
    (low, high) = (start.isFinite ? start : least, end.isFinite ? end : greatest)
    ticks = Self.ticks(from: low, to: high, step: step)
  }

  /// Creates the horizontal axis of numbers, which spans `range`.
  ///
  /// - Parameter reachesTicks: Whether the axis extends to the next tick at either end if that needs little room.
  package init(numbers range: ClosedRange<Double>, columns: Int, isWhole: Bool, reachesTicks: Bool = false) {
    var (least, greatest) = (range.lowerBound, range.upperBound)
    if least == greatest { (least, greatest) = (least - max(1, abs(least) / 10), greatest + max(1, abs(greatest) / 10)) }
    (low, high) = (least, greatest)
    var count = max(1, columns / 8)
    repeat {
      let step = Self.step(spanning: least...greatest, count: count, isWhole: isWhole)
      (low, high) = reachesTicks ? Self.ends(least...greatest, step: step) : (least, greatest)
      ticks = Self.ticks(from: low, to: high, step: step)
      count -= 1
    } while count > 0 && ticks.reduce(0, { $0 + $1.label.count + 2 }) > columns
  }

  /// Returns the multiples of a step around a range, or its own ends where these are near enough.
  private static func ends(_ range: ClosedRange<Double>, step: Double) -> (low: Double, high: Double) {
    let most = (range.upperBound / 2 - range.lowerBound / 2) / 10
    let (low, high) = ((range.lowerBound / step).rounded(.down) * step, (range.upperBound / step).rounded(.up) * step)
    return (
      range.lowerBound - low <= most ? low : range.lowerBound, high - range.upperBound <= most ? high : range.upperBound
    )
  }

  /// Makes a logarithmic axis from a power of 10 to another; all numbers are positive.
  package init(logarithmicAround range: ClosedRange<Double>, count: Int) {
    let (first, last) = (log10(range.lowerBound).rounded(.down), log10(range.upperBound).rounded(.up))
    isLogarithmic = true
    let end = last > first ? last : first + 1
    // Neither 0 nor infinity has a place on it.
    low = max(pow(10, first), .leastNonzeroMagnitude)
    high = min(pow(10, end), .greatestFiniteMagnitude)
    let powers = Int(end - first)
    let step = max(1, Int((Double(powers) / Double(max(1, count))).rounded(.up)))
    ticks = stride(from: 0, through: powers, by: step).compactMap { power in
      let value = pow(10, first + Double(power))
      guard value > 0, value.isFinite else { return nil }
      return ChartTick(value: value, label: ChartMagnitude(size: value, step: value).text(value))
    }
  }

  /// Returns the least of the steps 1, 2, 2.5 and 5 times a power of 10 of which a range has `count` at most.
  static func step(spanning range: ClosedRange<Double>, count: Int, isWhole: Bool = false) -> Double {
    let wanted = (range.upperBound / 2 - range.lowerBound / 2) / Double(count) * 2
    guard wanted > 0, wanted.isFinite else { return wanted > 0 ? .greatestFiniteMagnitude : 1 }
    return DecimalStep.least(notBelow: wanted, isWhole: isWhole).width
  }

  private static func ticks(from low: Double, to high: Double, step: Double) -> [ChartTick] {
    let (first, last) = ((low / step - 1e-9).rounded(.up), (high / step + 1e-9).rounded(.down))
    guard step.isFinite, first <= last, last - first < 1000, abs(first) < 9e15, abs(last) < 9e15 else { return [] }
    let magnitude = ChartMagnitude(size: max(abs(low), abs(high)), step: step)
    return stride(from: first, through: last, by: 1).map { ChartTick(value: $0 * step, label: magnitude.text($0 * step)) }
  }

  // MARK: Times

  /// Creates the horizontal axis of times in milliseconds since 1970, which spans `range`.
  package init(times range: ClosedRange<Double>, columns: Int) {
    (low, high) = (range.lowerBound, range.upperBound)
    if low == high { (low, high) = (low - 43_200_000, high + 43_200_000) }
    ticks = ChartCalendar.ticks(in: low...high, columns: columns)
  }

  /// Makes an axis of ticks that are known.
  init(low: Double, high: Double, ticks: [ChartTick]) {
    (self.low, self.high, self.ticks) = (low, high, ticks)
  }
}

/// The ticks of axes of times: steps of the calendar.
enum ChartCalendar {
  private static let steps: [(unit: ChartTimeUnit, count: Int)] = {
    let counts: [(ChartTimeUnit, [Int])] = [
      (.second, [1, 5, 15, 30]), (.minute, [1, 5, 15, 30]), (.hour, [1, 3, 6, 12]), (.day, [1, 2, 7]), (.month, [1, 3, 6]),
      (.year, [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000]),
    ]
    return counts.flatMap { unit, counts in counts.map { (unit, $0) } }
  }()

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Returns ticks at the beginnings of units, as close together as their labels allow.
  static func ticks(in range: ClosedRange<Double>, columns: Int) -> [ChartTick] {
    let span = range.upperBound - range.lowerBound
    let step = steps.first { span / ($0.unit.length * Double($0.count)) <= Double(columns) / Double(room($0.unit)) } ?? (.year, 2000)
    var ticks: [ChartTick] = []
    var time = step.unit.start(of: range.lowerBound)
    while time <= range.upperBound, ticks.count < 1000 {
      if time >= range.lowerBound, isMultiple(time, step) { ticks.append(ChartTick(value: time, label: label(of: time, step.unit))) }
      time = step.unit.adding(1, to: time)
    }
    // The first tick tells the year, or the day, that no other one tells.
    if let first = ticks.first, !ticks.contains(where: { $0.label.contains { !$0.isNumber } == false && $0.label.count == 4 }) {
      ticks[0].label = wholeLabel(of: first.value, step.unit)
    }
    return ticks
  }

  /// The columns that a label takes with what is between two.
  private static func room(_ unit: ChartTimeUnit) -> Int {
    switch unit {
    case .second: 11
    case .minute, .hour: 9
    case .day: 9
    case .week, .month, .quarter, .year: 7
    }
  }

  /// Returns whether a time begins one of the steps, which are counted from the beginning of the next greater unit.
  private static func isMultiple(_ time: Double, _ step: (unit: ChartTimeUnit, count: Int)) -> Bool {
    guard step.count > 1 else { return true }
    let parts = parts(of: time)
    switch step.unit {
    case .second: return parts.second % step.count == 0
    case .minute: return parts.minute % step.count == 0
    case .hour: return parts.hour % step.count == 0
    // Not two days side by side at the end of a month.
    case .day: return (parts.day - 1) % step.count == 0 && parts.day - 1 + step.count <= 31
    case .month: return (parts.month - 1) % step.count == 0
    case .week, .quarter, .year: return parts.year % step.count == 0
    }
  }

  private static func parts(of time: Double) -> (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    let text = ChartTimeUnit.second.text(of: time)
    let isNegative = text.hasPrefix("-")
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count == 6 else { return (0, 1, 1, 0, 0, 0) }
    return (isNegative ? -numbers[0] : numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
  }

  /// Returns the coarsest label that tells a time from those beside it: the year in January, the month on its first day.
  private static func label(of time: Double, _ unit: ChartTimeUnit) -> String {
    let parts = parts(of: time)
    if parts.hour != 0 || parts.minute != 0 || parts.second != 0 {
      let clock = "\(two(parts.hour)):\(two(parts.minute))"
      return unit == .second ? "\(clock):\(two(parts.second))" : clock
    }
    let month = months[parts.month - 1]
    if unit <= .hour || parts.day != 1 { return "\(month) \(parts.day)" }
    return parts.month == 1 ? "\(parts.year)" : month
  }

  private static func wholeLabel(of time: Double, _ unit: ChartTimeUnit) -> String {
    let parts = parts(of: time)
    let month = months[parts.month - 1]
    switch unit {
    case .year: return "\(parts.year)"
    case .quarter, .month: return "\(month) \(parts.year)"
    case .day, .week: return "\(month) \(parts.day), \(parts.year)"
    case .second, .minute, .hour: return unit.text(of: time)
    }
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
