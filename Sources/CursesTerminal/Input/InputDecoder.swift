package import Terminal

/// Decodes the bytes that a terminal sends into events, regardless of how they are split.
///
/// An unfinished sequence is buffered until the rest arrives. A possible single key waits only for a moment. The end of a paste or of an
/// answer waits for at most a second. The caller calls ``flush()`` if nothing arrives within ``patience``.
package struct InputDecoder {
  private let keys: KeySequences
  private var bytes: [UInt8] = []
  private var position = 0
  private var paste: PasteBuffer?
  /// An answer of the terminal, which is discarded.
  private var answer: TerminalAnswer?
  /// Whether the kept bytes have been flushed and are not a key.
  private var isFlushed = false
  /// The bytes that were decoded as a key because nothing followed them.
  private var taken: [UInt8] = []

  package init(keys: KeySequences = KeySequences([:])) {
    self.keys = keys
  }

  /// Whether the kept bytes may be a complete key: Escape, Alt-[, Alt-O, Alt-] or Alt-P.
  package var isAwaitingEscape: Bool {
    if let paste { return paste.isLoneEscape }
    return answer == nil && !isFlushed && bytes.first == 0x1B
  }

  /// The time to wait for more bytes in milliseconds, or nil for no limit.
  package var patience: Int32? {
    if isAwaitingEscape { return 25 }
    return answer != nil || paste?.hasNews == true ? 1_000 : nil
  }

  /// Returns the events completed by `input`.
  package mutating func decode(_ input: some Collection<UInt8>) -> [Event] {
    if TerminalAnswer.isRest(input, of: taken) { bytes = taken + bytes }
    taken = []
    bytes += input
    isFlushed = false
    if let paste, paste.isStalled, Self.isKey(bytes[...]) { self.paste = nil }
    return decode(isFinal: false)
  }

  /// Returns the keys in the kept bytes, including a lone Escape, and the text of an unfinished paste.
  package mutating func flush() -> [Event] {
    answer = nil
    if paste != nil { return flushPaste() }
    isFlushed = true
    let kept = bytes
    let events = decode(isFinal: true)
    if bytes.isEmpty { taken = kept }
    return events
  }

  private mutating func decode(isFinal: Bool) -> [Event] {
    var events: [Event] = []
    position = 0
    while position < bytes.count, step(isFinal: isFinal, into: &events) {}
    bytes.removeFirst(position)
    position = 0
    return events
  }

  /// Decodes the bytes at `position`.
  ///
  /// Returns false if more bytes are needed.
  private mutating func step(isFinal: Bool, into events: inout [Event]) -> Bool {
    if paste != nil { return stepInPaste(into: &events) }
    if answer != nil { return stepInAnswer() }
    switch KeyParser(bytes: bytes[position...], keys: keys, isFinal: isFinal).parse() {
    case .incomplete:
      return false
    case .pasteStart(let length):
      position += length
      paste = PasteBuffer()
    case .answerStart(let length):
      position += length
      answer = TerminalAnswer()
    case .decoded(let decoded, let length):
      events += decoded
      position += length
    }
    return true
  }

  private mutating func stepInAnswer() -> Bool {
    let (length, isOver) = answer?.take(bytes[position...]) ?? (0, true)
    position += length
    if isOver { answer = nil }
    return isOver
  }
}

// MARK: - Pastes

extension InputDecoder {
  private mutating func stepInPaste(into events: inout [Event]) -> Bool {
    let rest = paste?.append(bytes[position...])
    position = bytes.count - (rest ?? 0)
    if rest == nil, let piece = paste?.takeOverlong() { events.append(.paste(piece)) }
    guard rest != nil, let paste else { return false }
    if !paste.isEmpty || !paste.isStalled { events.append(.paste(paste.text)) }
    self.paste = nil
    return true
  }

  /// Returns the text pasted so far when no more bytes arrive.
  ///
  /// An escape at its end is decoded as the key.
  private mutating func flushPaste() -> [Event] {
    let endsInEscape = paste?.takeEscape() ?? false
    var events = paste?.takePiece().map { [Event.paste($0)] } ?? []
    guard endsInEscape else { return events }
    paste = nil
    taken = [0x1B]
    events.append(.key(Key(.escape)))
    return events
  }

  /// Returns whether bytes after a silence are a key rather than more of the paste, so that an unterminated paste does not capture all
  /// keys.
  private static func isKey(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first else { return false }
    if first == 0x1B { return bytes.count > 1 && !PasteBuffer.end.starts(with: bytes.prefix(PasteBuffer.end.count)) }
    return bytes.count == 1 && (first < 0x20 || first == 0x7F) && ![0x09, 0x0A, 0x0D].contains(first)
  }
}
