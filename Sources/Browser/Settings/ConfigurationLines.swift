/// The lines of a TOML text, and the line of each key, which the parser does not report.
struct ConfigurationLines {
  private var lines: [Substring]
  private var lineNumbers: [[String]: Int]
  /// The numbers of lines with too many key parts: the parser recurses for each part and would overflow the stack.
  let tooDeep: [Int]
  /// The numbers of lines with a bracket of a table that no name follows: the parser would abort the program.
  let nameless: [Int]
  /// The largest depth of nested tables that are read.
  static let mostDepth = 2 * mostParts
  /// The largest number of parts of a key; no key of a setting, a keymap or a theme has as many.
  static let mostParts = 8

  init(_ text: String) {
    // Other line breaks of Unicode are part of a line in TOML.
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    self.lines = lines
    tooDeep = lines.enumerated().filter { Self.isTooDeep($0.element) }.map { $0.offset + 1 }
    nameless = lines.enumerated().filter { Self.isNameless($0.element) }.map { $0.offset + 1 }
    lineNumbers = Self.lineNumbers(in: lines, leavingOut: Set(tooDeep + nameless))
  }

  /// Returns whether a line begins with `[` or `[[`, and neither a name nor `]` follows.
  private static func isNameless(_ line: Substring) -> Bool {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    // The parser passes over blanks of Unicode too.
    var rest = line.utf8.drop { isBlank($0) || $0 >= 0x80 }
    guard rest.popFirst() == UInt8(ascii: "[") else { return false }
    if rest.first == UInt8(ascii: "[") { rest.removeFirst() }
    guard let first = rest.drop(while: isBlank).first else { return true }
    switch first {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): return false
    default: return !"_-\"']".utf8.contains(first)
    }
  }

  /// Returns whether a line contains more dotted names in a row than any key has.
  private static func isTooDeep(_ line: Substring) -> Bool {
    var (dots, quote, isEscaped) = (0, UInt8(0), false)
    for byte in line.utf8 {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where quote == UInt8(ascii: "\""): isEscaped = true
      case quote where quote != 0: quote = 0
      case _ where quote != 0: break
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "#"): return false
      case UInt8(ascii: "."):
        dots += 1
        if dots >= mostParts { return true }
      case UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"): dots = 0
      default: break
      }
    }
    return false
  }

  var text: String { lines.joined(separator: "\n") }

  /// Returns the line of a key, or otherwise of its table.
  func line(of path: [String]) -> Int? {
    // Nested tables may be deeper than a line can express.
    var path = path.prefix(Self.mostDepth)
    while !path.isEmpty {
      if let line = lineNumbers[Array(path)] { return line }
      path = path.dropLast()
    }
    return nil
  }

  /// Clears a line.
  ///
  /// If the line is the head of a table, its entries are cleared too, because they would otherwise join the previous table.
  mutating func blank(at line: Int) {
    guard lines.indices.contains(line - 1) else { return }
    let isHead = Self.isHead(lines[line - 1])
    lines[line - 1] = ""
    guard isHead else { return }
    for index in line..<max(line, lines.count) {
      if Self.isHead(lines[index]) { return }
      lines[index] = ""
    }
  }

  /// Clears a line and all later lines.
  mutating func blank(from line: Int) {
    for index in max(0, line - 1)..<max(0, line - 1, lines.count) { lines[index] = "" }
  }

  private static func isHead(_ line: Substring) -> Bool {
    line.first { !$0.isWhitespace } == "["
  }

  private static func lineNumbers(in lines: [Substring], leavingOut left: Set<Int>) -> [[String]: Int] {
    var lineNumbers: [[String]: Int] = [:]
    var head: [String] = []
    for (index, line) in lines.enumerated() where !left.contains(index + 1) {
      var scanner = ConfigurationKeyScanner(line)
      if isHead(line) {
        head = scanner.head()
        record(head, index + 1, in: &lineNumbers)
      } else if let key = scanner.assignedKey() {
        record(head + key, index + 1, in: &lineNumbers)
      }
    }
    return lineNumbers
  }

  private static func record(_ path: [String], _ line: Int, in lineNumbers: inout [[String]: Int]) {
    lineNumbers[path] = lineNumbers[path] ?? line
  }
}
