import QuarryEngine

/// Opens the rows of grids.
extension Services {
  /// Opens the rows of a set in a view, for a grid, and reads its first page.
  func openRows(
    of base: RowSet, seenBy view: RowView = RowView(), as grid: GridID, at place: OpeningPlace, limit: Int, mayTakeLong: Bool = false,
    progress: @escaping @Sendable (RowProgress) -> Void = { _ in }
  ) async throws -> OpenedRows {
    let whole = try source.reader(of: base)
    let schema = try await schema(of: base)
    let filterColumns =
      if let schema { try await source.filterColumns(of: schema) } else {
        FilterColumns(try await whole.columns().map { FilterColumn(resultNamed: $0.name) })
      }
    let (shown, refusal) = fitting(view, to: filterColumns)
    let set = shown?.applied(to: base) ?? base
    if mayTakeLong { source.allowLongRead(of: set) }
    let reader = set == base ? whole : try source.reader(of: set)
    let origin = try await origin(of: base)
    let columns = try await reader.columns().comingFrom(origin?.table)
    let (page, cursor) = try await firstPage(of: reader, at: place, limit: limit, progress)
    keep(OpenSet(reader: reader, base: base, filterColumns: filterColumns, origin: origin?.table), as: grid)
    return OpenedRows(
      grid: grid, isSnapshot: try await reader.isSnapshot(), columns: columns, schema: schema, origin: origin,
      page: await withTableKeys(page, of: grid), cursor: cursor, view: shown == nil ? RowView() : view, viewRefusal: refusal,
      order: shown?.marks(in: columns) ?? [], filterColumns: filterColumns)
  }

  /// Compiles a view for columns that may have changed since it was written; where it does not fit them, returns the reason.
  private func fitting(_ view: RowView, to columns: FilterColumns) -> (CompiledRowView?, refusal: String?) {
    do throws(RowViewError) {
      let compiled = try compile(view, for: columns)
      if compiled.isComplete { return (compiled, nil) }
      return (nil, "the filter was removed: a parameter of it has no value. All rows are shown")
    } catch {
      return (nil, error.reasonForRemoval(from: view))
    }
  }

  /// Adds to the rows of a query what the table knows them by that they come from.
  func withTableKeys(_ page: RowPage, of grid: GridID) async -> RowPage {
    // A row without such a key cannot be changed, but it is there to be read.
    guard let origin = openSet(grid)?.origin, let keys = try? await source.keys(of: page.rows, in: origin) else { return page }
    var page = page
    for (index, key) in keys.enumerated() { page.rows[index].tableKey = key }
    return page
  }

  private func schema(of set: RowSet) async throws -> TableSchema? {
    guard case .table(let table) = set.source else { return nil }
    return try await source.schema(of: table)
  }

  /// Finds the table of a query's rows; nil for other rows.
  private func origin(of set: RowSet) async throws -> ResultEditability? {
    guard case .query(let sql, _) = set.source else { return nil }
    do {
      return try await source.editability(ofQuery: sql)
    } catch let error as DatabaseError {
      return .refused(error.message)
    }
  }

  /// Reads the page on which a grid opens, and the row of its cursor; nil for the first.
  private func firstPage(
    of reader: RowReader, at place: OpeningPlace, limit: Int, _ progress: @escaping @Sendable (RowProgress) -> Void
  ) async throws -> (page: RowPage, cursor: RowKey?) {
    switch place {
    case .first: break
    case .kept(let key, let amongFew):
      guard try await reader.contains(key) else { break }
      // Under a filter without an index the next row may be far away: it is read when it comes into sight.
      let isNear = if amongFew { true } else { try await reader.plan().findsNeighbours(of: reader.rowSet) }
      let page = try await reader.pageAround(key, before: isNear ? limit / 2 : 0, limit: limit, progress)
      if page.rows.contains(where: { $0.key == key }) { return (page, key) }
    case .number(let number):
      let first = max(0, number - limit / 2)
      let page = try await reader.page(PageRequest(.number(first), limit: limit, patience: RowReader.patience), progress: progress)
      let index = number - (page.firstNumber?.value ?? first)
      return (page, page.rows.indices.contains(index) ? page.rows[index].key : page.rows.last?.key)
    case .matching(let matches):
      let key = try await firstKey(matching: matches, of: reader.rowSet)
      return (try await reader.pageAround(key, before: limit / 2, limit: limit), key)
    }
    return (try await reader.page(PageRequest(.first, limit: limit, patience: RowReader.patience), progress: progress), nil)
  }

  private func firstKey(matching matches: [ColumnMatch], of set: RowSet) async throws -> RowKey {
    let narrowed = try source.reader(of: RowSet(set.source, matching: set.matching + matches))
    if let row = try await narrowed.page(PageRequest(.first, limit: 1)).rows.first { return row.key }
    let condition = matches.map { "\($0.column) = \($0.value.plainText)" }.joined(separator: ", ")
    throw Problem("there is no row with \(condition)")
  }
}

extension RowViewError {
  /// Returns a sentence on a filter or sort that rows are shown without.
  ///
  ///     “name” of the sort no longer exists: all rows are shown
  ///     the filter was removed: done holds texts, and no truths. All rows are shown
  fileprivate func reasonForRemoval(from view: RowView) -> String {
    let part = text == .filter ? "filter" : "sort"
    guard let fault = faults.errors.first else { return "the \(part) was removed. All rows are shown" }
    guard fault.kind == .unknownColumn else { return "the \(part) was removed: \(fault.sentence) All rows are shown" }
    let bytes = Array(view[text].utf8)
    let name = String(decoding: bytes[fault.range.clamped(to: bytes.indices)], as: UTF8.self)
    return "“\(name)” of the \(part) no longer exists: all rows are shown"
  }
}

extension RowReader {
  /// How long a page may go on looking for more rows, once it has one.
  static var patience: Duration { .milliseconds(30) }

  /// Reads the rows from one on, and some before it.
  func pageAround(
    _ key: RowKey, before: Int, limit: Int, _ progress: @escaping @Sendable (RowProgress) -> Void = { _ in }
  ) async throws -> RowPage {
    let following = try await self.page(PageRequest(.from(key), limit: limit, patience: Self.patience), progress: progress)
    var page = following
    // The rows may be fewer now than when they were listed.
    while page.rows.count < before + following.rows.count, !page.reachesStart, let first = page.rows.first?.key {
      let missing = before + following.rows.count - page.rows.count
      let preceding = try await self.page(PageRequest(.before(first), limit: missing, patience: Self.patience))
      guard !preceding.rows.isEmpty else { break }
      page = RowPage(
        rows: preceding.rows + page.rows, firstNumber: preceding.firstNumber, reachesStart: preceding.reachesStart,
        reachesEnd: page.reachesEnd)
    }
    return page
  }
}

extension [RowSetColumn] {
  /// Returns the columns of a query with those of the table that its rows come from.
  fileprivate func comingFrom(_ table: ResultTable?) -> [RowSetColumn] {
    guard let table, table.columns.count == count else { return self }
    return zip(self, table.columns).map { column, origin in
      RowSetColumn(name: column.name, schema: origin, declaredType: column.declaredType)
    }
  }
}
