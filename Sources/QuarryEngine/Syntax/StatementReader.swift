/// A parser of a statement's tokens that creates the parts of a ``StatementSyntax`` in one pass.
struct StatementReader {
  /// An open parenthesis, or the whole statement.
  private struct Frame {
    /// The current query.
    var query: Int
    /// Whether the query is inside this parenthesis, not around it.
    var ownsQuery: Bool
    var opener: Int?
    var isInFrom = false
    /// The table into which INSERT writes, visible in its RETURNING clause, but not in its SELECT.
    var target: TableSyntax?
  }

  let tokens: StatementTokens
  private(set) var kind = StatementKind(verb: nil, isExplanation: false)
  private(set) var verb = 0
  private(set) var object: ObjectSyntax?
  private(set) var queries: [QuerySyntax]
  private(set) var commonTables: [CommonTableSyntax] = []
  private(set) var tableIndices: Set<Int> = []
  private(set) var queryAfterToken: [Int] = []
  private var frames = [Frame(query: 0, ownsQuery: true)]
  /// Whether the table of a new index or trigger has not been read yet.
  private var isInHeader = false

  init(_ tokens: StatementTokens) {
    self.tokens = tokens
    queries = [QuerySyntax(indices: 0..<tokens.count)]
    queryAfterToken.reserveCapacity(tokens.count)
  }

  private var frame: Frame {
    get { frames[frames.count - 1] }
    set { frames[frames.count - 1] = newValue }
  }

  mutating func read() {
    readKind()
    readObject()
    for index in 0..<tokens.count {
      if let symbol = tokens.symbol(index) {
        read(symbol, at: index)
      } else if let keyword = tokens.keyword(index) {
        read(keyword, at: index)
      }
      queryAfterToken.append(frame.query)
    }
  }

  private mutating func read(_ symbol: SQLToken.Symbol, at index: Int) {
    switch symbol {
    case "(": open(at: index)
    case ")": close(at: index)
    case "," where frame.isInFrom: readTable(at: index + 1)
    case ";":
      begin(at: index)
      frame.target = nil
    default: break
    }
  }

  private mutating func read(_ keyword: Keyword, at index: Int) {
    switch keyword {
    case .from where isClauseFrom(index): readFrom(at: index)
    case .join:
      frame.isInFrom = true
      readTable(at: index + 1)
    case .where, .group, .order, .having, .limit, .set, .window: readClause(keyword, at: index)
    case .union, .except, .intersect: begin(at: index, insertTarget: frame.target)
    case .begin:
      isInHeader = false
      begin(at: index)
    case .select, .values:
      // A second one without UNION or a similar keyword belongs to the next statement, before which a `;` is missing.
      if frame.target != nil || hasRows { begin(at: index, insertTarget: frame.target) }
      readClause(keyword, at: index)
    case .into: readTarget(at: index)
    case .update where isStatementStart(index):
      readTable(at: tokens.keyword(index + 1) == .or ? index + 3 : index + 1)
      tableIndices.insert(index + 1)
    case .conflict where tokens.keyword(index - 1) == .on: returnToTarget(at: index, isConflict: true)
    case .returning:
      returnToTarget(at: index, isConflict: false)
      readClause(keyword, at: index)
    case .references: tableIndices.insert(index + 1)
    case .on where isInHeader:
      isInHeader = false
      readTable(at: index + 1)
    case .with: readCommonTables(at: index)
    default: break
    }
  }

  /// Whether the SELECT or VALUES of the current statement has been read.
  private var hasRows: Bool {
    queries[frame.query].clauses.contains { $0.keyword == .select || $0.keyword == .values }
  }
}

// MARK: Queries

extension StatementReader {
  private mutating func open(at index: Int) {
    let isTable = tableIndices.contains(index) && frame.isInFrom
    let isQuery = tokens.isQuery(index + 1)
    if isTable, !isQuery {
      // A join in parentheses is a part of its FROM clause.
      frames.append(Frame(query: frame.query, ownsQuery: false, opener: index, isInFrom: true))
      return readTable(at: index + 1)
    }
    if isTable { add(TableSyntax(alias: alias(at: tokens.index(after: index)), body: index)) }
    let outer = frame.query
    frames.append(Frame(query: outer, ownsQuery: false, opener: index))
    guard isQuery else { return }
    begin(at: index + 1)
    queries[frame.query].isSealed = isTable || [.as, .materialized].contains(tokens.keyword(index - 1))
  }

  private mutating func close(at index: Int) {
    guard frames.count > 1 else { return }
    end(at: index)
    frames.removeLast()
  }

  private mutating func end(at index: Int) {
    guard frame.ownsQuery else { return }
    let start = queries[frame.query].indices.lowerBound
    queries[frame.query].indices = start..<max(start, index)
  }

  /// Begins the next query of the parenthesis.
  private mutating func begin(at index: Int, sources: [TableSyntax] = [], insertTarget: TableSyntax? = nil) {
    end(at: index)
    let current = queries[frame.query]
    queries.append(
      QuerySyntax(
        parent: frame.ownsQuery ? current.parent : frame.query, opener: frame.opener, indices: index..<tokens.count,
        isSealed: frame.ownsQuery && current.isSealed, sources: sources, insertTarget: insertTarget))
    (frame.query, frame.ownsQuery, frame.isInFrom) = (queries.count - 1, true, false)
  }

  /// Begins the part that sees the table into which INSERT writes: RETURNING, or ON CONFLICT, which also sees the rejected row.
  private mutating func returnToTarget(at index: Int, isConflict: Bool) {
    guard let target = frame.target else { return }
    let refused = TableSyntax(name: target.name, alias: "excluded", isNamedOnly: true)
    begin(at: index, sources: isConflict ? [target, refused] : [target])
  }

  private mutating func readClause(_ keyword: Keyword, at index: Int) {
    frame.isInFrom = false
    if frame.ownsQuery { queries[frame.query].clauses.append(ClauseSyntax(keyword: keyword, index: index)) }
  }

  private mutating func readFrom(at index: Int) {
    readClause(.from, at: index)
    frame.isInFrom = true
    readTable(at: index + 1)
  }

  /// Returns whether the FROM at an index begins a clause; IS DISTINCT FROM is an operator.
  private func isClauseFrom(_ index: Int) -> Bool {
    tokens.keyword(index - 1) != .distinct || ![.is, .not].contains(tokens.keyword(index - 2))
  }

  /// Returns whether a statement begins at an index; a second one begins in a trigger and after WITH.
  private func isStatementStart(_ index: Int) -> Bool {
    index == verb || tokens.isSymbol(index - 1, ";") || tokens.isSymbol(index - 1, ")") || tokens.keyword(index - 1) == .begin
  }
}

// MARK: Tables

extension StatementReader {
  private mutating func add(_ table: TableSyntax) {
    queries[frame.query].sources.append(table)
  }

  /// Parses the table whose name is expected at an index; if a parenthesis opens there, it is parsed later.
  private mutating func readTable(at index: Int) {
    tableIndices.insert(index)
    guard let name = tokens.qualifiedName(index) else { return }
    // A table can be a function.
    let end = name.indices.upperBound
    add(TableSyntax(name: name, alias: alias(at: tokens.isSymbol(end, "(") ? tokens.index(after: end) : end)))
  }

  private func alias(at index: Int) -> String? {
    tokens.keyword(index) == .as ? tokens.name(index + 1) : tokens.plainName(index)
  }

  /// Parses the table after INTO, with the list of columns after it.
  private mutating func readTarget(at index: Int) {
    readTable(at: index + 1)
    guard var target = queries[frame.query].sources.last, let name = target.name, name.indices.lowerBound == index + 1 else { return }
    let end = name.indices.upperBound
    let list = tokens.keyword(end) == .as ? end + 2 : end
    target.alias = tokens.keyword(end) == .as ? target.alias : nil
    target.columnNames = tokens.names(list)
    frame.target = target
  }

  /// Parses a WITH clause, and returns the index after its common tables.
  @discardableResult private mutating func readCommonTables(at with: Int) -> Int {
    let scope = with..<(tokens.opener(of: with).map(tokens.partner) ?? tokens.count)
    var index = tokens.keyword(with + 1) == .recursive ? with + 2 : with + 1
    while let name = tokens.name(index) {
      let columnNames = tokens.names(index + 1)
      var body = tokens.isSymbol(index + 1, "(") ? tokens.index(after: index + 1) : index + 1
      while [.as, .not, .materialized].contains(tokens.keyword(body)) { body += 1 }
      guard tokens.isSymbol(body, "(") else { return body }
      commonTables.append(CommonTableSyntax(name: name, columnNames: columnNames, body: body, scope: scope))
      index = tokens.index(after: body)
      guard tokens.isSymbol(index, ",") else { return index }
      index += 1
    }
    return index
  }
}

// MARK: The verb and its object

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
    var index = verb + 1
    switch kind.verb {
    case .create: while [.temp, .temporary, .unique, .virtual].contains(tokens.keyword(index)) { index += 1 }
    case .drop, .alter: break
    case .analyze, .reindex:
      tableIndices.insert(index)
      return
    default: return
    }
    guard let kind = tokens.keyword(index), [.table, .view, .index, .trigger].contains(kind) else { return }
    if self.kind.verb != .create, kind == .table || kind == .view { tableIndices.insert(index + 1) }
    while [.if, .not, .exists].contains(tokens.keyword(index + 1)) { index += 1 }
    isInHeader = self.kind.verb == .create && (kind == .index || kind == .trigger)
    object = tokens.qualifiedName(index + 1).map { ObjectSyntax(kind: kind, name: $0) }
    guard self.kind.verb != .create, kind == .table || kind == .view else { return }
    readTable(at: index + 1)
  }
}
