import QuarryEngine
import QuarryRows
import QuarrySources

/// The number of rows with a hit of a search, and the position of the current hit among them.
struct HitCount: Hashable, Sendable {
  let needle: Needle
  let columns: [Int]
  private(set) var total: RowNumber?
  /// The row of the last hit.
  private(set) var key: RowKey?
  /// The position of this row among the rows with hits, from 0; nil if unknown.
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

  /// Returns the count for the next hit of a search; nil if the rows have to be counted again.
  func next(to match: RowMatch, by request: FindRequest) -> HitCount? {
    guard isSame(as: request), let place, case .exact(let total)? = total, total > 0, key == request.start else { return nil }
    var next = self
    next.key = match.key
    next.place = request.isBackwards ? (match.wrapped ? total - 1 : place - 1) : match.wrapped ? 0 : place + 1
    return next
  }

  /// Returns the text beside the number of the row under the cursor: `hit 3 of 12`, `≥ 12 hits`; nil in other rows.
  func words(at key: RowKey?, _ appearance: Appearance) -> String? {
    guard let total else { return nil }
    if total == .exact(0) { return "no hit" }
    guard let key, key == self.key else { return nil }
    let all = total.text(appearance)
    return place.map { "hit \(Plural.grouped($0 + 1)) of \(all)" } ?? (total == .exact(1) ? "1 hit" : "\(all) hits")
  }
}

/// A request that counts the rows with hits of a search, and finds the position of one of them.
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
    // A position identifies a row in its source, but not among the hits.
    if case .position = key { return }
    guard var number = try await hits.number(of: key) else { return }
    if !number.isExact {
      await hits.numbersAreKnown()
      number = try await hits.number(of: key) ?? number
    }
    if let place = number.exactValue { report(.place(place)) }
  }
}
