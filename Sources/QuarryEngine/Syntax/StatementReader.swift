/// Reads the tokens of a statement once from the first to the last into the parts of a ``StatementSyntax``.
struct StatementReader {
  /// A parenthesis that is open, or the statement around all of them.
  private struct Frame {
    /// The query that is read.
    var query: Int
    /// Whether the query stands in this parenthesis, not around it.
    var ownsQuery: Bool
    var opener: Int?
    var isInFrom = false
    /// The table that INSERT writes to, which its SELECT does not see, but its RETURNING does.
    var target: TableSyntax?
  }

  let tokens: StatementTokens
  private(set) var kind = StatementKind(verb: nil, isExplanation: false)
  private(set) var verb = 0
  private(set) var object: ObjectSyntax?
  private(set) var queries: [QuerySyntax]
  private(set) var commonTables: [CommonTableSyntax] = []
  private(set) var tablePlaces: Set<Int> = []
  private(set) var queryAfterToken: [Int] = []
  private var frames = [Frame(query: 0, ownsQuery: true)]
  /// Whether the table of a new index or trigger is still to come.
  private var isInHeader = false

  init(_ tokens: StatementTokens) {
    self.tokens = tokens
    queries = [QuerySyntax(places: 0..<tokens.count)]
    queryAfterToken.reserveCapacity(tokens.count)
  }

  private var frame: Frame {
    get { frames[frames.count - 1] }
    set { frames[frames.count - 1] = newValue }
  }

  mutating func read() {
    readKind()
    readObject()
    for place in 0..<tokens.count {
      if let symbol = tokens.symbol(place) {
        read(symbol, at: place)
      } else if let keyword = tokens.keyword(place) {
        read(keyword, at: place)
      }
      queryAfterToken.append(frame.query)
    }
  }

  private mutating func read(_ symbol: SQLToken.Symbol, at place: Int) {
    switch symbol {
    case "(": open(at: place)
    case ")": close(at: place)
    case "," where frame.isInFrom: readTable(at: place + 1)
    case ";":
      begin(at: place)
      frame.target = nil
    default: break
    }
  }

  private mutating func read(_ keyword: Keyword, at place: Int) {
    switch keyword {
    case .from where isClauseFrom(place): readFrom(at: place)
    case .join:
      frame.isInFrom = true
      readTable(at: place + 1)
    case .where, .group, .order, .having, .limit, .set, .window: readClause(keyword, at: place)
    case .union, .except, .intersect: begin(at: place, insertTarget: frame.target)
    case .begin:
      isInHeader = false
      begin(at: place)
    case .select, .values:
      // A second one without UNION or the like is of the next statement, to which a `;` is missing.
      if frame.target != nil || hasRows { begin(at: place, insertTarget: frame.target) }
      readClause(keyword, at: place)
    case .into: readTarget(at: place)
    case .update where isStatementStart(place):
      readTable(at: tokens.keyword(place + 1) == .or ? place + 3 : place + 1)
      tablePlaces.insert(place + 1)
    case .conflict where tokens.keyword(place - 1) == .on: returnToTarget(at: place, isConflict: true)
    case .returning:
      returnToTarget(at: place, isConflict: false)
      readClause(keyword, at: place)
    case .references: tablePlaces.insert(place + 1)
    case .on where isInHeader:
      isInHeader = false
      readTable(at: place + 1)
    case .with: readCommonTables(at: place)
    default: break
    }
  }

  /// Whether the statement that is read has its SELECT or VALUES.
  private var hasRows: Bool {
    queries[frame.query].clauses.contains { $0.keyword == .select || $0.keyword == .values }
  }
}

// MARK: Queries

extension StatementReader {
  private mutating func open(at place: Int) {
    let isTable = tablePlaces.contains(place) && frame.isInFrom
    let isQuery = tokens.isQuery(place + 1)
    if isTable, !isQuery {
      // A join between parentheses is a part of its FROM.
      frames.append(Frame(query: frame.query, ownsQuery: false, opener: place, isInFrom: true))
      return readTable(at: place + 1)
    }
    if isTable { add(TableSyntax(alias: alias(at: tokens.place(after: place)), body: place)) }
    let outer = frame.query
    frames.append(Frame(query: outer, ownsQuery: false, opener: place))
    guard isQuery else { return }
    begin(at: place + 1)
    queries[frame.query].isSealed = isTable || [.as, .materialized].contains(tokens.keyword(place - 1))
  }

  private mutating func close(at place: Int) {
    guard frames.count > 1 else { return }
    end(at: place)
    frames.removeLast()
  }

  private mutating func end(at place: Int) {
    guard frame.ownsQuery else { return }
    let start = queries[frame.query].places.lowerBound
    queries[frame.query].places = start..<max(start, place)
  }

  /// Begins the next query of the parenthesis.
  private mutating func begin(at place: Int, sources: [TableSyntax] = [], insertTarget: TableSyntax? = nil) {
    end(at: place)
    let current = queries[frame.query]
    queries.append(
      QuerySyntax(
        parent: frame.ownsQuery ? current.parent : frame.query, opener: frame.opener, places: place..<tokens.count,
        isSealed: frame.ownsQuery && current.isSealed, sources: sources, insertTarget: insertTarget))
    (frame.query, frame.ownsQuery, frame.isInFrom) = (queries.count - 1, true, false)
  }

  /// Begins what sees the table that INSERT writes to: its RETURNING, or its ON CONFLICT, which sees the row that was refused too.
  private mutating func returnToTarget(at place: Int, isConflict: Bool) {
    guard let target = frame.target else { return }
    let refused = TableSyntax(name: target.name, alias: "excluded", isNamedOnly: true)
    begin(at: place, sources: isConflict ? [target, refused] : [target])
  }

  private mutating func readClause(_ keyword: Keyword, at place: Int) {
    frame.isInFrom = false
    if frame.ownsQuery { queries[frame.query].clauses.append(ClauseSyntax(keyword: keyword, place: place)) }
  }

  private mutating func readFrom(at place: Int) {
    readClause(.from, at: place)
    frame.isInFrom = true
    readTable(at: place + 1)
  }

  /// Whether the FROM at a place is that of a clause: IS DISTINCT FROM is an operator.
  private func isClauseFrom(_ place: Int) -> Bool {
    tokens.keyword(place - 1) != .distinct || ![.is, .not].contains(tokens.keyword(place - 2))
  }

  /// Whether a statement begins at a place: a second one does in a trigger and after WITH.
  private func isStatementStart(_ place: Int) -> Bool {
    place == verb || tokens.isSymbol(place - 1, ";") || tokens.isSymbol(place - 1, ")") || tokens.keyword(place - 1) == .begin
  }
}

// MARK: Tables

extension StatementReader {
  private mutating func add(_ table: TableSyntax) {
    queries[frame.query].sources.append(table)
  }

  /// Reads the table whose name is expected at a place; a parenthesis there is read where it opens.
  private mutating func readTable(at place: Int) {
    tablePlaces.insert(place)
    guard let name = tokens.qualifiedName(place) else { return }
    // A table can be a function.
    let end = name.places.upperBound
    add(TableSyntax(name: name, alias: alias(at: tokens.isSymbol(end, "(") ? tokens.place(after: end) : end)))
  }

  private func alias(at place: Int) -> String? {
    tokens.keyword(place) == .as ? tokens.name(place + 1) : tokens.plainName(place)
  }

  /// Reads the table after INTO, with the columns that are listed after it.
  private mutating func readTarget(at place: Int) {
    readTable(at: place + 1)
    guard var target = queries[frame.query].sources.last, let name = target.name, name.places.lowerBound == place + 1 else { return }
    let end = name.places.upperBound
    let list = tokens.keyword(end) == .as ? end + 2 : end
    target.alias = tokens.keyword(end) == .as ? target.alias : nil
    target.columnNames = tokens.names(list)
    frame.target = target
  }

  /// Reads a WITH, and returns the place after its common tables.
  @discardableResult private mutating func readCommonTables(at with: Int) -> Int {
    let scope = with..<(tokens.opener(of: with).map(tokens.partner) ?? tokens.count)
    var place = tokens.keyword(with + 1) == .recursive ? with + 2 : with + 1
    while let name = tokens.name(place) {
      let columnNames = tokens.names(place + 1)
      var body = tokens.isSymbol(place + 1, "(") ? tokens.place(after: place + 1) : place + 1
      while [.as, .not, .materialized].contains(tokens.keyword(body)) { body += 1 }
      guard tokens.isSymbol(body, "(") else { return body }
      commonTables.append(CommonTableSyntax(name: name, columnNames: columnNames, body: body, scope: scope))
      place = tokens.place(after: body)
      guard tokens.isSymbol(place, ",") else { return place }
      place += 1
    }
    return place
  }
}

// MARK: What the statement does

extension StatementReader {
  private mutating func readKind() {
    while tokens.isSymbol(verb, ";") { verb += 1 }
    let isExplanation = tokens.keyword(verb) == .explain
    if isExplanation { verb += tokens.keyword(verb + 1) == .query ? 3 : 1 }
    if tokens.keyword(verb) == .with {
      verb = readCommonTables(at: verb)
      commonTables = []
    }
    kind = StatementKind(verb: tokens.keyword(verb), isExplanation: isExplanation)
  }

  private mutating func readObject() {
    var place = verb + 1
    switch kind.verb {
    case .create: while [.temp, .temporary, .unique, .virtual].contains(tokens.keyword(place)) { place += 1 }
    case .drop, .alter: break
    case .analyze, .reindex:
      tablePlaces.insert(place)
      return
    default: return
    }
    guard let kind = tokens.keyword(place), [.table, .view, .index, .trigger].contains(kind) else { return }
    if self.kind.verb != .create, kind == .table || kind == .view { tablePlaces.insert(place + 1) }
    while [.if, .not, .exists].contains(tokens.keyword(place + 1)) { place += 1 }
    isInHeader = self.kind.verb == .create && (kind == .index || kind == .trigger)
    object = tokens.qualifiedName(place + 1).map { ObjectSyntax(kind: kind, name: $0) }
    guard self.kind.verb != .create, kind == .table || kind == .view else { return }
    readTable(at: place + 1)
  }
}
