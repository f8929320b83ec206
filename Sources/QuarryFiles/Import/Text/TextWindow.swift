internal import Libc

/// The part of a text that lies in a batch, and what has been read beyond it.
///
/// A reader lets the text flow through its batches: what a batch has no whole record of is kept for the next one. What is kept is handed on
/// by pieces, since a batch may end long before it, where a table does.
final class TextWindow {
  /// The most bytes that a record may have: SQLite takes no longer row (`SQLITE_MAX_LENGTH`).
  static let longestRecord = 1_000_000_000

  let text: TextSource
  private let recordLimit: Int
  /// How many bytes of text lie in the batch.
  private(set) var count = 0
  /// Whether nothing follows them.
  var isAtEnd: Bool { isSourceAtEnd && keptStart + takenCount == kept.count }
  private var isSourceAtEnd = false
  private var kept: [UInt8] = []
  /// How much of that has gone.
  private var keptStart = 0
  /// How many bytes of the batch come from there.
  private var takenCount = 0
  /// How many bytes have been moved between batches and what is kept.
  private(set) var movedCount = 0

  /// The path of the file as it was given.
  var path: String { text.source.path }

  /// Makes a window on a text.
  ///
  /// - Parameter recordLimit: the most bytes that a record may have before it is refused.
  init(_ text: TextSource, recordLimit: Int = longestRecord) {
    (self.text, self.recordLimit) = (text, recordLimit)
  }

  /// Puts what is left of the batch before into a batch.
  ///
  /// - Parameter piece: The most bytes of it; more comes by ``readOn(_:unfinishedFrom:line:)``.
  func begin(_ batch: RecordBatch, piece: Int = .max) throws(FileReadError) {
    (count, takenCount) = (0, 0)
    batch.shrinkBytes()
    let length = min(kept.count - keptStart, piece)
    try grow(batch, to: length)
    take(length, into: batch)
  }

  /// Puts bytes that are kept behind those of a batch.
  private func take(_ length: Int, into batch: RecordBatch) {
    let start = keptStart + takenCount
    _ = UnsafeMutableBufferPointer(start: batch.bytes + count, count: length).update(fromContentsOf: kept[start..<start + length])
    count += length
    takenCount += length
    movedCount += length
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

  /// Keeps what a batch has from `position` on for the next one.
  func finish(_ batch: RecordBatch, keepingFrom position: Int) {
    keptStart += min(position, takenCount)
    let start = max(position, takenCount)
    // What is kept and was not used is there still; behind it goes what was read from the file.
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
