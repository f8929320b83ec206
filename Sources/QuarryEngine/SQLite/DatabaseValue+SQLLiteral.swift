extension DatabaseValue {
  /// The value as an SQL expression with exactly this result, also when it is pasted into the sqlite3 shell.
  ///
  /// ```swift
  /// DatabaseValue.text("it's").sqlLiteral      // 'it''s'
  /// DatabaseValue.blob([0, 255]).sqlLiteral    // X'00FF'
  /// DatabaseValue.real(.infinity).sqlLiteral   // 9e999
  /// DatabaseValue.text("a\0b").sqlLiteral      // ('a' || char(0) || 'b')
  /// ```
  public var sqlLiteral: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value): Self.literal(value)
    case .text(let value): Self.literal(value)
    case .blob(let bytes): "X'" + bytes.hexadecimal(uppercase: true) + "'"
    }
  }

  /// The expression for display, in which a long text or blob is shortened and ends with an ellipsis.
  ///
  /// ```swift
  /// DatabaseValue.blob(photo).shortLiteral     // X'FFD8FFE000104A46494600010101004800480000FFE1…'
  /// ```
  package var shortLiteral: String {
    switch self {
    case .text(let value) where !value.dropFirst(Self.shortText).isEmpty: Self.literal(value.prefix(Self.shortText) + "…")
    case .blob(let bytes) where bytes.count > Self.shortBlob: "X'" + bytes.prefix(Self.shortBlob).hexadecimal(uppercase: true) + "…'"
    default: sqlLiteral
    }
  }

  /// The maximum numbers of characters of a text, and of bytes of a blob, in a short literal.
  private static let (shortText, shortBlob) = (60, 30)

  /// Returns the literal of a real: SQLite stores NaN as NULL, and reads a number beyond the maximum as infinite.
  private static func literal(_ value: Double) -> String {
    if value.isNaN { return "NULL" }
    if value.isInfinite { return value < 0 ? "-9e999" : "9e999" }
    return String(value)
  }

  /// Returns the literal of a text.
  ///
  /// Control characters other than line breaks and tabs are written as numbers: an SQL text would end at NUL, and a shell drops or
  /// interprets the rest.
  private static func literal(_ text: String) -> String {
    var parts: [String] = []
    var rest = text.unicodeScalars[...]
    while !rest.isEmpty {
      let plain = rest.prefix { !isWrittenByNumber($0) }
      rest = rest[plain.endIndex...]
      if !plain.isEmpty { parts.append(SQLIdentifier.delimited(String(plain), by: "'")) }
      // SQLite's functions accept at most 127 arguments.
      let controls = rest.prefix(100).prefix(while: isWrittenByNumber)
      rest = rest[controls.endIndex...]
      if !controls.isEmpty { parts.append("char(" + controls.map { String($0.value) }.joined(separator: ", ") + ")") }
    }
    return parts.isEmpty ? "''" : concatenation(parts[...])
  }

  private static func isWrittenByNumber(_ scalar: Unicode.Scalar) -> Bool {
    (scalar.value < 0x20 || scalar.value == 0x7F) && scalar != "\n" && scalar != "\t"
  }

  /// Joins parts with `||` in a balanced tree, because SQLite rejects expressions deeper than 1000, and a chain is as deep as it is long.
  private static func concatenation(_ parts: ArraySlice<String>) -> String {
    if parts.count <= 1 { return parts.first ?? "''" }
    if parts.count <= 100 { return "(" + parts.joined(separator: " || ") + ")" }
    let middle = parts.startIndex + parts.count / 2
    return "(" + concatenation(parts[..<middle]) + " || " + concatenation(parts[middle...]) + ")"
  }
}
