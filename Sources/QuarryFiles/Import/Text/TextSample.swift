/// The beginning of a text, by which its kind and its dialect are found; it depends on the text alone, not on how
/// its bytes come, but for a pipe that falls silent.
final class TextSample {
  /// How many bytes are looked at, and how many lines if they are shorter.
  static let (length, lineCount) = (1 << 16, 32)

  let batch = RecordBatch(byteCapacity: length)
  private let window: TextWindow
  /// The most bytes that are looked at.
  private var limit = length
  /// How many bytes have been searched for ends of lines, and how many were found.
  private var searched = (bytes: 0, lineEnds: 0)

  /// How long more lines of a pipe are waited for where one is there: who writes it may be in no hurry.
  private static let patience = Duration.milliseconds(200)

  init(_ window: TextWindow) {
    self.window = window
  }

  /// The number of bytes that are looked at.
  private(set) var count = 0
  /// Whether they are the whole text.
  var isLast: Bool { window.isAtEnd && count == window.count }
  var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: batch.bytes, count: count) }

  /// Reads the first lines, or those that a pipe has before it falls silent.
  ///
  /// - Throws: As ``TextWindow/readOn(_:unfinishedFrom:line:)``; what was read before can be looked at.
  func readBeginning() throws {
    defer { count = endOfLines() ?? min(window.count, limit) }
    while !window.isAtEnd, window.count < limit, endOfLines() == nil {
      if searched.lineEnds > 0, !window.text.source.hasMore(within: Self.patience) { return }
      try window.readOn(batch, unfinishedFrom: 0, line: 1)
    }
  }

  /// Takes more of the text to look at: 64 KiB if it was less, else twice as much.
  ///
  /// - Returns: Whether there was more.
  /// - Throws: As ``TextWindow/readOn(_:unfinishedFrom:line:)``
  func readMore() throws -> Bool {
    if isLast { return false }
    if count >= limit { limit *= 2 }
    while !window.isAtEnd, window.count < limit { try window.readOn(batch, unfinishedFrom: 0, line: 1) }
    count = min(window.count, limit)
    return true
  }

  /// Calls `body`, which overwrites the two bytes after those that are looked at.
  func withTerminator<Value>(_ body: () -> Value) -> Value {
    let end = batch.bytes + count
    let kept = (end[0], end[1])
    defer { (end[0], end[1]) = kept }
    return body()
  }

  /// Returns where the last of the lines ends that are looked at; nil where it does not end yet.
  private func endOfLines() -> Int? {
    while searched.bytes < min(window.count, limit), searched.lineEnds < Self.lineCount {
      if batch.bytes[searched.bytes] == 0x0A { searched.lineEnds += 1 }
      searched.bytes += 1
    }
    return searched.lineEnds == Self.lineCount ? searched.bytes : nil
  }
}
