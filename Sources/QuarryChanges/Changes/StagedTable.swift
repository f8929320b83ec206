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
    let places = entries.indices.map { (place: entries[$0].value.place, index: $0) }.sorted { $0.place < $1.place }
    return places.map { (entries[$0.index].key, entries[$0.index].value.change) }
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
