internal import QuarryEngine

/// Some distinct values in order, with their counts.
enum CountedEntries {
  case numbers([NumberCount])
  case texts([ByteCount])
  case blobs([ByteCount])
  case lines([ValueCount])

  var count: Int {
    switch self {
    case .numbers(let numbers): numbers.count
    case .texts(let values), .blobs(let values): values.count
    case .lines(let lines): lines.count
    }
  }

  @inline(__always)
  func count(at index: Int) -> Int {
    switch self {
    case .numbers(let numbers): numbers[index].count
    case .texts(let values), .blobs(let values): values[index].count
    case .lines(let lines): lines[index].count
    }
  }

  /// Calls `body` with the index and the count of each value.
  @inline(__always)
  func forEachCount(_ body: (_ index: Int, _ count: Int) -> Void) {
    switch self {
    case .numbers(let numbers): for index in numbers.indices { body(index, numbers[index].count) }
    case .texts(let values), .blobs(let values): for index in values.indices { body(index, values[index].count) }
    case .lines(let lines): for index in lines.indices { body(index, lines[index].count) }
    }
  }

  func line(at index: Int) -> ValueCount {
    switch self {
    case .numbers(let numbers): ValueCount(.value(numbers[index].value), numbers[index].count)
    case .texts(let values): ValueCount(CountedValue(text: values[index].bytes), values[index].count)
    case .blobs(let values): ValueCount(.value(.blob(Array(values[index].bytes))), values[index].count)
    case .lines(let lines): lines[index]
    }
  }
}

extension CountedValue {
  /// Creates a counted value from the bytes of a text.
  init(text bytes: UnsafeRawBufferPointer) {
    self = String(validating: bytes, as: UTF8.self).map { .value(.text($0)) } ?? .rawText(Array(bytes))
  }
}

/// Counted values of one kind in order, in parts that each fit in memory.
protocol CountedSegment: Sendable {
  /// The number of parts.
  var partCount: Int { get }
  /// Returns the values of a part, which are valid as long as the segment.
  func entries(ofPart index: Int) -> CountedEntries
  /// Releases memory that can be read again from a file; returned values remain valid.
  func release()
}

extension CountedSegment {
  /// The number of parts after which memory is released.
  static var partsBetweenReleases: Int { 32 }

  /// Releases memory from time to time while parts are read one after the other.
  func release(afterPart index: Int) {
    if index % Self.partsBetweenReleases == Self.partsBetweenReleases - 1 { release() }
  }
}

/// A few counted values.
struct LineSegment: CountedSegment {
  var lines: [ValueCount]
  var partCount: Int { lines.isEmpty ? 0 : 1 }
  func entries(ofPart index: Int) -> CountedEntries { .lines(lines) }
  func release() {}
}

/// The texts, or blobs, of several runs.
struct ByteSegment: CountedSegment {
  private let runs: [ByteRun]
  private let order: ByteOrder
  private let isText: Bool
  private let start: [UInt8]?
  private let end: [UInt8]?
  /// The beginnings of all parts except the first.
  private let bounds: [[UInt8]]

  /// The approximate number of values of a part.
  private static let partSize = 1 << 12
  /// The number of values for each sampled value in memory.
  static let sampleStride = partSize / 8

  /// Creates a segment of the values between two bounds; nil for no bound.
  init(_ runs: [ByteRun], isText: Bool, from start: [UInt8]? = nil, to end: [UInt8]? = nil) {
    (self.runs, self.isText, self.start, self.end) = (runs, isText, start, end)
    let order = runs.first?.order ?? .bytes
    self.order = order
    bounds = Self.bounds(runs, order).filter { bound in
      start.map { order.compare($0, bound) < 0 } ?? true && end.map { order.compare(bound, $0) < 0 } ?? true
    }
  }

  private static func bounds(_ runs: [ByteRun], _ order: ByteOrder) -> [[UInt8]] {
    guard runs.reduce(0, { $0 + $1.count }) > partSize else { return [] }
    let sorted = runs.flatMap(\.sample.elements).sorted { order.compare($0, $1) < 0 }
    var bounds: [[UInt8]] = []
    for index in Swift.stride(from: 8, to: sorted.count, by: 8) {
      if let last = bounds.last, order.compare(last, sorted[index]) == 0 { continue }
      bounds.append(sorted[index])
    }
    return bounds
  }

  func release() { for run in runs { run.release() } }

  var partCount: Int { runs.isEmpty ? 0 : bounds.count + 1 }

  func entries(ofPart index: Int) -> CountedEntries {
    var values: [ByteCount] = []
    for run in runs {
      let range = range(ofPart: index, in: run)
      values.reserveCapacity(values.count + range.count)
      for index in range { values.append(run.value(at: index)) }
    }
    let entries = runs.count == 1 ? values : order.sorted(values).joined(in: order)
    return isText ? .texts(entries) : .blobs(entries)
  }

  private func range(ofPart index: Int, in run: ByteRun) -> Range<Int> {
    let first = index > 0 ? run.lowerBound(of: bounds[index - 1]) : start.map { run.lowerBound(of: $0) } ?? 0
    let last = index < bounds.count ? run.lowerBound(of: bounds[index]) : end.map { run.lowerBound(of: $0) } ?? run.count
    return first..<max(first, last)
  }

  /// Counts the rows with values between two bounds; nil for no bound.
  func count(from start: [UInt8]?, to end: [UInt8]?) -> Int {
    runs.reduce(0) { sum, run in
      let first = start.map { run.lowerBound(of: $0) } ?? 0
      return sum + run.total(of: first..<max(first, end.map { run.lowerBound(of: $0) } ?? run.count))
    }
  }
}

extension ByteRun {
  fileprivate func lowerBound(of bytes: [UInt8]) -> Int { bytes.withUnsafeBytes { lowerBound(of: $0) } }
}
