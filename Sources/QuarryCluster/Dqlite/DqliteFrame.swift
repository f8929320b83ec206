/// A message as received.
package struct DqliteFrame: Sendable, Hashable {
  var type: UInt8
  var schema: UInt8
  package var body: [UInt8]

  /// The maximum number of words of a body: the size of SQLite's largest value plus some reserve.
  static let greatestWords = 1 << 27
  /// The type of an answer with rows.
  static let rows: UInt8 = 7
  /// The marker instead of a row's types if another message with rows follows.
  static let partMark = UInt64(0xEEEE_EEEE_EEEE_EEEE)
  /// The marker instead of a row's types after the last row.
  static let doneMark = UInt64.max

  /// Whether this is the last message of its answer.
  var endsAnswer: Bool {
    guard type == Self.rows, body.count >= 8 else { return true }
    return !body[(body.count - 8)...].allSatisfy { $0 == 0xEE }
  }
}

/// Assembles messages from received bytes.
package struct DqliteFrames {
  private var bytes: [UInt8] = []
  private var offset = 0
  /// The first received bytes, which identify the peer if it is not a node.
  private(set) var firstBytes: [UInt8] = []

  /// Creates an assembler without bytes.
  package init() {}

  /// Appends received bytes.
  package mutating func append(_ new: some Collection<UInt8>) {
    if firstBytes.count < 8 { firstBytes += new.prefix(8 - firstBytes.count) }
    if offset > 0 {
      bytes.removeFirst(offset)
      offset = 0
    }
    bytes.append(contentsOf: new)
  }

  /// Returns the next message, or nil if it is incomplete.
  ///
  /// - Throws: ``DqliteViolation`` if a header is not valid in dqlite. Later messages cannot be recognized any more.
  package mutating func next() throws(DqliteViolation) -> DqliteFrame? {
    let header = bytes[offset...]
    guard header.count >= 8 else { return nil }
    func byte(_ index: Int) -> UInt8 { header[header.startIndex + index] }
    let words = (0..<4).reduce(0) { $0 | Int(byte($1)) << (8 * $1) }
    guard byte(4) <= 10, byte(5) <= 1, byte(6) == 0, byte(7) == 0, words > 0 else {
      throw DqliteViolation("a message has an invalid header")
    }
    guard words <= DqliteFrame.greatestWords else {
      throw DqliteViolation("a message announces \(words * 8) bytes, more than an SQLite row can have")
    }
    guard header.count >= 8 + words * 8 else { return nil }
    let start = offset + 8
    offset = start + words * 8
    return DqliteFrame(type: byte(4), schema: byte(5), body: Array(bytes[start..<offset]))
  }
}

/// Reads the body of a message word by word.
package struct DqliteReader {
  let bytes: [UInt8]
  private(set) var offset = 0

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The number of remaining bytes.
  var left: Int { bytes.count - offset }

  package mutating func word() throws(DqliteViolation) -> UInt64 {
    guard left >= 8 else { throw DqliteViolation("a message ends inside a value") }
    let word = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    offset += 8
    return UInt64(littleEndian: word)
  }

  /// Reads a text up to its NUL, and the padding of its last word.
  mutating func text() throws(DqliteViolation) -> ArraySlice<UInt8> {
    guard let end = bytes[offset...].firstIndex(of: 0) else { throw DqliteViolation("a text has no end") }
    return try take(end - offset, filled: (end - offset) / 8 * 8 + 8)
  }

  mutating func blob() throws(DqliteViolation) -> ArraySlice<UInt8> {
    guard let count = Int(exactly: try word()), count <= left else { throw DqliteViolation("a message ends inside a blob") }
    // The padding of the last word of a blob is uninitialized memory of the node.
    return try take(count, filled: (count + 7) / 8 * 8)
  }

  /// Skips the rest of a word, and whole words.
  mutating func skip(_ count: Int) throws(DqliteViolation) {
    _ = try take(count, filled: count)
  }

  private mutating func take(_ count: Int, filled: Int) throws(DqliteViolation) -> ArraySlice<UInt8> {
    guard count <= filled, filled <= left else { throw DqliteViolation("a message ends inside a value") }
    let start = offset
    offset += filled
    return bytes[start..<start + count]
  }
}
