/// The string literals of a Swift source, read line by line.
///
/// Line comments are skipped. An interpolation is expected to end on its line.
struct SourceLiterals {
  struct Literal {
    /// The line of its beginning, from 1.
    var line: Int
    /// The text, with spaces for interpolations and escapes.
    var text: String
  }

  private static let sqlKeywords: Set<Substring> = ["CREATE", "FROM", "INSERT", "SELECT", "WHERE"]

  /// All literals, including those within interpolations.
  private(set) var all: [Literal] = []
  /// The multi-line literal that has not ended.
  private var block: Literal?
  private var blockEnd = ""
  private var blockEscape = ""

  init(_ source: String) {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() { scan(line, number: index + 1) }
  }

  /// The literals of at least three words without SQL keywords.
  var messages: [Literal] {
    all.filter { literal in
      let words = literal.text.split { !$0.isLetter && !$0.isNumber }
      return words.count >= 3 && Self.sqlKeywords.isDisjoint(with: words)
    }
  }

  private mutating func scan(_ line: Substring, number: Int) {
    var rest = line
    if var literal = block {
      let isLast = rest.drop(while: \.isWhitespace).hasPrefix(blockEnd)
      literal.text += " " + removeText(from: &rest, to: blockEnd, escape: blockEscape, line: number)
      block = isLast ? nil : literal
      guard isLast else { return }
      all.append(literal)
    }
    while let quote = rest.firstIndex(of: "\"") {
      if let comment = rest.firstRange(of: "//"), comment.lowerBound < quote { return }
      let pounds = String(rest[..<quote].reversed().prefix { $0 == "#" })
      rest = rest[quote...]
      if rest.hasPrefix("\"\"\"") {
        block = Literal(line: number, text: "")
        (blockEnd, blockEscape) = ("\"\"\"" + pounds, "\\" + pounds)
        return
      }
      rest.removeFirst()
      let text = removeText(from: &rest, to: "\"" + pounds, escape: "\\" + pounds, line: number)
      all.append(Literal(line: number, text: text))
    }
  }

  /// Removes the rest of a literal with its end and returns its text; adds the literals within interpolations.
  private mutating func removeText(from rest: inout Substring, to end: String, escape: String, line: Int) -> String {
    var text = ""
    while !rest.isEmpty, !rest.hasPrefix(end) {
      guard rest.hasPrefix(escape) else {
        text.append(rest.removeFirst())
        continue
      }
      rest = rest.dropFirst(escape.count)
      if rest.popFirst() == "(" { removeInterpolation(from: &rest, line: line) }
      text += " "
    }
    rest = rest.dropFirst(end.count)
    return text
  }

  private mutating func removeInterpolation(from rest: inout Substring, line: Int) {
    var depth = 1
    while depth > 0, let character = rest.popFirst() {
      switch character {
      case "(": depth += 1
      case ")": depth -= 1
      case "\"":
        let text = removeText(from: &rest, to: "\"", escape: "\\", line: line)
        all.append(Literal(line: line, text: text))
      default: break
      }
    }
  }
}
