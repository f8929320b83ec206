/// Reads the module's name out of the text that made a virtual table.
///
///     CREATE VIRTUAL TABLE "my notes" USING fts5(title, body)   -- fts5
enum VirtualTableModule {
  /// The name between USING and the arguments; nil where the text is something else.
  static func name(in sql: String) -> String? {
    var words = Words(rest: Substring(sql))
    while let word = words.next() {
      if !word.isQuoted && word.text.lowercased() == "using" {
        return words.next()?.text
      }
    }
    return nil
  }

  /// The words of a statement, with quoted ones unwrapped and comments left out.
  private struct Words: IteratorProtocol {
    var rest: Substring

    mutating func next() -> (text: String, isQuoted: Bool)? {
      skipSpaceAndComments()
      guard let first = rest.first else { return nil }
      if let closing = closingQuote(of: first) {
        return (quoted(until: closing), true)
      }
      let word = rest.prefix { !$0.isWhitespace && closingQuote(of: $0) == nil && !"(),;.".contains($0) }
      rest = rest.dropFirst(max(1, word.count))
      return (word.isEmpty ? String(first) : String(word), false)
    }

    private mutating func skipSpaceAndComments() {
      while let first = rest.first {
        if first.isWhitespace {
          rest = rest.dropFirst()
        } else if rest.hasPrefix("--") {
          rest = rest.drop { !$0.isNewline }
        } else if rest.hasPrefix("/*") {
          rest = rest.dropFirst(2).firstRange(of: "*/").map { rest[$0.upperBound...] } ?? ""
        } else {
          return
        }
      }
    }

    private func closingQuote(of character: Character) -> Character? {
      switch character {
      case "\"", "'", "`": character
      case "[": "]"
      default: nil
      }
    }

    /// Takes a quoted word; a closing quote written twice stands for itself, but not for a bracket.
    private mutating func quoted(until closing: Character) -> String {
      var text = ""
      rest = rest.dropFirst()
      while let character = rest.popFirst() {
        guard character == closing else {
          text.append(character)
          continue
        }
        guard closing != "]", rest.first == closing else { break }
        text.append(rest.removeFirst())
      }
      return text
    }
  }
}
