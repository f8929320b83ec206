internal import QuarryEngine

extension ListedRowSource {
  /// The maximum time for which the first page waits for the list to be started, before it searches for rows itself.
  private static let beginning = Duration.milliseconds(30)

  /// The time between two reports of progress.
  static let reportInterval = Duration.milliseconds(100)

  private enum Answer: Sendable {
    case page(RowPage)
    /// More rows must be found first: more than `moreThan` for a part of the page, and `enough` for the whole page.
    case wait(moreThan: Int, enough: Int)
    /// Building the list has begun meanwhile; whether it is current must be checked again.
    case begun
  }

  func page(_ request: PageRequest, progress: @escaping @Sendable (RowProgress) -> Void) async throws -> RowPage {
    let deadline = request.patience.map { ContinuousClock.now + $0 }
    var (list, reply) = try await begin(request, until: deadline)
    while true {
      switch reply {
      case .page(let page):
        remember(page)
        return page
      case .wait(let held, let enough):
        try await wait(list, moreThan: held, enough: enough, until: deadline)
        progress(list.progress)
        if list.ending == nil || list.isReplaced { list = try await startedList() }
        reply = try await search(request, list, until: deadline)
      case .begun: reply = try await search(request, list, until: deadline)
      }
    }
  }

  /// Starts the list if it has not been started, and searches for the page.
  ///
  /// SQLite starts sorting for the list only afterwards.
  private func begin(_ request: PageRequest, until deadline: ContinuousClock.Instant?) async throws -> (KeyList, Answer) {
    beginSearch()
    defer { endSearch() }
    let list = try await startedList(around: request.position.key)
    if showsListFirst { try await list.wait(for: .rows(0), until: .now + Self.beginning) }
    return (list, try await answer(request, list, until: deadline))
  }

  private func search(_ request: PageRequest, _ list: KeyList, until deadline: ContinuousClock.Instant?) async throws -> Answer {
    beginSearch()
    defer { endSearch() }
    return try await answer(request, list, until: deadline)
  }

  private func answer(_ request: PageRequest, _ list: KeyList, until deadline: ContinuousClock.Instant?) async throws -> Answer {
    // Checked before reading the file, so that the list is no newer than the rows read.
    let isBegun = list.isBegun
    return try await foreground.read { [self] database in
      try database.inSlices(.ofAnyState, of: reference.database) { slices in
        var sawChanges = false
        slices?.onChange = { sawChanges = true }
        let answer = try answer(request, list, isBegun: isBegun, until: deadline, in: database)
        guard sawChanges, case .page(let page) = answer else { return answer }
        return .page(page.withEstimatedNumber)
      }
    }
  }

  private func wait(_ list: KeyList, moreThan held: Int, enough: Int, until deadline: ContinuousClock.Instant?) async throws {
    let now = ContinuousClock.now
    let later = now + Self.reportInterval
    let isPatient = deadline.map { now < $0 } ?? true
    try await list.wait(for: .rows(isPatient ? enough : held + 1), until: isPatient ? min(deadline ?? later, later) : later)
    if case .cancelled? = list.ending, list.count <= held { throw CancellationError() }
  }

  private func answer(
    _ request: PageRequest, _ list: KeyList, isBegun: Bool, until deadline: ContinuousClock.Instant?, in database: Database
  ) throws -> Answer {
    let (query, current) = try checked(in: database)
    let source = ListedRows(query: query, list: list, isBegun: isBegun, reading: current)
    if source.serves(request.position) {
      if !isBegun, list.isBegun { return .begun }
      if let window = try window(of: request, in: source) {
        if let held = source.missing(window, until: deadline) { return .wait(moreThan: held, enough: window.upperBound + 1) }
        return try .page(source.page(window, request, in: database))
      }
      if list.isBeingSortedHere { return .wait(moreThan: .max - 1, enough: .max) }
    }
    if case .number(let asked) = request.position, asked > Self.walkLimit {
      let number = min(asked, .max - 1)
      guard list.ending != nil || !query.isSorted && list.count > number else { return .wait(moreThan: number, enough: number + 1) }
      return try .page(page(near: number, limit: request.limit, source, until: deadline, in: database))
    }
    guard query.isSorted, list.ending == nil else { return try .page(page(request, source, until: deadline, in: database)) }
    let found = try database.withinTurn { try page(request, source, until: deadline, in: database) }
    return found.map { .page($0) } ?? .wait(moreThan: .max - 1, enough: .max)
  }

  /// The maximum number of rows passed to find one by its number.
  private static let walkLimit = 1000

  /// Returns the numbers of the requested rows; nil if the list does not know them.
  private func window(of request: PageRequest, in source: ListedRows) throws -> Range<Int>? {
    let limit = request.limit
    switch request.position {
    case .first: return 0..<limit
    case .number(let number):
      let first = min(max(0, number), .max - limit - 1)
      return first..<first + limit
    case .last: return source.list.total.exactValue.map { max(0, $0 - limit)..<$0 }
    case .from(let key): return try number(of: key, in: source).map { $0..<$0 + limit }
    case .after(let key): return try number(of: key, in: source).map { $0 + 1..<$0 + 1 + limit }
    case .before(let key): return try number(of: key, in: source).map { max(0, $0 - limit)..<$0 }
    }
  }

  /// Returns the number of a row in the list, which is searched only if no recent page contains the row.
  func number(of key: RowKey, in source: ListedRows) throws -> Int? {
    if let number = recentNumber(of: key), try source.list.keys(number..<number + 1, of: source.query.table) == [key] { return number }
    return try source.list.number(of: key)
  }

  /// Reads a page from the table itself.
  private func page(
    _ request: PageRequest, _ source: ListedRows, until deadline: ContinuousClock.Instant?, in database: Database
  ) throws -> RowPage {
    let place = try request.position.key.flatMap { try self.place(of: $0, source, in: database) }
    let run = try source.query.run(request.position, at: place, limit: request.limit, until: deadline, in: database)
    var page = try RowPage(
      rows: source.query.rows(run.keys, isChecked: false, in: database), firstNumber: nil, reachesStart: run.reachesStart,
      reachesEnd: run.reachesEnd, isPartial: run.isPartial)
    page.firstNumber = try firstNumber(of: page, request, source)
    return page
  }

  private func firstNumber(of page: RowPage, _ request: PageRequest, _ source: ListedRows) throws -> RowNumber? {
    if page.reachesStart { return .exact(0) }
    if case .number(let number) = request.position, !page.reachesEnd { return .exact(number) }
    if page.reachesEnd, source.isCurrent, case .exact(let total) = source.list.total { return .exact(total - page.rows.count) }
    guard source.isBegun, let first = page.rows.first, let number = try number(of: first.key, in: source) else { return nil }
    return source.isCurrent ? .exact(number) : .estimated(number)
  }

  /// Reads the page that begins at the row with a number in an outdated list.
  private func page(
    near number: Int, limit: Int, _ source: ListedRows, until deadline: ContinuousClock.Instant?, in database: Database
  ) throws -> RowPage {
    let index = min(number, source.list.count - 1)
    guard let key = try source.list.keys(max(0, index)..<index + 1, of: source.query.table).first else {
      return try page(PageRequest(.last, limit: 1), source, until: deadline, in: database)
    }
    return try page(PageRequest(.from(key), limit: index < number ? 1 : limit), source, until: deadline, in: database)
  }

  /// Returns the position of a row; if it no longer exists, the position next to one of its former neighbors.
  func place(of key: RowKey, _ source: ListedRows, in database: Database) throws -> OrderedQuery.Place? {
    if let place = try source.query.place(of: key, in: database) { return place }
    var neighbors = recentNeighbors(of: key)
    if let number = try source.list.number(of: key) {
      neighbors.after += try source.list.keys(number + 1..<number + 100, of: source.query.table)
      neighbors.before += try source.list.keys(max(0, number - 100)..<number, of: source.query.table).reversed()
    }
    for (keys, isBeforeRow) in [(neighbors.after, true), (neighbors.before, false)] {
      for neighbor in keys {
        guard var place = try source.query.place(of: neighbor, in: database) else { continue }
        place.isBeforeRow = isBeforeRow
        return place
      }
    }
    return nil
  }
}

extension PageRequest.Position {
  /// The key in the position.
  var key: RowKey? {
    switch self {
    case .after(let key), .before(let key), .from(let key): key
    case .first, .last, .number: nil
    }
  }
}
