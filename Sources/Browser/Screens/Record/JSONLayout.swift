import QuarryRows
import Terminal

/// A JSON text in indented lines, with every token unchanged: numbers keep their digits, members their order.
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
    var text = text
    text.makeContiguousUTF8()
    var reader = Reader(text)
    let isJSON = text.withUTF8 { bytes in
      var scanner = JSONScanner(UnsafeRawBufferPointer(bytes), deepestNesting: .max)
      return scanner.scan(&reader)
    }
    guard isJSON else { return nil }
    tokens = reader.tokens
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
}

extension JSONLayout {
  /// Makes the tokens of a text, with the commas and colons between them.
  private struct Reader: JSONVisitor {
    let text: String.UTF8View
    var tokens: [Token] = []
    /// For each container around this place, whether it is an object and whether it has a value by now.
    private var containers: [(isObject: Bool, hasValue: Bool)] = []

    init(_ text: String) { self.text = text.utf8 }

    mutating func value(_ type: JSONType, at range: Range<Int>) {
      if containers.last?.isObject == false { separate() }
      let kind: Token.Kind =
        switch type {
        case .object, .array: .open
        case .text: .string
        case .integer, .real: .number
        case .true, .false, .null: .word
        }
      add(kind, range)
      if kind == .open { containers.append((type == .object, false)) }
    }

    mutating func key(_ bytes: UnsafeRawBufferPointer, at range: Range<Int>, hasEscapes: Bool) {
      separate()
      add(.string, range)
      tokens.append(Token(kind: .colon, text: ":"))
    }

    mutating func end(at offset: Int) {
      containers.removeLast()
      add(.close, offset..<offset + 1)
    }

    private mutating func separate() {
      if containers.last?.hasValue == true { tokens.append(Token(kind: .comma, text: ",")) }
      containers[containers.count - 1].hasValue = true
    }

    private mutating func add(_ kind: Token.Kind, _ range: Range<Int>) {
      let start = text.index(text.startIndex, offsetBy: range.lowerBound)
      tokens.append(Token(kind: kind, text: Substring(text[start..<text.index(start, offsetBy: range.count)])))
    }
  }
}

/// The places at which a JSON text in one line has spaces.
enum JSONSpacing: CaseIterable {
  case none
  case afterColons
  /// After colons and commas.
  case everywhere
}
