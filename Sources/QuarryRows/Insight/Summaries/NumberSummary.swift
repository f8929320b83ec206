internal import QuarryEngine

/// A summary of the integers and reals of a column.
struct NumberSummary: Sendable {
  private(set) var integers = 0
  private(set) var reals = 0
  private(set) var infinities = 0
  private var integerSum: Int128 = 0
  private var realSum = 0.0
  /// The rounding error of the sum of reals.
  private var lost = 0.0
  /// The sum of all numbers in row order with rounding after each addition, as in SQLite's avg().
  private var plainSum = 0.0
  /// Whether several threads have read the numbers, so that their order is unknown.
  private var isMerged = false
  private var least: (integer: Int64, real: Double) = (.max, .infinity)
  private var greatest: (integer: Int64, real: Double) = (.min, -.infinity)
  /// The minimum and maximum finite real.
  private var finite: (least: Double, greatest: Double) = (.infinity, -.infinity)
  private(set) var ranks = LogHistogram()
  private(set) var histogram = NumberHistogram()
  private(set) var dates = DateHistogram()
  /// The unit of the numbers if they are dates, according to the first number; nil if they are not dates.
  private var unit: DateStorage?
  private var isUnitKnown = false
  private let hint: DateHint

  init(_ hint: DateHint) {
    self.hint = hint
  }

  var count: Int { integers + reals }

  @inline(__always)
  mutating func add(_ integer: Int64) {
    integers &+= 1
    integerSum &+= Int128(integer)
    if integer < least.integer { least.integer = integer }
    if integer > greatest.integer { greatest.integer = integer }
    let number = Double(integer)
    plainSum += number
    addPlace(number, isInteger: true)
  }

  @inline(__always)
  mutating func add(_ real: Double) {
    reals &+= 1
    let sum = realSum + real
    // Neumaier's summation: the part lost from the smaller operand is accumulated.
    lost += realSum.magnitude >= real.magnitude ? (realSum - sum) + real : (real - sum) + realSum
    realSum = sum
    plainSum += real
    if real < least.real { least.real = real }
    if real > greatest.real { greatest.real = real }
    guard real.isFinite else {
      infinities &+= 1
      ranks.add(real)
      return
    }
    if real < finite.least { finite.least = real }
    if real > finite.greatest { finite.greatest = real }
    addPlace(real, isInteger: false)
  }

  @inline(__always)
  private mutating func addPlace(_ number: Double, isInteger: Bool) {
    ranks.add(number)
    histogram.add(number, isInteger: isInteger)
    if !isUnitKnown { findUnit(number) }
    if let unit, let milliseconds = unit.milliseconds(of: number) { dates.add(milliseconds) }
  }

  private mutating func findUnit(_ number: Double) {
    isUnitKnown = true
    unit = hint.unit([.real(number)])
  }

  mutating func merge(_ other: NumberSummary) {
    isMerged = isMerged || other.isMerged || count > 0 && other.count > 0
    plainSum += other.plainSum
    integers += other.integers
    reals += other.reals
    infinities += other.infinities
    integerSum &+= other.integerSum
    let sum = realSum + other.realSum
    lost += other.lost + (realSum.magnitude >= other.realSum.magnitude ? (realSum - sum) + other.realSum : (other.realSum - sum) + realSum)
    realSum = sum
    least = (min(least.integer, other.least.integer), min(least.real, other.least.real))
    greatest = (max(greatest.integer, other.greatest.integer), max(greatest.real, other.greatest.real))
    finite = (min(finite.least, other.finite.least), max(finite.greatest, other.finite.greatest))
    ranks.merge(other.ranks)
    histogram.merge(other.histogram)
    dates.merge(other.dates)
    if !isUnitKnown { (unit, isUnitKnown) = (other.unit, other.isUnitKnown) }
  }

  /// The mean; nil if there are no numbers, or if they include infinities of both signs.
  var mean: Double? {
    guard count > 0 else { return nil }
    let mean = (isMerged ? compensatedSum : plainSum) / Double(count)
    return mean.isNaN ? nil : mean
  }

  /// The sum of all numbers, which hardly depends on the order in which they were read.
  private var compensatedSum: Double { Double(integerSum) + (realSum.isFinite ? realSum + lost : realSum) }

  /// The minimum integer.
  var leastInteger: Int64 { least.integer }

  /// Whether all numbers are integers, and their count equals the span from the minimum to the maximum.
  ///
  /// If they are unique, none is missing.
  var areConsecutive: Bool {
    count > 0 && reals == 0 && Int128(greatest.integer) - Int128(least.integer) + 1 == Int128(integers)
  }

  /// The minimum and maximum number; nil if there are none.
  var ends: (least: DatabaseValue, greatest: DatabaseValue)? {
    count == 0 ? nil : (lesser(least.integer, least.real), greater(greatest.integer, greatest.real))
  }

  /// The minimum and maximum finite number; nil if there are none.
  private var finiteEnds: (least: DatabaseValue, greatest: DatabaseValue)? {
    count == infinities ? nil : (lesser(least.integer, finite.least), greater(greatest.integer, finite.greatest))
  }

  private func lesser(_ integer: Int64, _ real: Double) -> DatabaseValue {
    integers > 0 && (reals == 0 || NumberKey.compare(integer, real) <= 0) ? .integer(integer) : .real(real)
  }

  private func greater(_ integer: Int64, _ real: Double) -> DatabaseValue {
    integers > 0 && (reals == 0 || NumberKey.compare(integer, real) >= 0) ? .integer(integer) : .real(real)
  }

  /// The storage format of dates, if the numbers are dates.
  var storage: DateStorage? {
    guard let unit, let ends = finiteEnds else { return nil }
    let middle = [count / 4, count / 2, count * 3 / 4].compactMap { rank in ranks.bounds(atRank: max(1, rank)) }
    let sample = middle.map { DatabaseValue.real($0.lowerBound) }.filter { $0.number?.isFinite == true }
    return hint.unit([ends.least] + sample + [ends.greatest]) == unit ? unit : nil
  }

  /// Returns at most `limit` ranges of numbers or dates.
  func bins(limit: Int) -> [ValueCount] {
    guard let ends = finiteEnds else { return [] }
    if ends.least.number == ends.greatest.number { return .bin(of: ends.least, count - infinities) }
    if let storage { return dates.bins(limit: limit, in: storage, separator: " ") }
    // Integer bounds are only for integers.
    let isWhole = reals == infinities
    let least = isWhole ? ends.least : .real(ends.least.number ?? 0)
    let greatest = isWhole ? ends.greatest : .real(ends.greatest.number ?? 0)
    return histogram.bins(from: least, to: greatest, limit: limit)
  }

  /// Returns an estimate of the number at a rank, from 1.
  func quartile(atRank rank: Int) -> Quartile? {
    guard let bounds = ranks.bounds(atRank: rank), let ends, let low = ends.least.number, let high = ends.greatest.number else {
      return nil
    }
    let (lower, upper) = (max(bounds.lowerBound, low), min(bounds.upperBound, high))
    if lower == upper { return Quartile(value(lower)) }
    // Integers up to 255 have one cell each.
    if reals == 0, lower.rounded(.up) == upper.rounded(.down) { return Quartile(value(lower.rounded(.up))) }
    let middle = reals == 0 ? (lower / 2 + upper / 2).rounded() : lower / 2 + upper / 2
    return Quartile(value(middle), error: max(upper - middle, middle - lower) / max(middle.magnitude, .leastNonzeroMagnitude))
  }

  private func value(_ number: Double) -> DatabaseValue {
    reals == 0 ? Int64(exactly: number).map { .integer($0) } ?? .real(number) : .real(number)
  }
}
