internal import CSQLite

/// What a statement knows of its parameters: their names, what is to be bound, and the memory that bound texts lie in.
struct ParameterBinding {
  enum State {
    /// Nothing was set: an execution checks that nothing is needed, a step takes NULL for all.
    case unset
    /// The arguments are to be validated and bound before the next run.
    case pending
    /// As `pending`, but to be bound without validation.
    case pendingUnchecked
    /// The arguments are bound, or single parameters were by hand.
    case bound
  }

  var state = State.unset
  var arguments = StatementArguments()
  /// The values that stand in the SQL beside open placeholders, by the number of their parameter: arguments are for the others.
  var givenValues: [Int: DatabaseValue] = [:]
  var parameterCount = 0
  private var knownNames: [ParameterName]?
  private var texts: UnsafeMutableBufferPointer<BoundBytes>?

  mutating func names(of statement: OpaquePointer, isClosed: Bool) -> [ParameterName] {
    if let knownNames { return knownNames }
    guard !isClosed else { return [] }
    let names = (0..<parameterCount).map { index in
      ParameterName(sqlite3_bind_parameter_name(statement, Int32(index + 1)).map { String(cString: $0) })
    }
    knownNames = names
    return names
  }

  /// Whether the arguments are either as many values as there are parameters, or have the names of the parameters in their order.
  var isInOrder: Bool {
    mutating get {
      guard givenValues.isEmpty else { return false }
      if arguments.named.isEmpty { return arguments.positional.count == parameterCount }
      guard arguments.positional.isEmpty else { return false }
      let named = arguments.named
      guard named.count == knownNames?.count else { return false }
      return named.withUnsafeBufferPointer { named in named.baseAddress.map { areInOrder($0) } ?? true }
    }
  }

  /// Reads the names where they lie: a name that an array is asked for comes as a copy of the argument, value and all.
  private mutating func areInOrder(_ named: UnsafePointer<(String, StatementArguments.Argument)>) -> Bool {
    for index in 0..<parameterCount where named[index].0 != knownNames?[index].spelling {
      guard named[index].0 == knownNames?[index].bare else { return false }
      knownNames?[index].spelling = named[index].0
    }
    return true
  }

  /// Returns the arguments, and has none until they are given back.
  mutating func takeArguments() -> StatementArguments {
    var taken = StatementArguments()
    swap(&taken, &arguments)
    return taken
  }

  /// Copies bytes to where they stay until the parameter is bound anew; nil where there is no such parameter, or they are too many to be
  /// kept.
  @inline(__always)
  mutating func keep(_ bytes: UnsafeRawBufferPointer, at index: Int) -> UnsafeRawPointer? {
    guard index >= 1, index <= parameterCount, bytes.count <= BoundBytes.limit else { return nil }
    if texts == nil {
      texts = .allocate(capacity: parameterCount)
      texts?.initialize(repeating: BoundBytes())
    }
    return texts?[index - 1].copy(bytes)
  }

  mutating func deallocate() {
    guard let texts else { return }
    for text in texts { text.deallocate() }
    texts.deallocate()
    self.texts = nil
  }
}

/// The name of a parameter as SQL spells it, and without its first character.
package struct ParameterName {
  /// `:name`, `@name`, `$name`, `?3`; nil for a `?`.
  package let token: String?
  /// `name`; nil for `?` and `?3`.
  let bare: String?
  /// The name as an argument had it last: two strings that share their memory, as those of a literal in a loop do, are compared at once.
  fileprivate(set) var spelling: String?

  init(_ token: String?) {
    self.token = token
    bare = token.flatMap { $0.hasPrefix("?") ? nil : String($0.dropFirst()) }
    spelling = bare
  }
}

/// Memory for the text or blob that is bound to one parameter, used again and again so that binding needs no allocation.
struct BoundBytes {
  /// Longer ones are copied by SQLite, lest a kept statement keep them.
  static let limit = 4096

  private var start: UnsafeMutableRawPointer?
  private var capacity = 0

  @inline(__always)
  mutating func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    if start == nil || capacity < bytes.count { grow(to: bytes.count) }
    if let source = bytes.baseAddress { start?.copyMemory(from: source, byteCount: bytes.count) }
    return UnsafeRawPointer(start)
  }

  private mutating func grow(to count: Int) {
    deallocate()
    capacity = max(32, count * 2)
    start = .allocate(byteCount: capacity, alignment: 16)
  }

  func deallocate() {
    start?.deallocate()
  }
}
