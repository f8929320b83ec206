/// The tables that the parts of a statement see.
struct StatementScopes {
  /// How deeply sub-selects may lie in one another before their tables are passed over.
  static let greatestDepth = 16
  /// How many parentheses a place may be in for its tables to be known; SQLite's parser gives up at a hundred.
  private static let mostParentheses = 128

  let tokens: StatementTokens
  let schema: SQLCompletionSchema
  /// What the WITH clauses of the statement name.
  private(set) var commonTables: [Relation] = []
  /// The rows of a trigger, `old` and `new`.
  private(set) var rows: [Relation] = []

  init(_ tokens: StatementTokens, schema: SQLCompletionSchema) {
    self.tokens = tokens
    self.schema = schema
    // The inner ones lie behind, and the outer ones may be made of them.
    for place in (0..<tokens.count).reversed() where tokens.isWord(place, "with") { readCommonTables(at: place + 1) }
    if tokens.createdKind == "trigger", let on = (0..<tokens.count).first(where: tokens.isHeaderOn), let table = table(at: on + 1) {
      rows = ["new", "old"].map(table.relation.row)
    }
  }

  private mutating func readCommonTables(at start: Int) {
    var place = tokens.keyword(start) == "recursive" ? start + 1 : start
    while let name = tokens.name(place) {
      var names: [String]?
      if tokens.isSymbol(place + 1, "(") { names = (place + 2..<tokens.partner(of: place + 1)).compactMap(tokens.name) }
      place = tokens.place(after: names == nil ? place : place + 1)
      while ["as", "not", "materialized"].contains(tokens.keyword(place)) { place += 1 }
      guard tokens.isSymbol(place, "(") else { return }
      let body = place + 1..<max(place + 1, tokens.partner(of: place))
      let columns = names?.map { SQLCompletionSchema.Column(name: $0) } ?? resultColumns(in: body, depth: 0)
      commonTables.append(Relation(name: name, kind: "common table", table: name, columns: columns))
      place = tokens.place(after: place)
      guard tokens.isSymbol(place, ",") else { return }
      place += 1
    }
  }

  /// The table that is named at a place, with its database where that is written, and where its name ends; nil where there is no name.
  ///
  /// A name that the schema does not have makes a table without columns; a keyword is a name where the schema has it.
  func table(at place: Int) -> (relation: Relation, end: Int)? {
    guard let first = tokens.anyName(place) else { return nil }
    if tokens.isSymbol(place + 1, "."), let name = tokens.anyName(place + 2) {
      return (relation(named: name, database: first), place + 3)
    }
    let relation = relation(named: first, database: nil)
    return tokens.keyword(place) == nil || !relation.columns.isEmpty ? (relation, place + 1) : nil
  }

  private func relation(named name: String, database: String?) -> Relation {
    if database == nil, let common = commonTables.last(where: { $0.name.isSameIdentifier(as: name) }) { return common }
    let function = database == nil ? schema.tableFunctions.first { $0.reference.name.isSameIdentifier(as: name) } : nil
    let table = schema.table(named: name, database: database) ?? function
    let found = table?.reference.name ?? name
    return Relation(name: found, kind: table?.kind ?? "table", table: found, columns: table?.columns ?? [])
  }

  /// What is seen at a place between tokens, the tables of the innermost select first, those of the selects around it after.
  func levels(at index: Int) -> [[Relation]] {
    var levels: [[Relation]] = []
    var (group, isJoin) = (0..<tokens.count, false)
    for _ in 0..<Self.mostParentheses {
      let selects = SelectReader.selects(self, in: group, depth: 0)
      let own = selects.last { $0.start < index } ?? selects.first
      if let own, !own.relations.isEmpty, !isJoin { levels.append(own.relations) }
      guard let open = parenthesis(around: index, in: group) else { break }
      if seesNothingOutside(open) { levels = [] }
      isJoin = !tokens.isQuery(open + 1) && tokens.introducesTable(open - 1)
      group = open + 1..<max(open + 1, tokens.partner(of: open))
    }
    return levels.reversed()
  }

  /// The place of the outermost parenthesis of a group that a place is in.
  private func parenthesis(around index: Int, in group: Range<Int>) -> Int? {
    var place = group.lowerBound
    while place < min(index, group.upperBound) {
      if tokens.isSymbol(place, "("), tokens.partner(of: place) >= index { return place }
      place = tokens.place(after: place)
    }
    return nil
  }

  /// Whether a sub-select of a FROM or a common table begins with this parenthesis.
  private func seesNothingOutside(_ open: Int) -> Bool {
    tokens.isQuery(open + 1) && (["as", "materialized"].contains(tokens.keyword(open - 1)) || tokens.introducesTable(open - 1))
  }
}
