internal import QuarryEngine

/// The identifiers of a Swift file, made from the names of tables, columns and parameters.
///
///     Order Details   OrderDetails
///     unit_price      unitPrice
///     class           `class`
struct SwiftNames {
  private var taken: Set<String>

  /// Creates the names of a scope in which some identifiers already have a meaning.
  init(taken: Set<String> = []) {
    self.taken = taken
  }

  /// Returns an identifier that nothing else in the scope has.
  ///
  /// - Parameters:
  ///   - name: The name in SQL.
  ///   - isType: Whether the identifier begins with an uppercase letter.
  ///   - kind: The word to use if the name contains no letter, and to append to an identifier that is taken: `Table`.
  mutating func add(_ name: String, isType: Bool = false, kind: String) -> String {
    let words = Self.words(of: name)
    let first = words.isEmpty || words[0].first?.isNumber == true ? [kind] + words : words
    let plain = Self.joined(first, isType: isType)
    var candidate = plain
    var number = 1
    while !taken.insert(candidate).inserted {
      candidate = number == 1 && !plain.hasSuffix(kind) ? plain + kind.prefix(1).uppercased() + kind.dropFirst() : "\(plain)\(number + 1)"
      number += 1
    }
    return Self.keywords.contains(candidate) ? "`\(candidate)`" : candidate
  }

  /// Returns the words of a name: `unit_price` and `unitPrice` have two.
  private static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    for character in name {
      if !isPart(character) {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      word.append(character)
    }
    return word.isEmpty ? words : words + [word]
  }

  private static func isPart(_ character: Character) -> Bool {
    character.isASCII ? character.isLetter || character.isNumber : character.isLetter && character.unicodeScalars.count == 1
  }

  /// Returns words in the case of Swift's identifiers: `TrackId` and `track_id` become `trackId`, and `URL` becomes `url`.
  private static func joined(_ words: [String], isType: Bool) -> String {
    words.enumerated().map { index, word in
      let word = word.allSatisfy { !$0.isLowercase } && word.count > 1 ? word.lowercased() : word
      return index == 0 && !isType ? decapitalized(word) : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
  }

  /// Returns a word with its leading uppercase letters in lowercase, except for the one that begins the next word: `URLText`, `urlText`.
  private static func decapitalized(_ word: String) -> String {
    let capitals = word.prefix { $0.isUppercase }
    let count = capitals.count < 2 || capitals.count == word.count ? capitals.count : capitals.count - 1
    return capitals.prefix(count).lowercased() + word.dropFirst(count)
  }

  /// The words that Swift reserves, some only in types.
  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "async", "await", "break", "case", "catch", "class", "continue",
    "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
    "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
    "repeat", "rethrows", "return", "self", "some", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while", "any", "each", "macro", "package",
  ]

  /// The types that the file names or that a type in it could hide.
  static let types: Set<String> = [
    "Any", "Array", "Bool", "Collation", "Column", "Columns", "Constant", "Database", "DatabaseQueue", "DatabaseValue", "Double",
    "Foundation", "FullTextMatch", "Int", "Int64", "JSONExtraction", "JSONPath", "Never", "Number", "Optional", "Ordering", "Protocol",
    "QuarryEngine", "QueryExpression", "QueryOperand", "Retyped", "Row", "SQLExpression", "SQLText", "SQLWriter", "Select", "Self",
    "String", "Swift", "Table", "TableColumns", "Type", "UInt8", "Void",
  ]

  /// The members that every table has in a query, so that a column needs another name.
  static let members: Set<String> = ["count", "init", "selectTerm", "selected", "self", "source"]

  /// The values of the function.
  static let values: Set<String> = ["db", "query"]
}
