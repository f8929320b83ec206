import QuarryChanges
import QuarryEngine
package import QuarryRows
import QuarrySources

// The requests that read the rows of grids.

/// A request that opens the rows of a set as seen through a view, and reads the first page.
package struct OpenRows: Request {
  let grid: GridID
  package let rowSet: RowSet
  package let view: RowView
  let title: String
  package let place: OpeningPlace
  let limit: Int
  let mayTakeLong: Bool
  /// The columns for filters and orders; nil for those of the rows.
  let filterColumns: FilterColumns?

  init(_ opening: Opening, at place: OpeningPlace, limit: Int) {
    (grid, rowSet, view, title) = (opening.id, opening.rowSet, opening.view, opening.title)
    filterColumns = opening.grouping?.groups.filterColumns
    mayTakeLong = opening.mayTakeLong
    self.place = place
    self.limit = limit
  }

  static let slot = RequestSlot("opening")
  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { Activity(name: "opening \(title)", urgency: .reading) }

  func run(in services: Services, report: @escaping @Sendable (OpeningReport) -> Void) async throws -> OpenedRows {
    do {
      return try await services.openRows(
        of: rowSet, seenBy: view, as: grid, at: place, limit: limit, mayTakeLong: mayTakeLong, columns: filterColumns,
        report: report)
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_ERROR {
      // The column of a row that cannot be computed makes the error more helpful.
      guard let column = await failingColumn(error, in: services) else { throw error }
      throw error.located(in: rowSet, column: column, after: 0)
    }
  }

  /// The longest search for the column, because the error waits for it.
  ///
  /// Reading some of the columns may take as long as the failed read.
  private static let patience = Duration.milliseconds(500)

  /// Returns the column that makes the first row fail; nil if it cannot be found, or not in time.
  private func failingColumn(_ error: DatabaseError, in services: Services) async -> String? {
    await withTaskGroup(of: String?.self) { group in
      group.addTask { try? await services.source.insight?.failingColumn(of: rowSet, after: 0, error) }
      group.addTask {
        try? await Task.pause(for: Self.patience)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }
}

/// The progress of reading the first rows of a grid.
package struct OpeningReport: ActivityReport {
  package var progress: RowProgress
  /// The groups so far; nil in most reports, and for other rows.
  package var soFar: OpenedRows?

  func badge(of activity: Activity) -> String? { progress.badge(of: activity) }
}

/// The initial position of the cursor in a new grid.
package enum OpeningPlace: Hashable, Sendable {
  case first
  /// The row with this key if the set contains it; otherwise the first row.
  ///
  /// - Parameter amongFew: Whether the source has so few rows that scanning all of them is fast.
  case kept(RowKey, amongFew: Bool)
  /// The row with this number, from 0; the last row if there are fewer.
  case number(Int)
  /// The first row with these values; the opening fails without such a row.
  case matching([ColumnMatch])
}

/// The first rows of a grid, and the properties of the set.
package struct OpenedRows: Hashable, ReleasableAnswer {
  var grid: GridID
  /// Whether the rows are a snapshot, which does not include later changes by other programs.
  var isSnapshot = false
  var columns: [RowSetColumn]
  /// The schema of the table or view; nil for a query.
  var schema: TableSchema?
  /// Whether the rows of a query can be edited in their table; nil for other rows.
  var origin: ResultEditability?
  var page: RowPage
  /// How much has been read for the groups of the page; nil if they are final, and for other rows.
  var partial: PartialGroups?
  /// The row under the cursor; nil for the first row.
  var cursor: RowKey?
  /// The requested view, without the parts that no longer fit the columns.
  var view = RowView()
  /// The parts of the requested view that no longer fit the columns, with the reasons; nil if all fit.
  var loss: String?
  /// The columns by which the rows are sorted; empty for the natural order.
  var order: [OrderMark] = []
  var filterColumns = FilterColumns([])

  var release: any ServiceCall { ForgetRows(grid: grid) }
}

/// A request for rows of a grid; only the answer to the latest request of each grid counts.
protocol PageLoading: Request where Report == RowProgress {
  var grid: GridID { get }
  /// The request, which identifies its answer.
  var request: PageRequest { get }
}

extension PageLoading {
  var slot: RequestSlot? { PageSlot.of(grid) }
  var isCancelledWhenSuperseded: Bool { false }
  var activity: Activity? { Activity(name: "", urgency: .reading) }
}

enum PageSlot {
  static func of(_ grid: GridID) -> RequestSlot { RequestSlot("page", grid.number) }
}

/// A request that reads a page of a grid's rows.
package struct LoadPage: PageLoading {
  let grid: GridID
  package let request: PageRequest

  func run(in services: Services, report: @escaping @Sendable (RowProgress) -> Void) async throws -> RowPage {
    let patient = PageRequest(request.position, limit: request.limit, patience: RowReader.patience)
    let reader = try services.reader(grid)
    do {
      return await services.withTableKeys(try await reader.page(patient, progress: report), of: grid)
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_ERROR {
      // A snapshot stores the rows read so far, so that their number locates the failing row.
      guard try await reader.isSnapshot() else { throw error }
      throw error.located(in: reader.rowSet, after: try await reader.count().value)
    }
  }
}

/// A request that reads the rows from a key on, and some rows before it.
struct LoadAround: PageLoading {
  let grid: GridID
  let key: RowKey
  let before: Int
  let limit: Int

  var request: PageRequest { PageRequest(.from(key), limit: limit) }

  func run(in services: Services, report: @escaping @Sendable (RowProgress) -> Void) async throws -> ArrivedRows {
    var rows = try await services.reader(grid).rows(around: key, before: before, limit: limit)
    rows.page = await services.withTableKeys(rows.page, of: grid)
    return rows
  }
}

/// Rows that a grid has requested.
package struct ArrivedRows: Hashable, Sendable {
  package var page: RowPage
  /// The index of the named row, or of the row that follows it if that is gone; 0 if no row was named.
  package var place: Int

  package init(page: RowPage, place: Int = 0) {
    (self.page, self.place) = (page, place)
  }
}

/// A request that counts the rows of a grid.
package struct CountRows: Request {
  package let grid: GridID

  /// The rows found so far, and the progress of reading.
  struct Report: ActivityReport {
    var number: RowNumber
    var progress: RowProgress?

    func badge(of activity: Activity) -> String? { progress?.badge(of: activity) }
  }

  static func slot(_ grid: GridID) -> RequestSlot { RequestSlot("count", grid.number) }
  var slot: RequestSlot? { Self.slot(grid) }
  var activity: Activity? { Activity(name: "counting", urgency: .background) }

  func run(in services: Services, report: @escaping @Sendable (Report) -> Void) async throws -> RowNumber {
    try await services.reader(grid).count { report(Report(number: $0, progress: $1)) }
  }
}

/// A request that determines a row's number, and reports an estimate before the exact one.
struct LocateRow: Request {
  let grid: GridID
  let key: RowKey

  static func slot(_ grid: GridID) -> RequestSlot { RequestSlot("number", grid.number) }
  var slot: RequestSlot? { Self.slot(grid) }
  var isCancelledWhenSuperseded: Bool { false }

  func run(in services: Services, report: @escaping @Sendable (RowNumber) -> Void) async throws {
    let reader = try services.reader(grid)
    guard let number = try await reader.number(of: key) else { return }
    report(number)
    guard !number.isExact else { return }
    await reader.numbersAreKnown()
    if let number = try await reader.number(of: key) { report(number) }
  }
}

/// A request that searches for the next matching row.
struct FindRow: Request {
  let grid: GridID
  let search: FindRequest

  static func slot(_ grid: GridID) -> RequestSlot { RequestSlot("find", grid.number) }
  var slot: RequestSlot? { Self.slot(grid) }
  var activity: Activity? { Activity(name: "searching", urgency: .asked) }

  func run(in services: Services, report: @escaping @Sendable (RowProgress) -> Void) async throws -> RowMatch? {
    try await services.reader(grid).find(
      search.needle, columns: search.columns, from: search.start, backwards: search.isBackwards, progress: report)
  }
}

/// A search in the rows of a grid, with its start.
struct FindRequest: Hashable, Sendable {
  var needle: Needle
  /// The indexes of the columns to search.
  var columns: [Int]
  var start: RowKey?
  var isBackwards: Bool
}

/// A request that checks whether the opened files are still at their paths, and switches to files that replaced them.
struct CheckDatabaseFiles: Request {
  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws {
    await services.checkDatabaseFiles(isAsked: true)
  }
}

// MARK: - Calls

/// A call that releases the rows of a grid that will not be shown again.
struct ForgetRows: ServiceCall {
  let grid: GridID

  func perform(in services: Services) { services.forget(grid) }
}

/// A call that cancels all reads for a grid.
struct StopReading: ServiceCall {
  let grid: GridID

  func perform(in services: Services) {
    let reader = services.openSet(grid)?.reader
    reader?.cancelBackgroundWork()
    reader?.cancelForegroundWork()
  }
}

/// A call that cancels the sorting of a grid's rows.
struct StopOrdering: ServiceCall {
  let grid: GridID

  func perform(in services: Services) { services.openSet(grid)?.reader.cancelOrdering() }
}
