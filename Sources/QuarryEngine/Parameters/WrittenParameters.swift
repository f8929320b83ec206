/// The parameters of a statement as its text has them: which there are, in their order, and where each stands.
struct WrittenParameters {
  /// One for each number that SQLite gives, in the order of first appearance.
  private(set) var all: [StatementParameter] = []
  /// The places of the tokens of each, by its number.
  private(set) var places: [Int: [Int]] = [:]

  /// Reads the tokens of a statement.
  ///
  /// - Parameter statement: what was compiled of them; SQLite has the last word on what is a parameter.
  init(_ tokens: StatementTokens, of statement: Statement? = nil) {
    for parameter in tokens.parameters where parameter.number <= statement?.parameterCount ?? .max {
      add(parameter.text, parameter.number)
      places[parameter.number, default: []].append(parameter.index)
    }
    for (index, name) in (statement?.parameterNames ?? []).enumerated() {
      if let token = name.token { add(token, index + 1) }
    }
  }

  private mutating func add(_ token: String, _ number: Int) {
    if places[number] != nil { return addOther(token, number) }
    all.append(StatementParameter(token: token, index: number))
    places[number] = []
  }

  /// Takes note of another token for a number that has one: `?1` after `:min`.
  private mutating func addOther(_ token: String, _ number: Int) {
    guard token != "?", let index = all.firstIndex(where: { $0.index == number }) else { return }
    if all[index].token != token, !all[index].otherTokens.contains(token) { all[index].otherTokens.append(token) }
  }
}
