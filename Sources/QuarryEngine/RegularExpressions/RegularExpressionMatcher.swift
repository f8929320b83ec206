/// A matcher of texts with one regular expression, in time proportional to the length of each text.
///
/// ```swift
/// let matcher = RegularExpressionMatcher(try RegularExpression("^A.*n$"))
/// names.filter { matcher.matches($0) }
/// ```
///
/// The set of states that the automaton can be in after a byte is one state here. These states are created as texts reach them, and cached
/// for later texts in at most a few megabytes; beyond that, the cache is cleared.
package final class RegularExpressionMatcher {
  /// The maximum number of cached 4-byte numbers for states and their transitions.
  private static let mostKept = 1 << 19

  private let program: RegularExpressionProgram
  private let stride: Int
  /// For each state, the states reached by the classes of bytes and finally by the end of the text, as the index of their first transition.
  private var transitions: [Int32] = []
  private var states: [State] = []
  private var indexes: [State: Int32] = [:]
  private var keptCount = 0

  // Used within one step.
  private var marks: [UInt32]
  private var mark: UInt32 = 0
  private var stack: [Int32] = []

  /// The current instructions of the automaton, with the properties of the preceding byte.
  private struct State: Hashable {
    var instructions: [Int32]
    var isAtStart: Bool
    var isAfterWord: Bool
  }

  private static let unknown: Int32 = -1
  /// The first two states: no match is possible any more, and a match has been found.
  private static let dead: Int32 = 0
  private var matched: Int32 { Int32(stride) }

  /// Creates a matcher of an expression.
  package init(_ expression: RegularExpression) {
    program = expression.program
    stride = program.classCount + 1
    marks = [UInt32](repeating: 0, count: program.instructions.count)
    forgetStates()
  }

  /// Returns whether the expression matches a part of a text.
  package func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
  }

  /// Returns whether the expression matches a part of some bytes.
  func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var state = startState()
    var position = 0
    while state > matched {
      if let next = run(&state, bytes, &position) { return next == matched }
      guard position < bytes.count else { break }
      state = step(from: state, by: Int(program.classes[Int(bytes[position])]))
      position += 1
    }
    if state <= matched { return state == matched }
    let end = Int(state) + stride - 1
    return (transitions[end] == Self.unknown ? step(from: state, by: stride - 1) : transitions[end]) == matched
  }

  /// Advances as far as transitions are cached; returns the final state if it is reached.
  @inline(__always)
  private func run(_ state: inout Int32, _ bytes: UnsafeRawBufferPointer, _ position: inout Int) -> Int32? {
    let matched = matched
    return transitions.withUnsafeBufferPointer { transitions in
      program.classes.withUnsafeBufferPointer { classes in
        while position < bytes.count {
          let next = transitions[Int(state) + Int(classes[Int(bytes[position])])]
          guard next > matched else { return next == Self.unknown ? nil : next }
          state = next
          position += 1
        }
        return nil
      }
    }
  }

  // MARK: States

  private func forgetStates() {
    states = [State(instructions: [], isAtStart: false, isAfterWord: false), State(instructions: [], isAtStart: false, isAfterWord: true)]
    transitions = [Int32](repeating: Self.dead, count: stride) + [Int32](repeating: matched, count: stride)
    indexes.removeAll(keepingCapacity: true)
    keptCount = 0
  }

  private func startState() -> Int32 {
    // The third state is always the initial one.
    if states.count > 2 { return matched * 2 }
    beginSet()
    var set: [Int32] = []
    if follow(program.start, isAtStart: true, into: &set) { return matched }
    return index(of: State(instructions: set.sorted(), isAtStart: true, isAfterWord: false))
  }

  private func index(of state: State) -> Int32 {
    if state.instructions.isEmpty { return Self.dead }
    if let index = indexes[state] { return index }
    let index = Int32(transitions.count)
    transitions.append(contentsOf: repeatElement(Self.unknown, count: stride))
    states.append(state)
    indexes[state] = index
    keptCount += stride + state.instructions.count + 16
    return index
  }

  // MARK: Transitions

  /// Returns the state that a class of bytes, or the end of the text, leads to from a state.
  private func step(from index: Int32, by byteClass: Int) -> Int32 {
    var index = index
    let state = states[Int(index) / stride]
    if keptCount > Self.mostKept {
      forgetStates()
      _ = startState()
      index = self.index(of: state)
    }
    let next = successor(of: state, by: byteClass)
    transitions[Int(index) + byteClass] = next
    return next
  }

  private func successor(of state: State, by byteClass: Int) -> Int32 {
    let isAtEnd = byteClass == stride - 1
    let byte = isAtEnd ? nil : program.classes.firstIndex(of: UInt8(byteClass)).map { UInt8($0) }
    guard let places = resolved(state, before: byte) else { return matched }
    guard let byte else { return Self.dead }
    beginSet()
    var set: [Int32] = []
    for place in places {
      guard case .bytes(let low, let high, let next) = program.instructions[Int(place)], low <= byte, byte <= high else { continue }
      if follow(next, isAtStart: false, into: &set) { return matched }
    }
    // A match may begin after each byte.
    if follow(program.start, isAtStart: false, into: &set) { return matched }
    return index(of: State(instructions: set.sorted(), isAtStart: false, isAfterWord: program.looksAtWords && byte.isWord))
  }

  /// Returns the instructions of a state once the conditions on its position are known; nil if one of them leads to a match.
  private func resolved(_ state: State, before byte: UInt8?) -> [Int32]? {
    beginSet()
    var places: [Int32] = []
    var conditions = state.instructions
    while let instruction = conditions.popLast() {
      guard case .assertion(let assertion, let next) = program.instructions[Int(instruction)] else {
        places.append(instruction)
        continue
      }
      guard holds(assertion, in: state, before: byte) else { continue }
      var set: [Int32] = []
      if follow(next, isAtStart: state.isAtStart, into: &set) { return nil }
      conditions += set
    }
    return places
  }

  private func holds(_ assertion: RegularExpressionSyntax.Assertion, in state: State, before byte: UInt8?) -> Bool {
    switch assertion {
    case .start: return state.isAtStart
    case .end: return byte == nil
    case .wordBoundary, .noWordBoundary:
      // There is no position within a character.
      if let byte, byte & 0xC0 == 0x80 { return false }
      return (state.isAfterWord != (byte?.isWord ?? false)) == (assertion == .wordBoundary)
    }
  }

  private func beginSet() {
    mark &+= 1
    guard mark == 0 else { return }
    marks = [UInt32](repeating: 0, count: marks.count)
    mark = 1
  }

  /// Adds the instructions reached from an instruction without reading a byte; returns whether they include a match.
  ///
  /// The beginning of the text is known here; other conditions depend on the next byte.
  private func follow(_ instruction: Int32, isAtStart: Bool, into set: inout [Int32]) -> Bool {
    stack.append(instruction)
    while let instruction = stack.popLast() {
      if marks[Int(instruction)] == mark { continue }
      marks[Int(instruction)] = mark
      switch program.instructions[Int(instruction)] {
      case .match:
        stack.removeAll(keepingCapacity: true)
        return true
      case .split(let first, let second):
        stack.append(second)
        stack.append(first)
      case .assertion(.start, let next): if isAtStart { stack.append(next) }
      case .assertion, .bytes: set.append(instruction)
      }
    }
    return false
  }
}

extension UInt8 {
  /// Whether it is an ASCII letter, digit or underscore.
  fileprivate var isWord: Bool { (self | 0x20) &- 0x61 < 26 || self &- 0x30 < 10 || self == 0x5F }
}

// Explicit non-conformance to Sendable: a matcher caches states without a lock.
@available(*, unavailable)
extension RegularExpressionMatcher: Sendable {}
