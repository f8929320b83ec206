internal import QuarryEngine

/// The staged changes of one table.
struct StagedTable: Hashable, Sendable {
  /// A change, with its position in the table: the number of the first change of its row.
  struct Entry: Hashable, Sendable {
    var change: StagedRow
    var place: Int
  }

  private(set) var entries: [StagedRowID: Entry] = [:]
  /// The numbers of the new rows, in order.
  private(set) var newRows: [Int] = []
  private(set) var counts = ChangeCounts()

  var isEmpty: Bool { entries.isEmpty }

  /// The rows with their changes, in the order of their first change.
  var ordered: [(row: StagedRowID, change: StagedRow)] {
    // Sorting the entries themselves would move all of their values.
    Self.sorted(entries.indices.map { (place: entries[$0].value.place, index: $0) }).map { (entries[$0].key, entries[$0].value.change) }
  }

  /// Returns indices in the order of their places.
  private static func sorted<Index>(_ found: [(place: Int, index: Index)]) -> [Index] {
    distributed(found) ?? found.sorted { $0.place < $1.place }.map(\.index)
  }

  /// Returns indices in the order of their places if the places are distinct and near each other, as usual.
  private static func distributed<Index>(_ found: [(place: Int, index: Index)]) -> [Index]? {
    var (first, last) = (Int.max, Int.min)
    for (place, _) in found { (first, last) = (min(first, place), max(last, place)) }
    let (distance, isTooFar) = last.subtractingReportingOverflow(first)
    guard !found.isEmpty, !isTooFar, distance / 4 <= found.count else { return nil }
    var numbers = Array(repeating: -1, count: distance + 1)
    for number in found.indices {
      guard numbers[found[number].place - first] < 0 else { return nil }
      numbers[found[number].place - first] = number
    }
    return numbers.compactMap { $0 < 0 ? nil : found[$0].index }
  }

  subscript(row: StagedRowID) -> Entry? {
    get { entries[row] }
    set {
      let old = entries[row]
      if let old { counts -= old.change.counts }
      if let newValue { counts += newValue.change.counts }
      if case .new(let number) = row, (old == nil) != (newValue == nil) { noteNewRow(number, isThere: newValue != nil) }
      entries[row] = newValue
    }
  }

  /// Updates a change in place.
  ///
  /// The entry is removed during the update, so that its values are not copied for each cell of a row.
  mutating func update(_ row: StagedRowID, _ body: (inout Entry?) -> Void) {
    var entry = entries.removeValue(forKey: row)
    let wasThere = entry != nil
    if let entry { counts -= entry.change.counts }
    body(&entry)
    if let entry { counts += entry.change.counts }
    if case .new(let number) = row, wasThere != (entry != nil) { noteNewRow(number, isThere: entry != nil) }
    entries[row] = entry
  }

  private mutating func noteNewRow(_ number: Int, isThere: Bool) {
    let index = newRows.partitionIndex { $0 >= number }
    if isThere { newRows.insert(number, at: index) } else { newRows.remove(at: index) }
  }
}
