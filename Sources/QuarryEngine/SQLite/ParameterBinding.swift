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
    /// The arguments are bound.
    case bound
    /// Single parameters were bound manually, so that the arguments are not all that is bound.
    case boundByHand
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

  /// Copies a short text like ``keep(_:at:)`` if it is ASCII and there is memory for it; nil otherwise, after which the memory is undefined.
  ///
  /// Most texts are, and then no function has to look for bytes that SQLite would change.
  @inline(__always)
  mutating func keepASCII(_ text: UnsafeRawBufferPointer, at index: Int) -> UnsafeRawPointer? {
    guard let texts, index >= 1, index <= parameterCount, let source = text.baseAddress else { return nil }
    return texts[index - 1].copyASCII(source, count: text.count)
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

  /// Copies 4 to 64 bytes in words, the last of which overlap, and returns nil if one is not ASCII, or if there is no memory.
  @inline(__always)
  func copyASCII(_ source: UnsafeRawPointer, count: Int) -> UnsafeRawPointer? {
    guard 4...64 ~= count, count <= capacity, let start else { return nil }
    func copy<Word: BitwiseCopyable>(_: Word.Type, _ offset: Int) -> Word {
      let word = source.loadUnaligned(fromByteOffset: offset, as: Word.self)
      start.storeBytes(of: word, toByteOffset: offset, as: Word.self)
      return word
    }
    let bits: UInt64
    if count < 8 {
      bits = UInt64(copy(UInt32.self, 0) | copy(UInt32.self, count &- 4))
    } else if count <= 16 {
      bits = copy(UInt64.self, 0) | copy(UInt64.self, count &- 8)
    } else {
      var pair = copy(SIMD2<UInt64>.self, 0) | copy(SIMD2<UInt64>.self, count &- 16)
      if count > 32 { pair |= copy(SIMD2<UInt64>.self, 16) | copy(SIMD2<UInt64>.self, count &- 32) }
      bits = pair[0] | pair[1]
    }
    return bits & 0x8080_8080_8080_8080 == 0 ? UnsafeRawPointer(start) : nil
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
