/// A parameter as often as the text of a statement has it.
struct ParameterSyntax: Hashable, Sendable {
  /// The parameter as it is written: `:min`, `?2`, `?`.
  let text: String
  /// The number that SQLite gives it, from 1.
  let number: Int
  /// The index of its token.
  let index: Int
  /// Its range in the UTF-8 of the text.
  let range: Range<Int>
}

extension StatementTokens {
  /// The parameters as often as they stand in the text, in its order, numbered by SQLite's rules.
  var parameters: [ParameterSyntax] {
    var numbers: [String: Int] = [:]
    var greatest = 0
    var parameters: [ParameterSyntax] = []
    for index in 0..<count {
      guard let token = self[index], token.kind == .parameter else { continue }
      let text = text(index)
      let written = text.hasPrefix("?") ? Int(text.dropFirst()) : numbers[text]
      let number = written ?? greatest + 1
      if !text.hasPrefix("?") { numbers[text] = number }
      greatest = max(greatest, number)
      parameters.append(ParameterSyntax(text: text, number: number, index: index, range: token.range))
    }
    return parameters
  }
}
