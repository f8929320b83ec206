internal import QuarryEngine

/// The bytes of a text or blob in a run's memory, with their count.
struct ByteCount: BitwiseCopyable {
  var start: UnsafeRawPointer
  var length: Int
  var count: Int

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: length) }
}

/// Distinct texts, or blobs, in order, with their counts.
final class ByteRun: @unchecked Sendable {
  // Sendable because it never changes.
  /// The beginning of each value among the bytes, and the end of the last.
  private let starts: UnsafeBufferPointer<Int>
  private let counts: UnsafeBufferPointer<Int>
  private let bytes: UnsafeRawPointer
  /// The number of counted rows.
  let total: Int
  /// A sample of the values, by which a position is found without reading the values in a file.
  let sample: RunSample<[UInt8]>
  private let memory: RunMemory
  /// The order of the values.
  let order: ByteOrder

  /// Creates a run from sorted values.
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

  /// Returns a value, valid as long as the run.
  func value(at index: Int) -> ByteCount {
    let start = starts[index]
    return ByteCount(start: bytes + start, length: starts[index + 1] - start, count: counts[index])
  }

  /// Returns the index of the first value that does not precede some bytes; the end index for nil.
  func lowerBound(of bytes: UnsafeRawBufferPointer?) -> Int {
    guard let bytes else { return count }
    return sample.lowerBound {
      $0.withUnsafeBytes { order.compare($0, bytes) < 0 }
    } precedes: {
      order.compare(value(at: $0).bytes, bytes) < 0
    }
  }

  /// Returns the number of counted rows for the values with these indexes.
  func total(of range: Range<Int>) -> Int {
    defer { release() }
    return range.count == count ? total : counts[range].reduce(0, +)
  }

  /// Releases memory that can be read again from a file.
  func release() { memory.release() }
}
