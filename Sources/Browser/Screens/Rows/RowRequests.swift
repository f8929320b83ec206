import QuarryChanges
import QuarryEngine
package import QuarryRows
import QuarrySources

// The requests that read the rows of grids.

/// Opens the rows of a set in a view, and reads the first page.
package struct OpenRows: Request {
  let grid: GridID
  package let rowSet: RowSet
  package let view: RowView
  let title: String
  package let place: OpeningPlace
  let limit: Int
  let mayTakeLong: Bool

  init(_ opening: Opening, at place: OpeningPlace, limit: Int) {
    (grid, rowSet, view, title) = (opening.id, opening.rowSet, opening.view, opening.title)
    mayTakeLong = opening.mayTakeLong
    self.place = place
    self.limit = limit
  }

  static let slot = RequestSlot("opening")
  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { Activity(name: "opening \(title)", urgency: .reading) }

  func run(in services: Services, report: @escaping @Sendable (RowProgress) -> Void) async throws -> OpenedRows {
    do {
      return try await services.openRows(
        of: rowSet, seenBy: view, as: grid, at: place, limit: limit, mayTakeLong: mayTakeLong, progress: report)
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_ERROR {
      // A row that cannot be made says more with its column.
      guard let column = await failingColumn(error, in: services) else { throw error }
      throw error.located(in: rowSet, column: column, after: 0)
    }
  }

  /// How long the column is looked for, since the error waits for it: what took long to fail takes as long again for some of the columns.
  private static let patience = Duration.milliseconds(500)

  /// Returns the column at which the first row fails; nil where that is not known, or takes too long.
  private func failingColumn(_ error: DatabaseError, in services: Services) async -> String? {
    await withTaskGroup(of: String?.self) { group in
      group.addTask { try? await services.source.insight?.failingColumn(of: rowSet, after: 0, error) }
      group.addTask {
        try? await Task.sleep(for: Self.patience)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }
}

/// Where a new grid puts its cursor.
package enum OpeningPlace: Hashable, Sendable {
  case first
  /// The row of this key where the set has it, or else the first.
  ///
  /// - Parameter amongFew: Whether the source has so few rows that passing all of them is fast.
  case kept(RowKey, amongFew: Bool)
  /// The row of this number, from 0, or the last.
  case number(Int)
  /// The first row with these values; opening fails without one.
  case matching([ColumnMatch])
}

/// A grid's first rows, and what is known of the set.
package struct OpenedRows: Hashable, ReleasableAnswer {
  var grid: GridID
  /// Whether they are a snapshot, which other programs' writes do not change.
  var isSnapshot = false
  var columns: [RowSetColumn]
  /// The schema of the table or view; nil for a query.
  var schema: TableSchema?
  /// Whether the rows of a query can be changed in their table; nil for other rows.
  var origin: ResultEditability?
  var page: RowPage
  /// The row for the cursor; nil for the first.
  var cursor: RowKey?
  /// The view: the requested one without the parts that no longer fit the columns.
  var view = RowView()
  /// Which parts of the requested view no longer fit the columns, and why; nil where all do.
  var loss: String?
  /// The columns that the rows are sorted by; empty in their natural order.
  var order: [OrderMark] = []
  var filterColumns = FilterColumns([])

  var release: any ServiceCall { ForgetRows(grid: grid) }
}

/// A request for rows of a grid; of two for one grid only the later one's answer counts.
protocol PageLoading: Request where Answer == RowPage, Report == RowProgress {
  var grid: GridID { get }
  /// The request that the answer is matched with.
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

/// Reads a page of a grid's rows.
package struct LoadPage: PageLoading {
  let grid: GridID
  package let request: PageRequest

  func run(in services: Services, report: @escaping @Sendable (RowProgress) -> Void) async throws -> RowPage {
    let patient = PageRequest(request.position, limit: request.limit, patience: RowReader.patience)
    let reader = try services.reader(grid)
    do {
      return await services.withTableKeys(try await reader.page(patient, progress: report), of: grid)
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_ERROR {
      // Rows that are taken one after the other, and kept, tell by their number where it was.
      guard try await reader.isSnapshot() else { throw error }
      throw error.located(in: reader.rowSet, after: try await reader.count().value)
    }
  }
}

/// Reads the rows from one on, and some before it.
struct LoadAround: PageLoading {
  let grid: GridID
  let key: RowKey
  let before: Int
  let limit: Int

  var request: PageRequest { PageRequest(.from(key), limit: limit) }

  func run(in services: Services, report: @escaping @Sendable (RowProgress) -> Void) async throws -> RowPage {
    await services.withTableKeys(try await services.reader(grid).pageAround(key, before: before, limit: limit), of: grid)
  }
}

/// Counts the rows of a grid.
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

/// Determines a row's number, and reports an estimate before the exact one.
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

/// Searches for the next matching row.
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

/// A search in a grid's rows, and its start.
struct FindRequest: Hashable, Sendable {
  var needle: Needle
  /// The indexes of the columns to search.
  var columns: [Int]
  var start: RowKey?
  var isBackwards: Bool
}

/// Checks whether the files are still those that were opened, and switches to those that replaced them.
struct CheckDatabaseFiles: Request {
  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws {
    await services.checkDatabaseFiles(isAsked: true)
  }
}

// MARK: - Calls

/// Releases the rows of a grid that will never be shown again.
struct ForgetRows: ServiceCall {
  let grid: GridID

  func perform(in services: Services) { services.forget(grid) }
}

/// Cancels all reading for a grid.
struct StopReading: ServiceCall {
  let grid: GridID

  func perform(in services: Services) {
    let reader = services.openSet(grid)?.reader
    reader?.cancelBackgroundWork()
    reader?.cancelForegroundWork()
  }
}

/// Cancels the sorting of a grid's rows.
struct StopOrdering: ServiceCall {
  let grid: GridID

  func perform(in services: Services) { services.openSet(grid)?.reader.cancelOrdering() }
}
