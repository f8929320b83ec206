internal import QuarryEngine

/// Looks for a text in the values of rows where SQLite keeps them.
final class SearchVisitor: RowVisitor {
  /// What has been found since it was last taken.
  struct Found {
    var hits: [SearchHit] = []
    var hitCount = 0
    var rowCount = 0
  }

  private let plan: SearchPlan
  private let table: TableReference
  private let keys: KeysetRows.KeyKind
  private let keyCount: Int
  private let seesNumbers: Bool
  private let textCount: Int
  private let needle: UnsafeMutableRawBufferPointer
  private let matcher: TextMatcher
  private var found = Found()
  /// How many further hits are kept.
  var room: Int
  /// The number of rows that have been visited: that of the next row, where rows are known by their positions.
  private(set) var visited = 0
  /// Is called after every so many rows; returns whether the search is to stop there and to go on from the row's key.
  var pause: (SearchVisitor) throws -> Bool = { _ in false }

  /// What stops a search after a row, to go on behind it.
  struct Stop: Error {
    /// The row's key.
    let place: [DatabaseValue]
  }

  /// The number of rows between two pauses.
  private static let stride = 1 << 10

  /// Makes a visitor of rows whose first values are those of their keys, and the others the plan's.
  ///
  /// - Parameters:
  ///   - keyCount: The number of values that make a key; 0 where rows are known by their positions.
  ///   - limit: How many hits are kept at most.
  init(_ plan: SearchPlan, of table: TableReference, _ keys: KeysetRows.KeyKind, keyCount: Int, limit: Int) {
    self.plan = plan
    self.table = table
    self.keys = keys
    self.keyCount = keyCount
    seesNumbers = plan.seesNumbers
    textCount = plan.texts.count
    room = limit
    needle = .allocate(byteCount: plan.needle.utf8.count, alignment: 1)
    needle.copyBytes(from: plan.needle.utf8)
    matcher = TextMatcher(UnsafeRawBufferPointer(needle))
  }

  deinit {
    needle.deallocate()
  }

  override func visit(_ row: BorrowedRow) throws {
    found.rowCount += 1
    for index in 0..<textCount {
      guard let text = try row.text(at: keyCount + index, seesNumbers: seesNumbers), let place = matcher.offset(in: text) else { continue }
      try note(row, index, text, at: place)
    }
    for index in plan.holders.indices where row.isTrue(at: keyCount + textCount + 2 * index) {
      try note(row, holder: index)
    }
    visited += 1
    // A key that cannot be bound as it is cannot be gone on from.
    if visited & (Self.stride - 1) == 0, try pause(self), let place = try? (0..<keyCount).map({ try DatabaseValue(row.value(at: $0)) }) {
      throw Stop(place: place)
    }
  }

  /// Returns what has been found, and forgets it.
  func take() -> Found {
    defer { found = Found() }
    return found
  }

  private func note(_ row: BorrowedRow, _ index: Int, _ text: UnsafeRawBufferPointer, at place: Int) throws {
    found.hitCount += 1
    guard found.hits.count < room else { return }
    if row.isText(at: keyCount + index) {
      let excerpt = SearchExcerpt(text, match: place..<place + needle.count)
      try keep(row, plan.texts[index], .text(excerpt.text), [excerpt.match])
    } else {
      // A number among texts is kept as it is stored.
      let shown = String(decoding: text, as: UTF8.self)
      try keep(row, plan.texts[index], row.copy(at: keyCount + index), [place..<min(shown.count, place + needle.count)])
    }
  }

  private func note(_ row: BorrowedRow, holder index: Int) throws {
    found.hitCount += 1
    guard found.hits.count < room else { return }
    try keep(row, plan.holders[index].column, row.copy(at: keyCount + textCount + 2 * index + 1), [])
  }

  private func keep(_ row: BorrowedRow, _ column: String, _ value: DatabaseValue, _ matches: [Range<Int>]) throws {
    found.hits.append(SearchHit(table: table, key: try key(of: row), column: column, value: value, matches: matches))
  }

  private func key(of row: BorrowedRow) throws -> RowKey {
    switch keys {
    case .rowID: .rowID(row.integer(at: 0))
    case .values: .values(try (0..<keyCount).map { try row.copy(at: $0) })
    case .position: .position(visited)
    }
  }
}
