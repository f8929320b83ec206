/// A recursive descent parser of regular expressions.
struct RegularExpressionParser {
  /// The maximum nesting of groups, beyond which the stack could overflow.
  static let deepestNesting = 100
  /// The maximum number in braces.
  static let mostRepetitions = 1000

  private let scalars: [Unicode.Scalar]
  /// The byte offset of each scalar, and the end of the last.
  private let offsets: [Int]
  private var position = 0
  private var depth = 0
  private var ignoresCase = false

  init(_ pattern: String) {
    scalars = Array(pattern.unicodeScalars)
    var offsets = [0]
    for scalar in scalars { offsets.append((offsets.last ?? 0) + UTF8.width(scalar)) }
    self.offsets = offsets
  }

  mutating func expression() throws(RegularExpressionError) -> RegularExpressionSyntax {
    if fits("(?i)") {
      ignoresCase = true
      position = 4
    }
    let result = try alternatives()
    if peek == ")" { throw error("This closing parenthesis has no match. Write \\) for the character.", from: position, to: position + 1) }
    return result
  }

  // MARK: Structure

  private mutating func alternatives() throws(RegularExpressionError) -> RegularExpressionSyntax {
    var all = [try sequence()]
    while peek == "|" {
      position += 1
      all.append(try sequence())
    }
    return all.count == 1 ? all[0] : .alternatives(all)
  }

  private mutating func sequence() throws(RegularExpressionError) -> RegularExpressionSyntax {
    var parts: [RegularExpressionSyntax] = []
    while let scalar = peek, scalar != "|", scalar != ")" { parts.append(try repeated()) }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func repeated() throws(RegularExpressionError) -> RegularExpressionSyntax {
    let start = position
    if let quantifier = try quantifier() {
      let shown = text(quantifier.range)
      throw error("There is nothing to repeat before \(shown). Write \\\(shown) for the character.", quantifier.range)
    }
    var result = try atom()
    let end = position
    while let quantifier = try quantifier() {
      if case .assertion = result, scalars[start] != "(" {
        throw error("\(text(start, to: end)) is a position and cannot be repeated.", quantifier.range)
      }
      result = .repetition(result, least: quantifier.least, most: quantifier.most, range: quantifier.range)
      // Lazy repetition finds other parts of a text, but matches the same texts.
      if peek == "?" { position += 1 }
    }
    return result
  }

  private mutating func atom() throws(RegularExpressionError) -> RegularExpressionSyntax {
    let scalar = scalars[position]
    switch scalar {
    case "(": return try group()
    case "[": return .character(try bracketed())
    case "\\": return try escaped()
    default: break
    }
    position += 1
    switch scalar {
    case ".": return .character(.all)
    case "^": return .assertion(.start)
    case "$": return .assertion(.end)
    default: return .character(folded(ScalarSet(scalar.value)))
    }
  }

  private mutating func group() throws(RegularExpressionError) -> RegularExpressionSyntax {
    let start = position
    depth += 1
    defer { depth -= 1 }
    if depth > Self.deepestNesting {
      throw error("Groups are nested more than \(Self.deepestNesting) levels deep.", from: start, to: scalars.count)
    }
    position += 1
    if fits("?:") { position += 2 } else if peek == "?" { throw extensionError(from: start) }
    let result = try alternatives()
    guard peek == ")" else {
      throw error("This parenthesis is not closed. Write \\( for the character.", from: start, to: start + 1)
    }
    position += 1
    return result
  }

  private func extensionError(from start: Int) -> RegularExpressionError {
    if scalars[position...].starts(with: "?i)".unicodeScalars) {
      return error("(?i) must be at the beginning of the pattern, and applies to all of it.", from: start, to: position + 3)
    }
    let sentence = "After (?, only : is supported, as in (?:…). Lookahead and lookbehind need more than one pass."
    return error(sentence, from: start, to: position + 1)
  }

  // MARK: Repetition

  private struct Quantifier {
    var least: Int
    var most: Int?
    var range: Range<Int>
  }

  private mutating func quantifier() throws(RegularExpressionError) -> Quantifier? {
    let start = position
    switch peek {
    case "*": return quantifier(0, nil)
    case "+": return quantifier(1, nil)
    case "?": return quantifier(0, 1)
    case "{": break
    default: return nil
    }
    // Braces without numbers are literal.
    position += 1
    let least = number()
    var most = least
    if least != nil, peek == "," {
      position += 1
      most = number()
    }
    guard let least, peek == "}" else {
      position = start
      return nil
    }
    position += 1
    let range = start..<position
    if max(least, most ?? 0) > Self.mostRepetitions { throw error("The maximum is \(Self.mostRepetitions) repetitions.", range) }
    if let most, most < least { throw error("The first number of \(text(range)) is greater than the second.", range) }
    return Quantifier(least: least, most: most, range: range)
  }

  private mutating func quantifier(_ least: Int, _ most: Int?) -> Quantifier {
    position += 1
    return Quantifier(least: least, most: most, range: position - 1..<position)
  }

  /// Parses digits; numbers that are too large are clamped.
  private mutating func number() -> Int? {
    var value: Int?
    while let digit = peek, ("0"..."9").contains(digit) {
      value = min((value ?? 0) * 10 + Int(digit.value - 0x30), 1_000_000)
      position += 1
    }
    return value
  }

  // MARK: Escapes

  private mutating func escaped() throws(RegularExpressionError) -> RegularExpressionSyntax {
    switch peek(1) {
    case "b": return place(.wordBoundary)
    case "B": return place(.noWordBoundary)
    default: break
    }
    if let set = escapedClass() { return .character(set) }
    return .character(folded(ScalarSet(try escapedCharacter())))
  }

  private mutating func place(_ assertion: RegularExpressionSyntax.Assertion) -> RegularExpressionSyntax {
    position += 2
    return .assertion(assertion)
  }

  private mutating func escapedClass() -> ScalarSet? {
    let set: ScalarSet? =
      switch peek(1) {
      case "d": .digits
      case "D": ScalarSet.digits.inverted
      case "w": .words
      case "W": ScalarSet.words.inverted
      case "s": .blanks
      case "S": ScalarSet.blanks.inverted
      default: nil
      }
    if set != nil { position += 2 }
    return set
  }

  private mutating func escapedCharacter() throws(RegularExpressionError) -> UInt32 {
    let start = position
    guard let scalar = peek(1) else {
      throw error("Nothing follows this backslash. Write it twice for the character.", from: start, to: start + 1)
    }
    position += 2
    switch scalar {
    case "n": return 0x0A
    case "t": return 0x09
    case "r": return 0x0D
    case "f": return 0x0C
    case "v": return 0x0B
    case "a": return 0x07
    case "e": return 0x1B
    case "x": return try hexadecimal(from: start)
    case "1"..."9":
      throw error("References to groups are not supported: they need more than one pass.", from: start, to: position)
    case "0", "A"..."Z", "a"..."z": throw error("\(text(start, to: position)) has no meaning here.", from: start, to: position)
    default: return scalar.value
    }
  }

  /// Parses `\x41`, `\x{E9}`.
  private mutating func hexadecimal(from start: Int) throws(RegularExpressionError) -> UInt32 {
    let isBraced = peek == "{"
    if isBraced { position += 1 }
    var digits = ""
    while let scalar = peek, scalar.properties.isASCIIHexDigit, digits.utf8.count < (isBraced ? 6 : 2) {
      digits.unicodeScalars.append(scalar)
      position += 1
    }
    let isClosed = isBraced ? peek == "}" : digits.utf8.count == 2
    if isBraced, isClosed { position += 1 }
    guard isClosed, let value = UInt32(digits, radix: 16), Unicode.Scalar(value) != nil else {
      throw error("Write a character by its code as \\x41 or \\x{1F600}.", from: start, to: position)
    }
    return value
  }

  // MARK: Classes

  private mutating func bracketed() throws(RegularExpressionError) -> ScalarSet {
    let start = position
    position += 1
    let isNegated = peek == "^"
    if isNegated { position += 1 }
    var set = ScalarSet()
    let first = position
    while let scalar = peek, scalar != "]" || position == first { try insertMember(into: &set) }
    guard peek == "]" else {
      throw error("This bracket is not closed. Write \\[ for the character.", from: start, to: start + 1)
    }
    position += 1
    return isNegated ? set.inverted : set
  }

  private mutating func insertMember(into set: inout ScalarSet) throws(RegularExpressionError) {
    let start = position
    if fits("[:") { return set.insert(try namedClass()) }
    if peek == "\\", let escaped = escapedClass() {
      if peek == "-", let next = peek(1), next != "]" { throw error("A class cannot begin a range.", from: start, to: position + 1) }
      return set.insert(escaped)
    }
    let low = try member()
    guard peek == "-", let next = peek(1), next != "]" else { return set.insert(folded(ScalarSet(low))) }
    position += 1
    let isNamed = fits("[:")
    if isNamed || next == "\\" && escapedClass() != nil {
      throw error("A class cannot end a range.", from: start, to: position + (isNamed ? 2 : 0))
    }
    let high = try member()
    guard low <= high else { throw error("The range \(text(start, to: position)) is in the wrong order.", from: start, to: position) }
    set.insert(folded(ScalarSet([low...high])))
  }

  private mutating func member() throws(RegularExpressionError) -> UInt32 {
    if peek == "\\" { return peek(1) == "b" ? try backspace() : try escapedCharacter() }
    position += 1
    return scalars[position - 1].value
  }

  private mutating func backspace() throws(RegularExpressionError) -> UInt32 {
    throw error("\\b is a position and cannot be in a class.", from: position, to: position + 2)
  }

  /// Parses `[:alpha:]`.
  private mutating func namedClass() throws(RegularExpressionError) -> ScalarSet {
    let start = position
    position += 2
    var name = ""
    while let scalar = peek, ("a"..."z").contains(scalar) {
      name.unicodeScalars.append(scalar)
      position += 1
    }
    let isClosed = fits(":]")
    if isClosed { position += 2 }
    guard isClosed, let set = ScalarSet.named[name] else {
      let names = ScalarSet.named.keys.sorted().joined(separator: ", ")
      throw error("There is no class \(text(start, to: position)). The classes are \(names).", from: start, to: position)
    }
    return ignoresCase && (name == "upper" || name == "lower") ? ScalarSet.named["alpha"] ?? set : set
  }

  private func folded(_ set: ScalarSet) -> ScalarSet { ignoresCase ? set.foldingCase : set }

  // MARK: Reading

  private var peek: Unicode.Scalar? { peek(0) }

  private func peek(_ distance: Int) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  private func fits(_ text: StaticString) -> Bool {
    scalars[min(position, scalars.count)...].starts(with: text.description.unicodeScalars)
  }

  private func text(_ start: Int, to end: Int) -> String { text(start..<max(start, min(end, scalars.count))) }

  private func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range])
    return String(text)
  }

  private func error(_ sentence: String, from start: Int, to end: Int) -> RegularExpressionError {
    error(sentence, start..<max(start, min(end, scalars.count)))
  }

  private func error(_ sentence: String, _ range: Range<Int>) -> RegularExpressionError {
    RegularExpressionError(offsets[range.lowerBound]..<offsets[range.upperBound], sentence)
  }
}
