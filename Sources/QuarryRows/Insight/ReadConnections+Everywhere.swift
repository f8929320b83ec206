internal import QuarryEngine
internal import Synchronization

extension ReadConnections {
  /// Searches the tables of all databases of the connections for a text, one table after the other.
  ///
  /// - Returns: The results in each table.
  /// - Throws: ``DatabaseError`` if the list of tables cannot be read; an error in a table is recorded in its state.
  package func search(_ search: EverywhereSearch, _ report: @escaping @Sendable (SearchReport) -> Void) async throws -> [SearchedTable] {
    guard !search.isEmpty else { return [] }
    var tables = try await background.read { try search.searchedTables(in: $0.catalog()) }
    report(.tables(tables))
    for index in tables.indices {
      let collector = SearchCollector(tables[index], at: index, limit: max(0, search.limit), report)
      try await self.search(search, collector)
      tables[index] = collector.table
    }
    return tables
  }

  private func search(_ search: EverywhereSearch, _ collector: SearchCollector) async throws {
    let table = collector.table
    do {
      let state = Mutex(DataState.unknown)
      let scan = try await readInParallel(table.table.database, .ofAnyState) { database -> TableSearch? in
        collector.set(.searching)
        let current = try DataState(of: table.table.database, in: database)
        state.withLock { $0 = current }
        return try search.begin(table, collector, database)
      }
      if let scan, !collector.table.sawChanges {
        try await check(scan.rows, hasReached: collector.table.rowCount, in: state.withLock(\.self))
      }
      if collector.table.state == .searching { collector.set(.done) }
    } catch let error as DatabaseError where error.resultCode != DatabaseError.SQLITE_INTERRUPT {
      try Task.checkCancellation()
      // Other tables may be readable.
      collector.set(.failed(error.sentence))
    }
  }
}

extension Database {
  /// Searches the tables of all databases of this connection for a text, on this connection alone: see ``DataSource/search(_:report:)``.
  ///
  /// - Throws: ``DatabaseError`` if the list of tables cannot be read, or if the search is interrupted.
  package func search(_ search: EverywhereSearch, report: @escaping @Sendable (SearchReport) -> Void) throws -> [SearchedTable] {
    guard !search.isEmpty else { return [] }
    var tables = try search.searchedTables(in: catalog())
    report(.tables(tables))
    for index in tables.indices {
      let collector = SearchCollector(tables[index], at: index, limit: max(0, search.limit), report)
      do {
        collector.set(.searching)
        let table = tables[index]
        try inSlices(.ofAnyState, of: table.table.database) { slices in
          slices?.onChange = collector.noteChange
          guard let scan = try search.begin(table, collector, self) else { return }
          try scan.work(in: self)
          if !collector.table.sawChanges { try scan.rows.checkReached(collector.table.rowCount, in: self) }
        }
        if collector.table.state == .searching { collector.set(.done) }
      } catch let error as DatabaseError where error.resultCode != DatabaseError.SQLITE_INTERRUPT {
        collector.set(.failed(error.sentence))
      }
      tables[index] = collector.table
    }
    return tables
  }
}

extension EverywhereSearch {
  /// Returns the tables to search, those with a full-text index first.
  fileprivate func searchedTables(in catalog: Catalog) throws -> [SearchedTable] {
    let entries = catalog.databases.flatMap(\.entries)
    let chosen = tables.map { names in entries.filter { entry in names.contains { $0.isSameTable(as: entry.reference) } } }
    if let missing = tables?.first(where: { name in !entries.contains { name.isSameTable(as: $0.reference) } }) {
      throw DatabaseError(DatabaseError.SQLITE_ERROR, "no such table: \(missing.name)")
    }
    let found = (chosen ?? entries.filter(\.hasRowsOfItsOwn)).map { SearchedTable($0.reference, isFullText: $0.isFullText) }
    return found.filter(\.isFullText) + found.filter { !$0.isFullText }
  }

  /// Searches a table; if several threads can share the search of its rows, that search is returned instead.
  fileprivate func begin(_ table: SearchedTable, _ collector: SearchCollector, _ database: Database) throws -> TableSearch? {
    let schema = try database.tableSchema(table.table)
    if let problem = schema.problem {
      collector.set(.failed(problem))
      return nil
    }
    guard !table.isFullText else {
      try FullTextSearch(needle, in: schema, limit: max(0, limit), collector).run(in: database)
      return nil
    }
    let plan = SearchPlan(needle, in: schema, database)
    guard !plan.isEmpty else { return nil }
    if schema.entry.kind == .table, let rows = KeysetRows(schema, in: database),
      let search = try TableSearch(plan, in: rows, collector, database)
    {
      return search
    }
    try SequentialSearch(plan: plan, schema: schema, collector: collector).run(in: database)
    return nil
  }
}

extension CatalogEntry {
  fileprivate var isFullText: Bool {
    if case .virtual(let module) = kind { module.isSameIdentifier(as: "fts5") } else { false }
  }
}
