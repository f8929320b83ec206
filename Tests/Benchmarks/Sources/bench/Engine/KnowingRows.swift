import Loops
import QuarryEngine
import QuarryRows
import QuarrySources
import Synchronization

/// Compares counting the values of a column with GROUP BY in C.
func countingValues(of file: EventsFile, by program: Program) -> [Comparison] {
  let events = Lazily { try OpenedEvents(file) }
  let columns: [(name: String, what: String, goal: Double, stretch: Double)] = [
    ("kind", "counts of `kind`, 12 values", 0.25, 0.18), ("amount", "counts of `amount`, up to 1,000,000 values", 0.15, 0.11),
    ("id", "counts of `id`, where all values differ", 0.15, 0.10),
  ]
  let times = columns.map { column in
    let ours: Comparison.Work = {
      let events = try events.value
      var lines = 0
      let time = try timed { lines = try events.counts(column.name) }
      return (time, Int64(lines))
    }
    // `+` keeps an index from giving the values in their order.
    let query = "SELECT count(*) FROM (SELECT count(*) AS rows FROM events GROUP BY +\(column.name)) WHERE rows > 0"
    return Comparison(
      number: "17", what: column.what, goals: [.atMost(column.goal, .c)], stretch: [.atMost(column.stretch, .c)],
      contestants: [(.ours, ours), (.c, { try timeByC(query, file) })])
  }
  let memory: Comparison.Work = { (try program.memory(["counts", file.path, "events", "id", "--limit", "1"]), nil) }
  return times + [
    Comparison(
      number: "17", what: "memory of that", goals: [.within(.mebibytes(200))], stretch: [.within(.mebibytes(128))],
      contestants: [(.ours, memory)])
  ]
}

/// Compares profiles of all columns with a loop in C that touches every value once.
func profiling(_ file: EventsFile) -> [Comparison] {
  let events = Lazily { try OpenedEvents(file) }
  let query = "SELECT id, ts, user_id, kind, amount, note, payload FROM events"
  return [(false, "profile, many values estimated", 0.85, 0.6), (true, "profile, all exact", 1.3, 1)].map { isExact, what, goal, stretch in
    let ours: Comparison.Work = {
      let events = try events.value
      return (try timed { try events.profile(isExact: isExact) }, nil)
    }
    return Comparison(
      number: "18", what: what, goals: [.atMost(goal, .c)], stretch: [.atMost(stretch, .c)],
      contestants: [(.ours, ours), (.c, { (try timeByC(query, file).amount, nil) })])
  }
}

/// Compares facets of all columns with a GROUP BY of each in C.
func facets(of file: EventsFile) -> [Comparison] {
  let events = Lazily { try OpenedEvents(file) }
  let byC: Comparison.Work = {
    let amounts = try OpenedEvents.columns.map { column in
      let condition = column == "kind" ? "" : " WHERE kind = 'view'"
      return try timeByC("SELECT +\(column), count(*) FROM events\(condition) GROUP BY +\(column)", file).amount
    }
    return (amounts.dropFirst().reduce(amounts[0], +), nil)
  }
  return [
    Comparison(
      number: "19", what: "facets after a choice: first redraw", goals: [.within(.milliseconds(16))], stretch: [.within(.milliseconds(8))],
      contestants: [(.ours, { (try events.value.facets().first, nil) })]),
    Comparison(
      number: "19", what: "the same: all rows counted", goals: [.atMost(0.22, .c)], stretch: [.atMost(0.17, .c)],
      contestants: [(.ours, { (try events.value.facets().all, nil) }), (.c, byC)]),
  ]
}

func timeByC(_ query: String, _ file: EventsFile) throws -> Comparison.Result {
  var message: UnsafePointer<CChar>?
  var nanoseconds: Int64 = 0
  let sum = loops_query(file.path, query, nil, 0, &nanoseconds, &message)
  if let message { throw CError(String(cString: message)) }
  return (.seconds(Double(nanoseconds) / 1e9), sum)
}

/// The table of events, opened as the full screen opens it to count values.
private final class OpenedEvents: Sendable {
  private let source: SQLiteDataSource
  private static let set = RowSet(.table(TableReference(name: "events")))

  static let columns = ["id", "ts", "user_id", "kind", "amount", "note", "payload"]

  /// Opens the file, and looks at a little of it, so that its connections are open.
  init(_ file: EventsFile) throws {
    source = try SQLiteDataSource(path: file.path)
    _ = try counts("kind")
  }

  /// Counts the values of a column; returns how many there are, NULL among them.
  func counts(_ column: String) throws -> Int {
    let source = source
    return try waiting { try await source.counts(CountRequest(InsightColumn(column), in: Self.set)) { _ in }.lines }
  }

  func profile(isExact: Bool) throws {
    let source = source
    _ = try waiting { try await source.profile(ProfileRequest(Self.set, isExact: isExact)) { _ in } }
  }

  /// Counts all facets under one choice; tells when the first are there, and when all rows are counted.
  func facets() throws -> (first: Amount, all: Amount) {
    let source = source
    let condition = FacetCondition(RowFilter(Column<String>("kind") == "view"), column: "kind")
    let request = FacetRequest(Self.set, conditions: [condition], columns: Self.columns.map { InsightColumn($0) })
    return try waiting {
      let start = ContinuousClock.now
      let first = Mutex<Duration?>(nil)
      _ = try await source.facets(request) { _ in first.withLock { $0 = $0 ?? ContinuousClock.now - start } }
      let all = ContinuousClock.now - start
      return (.seconds((first.withLock(\.self) ?? all) / .seconds(1)), .seconds(all / .seconds(1)))
    }
  }
}
