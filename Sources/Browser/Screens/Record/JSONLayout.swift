import Terminal

/// A JSON text in indented lines, with every token as it was written: numbers keep their digits, members their order.
struct JSONLayout {
  private var tokens: [Token] = []

  private struct Token {
    enum Kind { case open, close, comma, colon, string, number, word }
    var kind: Kind
    var text: Substring
  }

  /// Parses an object or an array; nil for anything else and for malformed text.
  init?(_ text: String) {
    guard let first = text.first(where: { !$0.isWhitespace }), first == "{" || first == "[" else { return nil }
    var scanner = Scanner(text: text[...])
    while let token = scanner.next() { tokens.append(token) }
    guard scanner.isAtEnd, Grammar.accepts(tokens) else { return nil }
  }

  /// Returns the lines, broken to fit `columns`.
  func lines(columns: Int) -> [StyledLine] {
    var lines: [StyledLine] = []
    var line = StyledLine()
    var depth = 0
    func breakLine() {
      lines += wrapped(line, columns: columns)
      line = StyledLine(String(repeating: "  ", count: min(depth, 20)))
    }
    for (index, token) in tokens.enumerated() {
      let isEmptyPair = token.kind == .close && index > 0 && tokens[index - 1].kind == .open
      if token.kind == .close { depth -= 1 }
      if token.kind == .close, !isEmptyPair { breakLine() }
      line = line.adding(String(token.text), role(of: index))
      switch token.kind {
      case .open:
        depth += 1
        if index + 1 < tokens.count, tokens[index + 1].kind != .close { breakLine() }
      case .comma: breakLine()
      case .colon: line = line.adding(" ")
      case .close, .string, .number, .word: break
      }
    }
    return lines + wrapped(line, columns: columns)
  }

  /// The text in indented lines, none of which is broken to fit.
  var indentedText: String {
    lines(columns: .max).map { $0.runs.map(\.text).joined() }.joined(separator: "\n")
  }

  /// Returns the text in one line.
  func text(_ spacing: JSONSpacing) -> String {
    tokens.map { token in
      switch token.kind {
      case .comma where spacing == .everywhere: ", "
      case .colon where spacing != .none: ": "
      default: String(token.text)
      }
    }.joined()
  }

  private func role(of index: Int) -> Role {
    switch tokens[index].kind {
    case .open, .close, .comma, .colon: .muted
    case .string: index + 1 < tokens.count && tokens[index + 1].kind == .colon ? .key : .textValue
    case .number: .number
    case .word: tokens[index].text == "null" ? .null : .keyword
    }
  }

  /// Breaks the last run of a line that is too long.
  private func wrapped(_ line: StyledLine, columns: Int) -> [StyledLine] {
    let used = line.runs.reduce(0) { $0 + TextWidth.columns(of: $1.text) }
    guard used > columns, let last = line.runs.last(where: { TextWidth.columns(of: $0.text) > columns / 2 }) else { return [line] }
    let index = line.runs.lastIndex(of: last) ?? 0
    let before = line.runs[..<index].reduce(0) { $0 + TextWidth.columns(of: $1.text) }
    let pieces = WrappedText.lines(String(repeating: "\u{1}", count: min(before, columns / 2)) + last.text, columns: columns)
    var first = StyledLine()
    first.runs = Array(line.runs[..<index])
    let head = pieces.first.map { String($0.drop { $0 == "\u{1}" }) } ?? ""
    var lines = [first.adding(head, last.role)] + pieces.dropFirst().map { StyledLine($0, last.role) }
    lines[lines.count - 1].runs += line.runs[(index + 1)...]
    return lines
  }

  private struct Scanner {
    var text: Substring

    var isAtEnd: Bool { text.allSatisfy(\.isWhitespace) }

    mutating func next() -> Token? {
      text = text.drop { $0.isWhitespace }
      guard let first = text.first else { return nil }
      switch first {
      case "{", "[": return consume(1, .open)
      case "}", "]": return consume(1, .close)
      case ",": return consume(1, .comma)
      case ":": return consume(1, .colon)
      case "\"": return string()
      default: return word()
      }
    }

    private mutating func consume(_ count: Int, _ kind: Token.Kind) -> Token {
      defer { text = text.dropFirst(count) }
      return Token(kind: kind, text: text.prefix(count))
    }

    private mutating func string() -> Token? {
      var isEscaped = false
      var index = text.index(after: text.startIndex)
      while index < text.endIndex {
        let character = text[index]
        if character == "\"", !isEscaped {
          let end = text.index(after: index)
          defer { text = text[end...] }
          return Token(kind: .string, text: text[..<end])
        }
        isEscaped = character == "\\" && !isEscaped
        index = text.index(after: index)
      }
      return nil
    }

    private mutating func word() -> Token? {
      let end = text.firstIndex { $0.isWhitespace || ",:{}[]\"".contains($0) } ?? text.endIndex
      let word = text[..<end]
      let isNumber = Double(word) != nil && word.allSatisfy { "+-.eE0123456789".contains($0) }
      guard isNumber || ["true", "false", "null"].contains(word) else { return nil }
      defer { text = text[end...] }
      return Token(kind: isNumber ? .number : .word, text: word)
    }
  }

  /// Checks that tokens form one JSON value.
  private enum Grammar {
    static func accepts(_ tokens: [Token]) -> Bool {
      var stack: [Substring] = []
      var previous: Token?
      for token in tokens {
        guard follows(token, previous, inObject: stack.last == "{"), previous == nil || !stack.isEmpty else { return false }
        if token.kind == .open { stack.append(token.text) }
        if token.kind == .close, stack.popLast() != (token.text == "}" ? "{" : "[") { return false }
        previous = token
      }
      return stack.isEmpty && previous != nil
    }

    private static func follows(_ token: Token, _ previous: Token?, inObject: Bool) -> Bool {
      guard let previous else { return token.kind == .open }
      switch (previous.kind, token.kind) {
      case (.open, .close), (.comma, .string), (.open, .string): return true
      case (.open, .open), (.open, .number), (.open, .word), (.comma, .open), (.comma, .number), (.comma, .word): return !inObject
      case (.colon, .open), (.colon, .string), (.colon, .number), (.colon, .word): return inObject
      case (.string, .colon): return inObject
      case (.string, .comma), (.number, .comma), (.word, .comma), (.close, .comma): return true
      case (.string, .close), (.number, .close), (.word, .close), (.close, .close): return true
      default: return false
      }
    }
  }
}

/// Where a JSON text in one line has blanks.
enum JSONSpacing: CaseIterable {
  case none
  case afterColons
  /// After colons and commas.
  case everywhere
}
