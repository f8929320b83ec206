internal import QuarryEngine

/// A type checker that creates typed expressions from a syntax tree, and reports type errors.
///
/// An incorrect part results in nil and causes no other errors around it, so that all independent errors are found.
struct FilterChecker {
  var reports: FilterReports
  var advice: [FilterHint] = []
  var parameters: FilterParameters
  /// The number of values that the SQL would bind.
  var argumentCount = 0
  /// The positions of the conditions in which SQLite allows MATCH.
  private var placesOfMatch: Set<Int> = []
  private var hasReportedRoom = false
  /// The foreign keys by which aggregates find the rows of other tables.
  var childKeys: Set<ChildKey> = []
  /// The columns of the row that foreign keys compare with those of other tables.
  var keyColumns: Set<String> = []
  /// The names of the tables whose rows are current, the innermost last.
  var scopes: [String]
  /// The groups of which the text is a part; nil for a text about single rows.
  var groups: GroupScope?

  init(_ bytes: [UInt8], columns: FilterColumns, values: [String: DatabaseValue]) {
    reports = FilterReports(bytes, columns: columns)
    parameters = FilterParameters(values: values)
    scopes = [columns.tableName ?? ""]
  }

  var bytes: [UInt8] { reports.bytes }
  var columns: FilterColumns {
    get { reports.columns }
    set { reports.columns = newValue }
  }
  var errors: [FilterError] { reports.errors }

  func source(_ node: FilterSyntax) -> String { reports.source(node) }

  /// The remaining capacity of SQLite's parser and of its expression depth limit at one position.
  struct Room {
    /// Entries of the parser's stack, which has 100 in SQLite versions before 3.47.
    var stack = 0
    var depth = 0

    /// Returns the capacity for an operand that follows `entries` tokens.
    func inside(_ entries: Int, deeper: Int = 1) -> Room {
      Room(stack: stack + entries, depth: depth + deeper)
    }

    /// Whether the capacity is exhausted; the rest is for the statement around the filter.
    var isSpent: Bool { stack > 70 || depth > 900 }
  }

  /// SQLite binds at most 32,766 values.
  private static let mostArguments = 30_000

  mutating func filter(_ node: FilterSyntax) -> (any QueryExpression<Bool>)? {
    if case .anywhere(let part) = node.kind, let words = part.text { adviseOfClause(words, node) }
    placesOfMatch = Set(node.topTerms.filter(\.isFullText).map(\.range.lowerBound))
    let truth = truth(node, Room(), isWhole: true)
    guard argumentCount > Self.mostArguments else { return truth }
    reports.add(
      FilterError(
        .tooMany, 0..<bytes.count, "This filter compares with \(argumentCount) values; the maximum is \(Self.mostArguments)."))
    return nil
  }

  /// Checks a value.
  mutating func value(_ node: FilterSyntax, _ room: Room, beside: FilterSyntax? = nil) -> TypedExpression? {
    if room.isSpent { return reportRoom(node) }
    if groups != nil, case .decided(let value) = groupValue(node, room) { return value }
    switch node.kind {
    case .invalid: return nil
    case .literal(let literal):
      argumentCount += 1
      return expression(literal)
    case .column(let name): return column(name, node, room, beside: beside)
    case .path(let name, let path): return self.path(path, in: name, node, room)
    case .related(let names): return related(names, node, room)
    case .relatedPath(let names, let path): return related(names, at: path, node, room)
    case .aggregate(let aggregate): return self.aggregate(aggregate, node, room)
    case .parameter(let token): return parameter(token, node)
    case .extraction(let kind, let document, let path): return extraction(kind, document, path, room)
    case .negation, .plus, .collated, .arithmetic, .concatenation, .cast: return operation(node, room)
    case .call(let name, let operands): return call(name, operands, node, room)
    case .not, .all, .any: return logic(node, room)
    default: return predicate(node, room)
    }
  }

  mutating func reportRoom(_ node: FilterSyntax) -> TypedExpression? {
    if !hasReportedRoom {
      let hint = "Remove unnecessary parentheses."
      reports.add(FilterError(.tooDeep, node.range, "This is nested too deeply for SQLite.", hint: hint))
    }
    hasReportedRoom = true
    return nil
  }

  func expression(_ literal: FilterLiteral) -> TypedExpression {
    switch literal {
    case .null: .null
    case .integer(let value): .integer(Constant(Int(value)))
    case .real(let value): .real(Constant(value))
    case .text(let text): .text(Constant(text))
    case .blob(let bytes): .blob(Constant(bytes))
    case .date(let text): text.utf8.count == 7 ? month(text) : .date(Constant(DateText(text)))
    case .truth(let truth): .boolean(Constant(truth))
    }
  }

  /// Returns a month that is not compared with a date as a subtraction: `(2021 - 1)`.
  private func month(_ text: String) -> TypedExpression {
    let numbers = text.split(separator: "-").compactMap { Int($0) }
    guard numbers.count == 2 else { return .null }
    return .integer(Arithmetic(Constant(numbers[0]), .minus, Constant(numbers[1])))
  }

  /// Checks a column, or the value of a computed column.
  mutating func column(_ name: String, _ node: FilterSyntax, _ room: Room, beside: FilterSyntax? = nil) -> TypedExpression? {
    guard let column = columns.named(name) else {
      reports.unknownColumn(name, node, beside: beside)
      return nil
    }
    guard let definition = column.definition else { return TypedExpression(columnNamed: column.name, type: column.type) }
    // Its ranges are those of another text.
    var checker = FilterChecker([], columns: columns, values: [:])
    checker.scopes = scopes
    let value = checker.value(definition, room)
    argumentCount += checker.argumentCount
    childKeys.formUnion(checker.childKeys)
    keyColumns.formUnion(checker.keyColumns)
    return value ?? reportRoom(node)
  }

  private mutating func parameter(_ token: String, _ node: FilterSyntax) -> TypedExpression? {
    argumentCount += 1
    if token.utf8.first == UInt8(ascii: "?"), token.utf8.count > 1, !(1...Self.greatestParameter ~= Int(token.dropFirst()) ?? 0) {
      reports.add(FilterError(.badNumber, node.range, "Parameters are numbered from ?1 to ?\(Self.greatestParameter)."))
      return nil
    }
    if let value = parameters.meet(token, at: node.range.lowerBound) { return TypedExpression(parameter: value) }
    return TypedExpression(parameterNamed: token)
  }

  /// The maximum number of an SQLite parameter.
  static let greatestParameter = 32_766

  /// Returns whether a condition is joined with all other conditions by `and`.
  func isAtTop(_ node: FilterSyntax) -> Bool { placesOfMatch.contains(node.range.lowerBound) }

  // MARK: Conditions

  private mutating func logic(_ node: FilterSyntax, _ room: Room) -> TypedExpression? {
    switch node.kind {
    case .not(let operand): truth(operand, room.inside(3), negation: node).map { .boolean(Negation($0)) }
    case .all(let terms): joined(terms, by: .and, room)
    case .any(let terms): joined(terms, by: .or, room)
    default: nil
    }
  }

  private mutating func joined(_ terms: [FilterSyntax], by joiner: Logic.Joiner, _ room: Room) -> TypedExpression? {
    var truths: [any QueryExpression<Bool>] = []
    truths.reserveCapacity(terms.count)
    // Chains of more than 500 terms are written as halves, a few parentheses deeper.
    let inner = room.inside(terms.count > 500 ? 6 : 3, deeper: min(terms.count, 502))
    for (index, term) in terms.enumerated() {
      let count = errors.count
      if let truth = truth(term, inner) {
        truths.append(truth)
      } else if errors.count == count + 1 {
        reports.offerComparison(for: term, among: terms, at: index, by: joiner)
      }
    }
    return truths.count == terms.count ? .boolean(Logic(joiner, truths)) : nil
  }

  /// Checks a value that must be a condition; `negation` is the `not` that precedes it.
  mutating func truth(
    _ node: FilterSyntax, _ room: Room, negation: FilterSyntax? = nil, isWhole: Bool = false
  ) -> (any QueryExpression<Bool>)? {
    guard let value = value(node, room) else { return nil }
    if case .parameter = node.kind { parameters.infer(at: node.range.lowerBound, type: .boolean, column: nil) }
    if let truth = value.asTruth {
      adviseOfJSON(node, beside: nil)
      return truth
    }
    reports.noTruth(node, value.type, negation: negation, isWhole: isWhole)
    return nil
  }
}

/// Words that begin a clause in SQL and other tools, but that a filter searches for like any other words.
extension FilterChecker {
  /// Adds a hint about clauses if the words to search for look like one.
  private mutating func adviseOfClause(_ text: String, _ node: FilterSyntax) {
    guard !source(node).hasPrefix("~") else { return }
    let words = text.lowercased().split { $0 == " " }.map(String.init)
    guard let first = words.first, let way = Self.way(first, Array(words.dropFirst()), in: columns) else { return }
    advice.append(FilterHint(range: node.range, sentence: "The rows are searched for these words. \(way)", replacements: []))
  }

  /// Returns advice on where to write a clause; nil for words that do not begin one.
  private static func way(_ first: String, _ others: [String], in columns: FilterColumns) -> String? {
    let isNumber = others.count == 1 && Int(others[0]) != nil
    let namesColumn = others.contains { columns.named($0) != nil }
    switch first {
    case "limit", "top", "first", "last", "offset", "fetch", "take", "skip", "head", "tail":
      return isNumber ? "A filter has no limit: you can scroll to every row." : nil
    case "order", "sort": return others.first == "by" || namesColumn ? "Write a sort order in the sort bar, or after --sort." : nil
    case "orderby", "asc", "desc": return namesColumn ? "Write a sort order in the sort bar, or after --sort." : nil
    case "group", "having", "distinct", "select", "count", "sum", "avg", "min", "max", "join", "from":
      return others.first == "by" || namesColumn ? "Write statements in the SQL editor, or use quarry query." : nil
    case "where", "filter": return namesColumn ? "Write the condition as Name = 'x', without \(first)." : nil
    default: return nil
    }
  }
}
