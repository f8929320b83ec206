import QuarryChanges
import QuarryEngine
import QuarryRows
import Synchronization

/// The differences that a comparison has found so far.
struct DiffProgress: Sendable {
  let store: DifferenceStore
  var schema: [SchemaDifference]
  var tables: [ComparedTable]
  /// Whether the databases were written while they were compared, so that the differences may not belong to one state.
  var isTorn = false
}

extension DiffProgress: ActivityReport {
  func badge(of activity: Activity) -> String? {
    let current = tables.lazy.compactMap { table -> String? in
      if case .running(let rows) = table.state { "\(table.name): \(Plural.of(rows, "row"))" } else { nil }
    }
    return "\(activity.name) \(current.first ?? "the schemas")"
  }
}

/// A request that compares two databases, and reports the differences while it finds them.
struct CompareDatabases: Request {
  let subject: DiffSubject

  static let slot = RequestSlot("comparison")
  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { Activity(name: "comparing", urgency: .asked) }

  /// The time between two reports.
  private static let interval = Duration.milliseconds(100)

  func run(in services: Services, report: @escaping @Sendable (DiffProgress) -> Void) async throws -> DiffProgress {
    guard let opener = services.storage.comparing else { throw Problem("this session cannot compare databases") }
    do {
      let progress = try await compare(opener, report)
      let isSame = progress.schema.isEmpty && !progress.isTorn && progress.tables.allSatisfy { $0.isSame }
      opener.outcome.note(.success(isSame))
      return progress
    } catch {
      opener.outcome.note(error is CancellationError ? .success(false) : .failure(error))
      throw error
    }
  }

  private func compare(_ opener: DiffOpener, _ report: @escaping @Sendable (DiffProgress) -> Void) async throws -> DiffProgress {
    let sides = try opener.sides(of: subject)
    let diff = subject.diff(sides.from, sides.to)
    let store = try DifferenceStore()
    let schema = subject.comparesSchema ? try await diff.schema(findsRenames: subject.comparesRows) : []
    var progress = DiffProgress(store: store, schema: schema, tables: [])
    report(progress)
    guard subject.comparesRows else { return progress }
    defer {
      // Also after an error, the differences found before are shown.
      progress.tables = store.tables
      report(progress)
    }
    let last = Mutex((time: ContinuousClock.now, stored: 0))
    let result = try await store.compare(diff) { [progress] in
      let tables = store.tables
      let stored = tables.reduce(0) { $0 + $1.stored }
      let isDue = last.withLock { last in
        // The first differences are shown at once.
        guard last.stored == 0 && stored > 0 || ContinuousClock.now - last.time >= Self.interval else { return false }
        last = (.now, stored)
        return true
      }
      guard isDue else { return }
      var progress = progress
      progress.tables = tables
      report(progress)
    }
    progress.tables = store.tables
    progress.isTorn = result.isTorn || result.isOfUnknownMoment
    return progress
  }
}

extension ComparedTable {
  /// Whether the rows were compared and are the same.
  var isSame: Bool { state == .compared && counts.isSame }
}

/// A request that reads some differences of a table.
struct LoadDifferences: Request {
  let store: DifferenceStore
  let table: Int
  let range: Range<Int>
  let isFiltered: Bool
  /// The number of matches of the filter, which changes while differences are found.
  let count: Int
  /// Whether the rows are for the screen, so that only the latest request counts.
  var isForScreen = true

  static let slot = RequestSlot("differences")
  var slot: RequestSlot? { isForScreen ? Self.slot : nil }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [StoredDifference] {
    try await store.differences(of: table, at: range, isFiltered: isFiltered)
  }
}

/// A request that finds the differences that match a filter, and reports their number while it searches.
struct FilterDifferences: Request {
  let store: DifferenceStore
  let table: Int
  let text: String
  /// The number of differences that have been found so far.
  let stored: Int

  static let slot = RequestSlot("filter of differences")
  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { Activity(name: "filtering", urgency: .reading) }

  func run(in services: Services, report: @escaping @Sendable (Int) -> Void) async throws -> Int {
    guard let columns = store.tables[table].filterColumns, let condition = try Filter.compile(text, columns: columns).sqlText else {
      return 0
    }
    return try await store.filter(table, condition, report)
  }
}

/// A request that finds the next difference with a text, first in a table and then in the following tables.
struct FindDifference: Request {
  let store: DifferenceStore
  let text: String
  /// The tables in the order of the search, with the positions from which each is searched.
  let places: [Place]
  let isBackwards: Bool

  struct Place: Hashable, Sendable {
    var table: Int
    var position: Int
    var isFiltered: Bool
  }

  var slot: RequestSlot? { RequestSlot("find difference") }
  var activity: Activity? { Activity(name: "searching", urgency: .asked) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> (table: Int, position: Int)? {
    for place in places {
      try Task.checkCancellation()
      let found = try await store.position(
        of: text, in: place.table, from: place.position, backwards: isBackwards, isFiltered: place.isFiltered)
      if let found { return (place.table, found) }
    }
    return nil
  }
}

/// A request that waits until one of two databases has been written, or its file has been replaced.
struct AwaitWriting: Request {
  let subject: DiffSubject

  static let slot = RequestSlot("writing of compared databases")
  var slot: RequestSlot? { Self.slot }
  var isTimer: Bool { true }

  private static let interval = Duration.seconds(1)

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws {
    guard let opener = services.storage.comparing else { throw CancellationError() }
    let files = files
    let sides = try opener.sides(of: subject, isWatched: true)
    let states = (try await sides.from.state(), try await sides.to.state())
    while true {
      try await Task.pause(for: Self.interval)
      // A connection continues to read the file that another one has replaced.
      if self.files != files { return }
      // While another program writes, the state cannot be read.
      guard let from = try? await sides.from.state(), let to = try? await sides.to.state() else { continue }
      if (from, to) != states { return }
    }
  }

  /// The files at the paths; nil for a database on another machine, and for the open one.
  private var files: [FileIdentity?] {
    [subject.old.path, subject.new.path].map { $0.flatMap(FileIdentity.init(path:)) }
  }
}
