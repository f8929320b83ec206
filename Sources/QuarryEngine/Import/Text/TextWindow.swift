#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The part of a text that lies in a batch, and what has been read beyond it.
///
/// A reader lets the text flow through its batches: what a batch has no whole record of is kept for the next one.
final class TextWindow {
  /// The most bytes that a record may have: SQLite takes no longer row (`SQLITE_MAX_LENGTH`).
  static let longestRecord = 1_000_000_000

  let text: TextSource
  private let recordLimit: Int
  /// How many bytes of text lie in the batch.
  private(set) var count = 0
  /// Whether nothing follows them.
  private(set) var isAtEnd = false
  private var kept: [UInt8] = []

  /// The path of the file as it was given.
  var path: String { text.source.path }

  /// Makes a window on a text.
  ///
  /// - Parameter recordLimit: the most bytes that a record may have before it is refused.
  init(_ text: TextSource, recordLimit: Int = longestRecord) {
    (self.text, self.recordLimit) = (text, recordLimit)
  }

  /// Puts what is left of the batch before into a batch.
  func begin(_ batch: RecordBatch) throws(FileReadError) {
    count = 0
    batch.shrinkBytes()
    try grow(batch, to: kept.count)
    _ = UnsafeMutableBufferPointer(start: batch.bytes, count: kept.count).update(fromContentsOf: kept)
    count = kept.count
  }

  /// Reads on, so that the record may become whole that begins at `position`, on line `line`.
  ///
  /// As much as there is of it already is read at least, for a record of many megabytes is looked at from its beginning each time.
  ///
  /// - Throws: ``FileReadError``, `CancellationError`
  func readOn(_ batch: RecordBatch, unfinishedFrom position: Int, line: Int) throws {
    let unfinished = count - position
    guard unfinished <= recordLimit else { throw FileReadError(kind: .tooLong(line: line), path: path) }
    var wanted = unfinished < 1 << 16 ? 1 : unfinished
    repeat {
      if batch.byteRoom - count < max(16, min(wanted, 1 << 16)) { try grow(batch, to: count + max(count, wanted, 64)) }
      let read = try read(UnsafeMutableRawBufferPointer(start: batch.bytes + count, count: batch.byteRoom - count)) {
        line + ByteScan.count(0x0A, from: batch.bytes + position, to: batch.bytes + count)
      }
      isAtEnd = read == 0
      count += read
      wanted -= read
    } while wanted > 0 && !isAtEnd
  }

  private func read(_ room: UnsafeMutableRawBufferPointer, line: () -> Int) throws -> Int {
    do {
      return try text.read(into: room)
    } catch let fault as UndecodableByte {
      throw FileReadError(kind: .encoding(fault.encoding, byte: fault.offset, line: line()), path: path)
    }
  }

  /// Keeps what a batch has from `position` on for the next one.
  func finish(_ batch: RecordBatch, keepingFrom position: Int) {
    kept.removeAll(keepingCapacity: kept.capacity < 1 << 20)
    kept.append(contentsOf: UnsafeBufferPointer(start: batch.bytes + position, count: count - position))
    batch.sourceOffset = text.source.offset
  }

  private func grow(_ batch: RecordBatch, to room: Int) throws(FileReadError) {
    guard batch.growBytes(to: room, keeping: count) else { throw FileReadError(kind: .system(ENOMEM), path: path) }
  }
}
