internal import QuarryEngine

/// The tables that the parts of a statement see, with the columns that the schema gives them.
struct StatementScopes {
  /// How deeply sub-selects may lie in one another before their tables are passed over.
  private static let greatestDepth = 16
  /// How many queries around a token may be seen there; SQLite's parser gives up at a hundred parentheses.
  private static let mostLevels = 128

  let syntax: StatementSyntax
  let schema: SQLCompletionSchema
  /// The rows of a trigger, `old` and `new`.
  private(set) var rows: [Relation] = []
  /// What the WITH clauses name, by their indexes.
  private var relationsOfCommonTables: [Int: Relation] = [:]

  init(_ syntax: StatementSyntax, schema: SQLCompletionSchema) {
    self.syntax = syntax
    self.schema = schema
    // What ends first may be a part of what ends later.
    let ends = syntax.commonTables.map { syntax.tokens.partner(of: $0.body) }
    for index in ends.indices.sorted(by: { (ends[$0], $1) < (ends[$1], $0) }) { relationsOfCommonTables[index] = commonTable(index) }
    if syntax.kind.verb == .create, syntax.object?.kind == .trigger, let table = syntax.queries[0].sources.first {
      rows = ["new", "old"].map(relation(of: table, depth: 0).row)
    }
  }

  /// What the WITH clauses of the statement name.
  var commonTables: [Relation] {
    syntax.commonTables.indices.compactMap { relationsOfCommonTables[$0] }
  }

  /// Returns what is seen before the token at an index: the tables of the innermost query first, then those of the queries around it.
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

  /// Returns which of the tables of the innermost query is the last before the token at an index.
  func joinedPlace(before index: Int, among relations: [Relation]) -> Int? {
    let sources = syntax.query(at: index - 1).sources
    guard sources.count == relations.count else { return nil }
    return sources.lastIndex { ($0.name?.indices.lowerBound ?? .max) < index }
  }

  /// Returns the table that is named at an index.
  func relation(at index: Int) -> Relation? {
    syntax.tokens.qualifiedName(index).map(relation)
  }

  private func relation(of table: TableSyntax, depth: Int) -> Relation {
    guard let name = table.name else {
      let columns = table.body.map { resultColumns(in: $0, depth: depth + 1) } ?? []
      return Relation(name: table.visibleName, kind: "sub-select", table: table.visibleName, columns: columns)
    }
    var relation = relation(named: name)
    if let alias = table.alias { relation.name = alias }
    relation.isNamedOnly = table.isNamedOnly
    return relation
  }

  /// Returns the table of a name; one that the schema does not have is without columns.
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
  /// Returns the columns that the first SELECT in a parenthesis yields, as far as they have names.
  private func resultColumns(in opener: Int, depth: Int) -> [SQLCompletionSchema.Column] {
    guard depth < Self.greatestDepth, let query = syntax.firstSelect(in: opener) else { return [] }
    let relations = query.sources.map { relation(of: $0, depth: depth) }
    return syntax.resultItems(of: query).flatMap { columns(of: $0, from: relations) }
  }

  /// Returns the columns of one item of a select list: all of its tables for `*`, else one under its alias or its own name.
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

  /// Returns the column that is named at the end of an item, with its table where that is written.
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

/// A table, sub-select or common table as a statement names it.
struct Relation: Hashable {
  /// What stands before the dot of its columns; empty for a sub-select without a name.
  var name: String
  /// What it is: `table`, `view`, `common table`, `sub-select`.
  var kind: String
  /// The table's own name.
  var table: String
  var columns: [SQLCompletionSchema.Column]
  /// Whether its columns are only found with its name: `old`, `new` and `excluded`.
  var isNamedOnly = false

  /// What it is in words: an alias tells what it stands for.
  var detail: String {
    name.isSameIdentifier(as: table) ? kind : "alias of \(table)"
  }

  /// Returns the column of this name, by SQLite's rule of case.
  func column(named name: String) -> SQLCompletionSchema.Column? {
    columns.first { $0.name.isSameIdentifier(as: name) }
  }

  /// Returns the relation under a name that SQLite gives it, as `new` for a trigger's row.
  func row(named name: String) -> Relation {
    Relation(name: name, kind: kind, table: table, columns: columns, isNamedOnly: true)
  }
}

extension Relation {
  init(_ table: SQLCompletionSchema.Table) {
    self.init(name: table.reference.name, kind: table.kind, table: table.reference.name, columns: table.columns)
  }
}
