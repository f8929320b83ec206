internal import QuarryEngine
internal import Synchronization

/// The lines of a count, in any number.
///
/// For each part, only the number of its lines with each count is stored. A part is built when one of its lines is requested.
final class CountedParts: CountedValues {
  private let segments: [any CountedSegment]
  private let parts: [Part]
  /// The number of lines before each part.
  private let starts: [Int]
  /// The counts that occur, the highest first, and the number of lines with each.
  private let classes: [CountClass]
  private let top: [ValueCount]
  let count: Int

  /// The stored data of a part.
  struct Part: Sendable {
    var place: PartPlace
    var lines = 0
    var classes: [CountClass] = []
  }

  fileprivate init(_ segments: [any CountedSegment], _ parts: [Part], _ top: TopLines) {
    self.segments = segments
    self.parts = parts.filter { $0.lines > 0 }
    var count = 0
    var lines: [Int: Int] = [:]
    starts = self.parts.map { part in
      for known in part.classes { lines[known.count, default: 0] += known.lines }
      defer { count += part.lines }
      return count
    }
    self.count = count
    classes = lines.map { CountClass(count: $0.key, lines: $0.value) }.sorted { $0.count > $1.count }
    self.top = top.lines
  }

  func list(_ order: CountOrder, _ range: Range<Int>) -> [ValueCount] {
    defer { for segment in segments { segment.release() } }
    switch order {
    case .ascending: return lines(range)
    case .descending: return lines(count - range.upperBound..<count - range.lowerBound).reversed()
    case .mostFrequentFirst: return range.upperBound <= top.count ? Array(top[range]) : lines(range, of: classes)
    case .leastFrequentFirst: return lines(range, of: classes.reversed())
    }
  }

  /// Returns lines by their positions in the order of values.
  private func lines(_ range: Range<Int>) -> [ValueCount] {
    var lines: [ValueCount] = []
    var index = partIndex(ofLine: range.lowerBound)
    while index < parts.count, starts[index] < range.upperBound {
      let entries = entries(of: parts[index])
      let start = starts[index]
      for line in range.clamped(to: start..<start + parts[index].lines) { lines.append(entries.line(at: line - start)) }
      index += 1
    }
    return lines
  }

  /// Returns the index of the part that contains a line.
  private func partIndex(ofLine line: Int) -> Int {
    starts.indices.partitionIndex { starts[$0] + parts[$0].lines > line }
  }

  /// Returns lines by their positions in the order of counts.
  private func lines(_ range: Range<Int>, of classes: [CountClass]) -> [ValueCount] {
    var lines: [ValueCount] = []
    var start = 0
    for known in classes where start < range.upperBound {
      let wanted = range.clamped(to: start..<start + known.lines)
      if !wanted.isEmpty { lines += self.lines(wanted.lowerBound - start..<wanted.upperBound - start, counted: known.count) }
      start += known.lines
    }
    return lines
  }

  /// Returns lines with one count, by their positions among these lines.
  private func lines(_ range: Range<Int>, counted count: Int) -> [ValueCount] {
    var lines: [ValueCount] = []
    var passed = 0
    for part in parts where passed < range.upperBound {
      guard let known = part.classes.first(where: { $0.count == count }) else { continue }
      defer { passed += known.lines }
      guard passed + known.lines > range.lowerBound else { continue }
      let entries = entries(of: part)
      var place = passed
      for index in 0..<entries.count where entries.count(at: index) == count {
        if range.contains(place) { lines.append(entries.line(at: index)) }
        place += 1
      }
    }
    return lines
  }

  private func entries(of part: Part) -> CountedEntries { segments[part.place.segment].entries(ofPart: part.place.part) }
}

/// A count, and the number of lines with it.
struct CountClass: Hashable, Sendable {
  var count: Int
  var lines: Int

  /// Returns the counts that occur, in no order.
  static func classes(of entries: CountedEntries) -> [CountClass] {
    var (small, large) = (Array(repeating: 0, count: tableSize), [Int: Int]())
    entries.forEachCount { _, count in
      if count < tableSize { small[count] &+= 1 } else { large[count, default: 0] += 1 }
    }
    return small.indices.filter { small[$0] > 0 }.map { CountClass(count: $0, lines: small[$0]) }
      + large.map { CountClass(count: $0.key, lines: $0.value) }
  }

  /// The number of counts, from 0, that are counted in a table.
  private static let tableSize = 64
}

/// The position of a part in a segment.
struct PartPlace: Hashable, Sendable, Comparable {
  var segment: Int
  var part: Int

  static func < (first: PartPlace, second: PartPlace) -> Bool { (first.segment, first.part) < (second.segment, second.part) }
}

/// The most frequent of the lines offered to it.
struct TopLines: Sendable {
  private struct Line: Sendable {
    var line: ValueCount
    var place: PartPlace
    var index: Int

    func precedes(_ other: Line) -> Bool {
      if line.count != other.line.count { return line.count > other.line.count }
      return place != other.place ? place < other.place : index < other.index
    }
  }

  /// The maximum number of lines.
  private static let limit = 512
  private var candidates: [Line] = []
  /// The last of the selected lines, once there are enough.
  private var last: Line?

  /// Offers the values of a part.
  mutating func offer(_ entries: CountedEntries, at place: PartPlace) {
    entries.forEachCount { index, count in
      if canTake(count, at: place) { offer(Line(line: entries.line(at: index), place: place, index: index)) }
    }
  }

  /// Returns whether a line of a part may be among the most frequent.
  @inline(__always)
  func canTake(_ count: Int, at place: PartPlace) -> Bool {
    guard let last else { return true }
    return count > last.line.count || count == last.line.count && place <= last.place
  }

  mutating func join(_ other: TopLines) {
    for line in other.candidates { offer(line) }
  }

  private mutating func offer(_ line: Line) {
    if let last, !line.precedes(last) { return }
    candidates.append(line)
    guard candidates.count == 2 * Self.limit else { return }
    candidates = kept
    last = candidates.last
  }

  private var kept: [Line] { Array(candidates.sorted { $0.precedes($1) }.prefix(Self.limit)) }

  /// The lines, the most frequent first.
  var lines: [ValueCount] { kept.map(\.line) }
}

/// A scan that counts the lines of parts, on several threads.
final class PartCounting: ParallelScan {
  private let segments: [any CountedSegment]
  private let places: [PartPlace]
  private let state: Mutex<State>
  let isLarge: Bool

  private struct State: Sendable {
    var next = 0
    var parts: [CountedParts.Part]
    var top = TopLines()
  }

  init(_ segments: [any CountedSegment]) {
    self.segments = segments
    let places = segments.enumerated().flatMap { segment, parts in
      (0..<parts.partCount).map { PartPlace(segment: segment, part: $0) }
    }
    self.places = places
    state = Mutex(State(parts: places.map { CountedParts.Part(place: $0) }))
    isLarge = places.count > 4
  }

  func work(in database: Database) throws {
    try work { try database.cancellation?.check() }
  }

  /// Processes parts until none is left.
  func work(_ check: () throws -> Void) throws {
    var top = TopLines()
    while let index = next() {
      try check()
      let place = places[index]
      let entries = segments[place.segment].entries(ofPart: place.part)
      let part = CountedParts.Part(place: place, lines: entries.count, classes: CountClass.classes(of: entries))
      if let greatest = part.classes.map(\.count).max(), top.canTake(greatest, at: place) { top.offer(entries, at: place) }
      state.withLock { $0.parts[index] = part }
      segments[place.segment].release(afterPart: place.part)
    }
    state.withLock { $0.top.join(top) }
  }

  private func next() -> Int? {
    state.withLock { state in
      guard state.next < places.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  func stop() {
    state.withLock { $0.next = places.count }
  }

  /// Returns the lines, after all parts have been counted.
  func finish() -> CountedParts {
    state.withLock { CountedParts(segments, $0.parts, $0.top) }
  }
}
