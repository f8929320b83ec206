/// The parameters of a statement as its text has them: which there are, in their order, and where each stands.
struct WrittenParameters {
  /// One for each number that SQLite gives, in the order of first appearance.
  private(set) var all: [StatementParameter] = []
  /// The indexes of the tokens of each, by its number.
  private(set) var places: [Int: [Int]] = [:]
  private var greatest = 0
  private var numbers: [String: Int] = [:]

  /// Reads the text of a compiled statement; SQLite has the last word on what is a parameter.
  init(_ tokens: ParameterTokens, of statement: Statement) {
    for place in tokens.indices where tokens[place].kind == .parameter {
      let token = tokens.written(place)
      let number = token == "?" ? unnamedNumber(of: statement) : statement.parameterIndex(named: token) ?? Self.number(in: token)
      if let number, number <= statement.parameterCount { meet(token, number, at: place) }
    }
    for (index, name) in statement.parameterNames.enumerated() where places[index + 1] == nil {
      if let token = name.token { meet(token, index + 1, at: nil) }
    }
  }

  /// Reads a text that cannot be compiled yet, and numbers what it finds by SQLite's rules.
  init(_ tokens: ParameterTokens) {
    for place in tokens.indices where tokens[place].kind == .parameter {
      let token = tokens.written(place)
      let number = token.hasPrefix("?") ? Self.number(in: token) ?? greatest + 1 : numbers[token] ?? greatest + 1
      numbers[token] = number
      meet(token, number, at: place)
    }
  }

  /// The number of a `?`: one more than the greatest before it.
  private func unnamedNumber(of statement: Statement) -> Int? {
    let isNamed = { (number: Int) in statement.parameterName(at: number)?.hasPrefix("?") == false }
    return (greatest + 1..<max(greatest + 1, statement.parameterCount) + 1).first { !isNamed($0) }
  }

  private static func number(in token: String) -> Int? {
    token.hasPrefix("?") ? Int(token.dropFirst()) : nil
  }

  private mutating func meet(_ token: String, _ number: Int, at place: Int?) {
    greatest = max(greatest, number)
    if places[number] == nil { all.append(StatementParameter(token: token, index: number)) }
    places[number, default: []] += place.map { [$0] } ?? []
  }
}
