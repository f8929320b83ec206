package import Terminal

/// The byte sequences of a terminal's keys, as terminfo has them.
package struct KeySequences: Sendable {
  package enum Match {
    /// A key, and the number of bytes of it.
    case key(Key, length: Int)
    /// The bytes are the beginning of a sequence.
    case beginning
    case none
  }

  private let keys: [[UInt8]: Key]
  private let longest: Int

  /// Keeps those sequences that begin with an escape and go on.
  package init(_ keys: [[UInt8]: Key]) {
    self.keys = keys.filter { $0.key.count > 1 && $0.key[0] == 0x1B }
    longest = self.keys.keys.map(\.count).max() ?? 0
  }

  /// Returns the key whose sequence `bytes` begin with, the longest one.
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
