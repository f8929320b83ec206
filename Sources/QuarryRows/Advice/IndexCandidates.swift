internal import QuarryEngine

/// The indexes that may help a statement: on columns that its conditions and its order name.
///
/// SQLite itself decides which one it would use: the plan is asked with each index, in a copy of the schema without rows.
struct IndexCandidates {
  /// An index that does not exist yet.
  struct Candidate: Hashable {
    var table: TableReference
    var terms: [Term]
    /// The condition of a partial index: `kind = 'view'`.
    var condition: String?

    /// The index without its name: `ON events(kind, ts)`.
    var target: String {
      "ON \(SQLIdentifier.quoted(table.name))(\(terms.map(\.sql).joined(separator: ", ")))" + (condition.map { " WHERE \($0)" } ?? "")
    }

    /// A name made of the names of the table and the columns.
    var name: String { ([table.name] + terms.map(\.column)).joined(separator: "_") }
  }

  /// A column in an index.
  struct Term: Hashable {
    var column: String
    var collation: String?
    var isDescending = false

    var sql: String {
      SQLIdentifier.quoted(column) + (collation.map { " COLLATE \(SQLIdentifier.quoted($0))" } ?? "") + (isDescending ? " DESC" : "")
    }
  }

  /// A table with the terms that may be in its indexes, in the order of their mention.
  private struct Target {
    var table: TableSchema
    var terms: [Term]
    /// The columns that the statement reads; nil for all.
    var read: [String]
    /// Conditions that compare a column with a literal.
    var equalities: [(column: String, sql: String)]
  }

  /// The greatest numbers of columns of an index, of terms to try, and of indexes to extend by another column.
  private static let (mostColumns, mostTerms, beam) = (3, 10, 3)
  /// The greatest number of columns of a covering index, which is large otherwise.
  private static let mostCovered = 4

  private let targets: [Target]

  init(of subject: AdviceSubject) {
    let texts = [StatementTokens(subject.request.sql)] + subject.views.map { StatementTokens($0) }
    targets = subject.tables.filter { $0.entry.kind == .table }.map { table in
      let mentions = texts.flatMap { Mention.all(of: table, in: $0) }
      let terms = mentions.filter(\.isCondition).flatMap { Self.terms($0, of: table) }
      let names = mentions.map(\.column) + (texts[0].selectsAll ? table.columns.map(\.name) : [])
      return Target(
        table: table, terms: Array(terms.uniqued.prefix(Self.mostTerms)), read: names.uniqued,
        equalities: mentions.compactMap { mention in mention.equality.map { (mention.column, $0) } })
    }
  }

  private static func terms(_ mention: Mention, of table: TableSchema) -> [Term] {
    guard let column = table.column(named: mention.column), !column.isRowID, column.problem == nil else { return [] }
    let collations: [String?] = [nil] + mention.collations.map(Optional.some)
    let plain = collations.map { Term(column: column.name, collation: $0) }
    return plain + (mention.isDescending ? plain.map { Term(column: $0.column, collation: $0.collation, isDescending: true) } : [])
  }

  /// Finds the candidates that SQLite would use, the most promising one first.
  ///
  /// - Parameters:
  ///   - plan: The plan as the tables are.
  ///   - ask: Returns the plan with an index; nil if it cannot be created, or is not used.
  func improving(_ plan: [String], _ ask: (Candidate) throws -> [String]?) throws -> [Candidate] {
    try chosen(from: targets.flatMap { try improving(PlanCost(plan), $0, ask) }, ask)
  }

  private func improving(
    _ base: PlanCost, _ target: Target, _ ask: (Candidate) throws -> [String]?
  ) throws -> [(candidate: Candidate, plan: [String])] {
    var found: [(candidate: Candidate, plan: [String])] = []
    var (level, tried): ([Candidate], Set<Candidate>) = ([Candidate(table: target.table.entry.reference, terms: [])], [])
    for _ in 0..<Self.mostColumns {
      var next: [(candidate: Candidate, plan: [String])] = []
      for start in level {
        for term in target.terms where !start.terms.contains(where: { $0.column == term.column }) {
          let candidate = Candidate(table: start.table, terms: start.terms + [term])
          guard tried.insert(candidate).inserted, let plan = try ask(candidate), PlanCost(plan) < base else { continue }
          next.append((candidate, plan))
        }
      }
      next.sort { (PlanCost($0.plan), $0.candidate.terms.count) < (PlanCost($1.plan), $1.candidate.terms.count) }
      found += next
      level = next.prefix(Self.beam).map(\.candidate)
      // A column that does not help alone may help with a second one.
      if level.isEmpty, tried.allSatisfy({ $0.terms.count == 1 }) {
        level = target.terms.map { Candidate(table: target.table.entry.reference, terms: [$0]) }
      }
    }
    return found
  }

  /// Returns the best candidate of each plan, the best one as a covering and a partial index, and others.
  private func chosen(
    from found: [(candidate: Candidate, plan: [String])], _ ask: (Candidate) throws -> [String]?
  ) throws -> [Candidate] {
    let sorted = found.sorted { (PlanCost($0.plan), $0.candidate.terms.count) < (PlanCost($1.plan), $1.candidate.terms.count) }
    var shapes: Set<[String]> = []
    let best = sorted.filter { shapes.insert($0.plan).inserted }
    guard let first = best.first, let target = targets.first(where: { $0.table.entry.reference == first.candidate.table }) else {
      return []
    }
    let others = [covering(first.candidate, target), partial(first.candidate, target)].compactMap(\.self)
    let variants = try others.filter { variant in
      guard let plan = try ask(variant) else { return false }
      // A scan of a partial index reads only the rows that it contains.
      return variant.condition != nil || PlanCost(plan) <= PlanCost(first.plan) && plan.contains { $0.contains("COVERING") }
    }
    return ([first.candidate] + variants + best.dropFirst().prefix(2).map(\.candidate)).uniqued
  }

  /// Returns the index with all columns that the statement reads, so that it need not read the table.
  private func covering(_ candidate: Candidate, _ target: Target) -> Candidate? {
    let own = candidate.terms.map(\.column)
    let rest = target.read.filter { name in
      !own.contains { $0.isSameIdentifier(as: name) } && target.table.column(named: name)?.isRowID == false
    }
    let isWhole = target.read.count >= target.table.columns.count
    guard !rest.isEmpty, !isWhole, own.count + rest.count <= Self.mostCovered else { return nil }
    return Candidate(table: candidate.table, terms: candidate.terms + rest.map { Term(column: $0) })
  }

  /// Returns the index only of rows with a value that the statement names.
  private func partial(_ candidate: Candidate, _ target: Target) -> Candidate? {
    let equality = target.equalities.first { equality in candidate.terms.contains { $0.column.isSameIdentifier(as: equality.column) } }
    guard let equality else { return nil }
    let rest = candidate.terms.filter { !$0.column.isSameIdentifier(as: equality.column) }
    return Candidate(table: candidate.table, terms: rest.isEmpty ? candidate.terms : rest, condition: equality.sql)
  }
}

extension Array where Element: Hashable {
  fileprivate var uniqued: [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}

/// A column of a table in the text of a statement.
private struct Mention {
  var column: String
  /// Whether it is in a condition, an order or a grouping.
  var isCondition: Bool
  var isDescending = false
  /// The collations with which it may be compared, other than its own.
  var collations: [String] = []
  /// Its comparison with a literal: `kind = 'view'`; nil for none.
  var equality: String?

  static func all(of table: TableSchema, in tokens: StatementTokens) -> [Mention] {
    var isCondition = false
    return (0..<tokens.count).compactMap { index in
      switch tokens.keyword(index) {
      case .where, .on, .by, .having, .using: isCondition = true
      case .select, .from, .limit: isCondition = false
      default: break
      }
      // Not the name of a table or its alias before a column, or of a function.
      guard !tokens.isSymbol(index + 1, "."), !tokens.isSymbol(index + 1, "("), tokens[index]?.kind != .text,
        let name = tokens.qualifiedName(index)?.name, let column = table.column(named: name)
      else { return nil }
      return Mention(column, isCondition: isCondition, in: tokens, at: index)
    }
  }

  private init(_ column: ColumnSchema, isCondition: Bool, in tokens: StatementTokens, at index: Int) {
    (self.column, self.isCondition) = (column.name, isCondition)
    var next = index + 1
    if tokens.keyword(next) == .collate, let name = tokens.name(next + 1) {
      collations = [name]
      next += 2
    }
    isDescending = tokens.keyword(next) == .desc
    if tokens.keyword(next) == .like { collations.append("NOCASE") }
    // The collation of the other operand counts if the column has none: kind = 'VIEW' COLLATE NOCASE.
    if tokens.keyword(next + 2) == .collate, let name = tokens.name(next + 3) { collations.append(name) }
    if tokens.isSymbol(next, "=") || tokens.isSymbol(next, "=="), let value = tokens[next + 1],
      value.kind == .text || value.kind == .number, !tokens.isOperator(next + 2)
    {
      equality =
        "\(SQLIdentifier.quoted(column.name))\(collations.first.map { " COLLATE \(SQLIdentifier.quoted($0))" } ?? "") = "
        + tokens.text(next + 1)
    }
  }
}

extension StatementTokens {
  /// Whether the statement reads all columns: a `*` is not between two values, and not alone in parentheses.
  fileprivate var selectsAll: Bool {
    (0..<count).contains { index in
      isSymbol(index, "*") && (keyword(index - 1) == .select || isSymbol(index - 1, ",") || isSymbol(index - 1, "."))
    }
  }

  /// Returns whether an operator at an index continues the value before it.
  fileprivate func isOperator(_ index: Int) -> Bool {
    guard let symbol = symbol(index) else { return keyword(index) == .collate }
    return symbol != ")" && symbol != "," && symbol != ";"
  }
}
