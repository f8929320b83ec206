import QuarryEngine
package import QuarryRows

/// The end of the rows of a grid that is followed during external changes: the number and the rate of new rows.
package struct EndFollowing: Hashable, Sendable {
  package let grid: GridID
  /// The last known row; nil before the end has been shown.
  package private(set) var last: RowKey?
  /// Whether the end has been shown: rows that arrive later are new.
  private(set) var hasArrived = false
  /// The number of the last marked change.
  private(set) var change = 0
  /// The rows that arrived in the last few seconds.
  private var arrivals: [Arrival] = []
  /// Whether rows have arrived recently enough for a meaningful rate.
  private var isLively = false

  /// The rows that were added between two reads.
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

  /// Records that the end has been shown, with its last row.
  mutating func arrive(at last: RowKey?) { (hasArrived, self.last) = (true, last) }

  /// Records that a change is marked.
  package mutating func mark(_ change: Int) { self.change = change }

  package mutating func receive(_ arrival: Arrival) {
    last = arrival.last ?? last
    arrivals = arrivals.filter { $0.time + Self.span >= arrival.time } + [arrival]
    if arrival.rows > 0 { isLively = true }
  }

  /// Records that a change is no longer marked.
  ///
  /// - Returns: Whether it was the last change, so that no rows have arrived for a while.
  @discardableResult
  package mutating func calm(after change: Int) -> Bool {
    guard change == self.change else { return false }
    isLively = false
    return true
  }

  /// The number of rows per second; nil if no rows have arrived recently, or the time is too short.
  private var rate: Double? {
    guard isLively, let first = arrivals.first, let last = arrivals.last, last.time - first.time >= .milliseconds(200) else { return nil }
    return Double(arrivals.dropFirst().reduce(0) { $0 + $1.rows }) / ((last.time - first.time) / .seconds(1))
  }

  /// Returns the text in the title: `following · 12 rows/s`.
  package func title(_ appearance: Appearance) -> String {
    guard let rate else { return "following" }
    let number = rate < 9.95 ? String((rate * 10).rounded() / 10) : Plural.grouped(Int(min(rate.rounded(), 1e9)))
    return "following \(appearance.glyphs.dot) \(number) rows/s"
  }
}

/// A request that counts the rows after a given row.
package struct CountArrivals: Request {
  let grid: GridID
  /// The last known row; nil at the beginning.
  let last: RowKey?

  /// The largest number of pages to read; if more rows have arrived at once, the rate covers only these pages.
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

/// A request that waits for the time that a change is marked.
package struct FadeChange: Request {
  let grid: GridID
  package let change: Int

  /// The time for which new rows and changed cells are marked.
  package static let time = Duration.seconds(2)

  var isTimer: Bool { true }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws {
    try await Task.pause(for: Self.time)
  }
}
