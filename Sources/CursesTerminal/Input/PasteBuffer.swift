/// The bytes of a bracketed paste that has begun.
struct PasteBuffer {
  static let end: [UInt8] = Array("\u{1B}[201~".utf8)
  /// The maximum size of a piece.
  ///
  /// A longer paste is returned in pieces.
  private static let longestPiece = 16 << 20

  private var bytes: [UInt8] = []
  /// Whether no bytes have arrived for a while, so that the end may never arrive.
  private(set) var isStalled = false
  /// Whether bytes have arrived since the last piece.
  private(set) var hasNews = true
  /// Whether the last returned byte was a carriage return.
  private var endedInReturn = false

  var isEmpty: Bool { bytes.isEmpty }

  /// Whether only an escape has arrived after a silence.
  var isLoneEscape: Bool { isStalled && hasNews && bytes == [0x1B] }

  /// Appends `input` up to the end mark.
  ///
  /// Returns the number of bytes after it, or nil if the mark has not arrived yet.
  mutating func append(_ input: ArraySlice<UInt8>) -> Int? {
    let searched = max(0, bytes.count - Self.end.count + 1)
    bytes += input
    hasNews = true
    guard let mark = firstEnd(from: searched) else { return nil }
    let left = bytes.count - mark - Self.end.count
    bytes.removeSubrange(mark...)
    return left
  }

  /// The text with `\n` as line ends.
  ///
  /// Terminals send carriage returns instead.
  var text: String { Self.text(bytes, after: endedInReturn) }

  /// Removes an escape at the end.
  ///
  /// Returns false if the last byte is not an escape.
  mutating func takeEscape() -> Bool {
    guard bytes.last == 0x1B else { return false }
    bytes.removeLast()
    return true
  }

  /// Returns the text so far, without a possible beginning of the end mark or of a scalar at its end.
  ///
  /// Returns nil if there is no text.
  mutating func takePiece() -> String? {
    (isStalled, hasNews) = (true, false)
    let mark = (1..<Self.end.count).last { bytes.suffix($0).elementsEqual(Self.end.prefix($0)) }
    let kept = mark ?? UTF8Tail.unfinished(bytes[...])
    guard kept < bytes.count else { return nil }
    let piece = bytes.dropLast(kept)
    defer {
      endedInReturn = piece.last == 0x0D
      bytes.removeFirst(piece.count)
    }
    let text = Self.text(piece, after: endedInReturn)
    return text.isEmpty ? nil : text
  }

  /// Returns the text so far like ``takePiece()`` if it exceeds the maximum size, otherwise nil.
  mutating func takeOverlong() -> String? {
    guard bytes.count > Self.longestPiece else { return nil }
    defer { (isStalled, hasNews) = (false, true) }
    return takePiece()
  }

  private static func text(_ bytes: some Collection<UInt8>, after isAfterReturn: Bool) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var previous: UInt8 = isAfterReturn ? 0x0D : 0
    for byte in bytes {
      if byte != 0x0A || previous != 0x0D { text.append(byte == 0x0D ? 0x0A : byte) }
      previous = byte
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func firstEnd(from start: Int) -> Int? {
    var index = start
    while let escape = bytes[index...].firstIndex(of: 0x1B) {
      if bytes[escape...].starts(with: Self.end) { return escape }
      index = escape + 1
    }
    return nil
  }
}
