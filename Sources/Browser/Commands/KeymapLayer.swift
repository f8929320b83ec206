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

/// Keys that follow each other, as a tree: a way down it is what has been typed.
struct KeyTrie: Hashable, Sendable {
  enum Outcome: Hashable, Sendable {
    case command(Command)
    /// The keys do nothing here, whatever they do everywhere.
    case unbound
  }

  private(set) var outcome: Outcome?
  private(set) var branches: [Key: KeyTrie] = [:]

  /// Ends the way `keys` in `outcome`; what ended on the way or went on beyond it is gone.
  mutating func insert(_ outcome: Outcome, at keys: ArraySlice<Key>) {
    guard let first = keys.first else {
      self.outcome = outcome
      branches = [:]
      return
    }
    self.outcome = nil
    branches[first, default: KeyTrie()].insert(outcome, at: keys.dropFirst())
  }

  /// Takes away the way `keys` and what goes on beyond it.
  mutating func remove(_ keys: ArraySlice<Key>) {
    guard let first = keys.first, var branch = branches[first] else { return }
    branch.remove(keys.dropFirst())
    branches[first] = keys.count == 1 || branch.isEmpty ? nil : branch
  }

  private var isEmpty: Bool { outcome == nil && branches.isEmpty }

  /// Returns what lies behind `keys`; nil where they lead nowhere.
  func node(at keys: ArraySlice<Key>) -> KeyTrie? {
    guard let first = keys.first else { return self }
    return branches[first]?.node(at: keys.dropFirst())
  }

  /// Returns the outcome that typing `keys` one by one meets, on the way or at its end.
  func reaching(_ keys: ArraySlice<Key>) -> Outcome? {
    if let outcome { return outcome }
    guard let first = keys.first else { return nil }
    return branches[first]?.reaching(keys.dropFirst())
  }

  /// The ways from here to a command.
  var leaves: [(keys: [Key], command: Command)] {
    branches.flatMap { key, branch in
      let rest = branch.leaves.map { (keys: [key] + $0.keys, command: $0.command) }
      guard case .command(let command)? = branch.outcome else { return rest }
      return [(keys: [key], command: command)] + rest
    }
  }
}
