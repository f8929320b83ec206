internal import Terminal

/// The keys of one context.
struct KeymapLayer: Hashable, Sendable {
  /// The first of a command's is the one that the footer shows.
  private(set) var bindings: [Keymap.Binding] = []
  private(set) var trie = KeyTrie()

  /// Adds a default binding, after the others of its command; the defaults do not hide each other.
  mutating func append(_ binding: Keymap.Binding) {
    bindings.append(binding)
    trie.insert(.command(binding.command), at: binding.keys[...])
  }

  /// Adds a user's binding before the others of its command; what it hides of them is gone.
  mutating func prepend(_ binding: Keymap.Binding) {
    bindings.removeAll { $0.keys.overlaps(binding.keys) }
    bindings.insert(binding, at: 0)
    trie.insert(.command(binding.command), at: binding.keys[...])
  }

  /// Takes away `keys` and what begins with them, `hiding` also what the keys do everywhere.
  mutating func unbind(_ keys: [Key], hiding: Bool) {
    bindings.removeAll { $0.keys.starts(with: keys) }
    guard trie.reaching(keys.dropLast()) == nil else { return }
    if hiding { trie.insert(.unbound, at: keys[...]) } else { trie.remove(keys[...]) }
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
