/// A parameter at one of the places where the text of a statement has it.
struct ParameterSyntax: Hashable, Sendable {
  /// The parameter as it is written: `:min`, `?2`, `?`.
  let text: String
  /// The number that SQLite gives it, from 1.
  let number: Int
  /// The place of its token.
  let place: Int
  /// Its range in the UTF-8 of the text.
  let range: Range<Int>
}

extension StatementTokens {
  /// The parameters as often as they stand in the text, in its order, numbered by SQLite's rules.
  var parameters: [ParameterSyntax] {
    var numbers: [String: Int] = [:]
    var greatest = 0
    var parameters: [ParameterSyntax] = []
    for place in 0..<count {
      guard let token = self[place], token.kind == .parameter else { continue }
      let text = text(place)
      let written = text.hasPrefix("?") ? Int(text.dropFirst()) : numbers[text]
      let number = written ?? greatest + 1
      if !text.hasPrefix("?") { numbers[text] = number }
      greatest = max(greatest, number)
      parameters.append(ParameterSyntax(text: text, number: number, place: place, range: token.range))
    }
    return parameters
  }

  /// Returns the text with others in the places of its parameters.
  ///
  ///     StatementTokens("SELECT :a, ?5").replacingParameters { "<\($0)>" }   // SELECT <1>, <5>
  ///
  /// - Parameter replacement: the text for the parameter of a number.
  func replacingParameters(_ replacement: (Int) -> String) -> String {
    var result: [UInt8] = []
    var end = 0
    for parameter in parameters {
      result += bytes[end..<parameter.range.lowerBound]
      result += replacement(parameter.number).utf8
      end = parameter.range.upperBound
    }
    return String(decoding: result + bytes[end...], as: UTF8.self)
  }
}
