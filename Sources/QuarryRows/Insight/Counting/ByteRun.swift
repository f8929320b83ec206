internal import QuarryEngine

/// The bytes of a text or blob where a run keeps them, and how often they were counted.
struct ByteCount: BitwiseCopyable {
  var start: UnsafeRawPointer
  var length: Int
  var count: Int

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: length) }
}

/// Different texts, or blobs, in their order, each with how often it was counted.
final class ByteRun: @unchecked Sendable {
  // Sendable because it is never changed.
  /// Where each value begins among the bytes, and where the last ends.
  private let starts: UnsafeBufferPointer<Int>
  private let counts: UnsafeBufferPointer<Int>
  private let bytes: UnsafeRawPointer
  /// How many rows were counted.
  let total: Int
  /// Some of the values, by which a place is found without a look at those that are in a file.
  let sample: RunSample<[UInt8]>
  private let memory: RunMemory
  /// The order that the values are in.
  let order: ByteOrder

  /// Makes a run of values in their order.
  init(_ values: [ByteCount], in order: ByteOrder = .bytes, _ store: RunStore) throws {
    self.order = order
    var starts: [Int] = [0]
    starts.reserveCapacity(values.count + 1)
    for value in values { starts.append(starts[starts.count - 1] + value.length) }
    let size = starts[values.count]
    let text = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, size), alignment: 16)
    defer { text.deallocate() }
    for (value, start) in zip(values, starts) where value.length > 0 {
      UnsafeMutableRawBufferPointer(rebasing: text[start...]).copyMemory(from: value.bytes)
    }
    memory = try starts.withUnsafeBytes { starts in
      try values.map(\.count).withUnsafeBytes { try store.keep([starts, $0, UnsafeRawBufferPointer(rebasing: text[..<size])]) }
    }
    let word = MemoryLayout<Int>.stride
    let (first, second) = ((values.count + 1) * word, (2 * values.count + 1) * word)
    self.starts = UnsafeRawBufferPointer(rebasing: memory.bytes[..<first]).bindMemory(to: Int.self)
    counts = UnsafeRawBufferPointer(rebasing: memory.bytes[first..<second]).bindMemory(to: Int.self)
    guard let base = memory.bytes.baseAddress else { throw DatabaseError(DatabaseError.SQLITE_NOMEM) }
    bytes = base + second
    total = values.reduce(0) { $0 + $1.count }
    sample = RunSample(of: values.count, stride: ByteSegment.sampleStride) { Array(values[$0].bytes) }
  }

  /// The number of values.
  var count: Int { counts.count }

  /// Returns a value; it is good as long as the run.
  func value(at index: Int) -> ByteCount {
    let start = starts[index]
    return ByteCount(start: bytes + start, length: starts[index + 1] - start, count: counts[index])
  }

  /// Returns the index of the first value that does not come before some bytes; that of the end for nil.
  func lowerBound(of bytes: UnsafeRawBufferPointer?) -> Int {
    guard let bytes else { return count }
    return sample.lowerBound {
      $0.withUnsafeBytes { order.compare($0, bytes) < 0 }
    } precedes: {
      order.compare(value(at: $0).bytes, bytes) < 0
    }
  }

  /// Returns how many rows were counted of the values with these indexes.
  func total(of range: Range<Int>) -> Int {
    defer { release() }
    return range.count == count ? total : counts[range].reduce(0, +)
  }

  /// Gives back memory that can be read again from a file.
  func release() { memory.release() }
}
