internal import Libc

/// The part of a text in a batch, and the bytes read beyond it.
///
/// A reader passes the text through its batches. An incomplete record at the end of a batch remains for the next one. Kept bytes are
/// passed on in pieces, because a batch may end long before them, at the end of a table.
final class TextWindow {
  /// The maximum size of a record in bytes: SQLite's maximum size of a row (`SQLITE_MAX_LENGTH`).
  static let longestRecord = 1_000_000_000

  let text: TextSource
  private let recordLimit: Int
  /// The number of bytes of text in the batch.
  private(set) var count = 0
  /// Whether the text ends with these bytes.
  var isAtEnd: Bool { isSourceAtEnd && keptStart + takenCount == kept.count }
  private var isSourceAtEnd = false
  private var kept: [UInt8] = []
  /// The number of kept bytes that have been consumed.
  private var keptStart = 0
  /// The number of bytes of the batch that come from the kept bytes.
  private var takenCount = 0
  /// The number of bytes moved between batches and the kept bytes.
  private(set) var movedCount = 0

  /// The path of the file as given.
  var path: String { text.source.path }

  /// Creates a window on a text.
  ///
  /// - Parameter recordLimit: The maximum size of a record in bytes. A longer record is an error.
  init(_ text: TextSource, recordLimit: Int = longestRecord) {
    (self.text, self.recordLimit) = (text, recordLimit)
  }

  /// Fills a batch with the rest of the previous batch.
  ///
  /// - Parameter piece: The maximum number of its bytes. ``readOn(_:unfinishedFrom:line:)`` adds more.
  func begin(_ batch: RecordBatch, piece: Int = .max) throws(FileReadError) {
    (count, takenCount) = (0, 0)
    batch.shrinkBytes()
    let length = min(kept.count - keptStart, piece)
    try grow(batch, to: length)
    take(length, into: batch)
  }

  /// Appends kept bytes to a batch.
  private func take(_ length: Int, into batch: RecordBatch) {
    let start = keptStart + takenCount
    _ = UnsafeMutableBufferPointer(start: batch.bytes + count, count: length).update(fromContentsOf: kept[start..<start + length])
    count += length
    takenCount += length
    movedCount += length
  }

  /// Reads more bytes to complete the record that begins at `position`, on line `line`.
  ///
  /// Reads at least as many bytes as the unfinished record has, because a record of many megabytes is scanned from its beginning each time.
  ///
  /// - Throws: ``FileReadError``, `CancellationError`
  func readOn(_ batch: RecordBatch, unfinishedFrom position: Int, line: Int) throws {
    let unfinished = count - position
    guard unfinished <= recordLimit else { throw FileReadError(kind: .tooLong(line: line), path: path) }
    var wanted = unfinished < 1 << 16 ? 1 : unfinished
    repeat {
      if batch.byteRoom - count < max(16, min(wanted, 1 << 16)) { try grow(batch, to: count + max(count, wanted, 64)) }
      let left = kept.count - keptStart - takenCount
      if left > 0 {
        let length = min(left, batch.byteRoom - count, max(wanted, takenCount))
        take(length, into: batch)
        wanted -= length
        continue
      }
      let read = try read(UnsafeMutableRawBufferPointer(start: batch.bytes + count, count: batch.byteRoom - count)) {
        line + ByteScan.count(0x0A, from: batch.bytes + position, to: batch.bytes + count)
      }
      isSourceAtEnd = read == 0
      count += read
      wanted -= read
    } while wanted > 0 && !isAtEnd
  }

  private func read(_ room: UnsafeMutableRawBufferPointer, line: () -> Int) throws -> Int {
    do {
      return try text.read(into: room)
    } catch let fault as UndecodableByte {
      throw FileReadError(kind: .encoding(fault.encoding, byte: fault.offset, line: line(), proposed: fault.evidence.proposal), path: path)
    }
  }

  /// Keeps the bytes of a batch from `position` on for the next one.
  func finish(_ batch: RecordBatch, keepingFrom position: Int) {
    keptStart += min(position, takenCount)
    let start = max(position, takenCount)
    // The unused kept bytes remain. Bytes read from the file are appended to them.
    if count > takenCount {
      let isUsed = position >= takenCount
      if isUsed { kept.removeAll(keepingCapacity: kept.capacity < 1 << 20) } else { kept.removeFirst(keptStart) }
      keptStart = 0
      kept.append(contentsOf: UnsafeBufferPointer(start: batch.bytes + start, count: count - start))
      movedCount += count - start
    }
    takenCount = 0
    batch.sourceOffset = text.source.offset
  }

  private func grow(_ batch: RecordBatch, to room: Int) throws(FileReadError) {
    guard batch.growBytes(to: room, keeping: count) else { throw FileReadError(kind: .system(ENOMEM), path: path) }
  }
}
