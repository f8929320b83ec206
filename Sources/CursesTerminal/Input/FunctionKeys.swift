package import Terminal

/// The keys that type no character, by their numbers and letters in xterm and similar terminals.
enum FunctionKeys {
  /// Returns the modifiers in a parameter: one more than the sum of 1 Shift, 2 Alt, 4 Control, 8 Meta.
  static func modifiers(_ parameter: Int) -> Key.Modifiers {
    guard parameter > 1 else { return [] }
    let bits = parameter - 1
    var modifiers: Key.Modifiers = []
    if bits & 1 != 0 { modifiers.insert(.shift) }
    if bits & (2 | 8) != 0 { modifiers.insert(.alt) }
    if bits & 4 != 0 { modifiers.insert(.control) }
    return modifiers
  }

  /// Returns the key of `ESC [ number ~`.
  static func numbered(_ number: Int) -> Key.Code? {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23...26: .function(number - 12)
    case 28...29: .function(number - 13)
    case 31...34: .function(number - 14)
    default: nil
    }
  }

  /// Returns the key of `ESC [ letter`.
  static func lettered(_ letter: UInt8) -> Key.Code? {
    switch letter {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(letter) - 0x4F)
    default: nil
    }
  }

  /// Returns the key of `ESC O letter`: the keys of `ESC [`, and the keypad in application mode.
  static func singleShift(_ letter: UInt8) -> Key? {
    switch letter {
    case UInt8(ascii: "M"): Key(.enter)
    case UInt8(ascii: "I"): Key(.tab)
    case UInt8(ascii: "a")...UInt8(ascii: "d"): lettered(letter - 0x20).map { Key($0, .control) }
    case UInt8(ascii: "j")...UInt8(ascii: "y"): Key(Character(Unicode.Scalar(letter - 0x40)))
    case UInt8(ascii: "X"): Key("=")
    default: lettered(letter).map { Key($0) }
    }
  }

  /// Returns the key of `ESC [ [ letter` on the Linux console: F1 to F5.
  static func console(_ letter: UInt8) -> Key? {
    (UInt8(ascii: "A")...UInt8(ascii: "E")).contains(letter) ? Key(.function(Int(letter) - 0x40)) : nil
  }

  /// Returns the key for the scalar `code`, from a terminal that reports all modifiers.
  static func character(_ code: Int, _ modifiers: Key.Modifiers) -> Key? {
    guard let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else { return nil }
    if code < 0x20 || code == 0x7F {
      let plain = KeyParser.control(UInt8(code))
      return Key(plain.code, plain.modifiers.union(modifiers))
    }
    guard scalar.properties.generalCategory != .control, scalar.properties.generalCategory != .privateUse else { return nil }
    let character = Character(scalar)
    if modifiers.contains(.control) { return Key(character.lowercased().first ?? character, modifiers) }
    let typed = modifiers.contains(.shift) ? character.uppercased().first ?? character : character
    return Key(typed, modifiers.subtracting(.shift))
  }
}

/// The byte sequences of a terminal's keys from terminfo.
package struct KeySequences: Sendable {
  package enum Match {
    /// A key, and the length of its sequence in bytes.
    case key(Key, length: Int)
    /// The bytes are the beginning of a sequence.
    case beginning
    case none
  }

  private let keys: [[UInt8]: Key]
  private let longest: Int

  /// Creates a table from the sequences that begin with an escape followed by other bytes.
  package init(_ keys: [[UInt8]: Key]) {
    self.keys = keys.filter { $0.key.count > 1 && $0.key[0] == 0x1B }
    longest = self.keys.keys.map(\.count).max() ?? 0
  }

  /// Returns whether a key has a sequence.
  package func contains(_ key: Key) -> Bool { keys.values.contains(key) }

  /// Returns the key with the longest sequence at the beginning of `bytes`.
  package func match(_ bytes: ArraySlice<UInt8>) -> Match {
    let present = bytes.prefix(longest)
    if present.count == bytes.count, !bytes.isEmpty, keys.keys.contains(where: { $0.count > bytes.count && $0.starts(with: bytes) }) {
      return .beginning
    }
    for length in stride(from: present.count, to: 1, by: -1) {
      if let key = keys[Array(present.prefix(length))] { return .key(key, length: length) }
    }
    return .none
  }
}
