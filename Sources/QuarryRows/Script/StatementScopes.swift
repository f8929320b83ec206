internal import QuarryEngine

/// The tables visible in the parts of a statement, with their columns from the schema.
struct StatementScopes {
  /// The maximum nesting of subqueries whose tables are resolved.
  private static let greatestDepth = 16
  /// The maximum number of enclosing queries visible at a token; SQLite's parser rejects more than a hundred parentheses.
  private static let mostLevels = 128

  let syntax: StatementSyntax
  let schema: SQLCompletionSchema
  /// The rows of a trigger, `old` and `new`.
  private(set) var rows: [Relation] = []
  /// The relations of the WITH clauses, by index.
  private var relationsOfCommonTables: [Int: Relation] = [:]

  init(_ syntax: StatementSyntax, schema: SQLCompletionSchema) {
    self.syntax = syntax
    self.schema = schema
    // A common table that ends first may be a part of one that ends later.
    let ends = syntax.commonTables.map { syntax.tokens.partner(of: $0.body) }
    for index in ends.indices.sorted(by: { (ends[$0], $1) < (ends[$1], $0) }) { relationsOfCommonTables[index] = commonTable(index) }
    if syntax.kind.verb == .create, syntax.object?.kind == .trigger, let table = syntax.queries[0].sources.first {
      rows = ["new", "old"].map(relation(of: table, depth: 0).row)
    }
  }

  /// The relations of the WITH clauses of the statement.
  var commonTables: [Relation] {
    syntax.commonTables.indices.compactMap { relationsOfCommonTables[$0] }
  }

  /// Returns the tables visible before the token at an index: those of the innermost query first, then those of the enclosing queries.
  func levels(at index: Int) -> [[Relation]] {
    var levels: [[Relation]] = []
    var next: QuerySyntax? = syntax.query(at: index - 1)
    for _ in 0..<Self.mostLevels {
      guard let query = next else { break }
      if !query.sources.isEmpty { levels.append(query.sources.map { relation(of: $0, depth: 0) }) }
      next = syntax.parent(of: query)
    }
    return levels
  }

  /// Returns the position of the last table of the innermost query before the token at an index.
  func joinedPlace(before index: Int, among relations: [Relation]) -> Int? {
    let sources = syntax.query(at: index - 1).sources
    guard sources.count == relations.count else { return nil }
    return sources.lastIndex { ($0.name?.indices.lowerBound ?? .max) < index }
  }

  /// Returns the table named at an index.
  func relation(at index: Int) -> Relation? {
    syntax.tokens.qualifiedName(index).map(relation)
  }

  private func relation(of table: TableSyntax, depth: Int) -> Relation {
    guard let name = table.name else {
      let columns = table.body.map { resultColumns(in: $0, depth: depth + 1) } ?? []
      return Relation(name: table.visibleName, kind: "a subquery", table: table.visibleName, columns: columns)
    }
    var relation = relation(named: name)
    if let alias = table.alias { relation.name = alias }
    relation.isNamedOnly = table.isNamedOnly
    return relation
  }

  /// Returns the table with a name, without columns if it is not in the schema.
  private func relation(named name: QualifiedName) -> Relation {
    if name.database == nil, let index = syntax.commonTable(named: name.name, at: name.indices.lowerBound) {
      return relationsOfCommonTables[index] ?? Relation(name: name.name, kind: "common table", table: name.name, columns: [])
    }
    let function = name.database == nil ? schema.tableFunctions.first { $0.reference.name.isSameIdentifier(as: name.name) } : nil
    let table = schema.table(named: name.name, database: name.database) ?? function
    return table.map(Relation.init) ?? Relation(name: name.name, kind: "table", table: name.name, columns: [])
  }

  private func commonTable(_ index: Int) -> Relation {
    let table = syntax.commonTables[index]
    let named = table.columnNames.map { SQLCompletionSchema.Column(name: $0) }
    let columns = named.isEmpty ? resultColumns(in: table.body, depth: 0) : named
    return Relation(name: table.name, kind: "common table", table: table.name, columns: columns)
  }
}

// MARK: Columns of a SELECT

extension StatementScopes {
  /// Returns the named result columns of the first SELECT in a parenthesis.
  private func resultColumns(in opener: Int, depth: Int) -> [SQLCompletionSchema.Column] {
    guard depth < Self.greatestDepth, let query = syntax.firstSelect(in: opener) else { return [] }
    let relations = query.sources.map { relation(of: $0, depth: depth) }
    return syntax.resultItems(of: query).flatMap { columns(of: $0, from: relations) }
  }

  /// Returns the columns of one item of a select list: all columns of its tables for `*`, otherwise one column under its alias or its own
  /// name.
  private func columns(of item: Range<Int>, from relations: [Relation]) -> [SQLCompletionSchema.Column] {
    let tokens = syntax.tokens
    guard let last = item.last else { return [] }
    if tokens.isSymbol(last, "*"), item.count != 2 {
      let table = item.count > 2 ? tokens.name(last - 2) : nil
      return relations.filter { table == nil || $0.name.isSameIdentifier(as: table ?? "") }.flatMap(\.columns)
    }
    let isAs = tokens.keyword(last - 1) == .as
    guard let name = tokens.name(last), isAs || tokens[last]?.kind != .text else { return [] }
    if item.count == 1 || tokens.isSymbol(last - 1, ".") { return [column(named: name, at: last, in: item, from: relations)] }
    guard isAs || tokens.keyword(last) == nil && tokens.endsOperand(last - 1) else { return [] }
    let source = item.lowerBound..<last - (isAs ? 1 : 0)
    let origin = source.last.flatMap { index in
      source.count.isMultiple(of: 2) ? nil : tokens.name(index).map { column(named: $0, at: index, in: source, from: relations) }
    }
    return [SQLCompletionSchema.Column(name: name, declaredType: origin?.declaredType ?? "")]
  }

  /// Returns the column named at the end of an item, with its table if it is written.
  private func column(
    named name: String, at index: Int, in item: Range<Int>, from relations: [Relation]
  ) -> SQLCompletionSchema.Column {
    let tokens = syntax.tokens
    let isPath = stride(from: index - 1, to: item.lowerBound, by: -2).allSatisfy { tokens.isSymbol($0, ".") }
    let table = item.count > 1 ? tokens.name(index - 2) : nil
    let candidates = relations.filter { table == nil || $0.name.isSameIdentifier(as: table ?? "") }
    let found = isPath ? candidates.lazy.compactMap { $0.column(named: name) }.first : nil
    return found ?? SQLCompletionSchema.Column(name: name)
  }
}

/// A table, subquery or common table named in a statement.
struct Relation: Hashable {
  /// The qualifier of its columns; empty for a subquery without a name.
  var name: String
  /// Its kind: `table`, `view`, `common table`, `sub-select`.
  var kind: String
  /// The table's own name.
  var table: String
  var columns: [SQLCompletionSchema.Column]
  /// Whether its columns must be qualified with its name: `old`, `new` and `excluded`.
  var isNamedOnly = false

  /// A description for people, which names the table of an alias.
  var detail: String {
    name.isSameIdentifier(as: table) ? kind : "alias of \(table)"
  }

  /// Returns the column with this name, ignoring case as SQLite does.
  func column(named name: String) -> SQLCompletionSchema.Column? {
    columns.first { $0.name.isSameIdentifier(as: name) }
  }

  /// Returns the relation under a name assigned by SQLite, such as `new` for a trigger's row.
  func row(named name: String) -> Relation {
    Relation(name: name, kind: kind, table: table, columns: columns, isNamedOnly: true)
  }
}

extension Relation {
  init(_ table: SQLCompletionSchema.Table) {
    self.init(name: table.reference.name, kind: table.kind, table: table.reference.name, columns: table.columns)
  }
}
