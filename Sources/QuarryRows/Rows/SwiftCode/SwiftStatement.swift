internal import QuarryEngine

extension SwiftFile {
  /// Creates the file for the rows of a query: its SQL, with values for its parameters.
  ///
  ///     func queryRows(_ db: Database, album: Int = 7) throws -> [Row] {
  ///       try Row.fetchAll(db, sql: "SELECT * FROM Track WHERE AlbumId = :album", arguments: ["album": album])
  ///     }
  ///
  /// - Parameters:
  ///   - listing: The query.
  ///   - path: The path of the database for the example in the file; nil if it has none.
  package init(_ listing: QueryListing, path: String? = nil) {
    var names = SwiftNames(taken: SwiftNames.values)
    let parameters = listing.arguments.map { argument in
      let name = names.add(argument.key, kind: "value")
      return SwiftParameter(token: argument.key, name: name, type: SwiftType(argument.value) ?? .any, value: argument.value)
    }
    let arguments = Self.arguments(of: listing.sql, parameters)
    let list = (["_ db: Database"] + parameters.map { $0.value == .null ? "\($0.name): DatabaseValue = .null" : $0.declaration })
    text =
      Self.head(path, function: "queryRows") + """
        /// Returns the rows of the query.
        func queryRows(\(list.joined(separator: ", "))) throws -> [Row] {
          try Row.fetchAll(db, sql: \(Self.literal(listing.sql))\(arguments))
        }

        """
  }

  /// Returns the argument list of a statement: the unnamed values by number, then the named ones.
  private static func arguments(of sql: String, _ parameters: [SwiftParameter]) -> String {
    let tokens = StatementTokens(sql).parameters
    func name(_ key: String) -> String? { parameters.first { $0.token == key }?.name }
    var named: [String] = []
    for token in tokens where !token.text.hasPrefix("?") {
      guard let name = name(token.key) else { continue }
      let pair = "\(SwiftLiteral.string(token.key)): \(name)"
      if !named.contains(pair) { named.append(pair) }
    }
    let numbers = tokens.filter { $0.text.hasPrefix("?") }
    let taken = Set(tokens.filter { !$0.text.hasPrefix("?") }.map(\.number))
    let last = numbers.map(\.number).max() ?? 0
    let unnamed = (1..<last + 1).filter { !taken.contains($0) }.map { number in
      numbers.contains { $0.number == number } ? name(String(number)) ?? "nil" : "nil"
    }
    let parts = [unnamed, named].filter { !$0.isEmpty }.map { "[\($0.joined(separator: ", "))]" }
    return parts.isEmpty ? "" : ", arguments: \(parts.joined(separator: " + "))"
  }

  /// Returns SQL as a literal, on several lines if the SQL has several.
  private static func literal(_ sql: String) -> String {
    let isPlain = sql.unicodeScalars.allSatisfy { $0 == "\n" || SwiftLiteral.contents(String($0)).count == 1 || $0 == "\"" }
    guard sql.contains("\n"), isPlain, !sql.contains("\"\"\"") else { return SwiftLiteral.string(sql) }
    let lines = sql.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    " + $0 }
    return "\"\"\"\n\(lines.joined(separator: "\n"))\n    \"\"\""
  }
}
