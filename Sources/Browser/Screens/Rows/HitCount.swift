import QuarryEngine
import QuarryRows
import QuarrySources

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
