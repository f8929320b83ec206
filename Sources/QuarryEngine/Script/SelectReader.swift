/// Reads what the selects in one parenthesis of a statement are from; what does not parse is passed over.
struct SelectReader {
  private let scopes: StatementScopes
  private let tokens: StatementTokens
  private let end: Int
  private let depth: Int
  private var place: Int
  private var isInFrom: Bool
  /// The table that INSERT writes to, which its SELECT does not see, but its RETURNING does.
  private var target: Relation?
  private var selects: [SelectScope]
  /// Whether the last of them has had its SELECT.
  private var hasSelect = false

  private init(_ scopes: StatementScopes, in group: Range<Int>, isInFrom: Bool, depth: Int) {
    self.scopes = scopes
    tokens = scopes.tokens
    (place, end) = (group.lowerBound, group.upperBound)
    self.isInFrom = isInFrom
    self.depth = depth
    selects = [SelectScope(start: place)]
  }

  /// Returns the selects of a group in their order, one at least.
  ///
  /// - Parameter isInFrom: whether the group is a part of a FROM, as in `FROM (a JOIN b)`.
  /// - Parameter depth: how many sub-selects this one is within; those too deep have no tables.
  static func selects(_ scopes: StatementScopes, in group: Range<Int>, isInFrom: Bool = false, depth: Int) -> [SelectScope] {
    var reader = SelectReader(scopes, in: group, isInFrom: isInFrom, depth: depth)
    guard depth < StatementScopes.greatestDepth else { return reader.selects }
    if isInFrom { reader.takeRelation() }
    while reader.place < reader.end { reader.step() }
    return reader.selects
  }

  private mutating func step() {
    let start = place
    place = tokens.place(after: place)
    if tokens.isSymbol(start, ",") {
      if isInFrom { takeRelation() }
    } else if tokens.isSymbol(start, ";") {
      begin(at: start)
      target = nil
    } else if let keyword = tokens.keyword(start) {
      take(keyword, at: start)
    }
  }

  private mutating func take(_ keyword: String, at start: Int) {
    switch keyword {
    case "from" where tokens.isClauseFrom(start), "join":
      isInFrom = true
      takeRelation()
    case "where", "group", "order", "having", "limit", "set", "window": isInFrom = false
    case "union", "except", "intersect", "begin": begin(at: start)
    case "select", "values":
      // A second one without UNION or the like is of the next statement, to which a `;` is missing.
      if target != nil || hasSelect { begin(at: start) }
      hasSelect = true
    case "into": takeTarget()
    case "update" where tokens.isStatementStart(start):
      if tokens.keyword(place) == "or" { place += 2 }
      takeRelation()
    case "conflict" where tokens.keyword(start - 1) == "on": returnToTarget(at: start, isConflict: true)
    case "returning": returnToTarget(at: start, isConflict: false)
    case "table" where ["alter", "drop"].contains(tokens.keyword(start - 1)): takeRelation()
    case "on" where tokens.isHeaderOn(start): takeRelation()
    default: break
    }
  }

  private mutating func begin(at start: Int) {
    selects.append(SelectScope(start: start))
    (isInFrom, hasSelect) = (false, false)
  }

  private mutating func takeTarget() {
    takeRelation()
    target = selects.last?.relations.last
  }

  private mutating func returnToTarget(at start: Int, isConflict: Bool) {
    guard let target else { return }
    begin(at: start)
    add(isConflict ? [target, target.row(named: "excluded")] : [target])
  }

  private mutating func add(_ relations: [Relation]) {
    selects[selects.count - 1].relations += relations
  }

  /// Takes a table or a parenthesis of a FROM with its alias.
  private mutating func takeRelation() {
    guard place < end else { return }
    if tokens.isSymbol(place, "(") { return takeParenthesis() }
    guard let reference = scopes.table(at: place) else { return }
    place = reference.end
    if tokens.isSymbol(place, "(") { place = tokens.place(after: place) }
    var relation = reference.relation
    if let alias = takeAlias() { relation.name = alias }
    add([relation])
  }

  private mutating func takeParenthesis() {
    let inside = place + 1..<max(place + 1, tokens.partner(of: place))
    place = tokens.place(after: place)
    guard tokens.isQuery(inside.lowerBound) else {
      let nested = Self.selects(scopes, in: inside, isInFrom: true, depth: depth + 1)
      return add(nested.first?.relations ?? [])
    }
    let columns = scopes.resultColumns(in: inside, depth: depth + 1)
    let name = takeAlias() ?? ""
    add([Relation(name: name, kind: "sub-select", table: name, columns: columns)])
  }

  private mutating func takeAlias() -> String? {
    guard place < end else { return nil }
    let isAs = tokens.keyword(place) == "as"
    let alias = isAs ? tokens.anyName(place + 1) : tokens.name(place)
    guard let alias else { return nil }
    place += isAs ? 2 : 1
    return alias
  }
}
