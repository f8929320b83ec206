import QuarryEngine
package import QuarryRows

/// The end of the rows of a grid that is followed while others write: how many rows have come, and how fast.
package struct EndFollowing: Hashable, Sendable {
  package let grid: GridID
  /// The last row that is known; nil before the end has been shown.
  package private(set) var last: RowKey?
  /// Whether the end has been shown: what comes after that is new.
  private(set) var hasArrived = false
  /// The number of the last change that was marked.
  private(set) var change = 0
  /// The rows that have come in the last seconds.
  private var arrivals: [Arrival] = []
  /// Whether rows have come so recently that a rate says something.
  private var isLively = false

  /// Rows that were there at a time, and had not been there at the one before.
  package struct Arrival: Hashable, Sendable {
    var rows: Int
    var last: RowKey?
    var time: ContinuousClock.Instant

    package init(rows: Int, last: RowKey? = nil, time: ContinuousClock.Instant) {
      self.rows = rows
      self.last = last
      self.time = time
    }
  }

  /// The time over which the rate is measured.
  private static let span = Duration.seconds(5)

  package init(grid: GridID) { self.grid = grid }

  /// Takes note that the end has been shown, with its last row.
  mutating func arrive(at last: RowKey?) { (hasArrived, self.last) = (true, last) }

  /// Takes note that a change is marked.
  package mutating func mark(_ change: Int) { self.change = change }

  package mutating func receive(_ arrival: Arrival) {
    last = arrival.last ?? last
    arrivals = arrivals.filter { $0.time + Self.span >= arrival.time } + [arrival]
    if arrival.rows > 0 { isLively = true }
  }

  /// Takes note that a change is marked no more.
  ///
  /// - Returns: Whether it was the last one, so that nothing has come for a while.
  @discardableResult
  package mutating func calm(after change: Int) -> Bool {
    guard change == self.change else { return false }
    isLively = false
    return true
  }

  /// The rows a second; nil where none have come, or not for long enough.
  private var rate: Double? {
    guard isLively, let first = arrivals.first, let last = arrivals.last, last.time - first.time >= .milliseconds(200) else { return nil }
    return Double(arrivals.dropFirst().reduce(0) { $0 + $1.rows }) / ((last.time - first.time) / .seconds(1))
  }

  /// What the title says: `following · 12 rows/s`.
  package func title(_ appearance: Appearance) -> String {
    guard let rate else { return "following" }
    let number = rate < 9.95 ? String((rate * 10).rounded() / 10) : Plural.grouped(Int(min(rate.rounded(), 1e9)))
    return "following \(appearance.glyphs.dot) \(number) rows/s"
  }
}

/// Counts the rows that have come after one.
package struct CountArrivals: Request {
  let grid: GridID
  /// The last row that was there; nil to begin.
  let last: RowKey?

  /// The number of pages that are read; where more rows have come at once, the rate is that of these.
  private static let mostPages = 50

  static func slot(_ grid: GridID) -> RequestSlot { RequestSlot("arrivals", grid.number) }
  var slot: RequestSlot? { Self.slot(grid) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> EndFollowing.Arrival {
    var arrival = EndFollowing.Arrival(rows: 0, last: last, time: services.now())
    let reader = try services.reader(grid)
    for _ in 0..<Self.mostPages {
      guard let key = arrival.last else { return arrival }
      let page = try await reader.page(PageRequest(.after(key), limit: 2_000))
      arrival.rows += page.rows.count
      arrival.last = page.rows.last?.key ?? key
      if page.reachesEnd { break }
    }
    return arrival
  }
}

/// Waits until a change has been marked for long enough.
package struct FadeChange: Request {
  let grid: GridID
  package let change: Int

  /// How long new rows and changed cells are marked.
  package static let time = Duration.seconds(2)

  var isTimer: Bool { true }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws {
    try await Task.sleep(for: Self.time)
  }
}
