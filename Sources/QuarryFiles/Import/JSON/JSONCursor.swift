/// A strict RFC 8259 JSON scanner over bytes in memory, which may end in the middle of a value.
struct JSONCursor {
  /// The reason why a scan has stopped.
  enum Stop: Error {
    /// More input must be read.
    case incomplete
    /// The text at the position is not JSON.
    case fault(JSONFault)
  }

  enum Kind {
    case object, array, string, number
    case `true`, `false`, null
  }

  /// The current position, or the position of the fault.
  var position: UnsafeMutablePointer<UInt8>
  private var line: Int
  private var lineStart: Int
  /// Whether a line feed between two tokens is a fault, for a value that must end on the line on which it begins.
  var isOneLine = false
  /// Whether the last string contains escapes.
  private(set) var hasEscapes = false
  /// The unpaired surrogate escape in the last string, or nil if the string has none.
  private(set) var halfCharacter: UnsafeMutablePointer<UInt8>?

  let base: UnsafeMutablePointer<UInt8>
  let end: UnsafeMutablePointer<UInt8>
  let isLast: Bool
  /// The closing brackets of the containers around the position, the innermost last.
  private var open: [UInt8] = []

  /// Creates a cursor.
  ///
  /// The byte at `base + count` must be 0 or follow a complete value.
  init(base: UnsafeMutablePointer<UInt8>, from start: TextPosition, count: Int, isLast: Bool) {
    (self.base, end, position) = (base, base + count, base + start.offset)
    (line, lineStart, self.isLast) = (start.line, start.lineStart, isLast)
  }

  var offset: Int { position - base }
  var place: TextPosition { place(of: position) }

  /// Returns the place of a byte on the current line.
  func place(of byte: UnsafeMutablePointer<UInt8>) -> TextPosition {
    TextPosition(offset: byte - base, line: line, lineStart: lineStart)
  }

  /// Returns whether nothing follows the position.
  func isAtEnd() throws(Stop) -> Bool {
    if position == end, !isLast { throw .incomplete }
    return position == end
  }

  /// Moves to the line after a place, and returns whether the end of the line has been read.
  mutating func goToNextLine(after start: TextPosition) -> Bool {
    position = ByteScan.first(of: ByteScan.repeated(0x0A), orEnd: end, from: base + start.offset)
    if position == end { return isLast }
    position += 1
    (line, lineStart) = (start.line + 1, offset)
    return true
  }

  // MARK: - Tokens

  /// Skips whitespace.
  ///
  /// The next byte may be the end.
  @inline(__always)
  mutating func skipBlanks() {
    while true {
      switch position.pointee {
      case 0x20, 0x09, 0x0D: position += 1
      case 0x0A where !isOneLine:
        position += 1
        line += 1
        lineStart = offset
      default: return
      }
    }
  }

  /// Skips a byte and the whitespace before it if it comes next, and returns whether it does.
  @inline(__always)
  mutating func take(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard position.pointee == byte, position < end else { return false }
    position += 1
    return true
  }

  /// Skips a required byte and the whitespace before it.
  @inline(__always)
  mutating func expect(_ byte: UInt8) throws(Stop) {
    if !take(byte) { throw unexpected() }
  }

  /// Returns the error for the unexpected byte at the position.
  func unexpected() -> Stop {
    if position >= end { return isLast ? .fault(.endsEarly) : .incomplete }
    return .fault(isOneLine && position.pointee == 0x0A ? .endsEarly : .unexpected(position.pointee))
  }

  /// Skips a required string and returns the position after its opening quote.
  ///
  /// The closing quote is then just before the position.
  @inline(__always) @discardableResult
  mutating func string() throws(Stop) -> UnsafeMutablePointer<UInt8> {
    try expect(UInt8(ascii: "\""))
    let start = position
    (hasEscapes, halfCharacter) = (false, nil)
    while true {
      position = ByteScan.firstSpecialInString(from: position)
      if position.pointee == UInt8(ascii: "\""), position < end { break }
      try escape()
    }
    position += 1
    return start
  }

  /// Skips an escape in a string.
  private mutating func escape() throws(Stop) {
    if position >= end { throw unexpected() }
    guard position.pointee == UInt8(ascii: "\\") else { throw .fault(.controlCharacter(position.pointee)) }
    hasEscapes = true
    let start = position
    switch try byte(at: 1) {
    case UInt8(ascii: "u"):
      let unit = try unit(at: 2)
      position += 6
      guard UTF16.isSurrogate(unit) else { return }
      if UTF16.isLeadSurrogate(unit), try isTrailSurrogate() { position += 6 } else { halfCharacter = halfCharacter ?? start }
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
    default: throw .fault(.escape)
    }
  }

  private func isTrailSurrogate() throws(Stop) -> Bool {
    guard try byte(at: 0) == UInt8(ascii: "\\"), try byte(at: 1) == UInt8(ascii: "u") else { return false }
    return UTF16.isTrailSurrogate(try unit(at: 2))
  }

  private func unit(at offset: Int) throws(Stop) -> UInt16 {
    var unit: UInt16 = 0
    for index in offset..<offset + 4 {
      guard let digit = JSONBytes.hexadecimalDigit(try byte(at: index)) else { throw .fault(.escape) }
      unit = unit << 4 | digit
    }
    return unit
  }

  private func byte(at offset: Int) throws(Stop) -> UInt8 {
    guard position + offset < end else { throw isLast ? .fault(.endsEarly) : .incomplete }
    return position[offset]
  }

  // MARK: - Values

  /// Skips a value and the whitespace before it, and returns its kind and start.
  @inline(__always)
  mutating func value() throws(Stop) -> (kind: Kind, start: UnsafeMutablePointer<UInt8>) {
    skipBlanks()
    let start = position
    switch position.pointee {
    case UInt8(ascii: "\""):
      try string()
      return (.string, start)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let isObject = position.pointee == UInt8(ascii: "{")
      try container()
      return (isObject ? .object : .array, start)
    default: return (try scalar(), start)
    }
  }

  private mutating func scalar() throws(Stop) -> Kind {
    switch position.pointee {
    case UInt8(ascii: "t"):
      try word("true")
      return .true
    case UInt8(ascii: "f"):
      try word("false")
      return .false
    case UInt8(ascii: "n"):
      try word("null")
      return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try number()
      return .number
    default: throw unexpected()
    }
  }

  private mutating func word(_ word: StaticString) throws(Stop) {
    for index in 0..<word.utf8CodeUnitCount {
      if position >= end || position.pointee != word.utf8Start[index] { throw unexpected() }
      position += 1
    }
  }

  private mutating func number() throws(Stop) {
    if position.pointee == UInt8(ascii: "-") { position += 1 }
    if position.pointee == UInt8(ascii: "0") { position += 1 } else { try digits() }
    if position.pointee == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if position.pointee | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position.pointee == UInt8(ascii: "+") || position.pointee == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    if position >= end, !isLast { throw .incomplete }
    if isDigit { throw .fault(.number) }
  }

  private mutating func digits() throws(Stop) {
    guard isDigit else { throw position >= end ? unexpected() : .fault(.number) }
    while isDigit { position += 1 }
  }

  private var isDigit: Bool { position.pointee &- UInt8(ascii: "0") < 10 && position < end }

  /// Skips an object or array without recursion, at any depth.
  private mutating func container() throws(Stop) {
    open.removeAll(keepingCapacity: true)
    repeat {
      try begin()
      while let closing = open.last {
        if !take(closing) {
          try expect(UInt8(ascii: ","))
          if closing == UInt8(ascii: "}") { try key() }
          break
        }
        open.removeLast()
      }
    } while !open.isEmpty
  }

  /// Skips scalars and opening brackets, up to an empty container or a scalar.
  private mutating func begin() throws(Stop) {
    while true {
      skipBlanks()
      switch position.pointee {
      case UInt8(ascii: "{"):
        position += 1
        open.append(UInt8(ascii: "}"))
        if isNext(UInt8(ascii: "}")) { return }
        try key()
      case UInt8(ascii: "["):
        position += 1
        open.append(UInt8(ascii: "]"))
        if isNext(UInt8(ascii: "]")) { return }
      case UInt8(ascii: "\""):
        try string()
        return
      default:
        _ = try scalar()
        return
      }
    }
  }

  private mutating func isNext(_ byte: UInt8) -> Bool {
    skipBlanks()
    return position.pointee == byte && position < end
  }

  private mutating func key() throws(Stop) {
    try string()
    try expect(UInt8(ascii: ":"))
  }
}
