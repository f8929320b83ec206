/// The places of the assignments in a valid TOML text, which the parser does not report, as offsets in its UTF-8 bytes.
struct ConfigurationPlaces {
  /// A key with its value.
  struct Assignment: Hashable {
    /// The names of its tables and its own name.
    var path: [String]
    /// From the first byte of the key to the end of the value.
    var extent: Range<Int>
    var value: Range<Int>
    /// The lines of the assignment with their line ending; nil in an inline table.
    var lines: Range<Int>?
  }

  /// A line such as `[changes]`.
  struct Head: Hashable {
    var path: [String]
    /// The line with its line ending.
    var line: Range<Int>
  }

  /// A table in braces.
  struct InlineTable: Hashable {
    var path: [String]
    /// From the opening brace to the end of the closing brace.
    var braces: Range<Int>
    /// The extents of its assignments, in order.
    var entries: [Range<Int>]
  }

  private(set) var assignments: [Assignment] = []
  private(set) var heads: [Head] = []
  private(set) var inlineTables: [InlineTable] = []
  /// The comments that have a line of their own, with their line ending.
  private(set) var comments: [Range<Int>] = []

  private let bytes: [UInt8]
  private var offset = 0
  private var headPath: [String] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: Self.byteOrderMark) { offset = Self.byteOrderMark.count }
    while offset < bytes.count { readLine() }
  }

  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  // MARK: Lines

  private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func readLine() {
    let start = offset
    skipBlanks()
    switch byte {
    case nil: break
    case UInt8(ascii: "\n"): offset += 1
    case UInt8(ascii: "#"):
      skipLine()
      comments.append(start..<offset)
    case UInt8(ascii: "["):
      while byte == UInt8(ascii: "[") { offset += 1 }
      headPath = readPath()
      skipLine()
      heads.append(Head(path: headPath, line: start..<offset))
    default:
      guard var assignment = readAssignment(in: headPath) else { return skipLine() }
      skipLine()
      assignment.lines = start..<offset
      assignments.append(assignment)
    }
  }

  /// Skips the rest of the line and its line ending.
  private mutating func skipLine() {
    while let byte, byte != UInt8(ascii: "\n") { offset += 1 }
    offset = min(offset + 1, bytes.count)
  }

  private mutating func skipBlanks() {
    while let byte, Self.isBlank(byte) { offset += 1 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  // MARK: Keys

  /// Reads a key, `=` and a value; nil if there is no `=`.
  private mutating func readAssignment(in table: [String]) -> Assignment? {
    let start = offset
    let path = table + readPath()
    guard byte == UInt8(ascii: "=") else { return nil }
    offset += 1
    skipBlanks()
    let value = offset
    skipValue(of: path)
    return Assignment(path: path, extent: start..<offset, value: value..<offset)
  }

  /// Reads a key with its dots, and the spaces after it.
  private mutating func readPath() -> [String] {
    var path: [String] = []
    while true {
      skipBlanks()
      guard let part = readPart() else { return path }
      path.append(part)
      skipBlanks()
      guard byte == UInt8(ascii: ".") else { return path }
      offset += 1
    }
  }

  private mutating func readPart() -> String? {
    let start = offset
    if let quote = byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      skipString()
      return String(decoding: bytes[start..<offset].dropFirst().dropLast(), as: UTF8.self)
    }
    while let byte, Self.isOfBareKey(byte) { offset += 1 }
    return offset > start ? String(decoding: bytes[start..<offset], as: UTF8.self) : nil
  }

  private static func isOfBareKey(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...0xFF:
      true
    default: false
    }
  }

  // MARK: Values

  /// Skips a value.
  ///
  /// - Parameter path: The path of the value; nil in a list, whose tables have no path.
  private mutating func skipValue(of path: [String]?) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString()
    case UInt8(ascii: "["): skipList()
    case UInt8(ascii: "{"): skipTable(of: path)
    default:
      while let byte, !Self.isBlank(byte), !Self.ends.contains(byte) { offset += 1 }
    }
  }

  /// The bytes that end a number, a boolean or a date.
  private static let ends = Set("\n#,]}".utf8)

  private mutating func skipString() {
    guard let quote = byte else { return }
    let canEscape = quote == UInt8(ascii: "\"")
    let isLong = bytes[offset...].starts(with: [quote, quote, quote])
    let closing = Array(repeating: quote, count: isLong ? 3 : 1)
    offset += closing.count
    while offset < bytes.count, !bytes[offset...].starts(with: closing) {
      offset += canEscape && bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    offset = min(offset + closing.count, bytes.count)
    // A long string can end with up to two quotes of its own.
    for _ in 0..<2 where isLong && byte == quote { offset += 1 }
  }

  private mutating func skipList() {
    offset += 1
    while let byte, byte != UInt8(ascii: "]") {
      let start = offset
      if byte == UInt8(ascii: "#") { skipLine() } else if !skipSpace(byte) { skipValue(of: nil) }
      // A byte that cannot begin a value.
      if offset == start { offset += 1 }
    }
    offset = min(offset + 1, bytes.count)
  }

  /// Skips a byte between the values of a list; returns false for any other byte.
  private mutating func skipSpace(_ byte: UInt8) -> Bool {
    guard Self.isBlank(byte) || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: ",") else { return false }
    offset += 1
    return true
  }

  private mutating func skipTable(of path: [String]?) {
    let start = offset
    var entries: [Range<Int>] = []
    offset += 1
    while let byte, byte != UInt8(ascii: "}") {
      let before = offset
      if skipSpace(byte) { continue }
      if let assignment = readAssignment(in: path ?? []) {
        entries.append(assignment.extent)
        if path != nil { assignments.append(assignment) }
      }
      if offset == before { offset += 1 }
    }
    offset = min(offset + 1, bytes.count)
    if let path { inlineTables.append(InlineTable(path: path, braces: start..<offset, entries: entries)) }
  }
}
