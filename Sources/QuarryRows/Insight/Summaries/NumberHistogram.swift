internal import QuarryEngine

/// A histogram with cells of one rounded width, which grows with the range of the numbers, so that ranges of whole cells are exact.
struct NumberHistogram: Sendable {
  /// The level of the width: even for powers of ten, odd for five times a power of ten; each width is a multiple of smaller ones.
  private var level = 0
  /// The index of the first cell, counted in widths from 0.
  private var base = 0
  private var cells: [Int] = []
  /// The indexes of the first and the last cell with a count.
  private var used: ClosedRange<Int>?
  private var inverse = 1.0

  private static let size = 1024

  private var step: DecimalStep { DecimalStep(digits: level & 1 == 0 ? 1 : 5, exponent: level >> 1) }

  /// Counts a finite number.
  @inline(__always)
  mutating func add(_ number: Double, isInteger: Bool) {
    if cells.isEmpty { begin(number, isInteger: isInteger) }
    let place = number * inverse
    guard place.magnitude < 0x1p40 else { return addExactly(number, 1) }
    var index = Int(place)
    if Double(index) > place { index &-= 1 }
    let rest = place - Double(index)
    // Near a bound, rounding may put the product on the wrong side.
    guard rest > 1e-3, rest < 1 - 1e-3 else { return addExactly(number, 1) }
    add(index, 1)
  }

  @inline(__always)
  private mutating func add(_ index: Int, _ count: Int) {
    let place = index &- base
    guard let used, used.contains(index), place >= 0, place < Self.size else { return extend(to: index, count) }
    cells.withUnsafeMutableBufferPointer { $0[place] &+= count }
  }

  private mutating func addExactly(_ number: Double, _ count: Int) {
    while (number / step.width).magnitude > 0x1p50 { widen() }
    add(Int(step.index(of: number)), count)
  }

  private mutating func begin(_ number: Double, isInteger: Bool) {
    cells = Array(repeating: 0, count: Self.size)
    let magnitude = number == 0 ? 0 : DecimalStep.exponent(of: number)
    set(level: isInteger ? -4 : 2 * (magnitude - 12))
  }

  private mutating func set(level: Int) {
    self.level = level
    inverse = 1 / step.width
  }

  /// Makes space for a cell, by shifting or widening the cells.
  private mutating func extend(to index: Int, _ count: Int) {
    var index = index
    while true {
      let range = used.map { min($0.lowerBound, index)...max($0.upperBound, index) } ?? index...index
      guard range.upperBound - range.lowerBound >= Self.size else {
        if range.lowerBound < base || range.upperBound >= base + Self.size { shift(to: range) }
        used = range
        cells[index - base] += count
        return
      }
      index = CalendarStep.floor(index, widen())
    }
  }

  private mutating func shift(to range: ClosedRange<Int>) {
    let old = (base: base, cells: cells)
    base = range.lowerBound - (Self.size - (range.upperBound - range.lowerBound + 1)) / 2
    cells = Array(repeating: 0, count: Self.size)
    guard let used else { return }
    for index in used { cells[index - base] = old.cells[index - old.base] }
  }

  /// Combines cells into wider ones; returns the number of cells combined into one.
  @discardableResult
  private mutating func widen() -> Int {
    let factor = level & 1 == 0 ? 5 : 2
    set(level: level + 1)
    guard let used else { return factor }
    let range = CalendarStep.floor(used.lowerBound, factor)...CalendarStep.floor(used.upperBound, factor)
    let old = (base: base, cells: cells)
    base = range.lowerBound - (Self.size - (range.upperBound - range.lowerBound + 1)) / 2
    cells = Array(repeating: 0, count: Self.size)
    for index in used { cells[CalendarStep.floor(index, factor) - base] += old.cells[index - old.base] }
    self.used = range
    return factor
  }

  /// Adds the counts of another histogram.
  mutating func merge(_ other: NumberHistogram) {
    guard let range = other.used else { return }
    guard used != nil else {
      self = other
      return
    }
    var other = other
    while level < other.level { widen() }
    while other.level < level { other.widen() }
    for index in other.used ?? range where other.cells[index - other.base] > 0 {
      // Both widen together.
      let levelBefore = level
      var place = index
      for level in other.level..<levelBefore { place = CalendarStep.floor(place, level & 1 == 0 ? 5 : 2) }
      add(place, other.cells[index - other.base])
    }
  }

  /// Returns at most `limit` ranges with rounded bounds.
  func bins(from least: DatabaseValue, to greatest: DatabaseValue, limit: Int) -> [ValueCount] {
    guard let used, var step = NumberRanges.step(from: least, to: greatest, limit: limit) else { return [] }
    // A step of a few cells may not consist of whole ones.
    while !step.isMultiple(of: self.step) { step = step.next }
    let bounds = NumberRanges.bounds(from: least, to: greatest, step: step, limit: limit)
    guard bounds.count > 1, let first = bounds[0].number else { return [] }
    let size = Int((step.width / self.step.width).rounded())
    let start = Int(step.nearestIndex(of: first))
    var counts = [Int](repeating: 0, count: bounds.count - 1)
    for index in used where cells[index - base] > 0 {
      counts[min(max(CalendarStep.floor(index, size) - start, 0), counts.count - 1)] += cells[index - base]
    }
    var next = -1
    return .bins(bounds, greatest: greatest) { _, _ in
      next += 1
      return counts[next]
    }
  }
}

/// A histogram of dates with cells of an hour or a day.
struct DateHistogram: Sendable {
  private var width = 3_600_000
  private var base = 0
  private var cells: [Int] = []

  /// The maximum number of one-hour cells.
  private static let hourLimit = 4096

  /// The beginnings of the first and the last cell with a count, in milliseconds since 1970; nil if there are none.
  private var ends: (first: Int, last: Int)? {
    guard let first = cells.firstIndex(where: { $0 > 0 }), let last = cells.lastIndex(where: { $0 > 0 }) else { return nil }
    return ((base + first) * width, (base + last) * width)
  }

  /// Counts a date in milliseconds since 1970.
  @inline(__always)
  mutating func add(_ milliseconds: Int) {
    let index = CalendarStep.floor(milliseconds, width) - base
    if cells.indices.contains(index) {
      cells.withUnsafeMutableBufferPointer { $0[index] &+= 1 }
    } else {
      extend(milliseconds, 1)
    }
  }

  private mutating func extend(_ milliseconds: Int, _ count: Int) {
    var index = CalendarStep.floor(milliseconds, width)
    if cells.isEmpty { (base, cells) = (index, [0]) }
    if width < CivilTime.day, max(index, base + cells.count) - min(index, base) > Self.hourLimit {
      widen()
      index = CalendarStep.floor(milliseconds, width)
    }
    if index < base {
      let room = max(base - index, min(cells.count, 4096))
      cells = Array(repeating: 0, count: room) + cells
      base -= room
    } else if index >= base + cells.count {
      cells += Array(repeating: 0, count: max(index - base - cells.count + 1, min(cells.count, 4096)))
    }
    cells[index - base] += count
  }

  private mutating func widen() {
    let old = (base: base, cells: cells)
    width = CivilTime.day
    base = CalendarStep.floor(old.base, 24)
    cells = Array(repeating: 0, count: CalendarStep.floor(old.base + old.cells.count - 1, 24) - base + 1)
    for (index, count) in old.cells.enumerated() { cells[CalendarStep.floor(old.base + index, 24) - base] += count }
  }

  mutating func merge(_ other: DateHistogram) {
    if other.width > width { widen() }
    for (index, count) in other.cells.enumerated() where count > 0 { extend((other.base + index) * other.width, count) }
  }

  /// Returns at most `limit` calendar ranges.
  func bins(limit: Int, in storage: DateStorage, separator: Character) -> [ValueCount] {
    guard let ends else { return [] }
    let times = DateRanges.times(from: ends.first, to: ends.last + width - 1, limit: limit)
    let bounds = DateRanges.bounds(from: ends.first, to: ends.last + width - 1, limit: limit, in: storage, separator: separator)
    var next = -1
    return .bins(bounds) { _, _ in
      next += 1
      return count(from: times[next], to: times[next + 1])
    }
  }

  private func count(from start: Int, to end: Int) -> Int {
    let range = (start / width - base..<max(start, end) / width - base).clamped(to: cells.indices)
    return cells[range].reduce(0, +)
  }
}
