import QuarryEngine

extension Session {
  /// Does what an effect says and posts its results.
  func perform(_ effect: Effect, posting post: Post) async {
    switch effect {
    case .checkDatabaseFiles: await checkDatabaseFiles(isAsked: true)
    case .loadCatalog: post(.catalogLoaded(await result { try await self.connections.foreground.read { db in try db.catalog() } }))
    case .countTables(let tables): await count(tables, posting: post)
    case .openRows(let id, let set, let view, let place, let limit):
      let progress: @Sendable (RowProgress) -> Void = { post(.openingProgressed(id, $0)) }
      let opened = await result { try await self.open(id, set, view, at: place, limit: limit, progress: progress) }
      // Nobody will say so who has never heard of it.
      if !post(.rowsOpened(id, opened)) { forget(id) }
    case .checkView(let id, let view, let text): await check(id, view, text, posting: post)
    case .complete(let id, let view, let text, let caret): await complete(id, view, text, caret: caret, posting: post)
    case .prepareSQL(let id, let purpose): await prepareSQL(id, for: purpose, posting: post)
    case .saveMemory(let memory): await save(memory, generation: post.generation)
    case .loadPage(let id, let request): await loadPage(id, request, posting: post)
    case .loadAround(let id, let key, let before, let limit): await loadAround(id, key, before: before, limit: limit, posting: post)
    case .count(let id): await count(id, posting: post)
    case .locate(let id, let key): await locate(id, key, posting: post)
    case .find(let id, let request): await find(id, request, posting: post)
    case .loadReferences(let id, let table):
      post(.referencesLoaded(id, await result { try await self.connections.foreground.read { db in try db.references(to: table) } }))
    case .prepareCopy(let id, let request): await prepareCopy(id, request, posting: post)
    case .prepareRun(let request): await prepare(request, posting: post)
    case .run(let request, let inputs, let limit): await run(request, inputs, limit: limit, posting: post)
    case .endTransaction(let isCommitted): await endTransaction(isCommitted: isCommitted, posting: post)
    case .explain(let sql): await explain(sql, posting: post)
    case .completeSQL(let text, let caret): await completeSQL(text, caret: caret, posting: post)
    case .request, .cancel, .watchFiles, .copyToClipboard, .forget, .preempt, .stopBackgroundWork, .stopAllWork, .stopOpening, .stopScript, .stopWaiting,
      .editExternally, .suspend, .repaint, .quit:
      break
    }
  }

  func result<Value>(_ body: () async throws -> Value) async -> Result<Value, Problem> {
    do { return .success(try await body()) } catch { return .failure(Problem(describing: error)) }
  }

  /// Counts one table after the other; one that cannot be counted goes without.
  private func count(_ tables: [TableReference], posting post: Post) async {
    for table in tables {
      guard let number = await count(of: table) else { continue }
      post(.tableCounted(table, number))
    }
  }

  /// The number of a table's rows: that which a grid has them counted for, so that they are not counted twice.
  private func count(of table: TableReference) async -> RowNumber? {
    let set = RowSet(.table(table))
    if let number = try? await openReader(of: set)?.count(), number.isExact { return number }
    guard let number = try? await connections.valueReader(of: set).count(), number.isExact else { return nil }
    return number
  }

  func open(
    _ id: GridID, _ base: RowSet, _ view: RowView, at place: OpeningPlace, limit: Int,
    progress: @escaping @Sendable (RowProgress) -> Void = { _ in }
  ) async throws -> OpenedRows {
    let whole = try connections.reader(of: base)
    let schema = try await schema(of: base)
    let filterColumns =
      if let schema { try await connections.foreground.read { db in db.filterColumns(of: schema) } } else { FilterColumns(try await whole.columns().map { FilterColumn(resultNamed: $0.name) }) }
    // A table may have lost a column that a view of former days names.
    let compiled = try? compile(view, for: filterColumns)
    let shown = compiled.flatMap { $0.isComplete ? $0 : nil }
    let set = shown?.applied(to: base) ?? base
    let reader = set == base ? whole : try connections.reader(of: set)
    let columns = try await reader.columns()
    let (page, cursor) = try await firstPage(of: reader, at: place, limit: limit, progress)
    keep(OpenSet(reader: reader, base: base, filterColumns: filterColumns), as: id)
    return OpenedRows(
      isSnapshot: try await reader.isSnapshot(), columns: columns, schema: schema, page: page, cursor: cursor, view: shown == nil ? RowView() : view,
      order: shown?.marks(in: columns) ?? [], filterColumns: filterColumns)
  }

  private func schema(of set: RowSet) async throws -> TableSchema? {
    guard case .table(let table) = set.source else { return nil }
    return try await connections.foreground.read { db in try db.tableSchema(table) }
  }

  /// Reads the rows on which a grid opens, and the one of them that its cursor stands on; nil for the first.
  private func firstPage(
    of reader: RowReader, at place: OpeningPlace, limit: Int, _ progress: @escaping @Sendable (RowProgress) -> Void
  ) async throws -> (page: RowPage, cursor: RowKey?) {
    switch place {
    case .first: break
    case .kept(let key, let amongFew):
      guard try await reader.contains(key) else { break }
      // Past a filter that no index serves the next row ahead may be far: it is asked for when it comes in sight.
      let isNear = if amongFew { true } else { try await reader.plan().findsNeighbours(of: reader.rowSet) }
      let page = try await pageAround(key, before: isNear ? limit / 2 : 0, limit: limit, reader: reader, progress)
      if page.rows.contains(where: { $0.key == key }) { return (page, key) }
    case .number(let number):
      let first = max(0, number - limit / 2)
      let page = try await reader.page(PageRequest(.number(first), limit: limit, patience: Session.patience), progress: progress)
      let index = number - (page.firstNumber?.value ?? first)
      return (page, page.rows.indices.contains(index) ? page.rows[index].key : page.rows.last?.key)
    case .matching(let matches):
      let key = try await firstKey(matching: matches, of: reader.rowSet)
      return (try await pageAround(key, before: limit / 2, limit: limit, reader: reader), key)
    }
    return (try await reader.page(PageRequest(.first, limit: limit, patience: Session.patience), progress: progress), nil)
  }

  private func firstKey(matching matches: [ColumnMatch], of set: RowSet) async throws -> RowKey {
    let narrowed = try connections.reader(of: RowSet(set.source, matching: set.matching + matches))
    if let row = try await narrowed.page(PageRequest(.first, limit: 1)).rows.first { return row.key }
    let condition = matches.map { "\($0.column) = \($0.value.plainText)" }.joined(separator: ", ")
    throw Problem("there is no row with \(condition)")
  }

  private func save(_ memory: Memory, generation: Int) async {
    do {
      try await memoryWriter.save(memory, number: generation)
    } catch {
      // Of which memory it is does not matter.
      post(.memoryUnsaved(Problem("what was filtered and sorted by is not kept for the next start: \(Problem(describing: error).text)")))
    }
  }

  /// How long a page may look for more of its rows, once it has one.
  private static let patience = Duration.milliseconds(30)

  private func loadPage(_ id: GridID, _ request: PageRequest, posting post: Post) async {
    guard let reader = reader(id) else { return }
    let patient = PageRequest(request.position, limit: request.limit, patience: Session.patience)
    post(.pageLoaded(id, request, await result { try await reader.page(patient) { post(.pageProgressed(id, request, $0)) } }))
  }

  private func loadAround(_ id: GridID, _ key: RowKey, before: Int, limit: Int, posting post: Post) async {
    guard let reader = reader(id) else { return }
    let page = await result { try await self.pageAround(key, before: before, limit: limit, reader: reader) }
    post(.pageLoaded(id, PageRequest(.from(key), limit: limit), page))
  }

  /// Reads the rows from one on, and some ahead of it.
  private func pageAround(
    _ key: RowKey, before: Int, limit: Int, reader: RowReader, _ progress: @escaping @Sendable (RowProgress) -> Void = { _ in }
  ) async throws -> RowPage {
    let following = try await reader.page(PageRequest(.from(key), limit: limit, patience: Session.patience), progress: progress)
    var page = following
    // Of rows that were listed some time ago fewer may be left than were asked for.
    while page.rows.count < before + following.rows.count, !page.reachesStart, let first = page.rows.first?.key {
      let missing = before + following.rows.count - page.rows.count
      let preceding = try await reader.page(PageRequest(.before(first), limit: missing, patience: Session.patience))
      guard !preceding.rows.isEmpty else { break }
      page = RowPage(
        rows: preceding.rows + page.rows, firstNumber: preceding.firstNumber, reachesStart: preceding.reachesStart,
        reachesEnd: page.reachesEnd)
    }
    return page
  }

  private func count(_ id: GridID, posting post: Post) async {
    guard let reader = reader(id) else { return }
    do {
      let number = try await reader.count {
        post(.rowsCounted(id, $0, isFinal: false))
        if let progress = $1 { post(.countProgressed(id, progress)) }
      }
      post(.rowsCounted(id, number, isFinal: true))
    } catch {
      post(.countFailed(id, Problem(describing: error)))
    }
  }

  /// Tells a row's number, and once more when that is known exactly.
  private func locate(_ id: GridID, _ key: RowKey, posting post: Post) async {
    guard let reader = reader(id), let number = try? await reader.number(of: key) else { return }
    post(.rowLocated(id, key, number))
    guard !number.isExact else { return }
    await reader.numbersAreKnown()
    if isCurrent(post), let number = try? await reader.number(of: key) { post(.rowLocated(id, key, number)) }
  }

  private func find(_ id: GridID, _ request: FindRequest, posting post: Post) async {
    guard let reader = reader(id) else { return }
    let match = await result {
      try await reader.find(
        request.needle, columns: request.columns, from: request.start, backwards: request.isBackwards
      ) { post(.findProgressed(id, request, $0)) }
    }
    post(.rowFound(id, request, match))
  }
}
