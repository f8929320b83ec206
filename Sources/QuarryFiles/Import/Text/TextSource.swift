internal import QuarryEngine

/// An error for a byte of a file that is not part of a character.
struct UndecodableByte: Error {
  var encoding: TextEncoding
  /// The offset of the byte in the file, from 0.
  var offset: Int
  /// The evidence for another encoding from that byte on.
  var evidence: EncodingEvidence
}

/// The text of a file, converted from its encoding to UTF-8 without a byte order mark.
final class TextSource {
  let source: ByteSource
  let encoding: TextEncoding
  /// Bytes read from the file but not returned yet: the beginning of a character.
  private var rest: [UInt8] = []
  /// The number of bytes of the file that have been returned.
  private var offset: Int
  private(set) var fault: UndecodableByte?
  /// Whether the user has set the encoding.
  let isEncodingGiven: Bool

  /// Creates the text of a file.
  ///
  /// - Parameter encoding: The encoding of the file. Nil to detect it from the byte order mark or the first bytes, with UTF-8 as the
  ///   default.
  /// - Throws: The errors of ``ByteSource/read(into:)``.
  init(_ source: ByteSource, encoding: TextEncoding? = nil) throws {
    self.source = source
    // Wait for no more bytes of a pipe than every text has.
    let head = try source.peek(source.isPlainFile ? EncodingEvidence.length : FileSignature.longest)
    let mark = ByteOrderMark(head)
    isEncodingGiven = encoding != nil
    self.encoding = encoding ?? mark?.encoding ?? EncodingEvidence.utf16(head) ?? .utf8
    offset = 0
    if let mark, mark.encoding == self.encoding {
      offset = try withUnsafeTemporaryAllocation(byteCount: mark.length, alignment: 1) { try source.read(into: $0) }
    }
  }

  /// Reads the next characters and returns the number of their bytes, or 0 at the end.
  ///
  /// - Parameter room: The memory for the characters, at least 16 bytes.
  /// - Throws: ``UndecodableByte``, after all previous characters were returned, and the errors of ``ByteSource/read(into:)``.
  func read(into room: UnsafeMutableRawBufferPointer) throws -> Int {
    while true {
      if let fault { throw fault }
      let count = encoding == .utf8 ? try readUTF8(into: room) : try readOther(into: room)
      // Only the first half of a character may have arrived.
      if count > 0 || (fault == nil && rest.isEmpty) { return count }
    }
  }

  private func readUTF8(into room: UnsafeMutableRawBufferPointer) throws -> Int {
    room.copyBytes(from: rest)
    let read = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: room[rest.count...]))
    let bytes = UnsafeRawBufferPointer(rebasing: room[..<(rest.count + read)])
    let whole = read == 0 ? bytes.count : bytes.count - UTF8Validation.unfinishedLength(bytes)
    let end = UTF8Validation.firstFault(in: UnsafeRawBufferPointer(rebasing: bytes[..<whole])) ?? whole
    if end < whole { stop(at: UnsafeRawBufferPointer(rebasing: bytes[end...]), offset: offset + end) }
    rest = Array(bytes[whole...])
    offset += end
    return end
  }

  private func readOther(into room: UnsafeMutableRawBufferPointer) throws -> Int {
    // A character of one or two bytes needs up to three bytes in UTF-8.
    let width = encoding.unitLength
    let capacity = room.count / 3 * width
    return try withUnsafeTemporaryAllocation(byteCount: min(capacity, 1 << 15), alignment: 2) { raw in
      raw.copyBytes(from: rest)
      let read = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: raw[rest.count...]))
      let bytes = UnsafeRawBufferPointer(rebasing: raw[..<(rest.count + read)])
      var decoder = CharacterDecoder(encoding: encoding, bytes: bytes, isLast: read == 0)
      let count = decoder.decode(into: room)
      if decoder.isStuck {
        stop(at: UnsafeRawBufferPointer(rebasing: bytes[decoder.position...]), offset: offset + decoder.position)
      }
      rest = decoder.isStuck ? [] : Array(bytes[decoder.position...])
      offset += decoder.position
      return count
    }
  }
}

extension TextSource {
  /// Records that the first of these bytes is not part of a character, and the evidence from there on.
  private func stop(at bytes: UnsafeRawBufferPointer, offset: Int) {
    var next = Array(bytes.prefix(EncodingEvidence.length))
    if source.isPlainFile, let more = try? source.peek(EncodingEvidence.length - next.count) { next += more }
    fault = UndecodableByte(encoding: encoding, offset: offset, evidence: EncodingEvidence(next, of: encoding))
  }
}

/// The bytes with which a text may indicate its encoding.
struct ByteOrderMark {
  let encoding: TextEncoding
  let length: Int

  /// Detects the mark at the beginning of a file.
  ///
  /// Returns nil if the file does not begin with a mark.
  init?(_ head: [UInt8]) {
    if head.starts(with: [0xEF, 0xBB, 0xBF]) {
      (encoding, length) = (.utf8, 3)
    } else if head.starts(with: [0xFF, 0xFE]) {
      (encoding, length) = (.utf16LittleEndian, 2)
    } else if head.starts(with: [0xFE, 0xFF]) {
      (encoding, length) = (.utf16BigEndian, 2)
    } else {
      return nil
    }
  }
}
