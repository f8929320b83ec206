/// A statement as a person writes it, read once for all who ask what it does, which tables its parts see and where its clauses are.
///
///     let syntax = StatementSyntax("WITH c AS (SELECT 1) DELETE FROM Track AS t WHERE TrackId = :id")
///     syntax.kind.verb                      // .delete
///     syntax.commonTables.map(\.name)       // ["c"]
///     syntax.mainQuery.sources.map(\.alias) // ["t"]
///
/// Half of a statement, and what makes no sense, is read as far as it does. An index is that of a token.
package struct StatementSyntax: Sendable {
  package let tokens: StatementTokens
  package let kind: StatementKind
  /// The index of the keyword that says what the statement does.
  let verb: Int
  /// What CREATE, DROP or ALTER names.
  package let object: ObjectSyntax?
  /// The queries in the order of their beginnings, one at least.
  package let queries: [QuerySyntax]
  /// What the WITH clauses name.
  package let commonTables: [CommonTableSyntax]
  /// The indices where the name of a table is expected, whether one stands there or not.
  package let tableIndices: Set<Int>
  private let queryAfterToken: [Int]

  /// Whether it has a RETURNING clause.
  package var returnsWrittenRows: Bool { queries.contains { $0.clauses.contains { $0.keyword == .returning } } }

  package init(_ tokens: StatementTokens) {
    var reader = StatementReader(tokens)
    reader.read()
    self.tokens = tokens
    kind = reader.kind
    verb = reader.verb
    object = reader.object
    queries = reader.queries
    commonTables = reader.commonTables
    tableIndices = reader.tableIndices
    queryAfterToken = reader.queryAfterToken
  }

  /// Reads one statement.
  package init(_ sql: String) {
    self.init(StatementTokens(sql))
  }

  /// The query that the statement itself is, after its common tables.
  package var mainQuery: QuerySyntax { query(at: verb) }

  /// Returns the query that the token at an index is of; a parenthesis that begins one is of it.
  package func query(at index: Int) -> QuerySyntax {
    let last = min(index, queryAfterToken.count - 1)
    return queries[last < 0 ? 0 : queryAfterToken[last]]
  }

  /// Returns the query around one; nil where it sees no tables of another.
  package func parent(of query: QuerySyntax) -> QuerySyntax? {
    query.isSealed ? nil : query.parent.map { queries[$0] }
  }

  /// Returns the first of the queries in a parenthesis that is a SELECT.
  package func firstSelect(in opener: Int) -> QuerySyntax? {
    guard queryAfterToken.indices.contains(opener) else { return nil }
    let inside = queries[queryAfterToken[opener]...].prefix { $0.indices.lowerBound < tokens.partner(of: opener) }
    return inside.first { $0.opener == opener && $0.clause(.select) != nil }
  }

  /// Returns what a SELECT yields, item by item.
  package func resultItems(of query: QuerySyntax) -> [Range<Int>] {
    guard let select = query.clauses.firstIndex(where: { $0.keyword == .select }) else { return [] }
    let word = query.clauses[select].index + 1
    let start = [.distinct, .all].contains(tokens.keyword(word)) ? word + 1 : word
    let end = select + 1 < query.clauses.count ? query.clauses[select + 1].index : query.indices.upperBound
    return tokens.items(in: start..<max(start, end))
  }

  /// Returns the clause of a query that an index is in; nil within other parentheses than the query's own.
  package func clause(at index: Int) -> ClauseSyntax? {
    let query = query(at: index - 1)
    return tokens.opener(before: index) == query.opener ? query.clauses.last { $0.index < index } : nil
  }

  /// Returns the index of the common table that a name means at an index.
  package func commonTable(named name: String, at index: Int) -> Int? {
    commonTables.lastIndex { $0.scope.contains(index) && $0.name.isSameIdentifier(as: name) }
  }
}

/// A part of a statement that sees tables of its own: a select, or a statement that changes a table.
package struct QuerySyntax: Sendable {
  /// The index of the query around it.
  package var parent: Int?
  /// The index of the parenthesis that it stands in; nil outside of all.
  package var opener: Int?
  package var indices: Range<Int>
  /// Whether it sees no tables of the query around it, as a sub-select of a FROM and a common table.
  var isSealed = false
  /// The tables of its FROM, or the one that it changes.
  package var sources: [TableSyntax] = []
  /// The table that its rows are inserted into, which it does not see.
  package var insertTarget: TableSyntax?
  /// Its clauses, those within other parentheses apart.
  package var clauses: [ClauseSyntax] = []

  /// Returns the first clause that begins with a keyword.
  package func clause(_ keyword: Keyword) -> ClauseSyntax? {
    clauses.first { $0.keyword == keyword }
  }
}

/// A clause of a query, by the keyword that it begins with.
package struct ClauseSyntax: Hashable, Sendable {
  package var keyword: Keyword
  package var index: Int
}

/// A table as a statement names it, or a sub-select in its place.
package struct TableSyntax: Hashable, Sendable {
  /// Its name; nil for a sub-select.
  package var name: QualifiedName?
  package var alias: String?
  /// The index of the parenthesis that a sub-select stands in.
  package var body: Int?
  /// The columns that INSERT lists.
  package var columnNames: [String] = []
  /// Whether its columns are only found with its name, as those of `excluded`.
  package var isNamedOnly = false

  /// What stands before the dot of its columns; empty for a sub-select without a name.
  package var visibleName: String { alias ?? name?.name ?? "" }
}

/// A common table of a WITH.
package struct CommonTableSyntax: Hashable, Sendable {
  package var name: String
  /// What its columns are called, where that is written before its query.
  package var columnNames: [String]
  /// The index of the parenthesis that its query stands in.
  package var body: Int
  /// The indices where its name means it.
  var scope: Range<Int>
}

/// What a CREATE, DROP or ALTER names.
package struct ObjectSyntax: Hashable, Sendable {
  /// `table`, `view`, `index` or `trigger`.
  package var kind: Keyword
  package var name: QualifiedName
}
