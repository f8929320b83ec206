import QuarryEngine
import QuarryRows
import QuarrySources

/// Searching the rows for a text or a value.
extension RowsScreen {
  /// Asks what to look for in the rows, and goes to the next row with it while it is typed.
  func askForText(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    let origin = FindOrigin(grid: grid.id, row: grid.currentRow?.key, column: grid.column, needle: grid.needle)
    var prompt = PromptScreen(
      label: "find", placeholder: "part of a value",
      accept: context.handler { rows, context, text in
        if text.isEmpty { return rows.findAgain(backwards: false, &context) }
        if context.grid?.needle != .text(text) { rows.find(text, from: origin, &context) }
      })
    prompt.follow = context.handler { rows, context, text in rows.find(text, from: origin, &context) }
    prompt.cancel = context.handler { rows, context in rows.giveUpFinding(&context, origin) }
    context.present(prompt)
  }

  /// Where the cursor was when a text began to be looked for, and what was looked for before.
  private struct FindOrigin: Hashable, Sendable {
    var grid: GridID
    var row: RowKey?
    var column: Int
    var needle: Needle?
  }

  /// Looks for a text as far as it is typed, always from the same row on.
  private mutating func find(_ text: String, from origin: FindOrigin, _ context: inout ScreenContext<Self>) {
    if text.isEmpty { return giveUpFinding(&context, origin) }
    // Rows of another view may have come meanwhile.
    let row = context.workspace.shownGrid == origin.grid ? origin.row : context.grid?.currentRow?.key
    begin(.text(text), from: row, backwards: false, &context)
  }

  /// Goes back to where the cursor was.
  private mutating func giveUpFinding(_ context: inout ScreenContext<Self>, _ origin: FindOrigin) {
    guard context.workspace.shownGrid == origin.grid else { return }
    search = nil
    context.supersede(FindRow.slot(origin.grid))
    context.supersede(CountHits.slot(origin.grid))
    change(&context) { grid in
      (grid.needle, grid.column, grid.hits) = (origin.needle, origin.column, nil)
      return origin.row.flatMap { $0 == grid.currentRow?.key ? nil : grid.moveToRow($0) } ?? []
    }
  }

  mutating func findAgain(backwards: Bool, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let needle = grid.needle else { return }
    begin(needle, from: grid.currentRow?.key, backwards: backwards, &context)
  }

  /// Searches for the next row that has the value under the cursor in its column.
  mutating func findSameValue(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let cell = grid.currentCell else { return }
    guard let value = cell.wholeValue else { return context.notify("this value is too long to search for", .warning) }
    begin(.value(value), from: grid.currentRow?.key, backwards: false, &context)
  }

  /// Looks for a text in all columns shown, or for a value in that under the cursor.
  private mutating func begin(_ needle: Needle, from row: RowKey?, backwards: Bool, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    let isValue = if case .value = needle { true } else { false }
    let columns = isValue ? [grid.column] : grid.layout.shown
    context.workspace.changeGrid { $0.needle = needle }
    begin(FindRequest(needle: needle, columns: columns, start: row, isBackwards: backwards), in: grid.id, &context)
  }

  /// Resumes, in the new rows, a search that was interrupted by opening them.
  mutating func searchAgain(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, var request = search else { return }
    request.start = grid.currentRow?.key
    begin(request, in: grid.id, &context)
  }

  private mutating func begin(_ request: FindRequest, in grid: GridID, _ context: inout ScreenContext<Self>) {
    search = request
    // The next hit does not wait for the count of all.
    context.supersede(CountHits.slot(grid))
    context.ask(FindRow(grid: grid, search: request)) { rows, context, result in
      rows.receive(result, of: request, &context)
    }
  }

  private mutating func receive(_ result: Result<RowMatch?, Problem>, of request: FindRequest, _ context: inout ScreenContext<Self>) {
    // It was interrupted for the new rows, and resumes when they have arrived.
    if case .failure(.stopped) = result, opening != nil { return }
    search = nil
    switch result {
    case .success(let match?):
      if match.wrapped { context.notify(request.isBackwards ? "continued from the bottom" : "continued from the top") }
      change(&context) { grid in
        if grid.layout.hidden.contains(match.column) { grid.layout.show(match.column) }
        grid.column = match.column
        return grid.moveToRow(match.key)
      }
      count(request, to: match, &context)
    case .success(nil):
      context.workspace.changeGrid { $0.hits = HitCount(request, total: .exact(0)) }
      context.notify("\(request.needle.description) was not found", .warning)
    case .failure(.stopped): break
    case .failure(let problem): context.notify(problem.text, .error)
    }
  }

  // MARK: Counting

  /// Counts the rows with what was found, beside what is on the screen, unless that is known already.
  private func count(_ request: FindRequest, to match: RowMatch, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    if let known = grid.hits?.next(to: match, by: request) {
      context.workspace.changeGrid { $0.hits = known }
      return
    }
    let former = grid.hits.flatMap { $0.isSame(as: request) ? $0.total : nil }
    context.workspace.changeGrid { $0.hits = HitCount(request, total: former, key: match.key) }
    let id = grid.id
    context.ask(CountHits(grid: id, search: request, key: match.key)) { _, context, report in
      context.workspace.change(id) { $0.hits?.receive(report, of: match.key) }
    } then: { _, _, _ in
    }
  }
}

/// The rows in which something was found: how many, and which of them is the one that the cursor was taken to.
struct HitCount: Hashable, Sendable {
  let needle: Needle
  let columns: [Int]
  private(set) var total: RowNumber?
  /// The row that was found last.
  private(set) var key: RowKey?
  /// Its number among those in which something is, from 0; nil where that is not known.
  private(set) var place: Int?

  init(_ request: FindRequest, total: RowNumber?, key: RowKey? = nil) {
    (needle, columns) = (request.needle, request.columns)
    self.total = total
    self.key = key
  }

  func isSame(as request: FindRequest) -> Bool { needle == request.needle && columns == request.columns }

  mutating func receive(_ report: CountHits.Report, of key: RowKey) {
    guard key == self.key else { return }
    switch report {
    case .total(let number): if total?.isExact != true || number.isExact { total = number }
    case .place(let place): self.place = place
    }
  }

  /// Returns what is known of the hit that a search from the last one has led to; nil where that has to be counted.
  func next(to match: RowMatch, by request: FindRequest) -> HitCount? {
    guard isSame(as: request), let place, case .exact(let total)? = total, total > 0, key == request.start else { return nil }
    var next = self
    next.key = match.key
    next.place = request.isBackwards ? (match.wrapped ? total - 1 : place - 1) : match.wrapped ? 0 : place + 1
    return next
  }

  /// Returns what is said beside the number of the row under the cursor: `hit 3 of 12`, `≥ 12 hits`; nil on any other row.
  func words(at key: RowKey?, _ appearance: Appearance) -> String? {
    guard let total else { return nil }
    if total == .exact(0) { return "no hit" }
    guard let key, key == self.key else { return nil }
    let all = total.text(appearance)
    return place.map { "hit \(Plural.grouped($0 + 1)) of \(all)" } ?? (total == .exact(1) ? "1 hit" : "\(all) hits")
  }
}

/// Counts the rows in which something is found, and tells which of them one is.
struct CountHits: Request {
  let grid: GridID
  let search: FindRequest
  let key: RowKey

  enum Report: Sendable {
    case total(RowNumber)
    case place(Int)
  }

  static func slot(_ grid: GridID) -> RequestSlot { RequestSlot("hits", grid.number) }
  var slot: RequestSlot? { Self.slot(grid) }

  func run(in services: Services, report: @escaping @Sendable (Report) -> Void) async throws {
    let reader = try services.reader(grid)
    let names = try await reader.columns().map(\.name)
    guard let set = reader.rowSet.finding(search.needle, in: search.columns.compactMap { names.indices.contains($0) ? names[$0] : nil })
    else { return }
    let hits = try services.source.backgroundReader(of: set)
    report(.total(try await hits.count { number, _ in report(.total(number)) }))
    // Positions tell rows apart in their source, not among hits.
    if case .position = key { return }
    guard var number = try await hits.number(of: key) else { return }
    if !number.isExact {
      await hits.numbersAreKnown()
      number = try await hits.number(of: key) ?? number
    }
    if let place = number.exactValue { report(.place(place)) }
  }
}

extension Needle {
  /// The needle in a sentence.
  var description: String {
    switch self {
    case .text(let text): "“\(text)”"
    case .value(let value): value.plainText
    }
  }
}
