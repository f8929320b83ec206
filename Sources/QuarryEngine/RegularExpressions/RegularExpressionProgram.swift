/// A regular expression as an automaton over bytes.
struct RegularExpressionProgram: Sendable {
  /// A state of the automaton, with the indices of the following states.
  enum Instruction: Hashable, Sendable {
    /// Matches a byte in a range, both bounds included.
    case bytes(UInt8, UInt8, next: Int32)
    /// Continues with either of two states, without reading a byte.
    case split(Int32, Int32)
    /// Checks the position, without reading a byte.
    case assertion(RegularExpressionSyntax.Assertion, next: Int32)
    /// The expression has matched.
    case match
  }

  /// The maximum number of instructions, which is also the maximum cost of one byte.
  static let longest = 10_000

  private(set) var instructions: [Instruction] = [.match]
  /// The index of the initial state.
  private(set) var start: Int32 = 0
  /// The class of each byte: all bytes of a class lead from each state to the same states.
  private(set) var classes = [UInt8](repeating: 0, count: 256)
  /// The number of classes.
  private(set) var classCount = 1
  /// Whether a condition depends on word boundaries, so that states must record whether the last byte was part of a word.
  private(set) var looksAtWords = false

  private var culprit: Range<Int>?

  /// Creates the automaton of an expression.
  ///
  /// - Throws: The error of the first repetition that makes it too large.
  init(_ syntax: RegularExpressionSyntax) throws(RegularExpressionError) {
    start = try compile(syntax, next: 0)
    looksAtWords = instructions.contains {
      if case .assertion(let assertion, _) = $0 { assertion == .wordBoundary || assertion == .noWordBoundary } else { false }
    }
    classifyBytes()
  }

  // MARK: States

  private mutating func append(_ instruction: Instruction) throws(RegularExpressionError) -> Int32 {
    guard instructions.count < Self.longest else {
      throw RegularExpressionError(culprit ?? 0..<0, "This makes the pattern too large: it has more than \(Self.longest) states.")
    }
    instructions.append(instruction)
    return Int32(instructions.count - 1)
  }

  /// Appends the states that match an expression and lead to `next`, and returns the first one.
  private mutating func compile(_ syntax: RegularExpressionSyntax, next: Int32) throws(RegularExpressionError) -> Int32 {
    switch syntax {
    case .character(let set): return try compile(set, next: next)
    case .assertion(let assertion): return try append(.assertion(assertion, next: next))
    case .sequence(let parts):
      var next = next
      for part in parts.reversed() { next = try compile(part, next: next) }
      return next
    case .alternatives(let all):
      var entries: [Int32] = []
      for part in all { entries.append(try compile(part, next: next)) }
      return try either(entries)
    case .repetition(let part, let least, let most, let range):
      let outer = culprit
      culprit = outer ?? range
      defer { culprit = outer }
      return try compile(part, from: least, to: most, next: next)
    }
  }

  private mutating func either(_ entries: [Int32]) throws(RegularExpressionError) -> Int32 {
    guard var result = entries.last else { return 0 }
    for entry in entries.dropLast().reversed() { result = try append(.split(entry, result)) }
    return result
  }

  private mutating func compile(
    _ part: RegularExpressionSyntax, from least: Int, to most: Int?, next: Int32
  ) throws(RegularExpressionError) -> Int32 {
    var entry = next
    if let most {
      for _ in 0..<most - least {
        let once = try compile(part, next: entry)
        entry = try append(.split(once, next))
      }
    } else {
      entry = try append(.match)
      instructions[Int(entry)] = .split(try compile(part, next: entry), next)
    }
    for _ in 0..<least { entry = try compile(part, next: entry) }
    return entry
  }

  // MARK: Characters as bytes

  private mutating func compile(_ set: ScalarSet, next: Int32) throws(RegularExpressionError) -> Int32 {
    var known: [Instruction: Int32] = [:]
    var entries: [Int32] = []
    for range in set.ranges {
      for bytes in UTF8Ranges.of(range) {
        var entry = next
        for byte in bytes.reversed() {
          // Characters with the same suffix share their last states.
          let instruction = Instruction.bytes(byte.lowerBound, byte.upperBound, next: entry)
          if let same = known[instruction] {
            entry = same
          } else {
            entry = try append(instruction)
            known[instruction] = entry
          }
        }
        entries.append(entry)
      }
    }
    // An empty set can never match.
    return entries.isEmpty ? try append(.bytes(0xFF, 0xFF, next: next)) : try either(entries)
  }

  private mutating func classifyBytes() {
    var begins = [Bool](repeating: false, count: 257)
    func note(_ low: Int, _ high: Int) {
      begins[low] = true
      begins[high + 1] = true
    }
    for case .bytes(let low, let high, _) in instructions { note(Int(low), Int(high)) }
    if looksAtWords {
      for range in ScalarSet.words.ranges { note(Int(range.lowerBound), Int(range.upperBound)) }
      note(0x80, 0xBF)
    }
    var current = 0
    for byte in 0..<256 {
      if begins[byte], byte > 0 { current += 1 }
      classes[byte] = UInt8(current)
    }
    classCount = current + 1
  }
}

/// The UTF-8 byte sequences of characters.
enum UTF8Ranges {
  /// Returns sequences of byte ranges that encode the characters of a range, without surrogates.
  static func of(_ range: ClosedRange<UInt32>) -> [[ClosedRange<UInt8>]] {
    var result: [[ClosedRange<UInt8>]] = []
    let (low, high) = (range.lowerBound, range.upperBound)
    if low < 0xD800 { append(low, min(high, 0xD7FF), to: &result) }
    if high > 0xDFFF { append(max(low, 0xE000), high, to: &result) }
    return result
  }

  private static func append(_ low: UInt32, _ high: UInt32, to result: inout [[ClosedRange<UInt8>]]) {
    for last: UInt32 in [0x7F, 0x7FF, 0xFFFF] where low <= last && last < high {
      append(low, last, to: &result)
      return append(last + 1, high, to: &result)
    }
    // Both ends have the same number of bytes. If they differ in one byte, all bytes after it must cover their whole range.
    for tail in 1..<UInt32(4) {
      let mask: UInt32 = (1 << (6 * tail)) - 1
      guard low & ~mask != high & ~mask else { break }
      if low & mask != 0 {
        append(low, low | mask, to: &result)
        return append((low | mask) + 1, high, to: &result)
      }
      if high & mask != mask {
        append(low, (high & ~mask) - 1, to: &result)
        return append(high & ~mask, high, to: &result)
      }
    }
    result.append(zip(bytes(low), bytes(high)).map { $0...$1 })
  }

  private static func bytes(_ scalar: UInt32) -> [UInt8] {
    Unicode.Scalar(scalar).map { Array(UTF8.encode($0) ?? .init()) } ?? []
  }
}
