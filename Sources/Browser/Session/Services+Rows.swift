import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources

/// Opens the rows of grids.
extension Services {
  /// Opens the rows of a set as seen through a view, for a grid, and reads the first page.
  ///
  /// - Parameters:
  ///   - columns: The columns of groups for filters and orders; nil for other rows.
  ///   - report: Called with the progress, and with groups so far.
  func openRows(
    of base: RowSet, seenBy view: RowView = RowView(), as grid: GridID, at place: OpeningPlace, limit: Int, mayTakeLong: Bool = false,
    columns: FilterColumns? = nil, report: @escaping @Sendable (OpeningReport) -> Void = { _ in }
  ) async throws -> OpenedRows {
    for _ in 0..<Self.mostOpenings {
      let opening = try await openOnce(
        of: base, seenBy: view, as: grid, at: place, limit: limit, mayTakeLong: mayTakeLong, columns: columns, report)
      if let opening { return opening }
    }
    throw Problem("\(base.sourceTable?.name ?? "the table") changes too often to be opened: try again later")
  }

  /// Returns the rows of a set that a view keeps.
  ///
  /// - Throws: ``Problem`` if the filter has errors, or parameters without a value.
  func rows(of set: RowSet, seenBy view: RowView, columns: FilterColumns) throws -> RowSet {
    let compiled = try compile(view, for: columns)
    guard compiled.isComplete else { throw Problem("the filter has parameters without a value") }
    return compiled.applied(to: set)
  }

  /// The largest number of attempts to open rows of a table that other programs change in the meantime.
  private static let mostOpenings = 5

  /// Opens the rows; nil if the table was changed between reading its schema and reading its rows.
  private func openOnce(
    of base: RowSet, seenBy view: RowView, as grid: GridID, at place: OpeningPlace, limit: Int, mayTakeLong: Bool,
    columns known: FilterColumns?, _ report: @escaping @Sendable (OpeningReport) -> Void
  ) async throws -> OpenedRows? {
    // The order matters: if the source is replaced later, the rows are read again.
    let renewal = self.renewal
    let source = self.source
    let whole = try source.reader(of: base)
    let schema = try await schema(of: base, in: source)
    let filterColumns =
      if let known { known } else if let schema { try await source.filterColumns(of: schema) } else {
        FilterColumns(try await whole.columns().map { FilterColumn(resultNamed: $0.name) })
      }
    let (shown, loss) = fitting(view, filterColumns)
    let set = shown?.applied(to: base) ?? base
    if mayTakeLong { source.allowLongRead(of: set) }
    let reader = set == base ? whole : try source.reader(of: set)
    let origin = known == nil ? try await origin(of: base, in: source) : nil
    let read = try await reader.columns()
    if let schema, !read.areColumns(of: schema) { return nil }
    let columns = read.comingFrom(origin?.table)
    let named = shown?.columns ?? filterColumns
    let empty = OpenedRows(
      grid: grid, isSnapshot: try await reader.isSnapshot(), columns: columns, schema: schema, origin: origin,
      page: RowPage(rows: [], firstNumber: nil, reachesStart: true, reachesEnd: true), view: shown?.view ?? RowView(), loss: loss,
      order: shown?.marks(in: columns) ?? [], filterColumns: named)
    let first = try await firstPage(of: reader, in: source, at: place, limit: limit) { progress in
      report(OpeningReport(progress: progress, soFar: progress.found.flatMap { empty.showing($0, of: set) }))
    }
    guard let (page, cursor) = first else { return nil }
    let kept = OpenSet(reader: reader, base: base, columns: read, filterColumns: named, origin: origin?.table)
    keep(kept, as: grid, openedAt: renewal)
    var opened = empty
    (opened.page, opened.cursor) = (await withTableKeys(page, of: grid), cursor)
    return opened
  }

  /// Returns the view without the parts that do not fit the current columns of the table, and a description of the removed parts.
  private func fitting(_ view: RowView, _ columns: FilterColumns) -> (view: CompiledRowView?, loss: String?) {
    var view = view
    var losses: [String] = []
    let computed = columns.computing(view.columns).computed.map(\.writtenText)
    if computed.count < view.columns.count {
      losses.append("\(Plural.of(view.columns.count - computed.count, "computed column")) removed: a column no longer exists")
      view.columns = computed
    }
    // Each of the two texts can fail once.
    for _ in 0..<2 {
      do throws(RowViewError) {
        let compiled = try compile(view, for: columns)
        if compiled.isComplete { return (compiled, losses.isEmpty ? nil : losses.joined(separator: "; ")) }
        losses.append("the filter was removed: a parameter has no value")
        view.filter = ""
      } catch {
        losses.append("the \(error.text.noun) was removed: \(error.faults.loss(of: view[error.text]))")
        view[error.text] = ""
      }
    }
    return (try? compile(view, for: columns), losses.joined(separator: "; "))
  }

  /// Adds the keys of the source table to the rows of a query.
  func withTableKeys(_ page: RowPage, of grid: GridID) async -> RowPage {
    // A row without a key cannot be edited, but it can be shown.
    guard let origin = openSet(grid)?.origin, let keys = try? await source.edits?.keys(of: page.rows, in: origin) else { return page }
    var page = page
    for (index, key) in keys.enumerated() { page.rows[index].tableKey = key }
    return page
  }

  private func schema(of set: RowSet, in source: any DataSource) async throws -> TableSchema? {
    guard case .table(let table) = set.source else { return nil }
    return try await source.schema(of: table)
  }

  /// Returns the source table of a query's rows; nil for other rows.
  private func origin(of set: RowSet, in source: any DataSource) async throws -> ResultEditability? {
    guard case .query(let sql, _) = set.source else { return nil }
    do {
      return try await source.edits?.editability(ofQuery: sql)
    } catch let error as DatabaseError {
      return .refused(error.message)
    }
  }

  /// Reads the first page for a grid, and the row of its cursor; nil if the table has changed since the reader was created.
  private func firstPage(
    of reader: RowReader, in source: any DataSource, at place: OpeningPlace, limit: Int,
    _ progress: @escaping @Sendable (RowProgress) -> Void
  ) async throws -> (page: RowPage, cursor: RowKey?)? {
    do {
      return try await firstRows(of: reader, in: source, at: place, limit: limit, progress)
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_SCHEMA {
      return nil
    }
  }

  /// Reads the first page for a grid, and the row of its cursor; the key is nil for the first row.
  private func firstRows(
    of reader: RowReader, in source: any DataSource, at place: OpeningPlace, limit: Int,
    _ progress: @escaping @Sendable (RowProgress) -> Void
  ) async throws -> (page: RowPage, cursor: RowKey?) {
    switch place {
    case .first: break
    case .kept(let key, let amongFew):
      guard try await reader.contains(key) else { break }
      // Under a filter without an index the next row may be far away: it is read when it becomes visible.
      let isNear = if amongFew { true } else { try await reader.plan().findsNeighbors(of: reader.rowSet) }
      let page =
        isNear
        ? try await reader.rows(around: key, before: limit / 2, limit: limit, progress).page
        : try await reader.page(PageRequest(.from(key), limit: limit, patience: RowReader.patience), progress: progress)
      if page.rows.contains(where: { $0.key == key }) { return (page, key) }
    case .number(let number):
      let first = max(0, number - limit / 2)
      let page = try await reader.page(PageRequest(.number(first), limit: limit, patience: RowReader.patience), progress: progress)
      let index = number - (page.firstNumber?.value ?? first)
      return (page, page.rows.indices.contains(index) ? page.rows[index].key : page.rows.last?.key)
    case .matching(let matches):
      let key = try await firstKey(matching: matches, of: reader.rowSet, in: source)
      return (try await reader.rows(around: key, before: limit / 2, limit: limit).page, key)
    }
    return (try await reader.page(PageRequest(.first, limit: limit, patience: RowReader.patience), progress: progress), nil)
  }

  private func firstKey(matching matches: [ColumnMatch], of set: RowSet, in source: any DataSource) async throws -> RowKey {
    let narrowed = try source.reader(of: RowSet(set.source, matching: set.matching + matches))
    if let row = try await narrowed.page(PageRequest(.first, limit: 1)).rows.first { return row.key }
    let condition = matches.map { "\($0.column) = \($0.value.plainText)" }.joined(separator: ", ")
    throw Problem("there is no row with \(condition)")
  }
}

extension RowReader {
  /// The time for which a page may search for more rows after it has found one.
  static var patience: Duration { .milliseconds(30) }

  /// Reads the rows from a key on, and some rows before it: more of them where few rows follow, so that they fill a screen.
  ///
  /// The row may be gone, and so may all that followed it.
  ///
  /// - Parameter limit: The maximum number of rows from the key on, which is that of two screens.
  func rows(
    around key: RowKey, before: Int, limit: Int, _ progress: @escaping @Sendable (RowProgress) -> Void = { _ in }
  ) async throws -> ArrivedRows {
    var page = try await self.page(PageRequest(.from(key), limit: limit, patience: Self.patience), progress: progress)
    let following = page.rows.count
    let wanted = max(before + following, page.reachesEnd ? limit / 2 : 0)
    // There may be fewer rows now than when they were listed.
    while page.rows.count < wanted, !page.reachesStart {
      let position = PageRequest.Position.before(page.rows.first?.key ?? key)
      let preceding = try await self.page(PageRequest(position, limit: wanted - page.rows.count, patience: Self.patience))
      guard !preceding.rows.isEmpty else { break }
      page = RowPage(
        rows: preceding.rows + page.rows, firstNumber: preceding.firstNumber, reachesStart: preceding.reachesStart,
        reachesEnd: page.rows.isEmpty ? preceding.reachesEnd : page.reachesEnd)
    }
    return ArrivedRows(page: page, place: page.rows.count - following)
  }
}

extension FilterErrors {
  /// Returns the reason why a text no longer fits, as the end of a sentence.
  fileprivate func loss(of text: String) -> String {
    guard let first = errors.first else { return "it is not valid" }
    guard first.kind == .unknownColumn else { return first.sentence }
    let bytes = Array(text.utf8)
    return "“\(String(decoding: bytes[first.range.clamped(to: bytes.indices)], as: UTF8.self))” no longer exists"
  }
}

extension [RowSetColumn] {
  /// Returns whether the columns from a table match the columns of its schema.
  fileprivate func areColumns(of schema: TableSchema) -> Bool {
    let known = Set(schema.columns)
    return allSatisfy { $0.schema.map(known.contains) ?? true }
  }

  /// Returns the columns of a query together with the columns of its source table.
  fileprivate func comingFrom(_ table: ResultTable?) -> [RowSetColumn] {
    guard let table, table.columns.count == count else { return self }
    return zip(self, table.columns).map { column, origin in
      RowSetColumn(name: column.name, schema: origin, declaredType: column.declaredType)
    }
  }
}
