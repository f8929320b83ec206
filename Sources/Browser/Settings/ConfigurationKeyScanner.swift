/// A scanner for the key at the start of one line of TOML: bare, quoted or dotted.
struct ConfigurationKeyScanner {
  private var rest: Substring

  init(_ line: Substring) {
    rest = line
  }

  /// Returns the path in `[a.b]` or `[[a.b]]`.
  mutating func head() -> [String] {
    skip { $0.isWhitespace || $0 == "[" }
    return path()
  }

  /// Returns the path before `=`; nil if the line assigns nothing.
  mutating func assignedKey() -> [String]? {
    skip(\.isWhitespace)
    let path = path()
    return path.isEmpty || rest.first != "=" ? nil : path
  }

  private mutating func path() -> [String] {
    var parts: [String] = []
    while let part = part() {
      parts.append(part)
      skip(\.isWhitespace)
      guard rest.first == "." else { break }
      rest.removeFirst()
      skip(\.isWhitespace)
    }
    return parts
  }

  private mutating func part() -> String? {
    switch rest.first {
    case "\"": quoted(by: "\"", escape: "\\")
    case "'": quoted(by: "'", escape: nil)
    default: bare()
    }
  }

  private mutating func bare() -> String? {
    let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    rest = rest[name.endIndex...]
    return name.isEmpty ? nil : String(name)
  }

  private mutating func quoted(by quote: Character, escape: Character?) -> String? {
    rest.removeFirst()
    var name = ""
    while let character = rest.popFirst(), character != quote {
      name.append(character == escape ? rest.popFirst() ?? character : character)
    }
    return name
  }

  private mutating func skip(_ isSkipped: (Character) -> Bool) {
    rest = rest.drop(while: isSkipped)
  }
}
