internal import QuarryEngine

/// A visitor that searches the values of rows in SQLite's memory for a text.
final class SearchVisitor: RowVisitor {
  /// The results since the last call of `take()`.
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
  /// The number of additional hits to collect.
  var room: Int
  /// The number of visited rows, which is the position of the next row if rows have no other key.
  private(set) var visited = 0
  /// Called after each stride of rows.
  var pause: (SearchVisitor) -> Void = { _ in }
  /// Throws an error to stop the search after the current row.
  var look: (BorrowedRow) throws -> Void = { _ in }
  /// The number of rows between two calls of ``look``, a power of 2.
  @exclusivity(unchecked) var rowsBetweenLooks = SearchVisitor.stride

  /// The number of rows between two pauses.
  private static let stride = 1 << 10

  /// Creates a visitor of rows whose first values are those of their keys, followed by those of the plan.
  ///
  /// - Parameters:
  ///   - keyCount: The number of values of a key; 0 if rows are identified by their positions.
  ///   - limit: The maximum number of hits to collect.
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
    if visited & (Self.stride - 1) == 0 { pause(self) }
    if visited & (rowsBetweenLooks - 1) == 0 { try look(row) }
  }

  /// Returns the results and clears them.
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
      // A number among texts is reported as stored.
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
