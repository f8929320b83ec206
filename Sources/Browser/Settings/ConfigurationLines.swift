/// The lines of a TOML text, and the line of each key, which the parser keeps to itself.
struct ConfigurationLines {
  private var lines: [Substring]
  private var places: [[String]: Int]
  /// The lines with a key of too many parts, by their numbers: the parser goes into itself for each part, and would run out of stack.
  let tooDeep: [Int]
  /// Tables in tables are read no deeper.
  static let mostDepth = 2 * mostParts
  /// No key of a setting, of a keymap or of a theme has as many parts.
  static let mostParts = 8

  init(_ text: String) {
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    self.lines = lines
    tooDeep = lines.enumerated().filter { Self.isTooDeep($0.element) }.map { $0.offset + 1 }
    places = Self.places(in: lines, leavingOut: Set(tooDeep))
  }

  /// Whether names with dots between them stand in a row that is longer than any key.
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

  /// Returns the line of a key, else that of the table that it stands in.
  func line(of path: [String]) -> Int? {
    // Tables in tables may go deeper than a line can say.
    var path = path.prefix(Self.mostDepth)
    while !path.isEmpty {
      if let line = places[Array(path)] { return line }
      path = path.dropLast()
    }
    return nil
  }

  /// Blanks a line; with the head of a table goes what stands under it, lest it fall to the table before.
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

  /// Blanks a line and all after it.
  mutating func blank(from line: Int) {
    for index in max(0, line - 1)..<max(0, line - 1, lines.count) { lines[index] = "" }
  }

  private static func isHead(_ line: Substring) -> Bool {
    line.first { !$0.isWhitespace } == "["
  }

  private static func places(in lines: [Substring], leavingOut left: Set<Int>) -> [[String]: Int] {
    var places: [[String]: Int] = [:]
    var head: [String] = []
    for (index, line) in lines.enumerated() where !left.contains(index + 1) {
      var scanner = ConfigurationKeyScanner(line)
      if isHead(line) {
        head = scanner.head()
        record(head, index + 1, in: &places)
      } else if let key = scanner.assignedKey() {
        record(head + key, index + 1, in: &places)
      }
    }
    return places
  }

  private static func record(_ path: [String], _ line: Int, in places: inout [[String]: Int]) {
    places[path] = places[path] ?? line
  }
}
