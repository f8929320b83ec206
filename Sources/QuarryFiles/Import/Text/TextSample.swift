/// The beginning of a text for detecting its format and dialect.
///
/// It depends only on the text, not on the sizes of reads, except for a pipe that pauses.
final class TextSample {
  /// The size of the sample in bytes, and in lines if these are shorter.
  static let (length, lineCount) = (1 << 16, 32)

  let batch = RecordBatch(byteCapacity: length)
  private let window: TextWindow
  /// The current maximum number of bytes.
  private var limit = length
  /// The number of bytes searched for line ends, and the number of line ends found.
  private var searched = (bytes: 0, lineEnds: 0)

  /// The time to wait for more lines of a pipe after the first one, because its writer may be slow.
  private static let patience = Duration.milliseconds(200)

  init(_ window: TextWindow) {
    self.window = window
  }

  /// The number of bytes in the sample.
  private(set) var count = 0
  /// Whether the sample is the whole text.
  var isLast: Bool { window.isAtEnd && count == window.count }
  var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: batch.bytes, count: count) }

  /// Reads the first lines, or the lines available before a pipe pauses.
  ///
  /// - Throws: The errors of ``TextWindow/readOn(_:unfinishedFrom:line:)``. The bytes read before are still in the sample.
  func readBeginning() throws {
    defer { count = endOfLines() ?? min(window.count, limit) }
    while !window.isAtEnd, window.count < limit, endOfLines() == nil {
      if searched.lineEnds > 0, !window.text.source.hasMore(within: Self.patience) { return }
      try window.readOn(batch, unfinishedFrom: 0, line: 1)
    }
  }

  /// Extends the sample: to 64 KiB if it was shorter, or else to twice its size.
  ///
  /// - Returns: Whether there were more bytes.
  /// - Throws: The errors of ``TextWindow/readOn(_:unfinishedFrom:line:)``.
  func readMore() throws -> Bool {
    if isLast { return false }
    if count >= limit { limit *= 2 }
    while !window.isAtEnd, window.count < limit { try window.readOn(batch, unfinishedFrom: 0, line: 1) }
    count = min(window.count, limit)
    return true
  }

  /// Calls `body`, which overwrites the two bytes after the sample, and restores them.
  func withTerminator<Value>(_ body: () -> Value) -> Value {
    let end = batch.bytes + count
    let kept = (end[0], end[1])
    defer { (end[0], end[1]) = kept }
    return body()
  }

  /// Returns the end of the last line of the sample, or nil if it has not been read yet.
  private func endOfLines() -> Int? {
    while searched.bytes < min(window.count, limit), searched.lineEnds < Self.lineCount {
      if batch.bytes[searched.bytes] == 0x0A { searched.lineEnds += 1 }
      searched.bytes += 1
    }
    return searched.lineEnds == Self.lineCount ? searched.bytes : nil
  }
}
