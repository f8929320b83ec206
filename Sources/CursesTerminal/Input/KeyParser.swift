import Terminal

/// Parses one key, one mouse report or one run of text at the beginning of bytes.
struct KeyParser {
  enum Result {
    case decoded([Event], length: Int)
    /// A bracketed paste begins after `length` bytes.
    case pasteStart(length: Int)
    /// An answer of the terminal begins after `length` bytes.
    case answerStart(length: Int)
    case incomplete
  }

  let bytes: ArraySlice<UInt8>
  let keys: KeySequences
  /// Whether no more bytes will arrive, so that an escape at the end is the key.
  let isFinal: Bool

  func parse() -> Result {
    guard let first = bytes.first else { return .incomplete }
    if first == 0x1B { return parseEscape() }
    if first < 0x20 || first == 0x7F { return .decoded([.key(Self.control(first))], length: 1) }
    return parseText(bytes)
  }

  /// Returns the byte `offset` bytes after the first, or nil past the end.
  private func byte(_ offset: Int) -> UInt8? {
    offset < bytes.count ? bytes[bytes.startIndex + offset] : nil
  }

  private func key(_ key: Key, length: Int) -> Result { .decoded([.key(key)], length: length) }

  private func parseEscape() -> Result {
    switch keys.match(bytes) {
    case .key(let key, let length): return self.key(key, length: length)
    case .beginning where !isFinal: return .incomplete
    case .beginning, .none: break
    }
    switch byte(1) {
    case nil: return isFinal ? key(Key(.escape), length: 1) : .incomplete
    case UInt8(ascii: "["): return parseControlSequence()
    case UInt8(ascii: "O"): return parseSingleShift()
    default: break
    }
    switch TerminalAnswer.begins(bytes) {
    case true?: return .answerStart(length: 2)
    case nil where !isFinal: return .incomplete
    default: return parseAlt()
    }
  }

  /// Parses an escape.
  ///
  /// Before a key it means Alt. Before other bytes, or before an escape that begins no sequence, it is a separate key.
  private func parseAlt() -> Result {
    let rest = KeyParser(bytes: bytes.dropFirst(), keys: keys, isFinal: isFinal)
    let isSequence = byte(1) == 0x1B && (byte(2).map { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "O") } ?? !isFinal)
    guard isSequence || byte(1) != 0x1B else { return key(Key(.escape), length: 1) }
    switch isSequence ? rest.parseEscape() : rest.parseFirstCharacter() {
    case .incomplete: return .incomplete
    case .pasteStart, .answerStart: return key(Key(.escape), length: 1)
    case .decoded(let events, let length):
      guard events.count == 1, case .key(let alone)? = events.first else { return key(Key(.escape), length: 1) }
      return key(Key(alone.code, alone.modifiers.union(.alt)), length: length + 1)
    }
  }

  private func parseFirstCharacter() -> Result {
    guard let first = bytes.first, first >= 0x20, first != 0x7F else { return parse() }
    let length = UTF8Tail.length(ofScalarThatBegins: first)
    let character = bytes.prefix(1) + bytes.dropFirst().prefix(length - 1).prefix { $0 & 0xC0 == 0x80 }
    // A byte that continues no scalar ends the character, which nothing can complete then.
    let isBroken = character.count < min(length, bytes.count)
    return KeyParser(bytes: character, keys: keys, isFinal: isFinal || isBroken).parseText(character)
  }

  /// Parses a run of text into one key per cluster.
  ///
  /// Waits for the rest of an incomplete scalar.
  private func parseText(_ bytes: ArraySlice<UInt8>) -> Result {
    let run = bytes.prefix { $0 >= 0x20 && $0 != 0x7F }
    let whole = run.count < bytes.count || isFinal ? run : run.dropLast(UTF8Tail.unfinished(run))
    guard !whole.isEmpty else { return .incomplete }
    let text = String(decoding: whole, as: UTF8.self)
    let keys = text.compactMap { character -> Event? in
      character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } ? .key(Key(character)) : nil
    }
    return .decoded(keys, length: whole.count)
  }

  static func control(_ byte: UInt8) -> Key {
    switch byte {
    case 0x00: Key(" ", .control)
    case 0x08, 0x7F: Key(.backspace)
    case 0x09: Key(.tab)
    case 0x0D: Key(.enter)
    case 0x1B: Key(.escape)
    case 0x1C...0x1F: Key(Character(Unicode.Scalar(byte + 0x40)), .control)
    default: Key(Character(Unicode.Scalar(byte + 0x60)), .control)
    }
  }

  private func parseSingleShift() -> Result {
    guard let next = byte(2) else { return isFinal ? key(Key("O", .alt), length: 2) : .incomplete }
    let modifiers = (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(next) ? FunctionKeys.modifiers(Int(next - 0x30)) : []
    guard modifiers.isEmpty else {
      guard let final = byte(3) else { return .incomplete }
      return .decoded(FunctionKeys.singleShift(final).map { [.key(Key($0.code, modifiers))] } ?? [], length: 4)
    }
    if let known = FunctionKeys.singleShift(next) { return key(known, length: 3) }
    return key(Key("O", .alt), length: 2)
  }

  private func parseControlSequence() -> Result {
    if byte(2) == nil { return isFinal ? key(Key("[", .alt), length: 2) : .incomplete }
    if byte(2) == UInt8(ascii: "M") { return MouseReport.parseLegacy(bytes) }
    guard let sequence = ControlSequence(bytes) else {
      // A sequence that is interrupted by a control character, or that never ends, is discarded.
      let broken = bytes.dropFirst(2).firstIndex { !(0x20...0x7E).contains($0) }
      let length = broken.map { $0 - bytes.startIndex } ?? (bytes.count > ControlSequence.longest + 2 ? ControlSequence.longest : nil)
      return length.map { .decoded([], length: $0) } ?? .incomplete
    }
    if sequence.isPasteStart { return .pasteStart(length: sequence.length) }
    return .decoded(sequence.event.map { [$0] } ?? [], length: sequence.length)
  }
}

/// The end of bytes that may be split anywhere.
enum UTF8Tail {
  /// Returns the number of bytes at the end that begin an incomplete scalar.
  static func unfinished(_ bytes: ArraySlice<UInt8>) -> Int {
    for (offset, byte) in bytes.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      return length(ofScalarThatBegins: byte) > offset + 1 ? offset + 1 : 0
    }
    return 0
  }

  /// Returns the number of bytes of the scalar that begins with a byte, 1 for a byte that begins none.
  static func length(ofScalarThatBegins byte: UInt8) -> Int {
    byte < 0xC2 || byte > 0xF4 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
  }
}
