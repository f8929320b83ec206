package import Terminal

/// Turns the bytes that a terminal sends into events, however they are cut into pieces.
///
/// A sequence that has not ended is kept until the rest comes. Only an escape that may have been the key alone is not waited for beyond
/// a moment: while
/// ``isAwaitingEscape`` is true, the caller calls ``flush()`` if nothing comes.
package struct InputDecoder {
  private let keys: KeySequences
  private var bytes: [UInt8] = []
  private var position = 0
  private var paste: PasteBuffer?
  /// What is kept is no key by itself.
  private var isFlushed = false

  package init(keys: KeySequences = KeySequences([:])) {
    self.keys = keys
  }

  /// Tells whether what is kept may be a whole key: Escape, Alt-[ or Alt-O.
  package var isAwaitingEscape: Bool {
    paste == nil && !isFlushed && bytes.first == 0x1B
  }

  /// Returns the events that `input` completes.
  package mutating func decode(_ input: some Collection<UInt8>) -> [Event] {
    bytes += input
    isFlushed = false
    return decode(isFinal: false)
  }

  /// Returns the keys in what is kept, taking an escape that nothing followed for the key.
  package mutating func flush() -> [Event] {
    isFlushed = true
    return decode(isFinal: true)
  }

  private mutating func decode(isFinal: Bool) -> [Event] {
    var events: [Event] = []
    position = 0
    while position < bytes.count, step(isFinal: isFinal, into: &events) {}
    bytes.removeFirst(position)
    position = 0
    return events
  }

  /// Decodes what stands at `position`; returns false where more bytes are needed.
  private mutating func step(isFinal: Bool, into events: inout [Event]) -> Bool {
    if paste != nil { return stepInPaste(into: &events) }
    switch KeyParser(bytes: bytes[position...], keys: keys, isFinal: isFinal).parse() {
    case .incomplete:
      return false
    case .pasteStart(let length):
      position += length
      paste = PasteBuffer()
    case .decoded(let decoded, let length):
      events += decoded
      position += length
    }
    return true
  }

  private mutating func stepInPaste(into events: inout [Event]) -> Bool {
    let rest = paste?.append(bytes[position...])
    position = bytes.count - (rest ?? 0)
    guard rest != nil, let text = paste?.text else { return false }
    paste = nil
    events.append(.paste(text))
    return true
  }
}
