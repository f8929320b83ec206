/// The lines of a TOML text, and the line of each key, which the parser keeps to itself.
struct ConfigurationLines {
  private var lines: [Substring]
  private var places: [[String]: Int]

  init(_ text: String) {
    lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    places = Self.places(in: lines)
  }

  var text: String { lines.joined(separator: "\n") }

  /// Returns the line of a key, else that of the table that it stands in.
  func line(of path: [String]) -> Int? {
    var path = path[...]
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

  private static func places(in lines: [Substring]) -> [[String]: Int] {
    var places: [[String]: Int] = [:]
    var head: [String] = []
    for (index, line) in lines.enumerated() {
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
