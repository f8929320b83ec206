/// The tables that each part of a statement can name columns of.
struct ParameterScopes {
  /// A table as a statement names it, or a SELECT in its place.
  struct Table {
    var database: String?
    var name = ""
    var alias: String?
    /// The parenthesis before a SELECT that stands in the place of a table.
    var body: Int?
    /// What the columns are called, where that is told before the SELECT.
    var columnNames: [String] = []
  }

  /// One SELECT of a statement, or what else has tables of its own.
  struct Scope {
    var parent: Int?
    var tables: [Table] = []
    /// The table that rows are inserted into, with its columns where they are listed.
    var target: Table?
    /// The word SELECT.
    var select: Int?
  }

  private(set) var scopes: [Scope] = [Scope()]
  /// For each token, the index of its scope.
  private(set) var scopeOfToken: [Int] = []
  /// The SELECTs of WITH, by their names in small letters.
  private(set) var commonTables: [String: Table] = [:]

  private let tokens: ParameterTokens
  /// What is open at the token that is looked at, the innermost last.
  private var frames = [Frame()]

  private struct Frame {
    var scope = 0
    var isInFrom = false
    var expectsTable = false
  }

  init(_ tokens: ParameterTokens) {
    self.tokens = tokens
    scopeOfToken.reserveCapacity(tokens.indices.count)
    for index in tokens.indices {
      if tokens[index].text == ")", frames.count > 1 { frames.removeLast() }
      if Self.compounds.contains(tokens[index].text), tokens[index].kind == .word { beginNextSelect() }
      scopeOfToken.append(frame.scope)
      look(at: index)
    }
  }

  private static let compounds: Set<String> = ["UNION", "INTERSECT", "EXCEPT"]
  private static let ends: Set<String> = [
    "SELECT", "WHERE", "GROUP", "ORDER", "LIMIT", "HAVING", "WINDOW", "RETURNING", "SET", "VALUES",
  ]

  private var frame: Frame {
    get { frames.last ?? Frame() }
    set { if !frames.isEmpty { frames[frames.count - 1] = newValue } }
  }

  private mutating func beginNextSelect() {
    frame = Frame(scope: addScope(parent: scopes[frame.scope].parent))
  }

  private mutating func addScope(parent: Int?) -> Int {
    scopes.append(Scope(parent: parent))
    return scopes.count - 1
  }

  private mutating func look(at index: Int) {
    switch tokens[index].text {
    case "(": open(at: index)
    case ",": frame.expectsTable = frame.isInFrom
    case "FROM" where tokens.text(index - 1) != "DISTINCT" || !["IS", "NOT"].contains(tokens.text(index - 2)), "JOIN": expectTable()
    case "UPDATE" where tokens.text(index + 1) != "SET":
      if let table = table(at: tokens.text(index + 1) == "OR" ? index + 3 : index + 1) { scopes[frame.scope].tables.append(table) }
    case "INTO": scopes[frame.scope].target = target(at: index + 1)
    case "WITH": addCommonTables(at: index + 1)
    case "SELECT" where scopes[frame.scope].select == nil:
      scopes[frame.scope].select = index
      (frame.isInFrom, frame.expectsTable) = (false, false)
    case let word where Self.ends.contains(word): (frame.isInFrom, frame.expectsTable) = (false, false)
    default:
      guard frame.expectsTable, let table = table(at: index) else { return }
      scopes[frame.scope].tables.append(table)
      frame.expectsTable = false
    }
  }

  private mutating func expectTable() {
    (frame.isInFrom, frame.expectsTable) = (true, true)
  }

  /// Goes into parentheses: those of a SELECT in the place of a table, of tables that are joined first, or any others.
  private mutating func open(at index: Int) {
    let isSelect = ["SELECT", "WITH", "VALUES"].contains(tokens.text(index + 1))
    if frame.expectsTable, !isSelect {
      frame.expectsTable = false
      frames.append(Frame(scope: frame.scope, isInFrom: true, expectsTable: true))
      return
    }
    if frame.expectsTable {
      let end = (tokens.partner(index) ?? index) + 1
      scopes[frame.scope].tables.append(Table(alias: alias(at: end), body: index))
      frame.expectsTable = false
    }
    frames.append(Frame(scope: addScope(parent: frame.scope)))
  }

  private func table(at index: Int) -> Table? {
    guard let first = tokens.name(index) else { return nil }
    guard tokens.text(index + 1) == ".", let second = tokens.name(index + 2) else {
      return Table(name: first, alias: alias(at: end(of: index + 1)))
    }
    return Table(database: first, name: second, alias: alias(at: end(of: index + 3)))
  }

  /// Passes over the arguments of a table that is a function.
  private func end(of index: Int) -> Int {
    tokens.text(index) == "(" ? (tokens.partner(index) ?? index) + 1 : index
  }

  private func alias(at index: Int) -> String? {
    if tokens.text(index) == "AS" { return tokens.name(index + 1) }
    return tokens.isPlainName(index) ? tokens.name(index) : nil
  }

  /// The table after INTO, and the columns between parentheses after it.
  private func target(at index: Int) -> Table? {
    guard let first = tokens.name(index) else { return nil }
    let isQualified = tokens.text(index + 1) == "."
    var table = isQualified ? Table(database: first, name: tokens.name(index + 2) ?? "") : Table(name: first)
    var next = isQualified ? index + 3 : index + 1
    if tokens.text(next) == "AS" {
      table.alias = tokens.name(next + 1)
      next += 2
    }
    table.columnNames = names(at: next)
    return table
  }

  private func names(at index: Int) -> [String] {
    guard tokens.text(index) == "(", let end = tokens.partner(index) else { return [] }
    return tokens.items(in: index + 1..<end).compactMap { tokens.name($0.lowerBound) }
  }

  /// Notes what follows WITH: names, their columns, and where their SELECTs begin.
  private mutating func addCommonTables(at index: Int) {
    var next = tokens.text(index) == "RECURSIVE" ? index + 1 : index
    while let name = tokens.name(next) {
      let columnNames = names(at: next + 1)
      var body = end(of: next + 1)
      while ["AS", "NOT", "MATERIALIZED"].contains(tokens.text(body)) { body += 1 }
      guard tokens.text(body) == "(", let end = tokens.partner(body) else { return }
      commonTables[name.lowercased()] = Table(name: name, body: body, columnNames: columnNames)
      guard tokens.text(end + 1) == "," else { return }
      next = end + 2
    }
  }
}
