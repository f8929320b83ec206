/// The bytes of a bracketed paste that has begun.
struct PasteBuffer {
  static let end: [UInt8] = Array("\u{1B}[201~".utf8)
  /// What is longer than this is given out in pieces.
  private static let longestPiece = 16 << 20

  private var bytes: [UInt8] = []
  /// Nothing has come for a while: the end may never come.
  private(set) var isStalled = false
  /// Something has come since.
  private(set) var hasNews = true
  /// The last byte given out was a carriage return.
  private var endedInReturn = false

  var isEmpty: Bool { bytes.isEmpty }

  /// Whether all that has come after a silence is an escape.
  var isLoneEscape: Bool { isStalled && hasNews && bytes == [0x1B] }

  /// Takes `input` up to the end mark; returns how many bytes are left after it, or nil where it has not come yet.
  mutating func append(_ input: ArraySlice<UInt8>) -> Int? {
    let searched = max(0, bytes.count - Self.end.count + 1)
    bytes += input
    hasNews = true
    guard let mark = firstEnd(from: searched) else { return nil }
    let left = bytes.count - mark - Self.end.count
    bytes.removeSubrange(mark...)
    return left
  }

  /// The text, its line ends as `\n`; a terminal sends carriage returns for them.
  var text: String { Self.text(bytes, after: endedInReturn) }

  /// Removes an escape at the end; returns false where there is none.
  mutating func takeEscape() -> Bool {
    guard bytes.last == 0x1B else { return false }
    bytes.removeLast()
    return true
  }

  /// Returns the text that has come, and keeps what may be the beginning of the end mark or of a scalar; nil without a text.
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

  /// Returns what has come where that is more than is kept at once, as ``takePiece()`` does; nil for less.
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
