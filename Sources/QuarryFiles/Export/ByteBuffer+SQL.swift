internal import QuarryEngine

extension ByteBuffer {
  /// Appends a text as an SQL expression that returns it exactly, even if the sqlite3 shell reads the SQL.
  ///
  /// ```sql
  /// 'it''s'
  /// replace('two\rlines','\r',char(13))   -- the shell drops a carriage return at the end of a line
  /// replace('a\0b','\0',char(0))          -- and a NUL would end the SQL
  /// CAST(x'61ff' AS TEXT)                 -- no UTF-8
  /// ```
  mutating func append(sqlText bytes: UnsafeRawBufferPointer) {
    let traits = SQLTextTraits(bytes)
    if traits.contains(.beyondASCII), UTF8Validation.firstFault(in: bytes) != nil { return append(castOf: bytes) }
    let escapes = traits.isDisjoint(with: [.nul, .carriageReturn]) ? [] : SQLTextEscape.all.filter { $0.isNeeded(in: bytes) }
    for _ in escapes { append("replace(") }
    append(UInt8(ascii: "'"))
    append(sqlText: bytes, traits, escapes.map { ($0, $0.mark(for: bytes)) })
    append(UInt8(ascii: "'"))
    for escape in escapes {
      append(",'")
      append(escape.mark(for: bytes))
      append("',char(")
      append(decimal: Int64(escape.byte))
      append("))")
    }
  }

  /// Appends bytes that are not valid text in SQL, as a cast from a blob.
  mutating func append(castOf bytes: UnsafeRawBufferPointer) {
    append("CAST(")
    append(blobLiteral: bytes)
    append(" AS TEXT)")
  }

  /// Appends the text between the quotes.
  private mutating func append(
    sqlText bytes: UnsafeRawBufferPointer, _ traits: SQLTextTraits, _ escapes: [(escape: SQLTextEscape, mark: [UInt8])]
  ) {
    guard !escapes.isEmpty else {
      return traits.contains(.quote) ? append(bytes, doubling: UInt8(ascii: "'")) : append(bytes)
    }
    for byte in bytes {
      if let mark = escapes.first(where: { $0.escape.byte == byte })?.mark {
        append(mark)
      } else {
        if byte == UInt8(ascii: "'") { append(byte) }
        append(byte)
      }
    }
  }

  /// Appends a real that is a whole number of thousandths with at most 14 digits, like most stored reals.
  ///
  /// Returns whether the real was appended.
  ///
  /// SQLite reads such a decimal as the nearest real. The quotient cannot be so near to the middle of two reals that rounding it twice
  /// would matter.
  @inline(__always)
  mutating func append(thousandths value: Double) -> Bool {
    let scaled = (value.magnitude * 1000).rounded()
    guard scaled < 1e14, scaled / 1000 == value.magnitude else { return false }
    append(real: value)
    return true
  }
}

/// The properties of a text that affect its quoting.
private struct SQLTextTraits: OptionSet {
  let rawValue: UInt8

  static let quote = SQLTextTraits(rawValue: 1)
  static let nul = SQLTextTraits(rawValue: 2)
  static let carriageReturn = SQLTextTraits(rawValue: 4)
  static let beyondASCII = SQLTextTraits(rawValue: 128)

  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Examines all bytes without a branch, so that the loop can be vectorized.
  init(_ bytes: UnsafeRawBufferPointer) {
    var traits: UInt8 = 0
    for byte in bytes {
      traits |= (byte & 128) | (byte == UInt8(ascii: "'") ? 1 : 0) | (byte == 0 ? 2 : 0) | (byte == UInt8(ascii: "\r") ? 4 : 0)
    }
    rawValue = traits
  }
}

/// A byte that an SQL text cannot contain.
///
/// It is replaced by a mark that does not occur in the text.
private struct SQLTextEscape {
  let byte: UInt8
  private let letter: UInt8

  static let all = [
    SQLTextEscape(byte: UInt8(ascii: "\r"), letter: UInt8(ascii: "r")), SQLTextEscape(byte: 0, letter: UInt8(ascii: "0")),
  ]

  func isNeeded(in bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.contains(byte)
  }

  /// Returns a mark that does not occur in the text: `\r`, or `\r1`, `\r2`, ….
  func mark(for bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let plain = [UInt8(ascii: "\\"), letter]
    guard contains(plain, bytes) else { return plain }
    let numbered = (1...).lazy.map { plain + Array(String($0).utf8) + [UInt8(ascii: ";")] }
    return numbered.first { !contains($0, bytes) } ?? plain
  }

  private func contains(_ mark: [UInt8], _ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while let start = rest.firstIndex(of: mark[0]) {
      if rest[start...].starts(with: mark) { return true }
      rest = rest[(start + 1)...]
    }
    return false
  }
}
