package import QuarryRows

/// The rows and cells of a grid that have just been written by others, and are marked for a moment.
package struct RecentChangeHighlight: Hashable, Sendable {
  private struct Mark: Hashable, Sendable {
    var row: RowKey
    /// The index of the column; nil for the whole row.
    var column: Int?
  }

  /// The marks, with the number of the change that each came with.
  private var marks: [Mark: Int] = [:]

  package init() {}

  /// Returns whether a cell is marked, individually or with its row.
  package func contains(_ row: RowKey, column: Int) -> Bool {
    !marks.isEmpty && (marks[Mark(row: row, column: column)] ?? marks[Mark(row: row)]) != nil
  }

  /// Marks what is new at an end of the rows, and the cells that have other values than before.
  ///
  /// - Parameter isNewFirst: Whether new rows are expected at the beginning.
  /// - Returns: Whether there is anything to be marked.
  mutating func mark(_ window: GridWindow, since before: GridWindow, isNewFirst: Bool = false, change: Int) -> Bool {
    let known = Dictionary(before.rows.map { ($0.key, $0.cells) }, uniquingKeysWith: { $1 })
    // Unknown rows on the side without expected new rows are not new: they had just not been loaded.
    let isKnown = { (row: WindowRow) in known[row.key] != nil }
    let rows =
      isNewFirst
      ? window.rows.prefix(window.rows.lastIndex(where: isKnown).map { $0 + 1 } ?? window.rows.count)
      : window.rows.dropFirst(window.rows.firstIndex(where: isKnown) ?? 0)
    var isAny = false
    for row in rows {
      for mark in Self.marks(of: row, was: known[row.key]) {
        marks[mark] = change
        isAny = true
      }
    }
    return isAny
  }

  private static func marks(of row: WindowRow, was cells: [CellValue]?) -> [Mark] {
    guard let cells else { return [Mark(row: row.key)] }
    return zip(row.cells, cells).enumerated().filter { $1.0 != $1.1 }.map { Mark(row: row.key, column: $0.offset) }
  }

  /// Removes the marks of a change and of those before it.
  mutating func fade(through change: Int) { marks = marks.filter { $1 > change } }
}
