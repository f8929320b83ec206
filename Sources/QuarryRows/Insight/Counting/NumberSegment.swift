internal import QuarryEngine

/// The numbers of several runs.
struct NumberSegment: CountedSegment {
  private let integers: [NumberRun]
  private let reals: [NumberRun]
  /// The beginnings of all parts except the first.
  private let bounds: [NumberBound]

  /// The approximate number of keys of a part.
  private static let partSize = 1 << 14
  /// The number of keys for each sampled key in memory.
  static let sampleStride = partSize / 8

  init(integers: [NumberRun], reals: [NumberRun]) {
    (self.integers, self.reals) = (integers, reals)
    let (integerCount, realCount) = (Self.size(integers), Self.size(reals))
    // The more frequent storage class determines the beginnings of the parts.
    bounds =
      integerCount >= realCount
      ? Self.bounds(integers, integerCount + realCount).map { NumberBound(NumberKey.integer(of: $0)) }
      : Self.bounds(reals, integerCount + realCount).map { NumberBound(NumberKey.real(of: $0)) }
  }

  private static func size(_ runs: [NumberRun]) -> Int { runs.reduce(0) { $0 + $1.keys.count } }

  private static func bounds(_ runs: [NumberRun], _ total: Int) -> [UInt64] {
    guard total > partSize else { return [] }
    let sample = runs.flatMap(\.sample.elements).sorted()
    var bounds: [UInt64] = []
    for index in Swift.stride(from: 8, to: sample.count, by: 8) where bounds.last != sample[index] { bounds.append(sample[index]) }
    return bounds
  }

  var partCount: Int { integers.isEmpty && reals.isEmpty ? 0 : bounds.count + 1 }

  func release() { for run in integers + reals { run.release() } }

  func entries(ofPart index: Int) -> CountedEntries {
    let slices = slices(ofPart: index)
    return .numbers(.merging(counts(slices.integers, isReal: false), counts(slices.reals, isReal: true)))
  }

  /// The number of distinct numbers of a part, and the number of their occurrences.
  struct PartSize: Hashable, Sendable {
    var distinct = 0
    var total = 0
  }

  /// Returns the size of a part, which needs less memory than its entries if all numbers have one storage class.
  func size(ofPart index: Int) -> PartSize {
    let slices = slices(ofPart: index)
    let total = (slices.integers + slices.reals).reduce(0) { $0 + $1.run.count(of: $1.range) }
    guard !slices.integers.isEmpty, !slices.reals.isEmpty else {
      return PartSize(distinct: Self.countDistinct(slices.integers + slices.reals), total: total)
    }
    return PartSize(distinct: entries(ofPart: index).count, total: total)
  }

  private static func countDistinct(_ slices: [Slice]) -> Int {
    withKeys(of: slices) { NumberRun.countDistinct($0) }
  }

  /// Calls `body` with the keys of slices in order.
  private static func withKeys<Result>(of slices: [Slice], _ body: (UnsafeBufferPointer<UInt64>) -> Result) -> Result {
    if slices.count == 1 { return body(UnsafeBufferPointer(rebasing: slices[0].run.keys[slices[0].range])) }
    let count = slices.reduce(0) { $0 + $1.range.count }
    let keys = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: count)
    let room = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: count)
    defer {
      keys.deallocate()
      room.deallocate()
    }
    var bounds = [0]
    for (run, range) in slices {
      let start = bounds[bounds.count - 1]
      let part = UnsafeMutableBufferPointer(rebasing: keys[start..<start + range.count])
      bounds.append(start + part.initialize(fromContentsOf: UnsafeBufferPointer(rebasing: run.keys[range])))
    }
    if slices.count <= KeySorting.mergeLimit { return body(UnsafeBufferPointer(KeySorting.merge(keys, room, bounds))) }
    KeySorting.sort(keys, room)
    return body(UnsafeBufferPointer(keys))
  }

  /// Returns the distinct keys of sorted keys, with their counts.
  private static func runLengths(_ keys: UnsafeBufferPointer<UInt64>, isReal: Bool) -> [NumberCount] {
    [NumberCount](unsafeUninitializedCapacity: keys.count) { result, count in
      var start = 0
      for index in keys.indices where index + 1 == keys.count || keys[index + 1] != keys[index] {
        result.initializeElement(at: count, to: NumberCount(key: keys[index], isReal: isReal, count: index + 1 - start))
        count += 1
        start = index + 1
      }
    }
  }

  private typealias Slice = (run: NumberRun, range: Range<Int>)

  private func slices(ofPart index: Int) -> (integers: [Slice], reals: [Slice]) {
    let start = index > 0 ? bounds[index - 1] : nil
    let end = index < bounds.count ? bounds[index] : nil
    func slices(_ runs: [NumberRun], _ key: (NumberBound) -> UInt64?) -> [Slice] {
      runs.map { run in
        (run, run.range(start.flatMap(key), end.flatMap(key), hasStart: start != nil, hasEnd: end != nil))
      }.filter { !$0.range.isEmpty }
    }
    return (slices(integers, \.integer), slices(reals, \.real))
  }

  /// The minimum and maximum number; nil if there are none.
  var ends: (least: DatabaseValue, greatest: DatabaseValue)? {
    guard partCount > 0 else { return nil }
    let (first, last) = (entries(ofPart: 0), entries(ofPart: partCount - 1))
    guard let least = first.line(at: 0).value.value, let greatest = last.line(at: last.count - 1).value.value else { return nil }
    return (least, greatest)
  }

  /// Counts the numbers between two bounds; nil for no bound.
  func count(from start: NumberBound?, to end: NumberBound?) -> Int {
    defer { release() }
    let integers = integers.reduce(0) { sum, run in
      sum + run.count(of: run.range(start?.integer, end?.integer, hasStart: start != nil, hasEnd: end != nil))
    }
    return reals.reduce(integers) { sum, run in
      sum + run.count(of: run.range(start?.real, end?.real, hasStart: start != nil, hasEnd: end != nil))
    }
  }

  private func counts(_ slices: [Slice], isReal: Bool) -> [NumberCount] {
    let total = slices.reduce(0) { $0 + $1.range.count }
    guard total > 0 else { return [] }
    if slices.allSatisfy(\.run.counts.isEmpty) { return Self.withKeys(of: slices) { Self.runLengths($0, isReal: isReal) } }
    let counts = UnsafeMutableBufferPointer<NumberCount>.allocate(capacity: total)
    let room = UnsafeMutableBufferPointer<NumberCount>.allocate(capacity: slices.count > 1 ? total : 0)
    defer {
      counts.deallocate()
      room.deallocate()
    }
    var next = 0
    for (run, range) in slices {
      for index in range {
        counts[next] = NumberCount(key: run.keys[index], isReal: isReal, count: run.counts.isEmpty ? 1 : Int(run.counts[index]))
        next += 1
      }
    }
    if slices.count > 1 { KeySorting.sort(counts, room) { $0.key } }
    return Self.joined(counts)
  }

  /// Returns sorted counts with equal keys combined.
  private static func joined(_ counts: UnsafeMutableBufferPointer<NumberCount>) -> [NumberCount] {
    [NumberCount](unsafeUninitializedCapacity: counts.count) { result, count in
      for entry in counts {
        if count > 0, result[count - 1].key == entry.key {
          result[count - 1].count += entry.count
        } else {
          result.initializeElement(at: count, to: entry)
          count += 1
        }
      }
    }
  }
}

extension NumberRun {
  /// Returns the indexes of the keys from one key to before another; a nil key is beyond all keys if that bound exists.
  fileprivate func range(_ start: UInt64?, _ end: UInt64?, hasStart: Bool, hasEnd: Bool) -> Range<Int> {
    let first = hasStart ? lowerBound(of: start) : 0
    return first..<max(first, hasEnd ? lowerBound(of: end) : keys.count)
  }
}
