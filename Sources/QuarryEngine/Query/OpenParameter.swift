/// A parameter that no value has been given for, written as its token: to be read and planned, not to be run.
///
///     (score > :min)
struct OpenParameter: QueryExpression {
  typealias QueryValue = DatabaseValue
  typealias Output = DatabaseValue?

  private let token: String

  /// Makes a parameter of a token as SQL has it, and of nothing else.
  init?(_ token: String) {
    let name = token.utf8.dropFirst()
    let isNumbered = token.utf8.first == UInt8(ascii: "?")
    let isName = { (byte: UInt8) in byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || (byte | 0x20) &- 0x61 < 26 }
    let isDigit = { (byte: UInt8) in byte &- 0x30 < 10 }
    guard let first = token.utf8.first, "?:@$".utf8.contains(first) else { return nil }
    guard name.allSatisfy({ isDigit($0) || !isNumbered && isName($0) }), isNumbered || !name.isEmpty else { return nil }
    self.token = token
  }

  func write(to sql: inout SQLWriter) {
    var text = SQLText()
    text.raw(token)
    sql.append(text)
  }
}
