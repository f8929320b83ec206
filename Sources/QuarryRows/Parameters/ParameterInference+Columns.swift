internal import QuarryEngine

extension ParameterInference {
  /// Returns the evidence of a column named in a query, from the nearest query that has it.
  ///
  /// - Parameter path: The name of the column, preceded by those of its table and database if they are written.
  func column(_ path: [String], in query: QuerySyntax) -> ParameterEvidence? {
    guard let deeper, let name = path.last else { return nil }
    var next: QuerySyntax? = query
    while let query = next {
      for table in query.sources where isNamed(table, by: path.dropLast()) {
        if let evidence = deeper.column(name, of: table) { return evidence }
      }
      if path.count == 1, let evidence = deeper.resultColumn(name, of: query) { return evidence }
      next = syntax.parent(of: query)
    }
    return nil
  }

  /// Returns whether a qualifier before the name of a column refers to a table.
  private func isNamed(_ table: TableSyntax, by path: ArraySlice<String>) -> Bool {
    guard let name = path.last else { return !table.isNamedOnly }
    if let database = path.dropLast().last, let written = table.name?.database, !database.isSameIdentifier(as: written) { return false }
    return table.visibleName.isSameIdentifier(as: name)
  }

  private func column(_ name: String, of table: TableSyntax) -> ParameterEvidence? {
    if let body = table.body { return bodyColumn(name, in: body) }
    guard let table = table.name else { return nil }
    if table.database == nil, let index = syntax.commonTable(named: table.name, at: table.indices.lowerBound) {
      return column(name, of: syntax.commonTables[index])
    }
    return schemas.table(table.name, in: table.database).flatMap { ParameterEvidence(column: name, of: $0) }
  }

  // MARK: Columns of a SELECT

  private func column(_ name: String, of table: CommonTableSyntax) -> ParameterEvidence? {
    if table.columnNames.isEmpty { return bodyColumn(name, in: table.body) }
    return table.columnNames.firstIndex { $0.isSameIdentifier(as: name) }.flatMap { selected($0, in: table.body) }
  }

  /// Returns the evidence of a column of a SELECT in place of a table.
  private func bodyColumn(_ name: String, in body: Int) -> ParameterEvidence? {
    guard let deeper, let query = syntax.firstSelect(in: body) else { return nil }
    let items = syntax.resultItems(of: query)
    if let item = items.first(where: { tokens.name($0.upperBound - 1)?.isSameIdentifier(as: name) == true }) {
      return deeper.expression(in: withoutAlias(item))
    }
    let hasAll = items.contains { tokens.isSymbol($0.upperBound - 1, "*") }
    return hasAll ? deeper.column([name], in: query) : nil
  }

  /// Returns the evidence of the column at a position of a SELECT's result.
  func selected(_ position: Int, in body: Int) -> ParameterEvidence? {
    guard let deeper, let query = syntax.firstSelect(in: body) else { return nil }
    let items = syntax.resultItems(of: query)
    return items.indices.contains(position) ? deeper.expression(in: withoutAlias(items[position])) : nil
  }

  /// Returns the evidence of the result column with this name.
  private func resultColumn(_ name: String, of query: QuerySyntax) -> ParameterEvidence? {
    let item = syntax.resultItems(of: query).first { item in
      withoutAlias(item) != item && tokens.name(item.upperBound - 1)?.isSameIdentifier(as: name) == true
    }
    return item.flatMap { deeper?.expression(in: withoutAlias($0)) }
  }

  private func withoutAlias(_ item: Range<Int>) -> Range<Int> {
    let last = item.upperBound - 1
    if item.count > 2, tokens.keyword(last - 1) == .as { return item.lowerBound..<last - 1 }
    return item.count > 1 && tokens.plainName(last) != nil && tokens.endsOperand(last - 1) ? item.lowerBound..<last : item
  }
}

/// The tables of a connection as named in statements, each read once; an unreadable table is treated as missing.
final class SchemaLookup {
  private let database: Database
  private var schemas: [String: TableSchema?] = [:]
  private lazy var databases: [String] = names()

  init(_ database: Database) {
    self.database = database
  }

  /// Returns the table or view with this name; without a database name, first in `temp`, then in `main`, then in the other databases.
  func table(_ name: String, in database: String?) -> TableSchema? {
    let key = "\(database ?? "")\0\(name)".lowercased()
    if let known = schemas[key] { return known }
    let schema = (database.map { [$0] } ?? databases).lazy.compactMap { self.read(TableReference(database: $0, name: name)) }.first
    schemas[key] = .some(schema)
    return schema
  }

  private func read(_ reference: TableReference) -> TableSchema? {
    guard (try? holds(reference)) == true else { return nil }
    return try? database.tableSchema(reference)
  }

  /// Checks the name alone, because databases may have many tables.
  private func holds(_ reference: TableReference) throws -> Bool {
    let isOwn = reference.name.lowercased().hasPrefix("sqlite_")
    let sql = "SELECT 1 FROM \(reference.schemaTable) WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')"
    return try isOwn || Row.fetchOne(database, sql: sql, arguments: [reference.name]) != nil
  }

  private func names() -> [String] {
    let listed = (try? Row.fetchAll(database, sql: "PRAGMA database_list").map { try $0[1] as String }) ?? ["main"]
    return ["temp"] + listed.filter { $0 != "temp" }
  }
}
