/// The syntax of a statement: its verb, the tables visible in its parts, and its clauses.
///
///     let syntax = StatementSyntax("WITH c AS (SELECT 1) DELETE FROM Track AS t WHERE TrackId = :id")
///     syntax.kind.verb                      // .delete
///     syntax.commonTables.map(\.name)       // ["c"]
///     syntax.mainQuery.sources.map(\.alias) // ["t"]
///
/// Incomplete and invalid statements are parsed as far as possible. Indices are token indices.
package struct StatementSyntax: Sendable {
  package let tokens: StatementTokens
  package let kind: StatementKind
  /// The index of the keyword of the statement's verb.
  let verb: Int
  /// The object named by CREATE, DROP or ALTER.
  package let object: ObjectSyntax?
  /// The queries in the order of their beginnings; at least one.
  package let queries: [QuerySyntax]
  /// The common tables of the WITH clauses.
  package let commonTables: [CommonTableSyntax]
  /// The indices at which a table name is expected, even if the name is missing.
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

  /// Parses one statement.
  package init(_ sql: String) {
    self.init(StatementTokens(sql))
  }

  /// The main query of the statement, after its common tables.
  package var mainQuery: QuerySyntax { query(at: verb) }

  /// Returns the query that contains the token at an index; a parenthesis that begins a query belongs to that query.
  package func query(at index: Int) -> QuerySyntax {
    let last = min(index, queryAfterToken.count - 1)
    return queries[last < 0 ? 0 : queryAfterToken[last]]
  }

  /// Returns the enclosing query; nil if the query does not see its tables.
  package func parent(of query: QuerySyntax) -> QuerySyntax? {
    query.isSealed ? nil : query.parent.map { queries[$0] }
  }

  /// Returns the first SELECT in a parenthesis.
  package func firstSelect(in opener: Int) -> QuerySyntax? {
    guard queryAfterToken.indices.contains(opener) else { return nil }
    let inside = queries[queryAfterToken[opener]...].prefix { $0.indices.lowerBound < tokens.partner(of: opener) }
    return inside.first { $0.opener == opener && $0.clause(.select) != nil }
  }

  /// Returns the ranges of the result columns of a SELECT.
  package func resultItems(of query: QuerySyntax) -> [Range<Int>] {
    guard let select = query.clauses.firstIndex(where: { $0.keyword == .select }) else { return [] }
    let word = query.clauses[select].index + 1
    let start = [.distinct, .all].contains(tokens.keyword(word)) ? word + 1 : word
    let end = select + 1 < query.clauses.count ? query.clauses[select + 1].index : query.indices.upperBound
    return tokens.items(in: start..<max(start, end))
  }

  /// Returns the clause of a query that contains an index; nil within other parentheses than the query's own.
  package func clause(at index: Int) -> ClauseSyntax? {
    let query = query(at: index - 1)
    return tokens.opener(before: index) == query.opener ? query.clauses.last { $0.index < index } : nil
  }

  /// Returns the index of the common table to which a name refers at a token index.
  package func commonTable(named name: String, at index: Int) -> Int? {
    commonTables.lastIndex { $0.scope.contains(index) && $0.name.isSameIdentifier(as: name) }
  }
}

/// A part of a statement with its own visible tables: a select, or a statement that changes a table.
package struct QuerySyntax: Sendable {
  /// The index of the enclosing query.
  package var parent: Int?
  /// The index of the parenthesis that contains it; nil outside parentheses.
  package var opener: Int?
  package var indices: Range<Int>
  /// Whether it does not see the tables of the enclosing query, such as a subquery in FROM or a common table.
  var isSealed = false
  /// The tables of its FROM clause, or the table that it changes.
  package var sources: [TableSyntax] = []
  /// The table into which it inserts, which it does not see.
  package var insertTarget: TableSyntax?
  /// Its clauses, without those in other parentheses.
  package var clauses: [ClauseSyntax] = []

  /// Returns the first clause that begins with a keyword.
  package func clause(_ keyword: Keyword) -> ClauseSyntax? {
    clauses.first { $0.keyword == keyword }
  }
}

/// A clause of a query, identified by its first keyword.
package struct ClauseSyntax: Hashable, Sendable {
  package var keyword: Keyword
  package var index: Int
}

/// A table named in a statement, or a subquery in its place.
package struct TableSyntax: Hashable, Sendable {
  /// Its name; nil for a subquery.
  package var name: QualifiedName?
  package var alias: String?
  /// The index of the parenthesis of a subquery.
  package var body: Int?
  /// The columns listed by INSERT.
  package var columnNames: [String] = []
  /// Whether its columns must be qualified with its name, like those of `excluded`.
  package var isNamedOnly = false

  /// The qualifier of its columns; empty for a subquery without a name.
  package var visibleName: String { alias ?? name?.name ?? "" }
}

/// A common table of a WITH clause.
package struct CommonTableSyntax: Hashable, Sendable {
  package var name: String
  /// The names of its columns, if they are listed before its query.
  package var columnNames: [String]
  /// The index of the parenthesis of its query.
  package var body: Int
  /// The range of indices in which its name refers to it.
  var scope: Range<Int>
}

/// The object of a CREATE, DROP or ALTER.
package struct ObjectSyntax: Hashable, Sendable {
  /// `table`, `view`, `index` or `trigger`.
  package var kind: Keyword
  package var name: QualifiedName
}
