internal import CSQLite

/// The parameters of a statement: their names, the values to bind, and the memory of bound texts.
struct ParameterBinding {
  enum State {
    /// Nothing was set: an execution checks that nothing is required; a step uses NULL for all parameters.
    case unset
    /// The arguments must be validated and bound before the next run.
    case pending
    /// The arguments must be bound before the next run, without validation.
    case pendingUnchecked
    /// The arguments are bound, or single parameters were bound manually.
    case bound
  }

  var state = State.unset
  var arguments = StatementArguments()
  /// The values interpolated in the SQL, by the number of their parameter; arguments are for the remaining parameters.
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

  /// Whether the arguments are as many values as there are parameters, or have the names of the parameters in order.
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

  /// Compares the names in place, because an array element would be a copy of the whole argument with its value.
  private mutating func areInOrder(_ named: UnsafePointer<(String, StatementArguments.Argument)>) -> Bool {
    for index in 0..<parameterCount where named[index].0 != knownNames?[index].spelling {
      guard named[index].0 == knownNames?[index].bare else { return false }
      knownNames?[index].spelling = named[index].0
    }
    return true
  }

  /// Returns the arguments and removes them until the caller puts them back.
  mutating func takeArguments() -> StatementArguments {
    var taken = StatementArguments()
    swap(&taken, &arguments)
    return taken
  }

  /// Copies bytes to memory that is unchanged until the parameter is bound again; nil if the parameter does not exist, or if there are too
  /// many bytes.
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

/// The name of a parameter as written in SQL, and without its first character.
package struct ParameterName {
  /// `:name`, `@name`, `$name`, `?3`; nil for a `?`.
  package let token: String?
  /// `name`; nil for `?` and `?3`.
  let bare: String?
  /// The last spelling of the name in an argument: two strings with shared memory, such as those of a literal in a loop, are compared
  /// quickly.
  fileprivate(set) var spelling: String?

  init(_ token: String?) {
    self.token = token
    bare = token.flatMap { $0.hasPrefix("?") ? nil : String($0.dropFirst()) }
    spelling = bare
  }
}

/// Memory for the text or blob bound to one parameter, reused so that binding needs no allocation.
struct BoundBytes {
  /// SQLite copies longer values, so that a cached statement does not retain them.
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
