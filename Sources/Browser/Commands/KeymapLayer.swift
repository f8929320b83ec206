package import Terminal

/// The keys of one context.
struct KeymapLayer: Hashable, Sendable {
  /// The bindings; the last line shows the first one of each command.
  private(set) var bindings: [Keymap.Binding] = []
  private(set) var trie = KeyTrie()

  /// Adds a default binding after all other bindings of its command; defaults do not override each other.
  mutating func append(_ binding: Keymap.Binding) {
    bindings.append(binding)
    trie.insert(.command(binding.command), at: binding.keys[...])
  }

  /// Adds a user's binding before all other bindings of its command, and removes the bindings that it overrides.
  mutating func prepend(_ binding: Keymap.Binding) {
    bindings.removeAll { $0.keys.overlaps(binding.keys) }
    bindings.insert(binding, at: 0)
    trie.insert(.command(binding.command), at: binding.keys[...])
  }

  /// Removes `keys` and every sequence that begins with them; with `hiding`, also hides their bindings in `everywhere`.
  mutating func unbind(_ keys: [Key], hiding: Bool) {
    bindings.removeAll { $0.keys.starts(with: keys) }
    guard trie.reaching(keys.dropLast()) == nil else { return }
    if hiding { trie.insert(.unbound, at: keys[...]) } else { trie.remove(keys[...]) }
  }

  /// Returns the bindings that conflict with `keys`: the same sequence, its prefixes and its continuations.
  func rivals(of keys: [Key]) -> [Keymap.Binding] {
    bindings.filter { $0.keys.overlaps(keys) }
  }
}

extension [Key] {
  /// Returns whether one of the two is a prefix of the other.
  package func overlaps(_ other: [Key]) -> Bool {
    starts(with: other) || other.starts(with: self)
  }
}

/// A tree of key sequences: a path from its root is a sequence of typed keys.
struct KeyTrie: Hashable, Sendable {
  enum Outcome: Hashable, Sendable {
    case command(Command)
    /// The keys have no effect here, even if `everywhere` binds them.
    case unbound
  }

  private(set) var outcome: Outcome?
  private(set) var branches: [Key: KeyTrie] = [:]

  /// Ends the path `keys` with `outcome`; removes shorter and longer paths along it.
  mutating func insert(_ outcome: Outcome, at keys: ArraySlice<Key>) {
    guard let first = keys.first else {
      self.outcome = outcome
      branches = [:]
      return
    }
    self.outcome = nil
    branches[first, default: KeyTrie()].insert(outcome, at: keys.dropFirst())
  }

  /// Removes the path `keys` and all of its continuations.
  mutating func remove(_ keys: ArraySlice<Key>) {
    guard let first = keys.first, var branch = branches[first] else { return }
    branch.remove(keys.dropFirst())
    branches[first] = keys.count == 1 || branch.isEmpty ? nil : branch
  }

  private var isEmpty: Bool { outcome == nil && branches.isEmpty }

  /// Returns the node at the end of `keys`; nil if it does not exist.
  func node(at keys: ArraySlice<Key>) -> KeyTrie? {
    guard let first = keys.first else { return self }
    return branches[first]?.node(at: keys.dropFirst())
  }

  /// Returns the outcome that typing `keys` one by one reaches first, on the way or at the end.
  func reaching(_ keys: ArraySlice<Key>) -> Outcome? {
    if let outcome { return outcome }
    guard let first = keys.first else { return nil }
    return branches[first]?.reaching(keys.dropFirst())
  }

  /// The paths from this node to commands.
  var leaves: [(keys: [Key], command: Command)] {
    branches.flatMap { key, branch in
      let rest = branch.leaves.map { (keys: [key] + $0.keys, command: $0.command) }
      guard case .command(let command)? = branch.outcome else { return rest }
      return [(keys: [key], command: command)] + rest
    }
  }
}
