internal import Terminal

/// The keys of one context.
struct KeymapLayer: Hashable, Sendable {
  private(set) var bindings: [Keymap.Binding] = []
  private(set) var trie = KeyTrie()

  /// Adds a binding after the others; what it hides of them is gone.
  mutating func append(_ binding: Keymap.Binding) {
    bindings.removeAll { $0.keys.overlaps(binding.keys) }
    bindings.append(binding)
    trie.insert(.command(binding.command), at: binding.keys[...])
  }

  /// Returns the bindings that cannot live beside `keys`: the same ones, their beginnings and what begins with them.
  func rivals(of keys: [Key]) -> [Keymap.Binding] {
    bindings.filter { $0.keys.overlaps(keys) }
  }
}

extension [Key] {
  /// Whether one of the two begins with the other.
  func overlaps(_ other: [Key]) -> Bool {
    starts(with: other) || other.starts(with: self)
  }
}
