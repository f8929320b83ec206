package import Terminal

/// The meaning of each key in each context: the commands' default keys, overridden by the user's.
package struct Keymap: Sendable {
  /// The meaning of the typed keys.
  package enum Resolution: Hashable, Sendable {
    case command(Command)
    /// More keys must follow, one of these continuations.
    case pending([Continuation])
    case none
  }

  /// A continuation of the typed keys.
  package struct Continuation: Hashable, Sendable {
    /// The remaining keys.
    package var keys: [Key]
    package var command: Command
    /// The remaining keys in display form.
    package var display: String
  }

  /// A key sequence and its command in one context.
  struct Binding: Hashable, Sendable {
    var keys: [Key]
    var command: Command
  }

  /// The commands that keys can be bound to.
  package let commands: CommandList
  /// The faults in the user's file.
  package let warnings: [ConfigurationWarning]
  /// Whether keys are displayed in ASCII only.
  package var isASCII = false
  private let tries: [KeyContext: KeyTrie]
  /// The bindings by context; the last line shows the first one of each command.
  private let bindings: [KeyContext: [Binding]]

  /// Creates the default keymap.
  package init(commands: CommandList = .standard) {
    self.init(commands: commands, layers: Self.defaults(commands), warnings: [])
  }

  /// Creates a keymap of the defaults overridden by the text of a keymap file; `file` is its name in warnings.
  package init(commands: CommandList = .standard, userText: String, file: String) {
    var reader = KeymapReader(file: file, commands: commands)
    let layers = reader.layers(of: userText, over: Self.defaults(commands))
    self.init(commands: commands, layers: layers, warnings: reader.warnings)
  }

  private init(commands: CommandList, layers: [KeyContext: KeymapLayer], warnings: [ConfigurationWarning]) {
    self.commands = commands
    tries = layers.mapValues(\.trie)
    bindings = layers.mapValues(\.bindings)
    self.warnings = warnings
  }

  /// Returns the meaning of `keys` in `context`.
  ///
  /// The context's own keys override those of the contexts around it, such as `everywhere`. In a context where plain characters are text,
  /// keys that edit text have no other meaning.
  package func resolve(_ keys: [Key], in context: KeyContext) -> Resolution {
    guard let first = keys.first else { return .none }
    let nodes = context.lookups(of: first).compactMap { tries[$0]?.node(at: keys[...]) }
    if let outcome = nodes.first?.outcome { return Resolution(outcome) }
    let continuations = continuations(nodes)
    return continuations.isEmpty ? .none : .pending(continuations)
  }

  /// Returns the keys that reach `command` in `context`, in display form: `^P`, `gd`, `Alt-Down`.
  package func keys(for command: Command, in context: KeyContext) -> [String] {
    sequences(for: command, in: context).map(display)
  }

  /// Returns the keys that reach `command` in `context`, in the notation of the keymap file.
  package func notations(for command: Command, in context: KeyContext) -> [String] {
    sequences(for: command, in: context).map(KeyNotation.text)
  }

  /// Returns the keys that reach `command` in `context`, its own before those of the contexts around it.
  package func sequences(for command: Command, in context: KeyContext) -> [[Key]] {
    let candidates = ([context] + context.outer).flatMap { bindings[$0] ?? [] }.filter { $0.command == command }.map(\.keys)
    // A context may repeat a binding of a context around it.
    return candidates.enumerated().filter { candidates.firstIndex(of: $1) == $0 && reaches(command, by: $1, in: context) }.map(\.element)
  }

  /// Returns the bindings of `context` itself.
  func ownBindings(in context: KeyContext) -> [Binding] {
    bindings[context] ?? []
  }

  private func reaches(_ command: Command, by keys: [Key], in context: KeyContext) -> Bool {
    for count in 1..<keys.count {
      guard case .pending = resolve(Array(keys.prefix(count)), in: context) else { return false }
    }
    return resolve(keys, in: context) == .command(command)
  }

  /// Returns the continuations from the nodes of several contexts, each of which overrides those after it.
  private func continuations(_ nodes: [KeyTrie]) -> [Continuation] {
    let leaves = nodes.indices.flatMap { index in
      nodes[index].leaves.filter { leaf in nodes[..<index].allSatisfy { $0.reaching(leaf.keys[...]) == nil } }
    }
    let continuations = leaves.map { Continuation(keys: $0.keys, command: $0.command, display: display(of: $0.keys)) }
    return continuations.sorted { $0.display < $1.display }
  }
}

extension Keymap {
  /// Returns the keys in `notation`; nil if it is invalid.
  package static func parse(_ notation: String) -> [Key]? {
    try? KeyNotation.keys(of: notation)
  }

  /// Returns the notation of `keys`.
  package static func notation(of keys: [Key]) -> String {
    KeyNotation.text(of: keys)
  }

  /// Returns `keys` in display form.
  package func display(of keys: [Key]) -> String {
    KeyDisplay.text(of: keys, isASCII: isASCII)
  }

  private static func defaults(_ commands: CommandList) -> [KeyContext: KeymapLayer] {
    var layers: [KeyContext: KeymapLayer] = [:]
    for declaration in commands.declarations {
      for (context, notations) in declaration.keys {
        for keys in notations.compactMap(parse) {
          layers[context, default: KeymapLayer()].append(Binding(keys: keys, command: declaration.command))
        }
      }
    }
    return layers
  }
}

extension Keymap.Resolution {
  fileprivate init(_ outcome: KeyTrie.Outcome) {
    switch outcome {
    case .command(let command): self = .command(command)
    case .unbound: self = .none
    }
  }
}
