/// The cells in which two surfaces of the same size look different.
package struct SurfaceDifference: Sendable {
  /// A range of one row that must be painted.
  ///
  /// It begins and ends with whole clusters.
  package struct Run: Hashable, Sendable {
    package let row: Int
    package let columns: Range<Int>
  }

  package let runs: [Run]

  package init(from old: Surface, to new: Surface) {
    runs = (0..<new.size.rows).flatMap { row in
      Self.runs(row: row, old: old.cells(inRow: row), new: new.cells(inRow: row))
    }
  }

  private static func runs(row: Int, old: ArraySlice<Cell>, new: ArraySlice<Cell>) -> [Run] {
    guard old != new else { return [] }
    return old.withUnsafeBufferPointer { old in new.withUnsafeBufferPointer { new in runs(row: row, old: old, new: new) } }
  }

  private static func runs(row: Int, old: UnsafeBufferPointer<Cell>, new: UnsafeBufferPointer<Cell>) -> [Run] {
    var runs: [Range<Int>] = []
    var column = 0
    var overwritten = 0
    while column < new.count {
      let width = column + 1 < new.count && new[column + 1].text.isEmpty ? 2 : 1
      // A cluster that is painted again because another one may overwrite it may itself overwrite the cells after it.
      if column < overwritten || (column..<column + width).contains(where: { !new[$0].looks(like: old[$0]) }) {
        overwritten = max(overwritten, min(new.count, column + width + spill(of: new[column], width: width)))
        add(column..<overwritten, to: &runs, of: new)
      }
      column += width
    }
    return runs.map { Run(row: row, columns: $0) }
  }

  /// Returns the number of cells after a cluster that a terminal may overwrite if it adds up the widths of scalars.
  private static func spill(of cell: Cell, width: Int) -> Int {
    cell.text.utf8.count == 1 ? 0 : max(0, TextWidth.sumOfScalars(cell.text) - width)
  }

  /// Adds columns.
  ///
  /// Joins them to the previous run if writing the cells between them costs no more than moving the cursor.
  private static func add(_ columns: Range<Int>, to runs: inout [Range<Int>], of cells: UnsafeBufferPointer<Cell>) {
    guard let last = runs.last, isCheapGap(last.upperBound, columns.lowerBound, cells) else {
      runs.append(columns)
      return
    }
    runs[runs.count - 1] = last.lowerBound..<max(last.upperBound, columns.upperBound)
  }

  private static func isCheapGap(_ start: Int, _ end: Int, _ cells: UnsafeBufferPointer<Cell>) -> Bool {
    guard start < end else { return true }
    guard end - start <= 3 else { return false }
    let style = cells[start - 1].style
    return cells[start...end].allSatisfy { $0.style == style && $0.text.utf8.count == 1 }
  }
}

extension Cell {
  /// Returns whether two cells look the same on the screen.
  ///
  /// For spaces, only the properties that are visible without ink count.
  package func looks(like other: Cell) -> Bool {
    self == other || (text == " " && other.text == " " && style.looksLikeOnBlank(other.style))
  }
}

extension Style {
  /// Returns whether a blank looks the same in both styles.
  package func looksLikeOnBlank(_ other: Style) -> Bool {
    background == other.background && attributes.isDisjoint(with: .inked) && other.attributes.isDisjoint(with: .inked)
  }
}

extension Attributes {
  /// The attributes that are visible on a blank.
  package static let inked: Attributes = [.underline, .reverse, .strikethrough]
}

/// A move of whole rows by the terminal itself.
package struct Scroll: Hashable, Sendable {
  /// The rows that move.
  ///
  /// Incoming rows are blank.
  package let region: Range<Int>
  /// The number of lines: positive for up, negative for down.
  package let lines: Int

  package init(region: Range<Int>, lines: Int) {
    self.region = region
    self.lines = lines
  }

  /// The last of the incoming rows, at the edge of the region.
  package var incomingEdge: Int { lines > 0 ? region.upperBound - 1 : region.lowerBound }

  /// The same scroll with one more row at the edge of the incoming rows.
  package var widened: Scroll {
    Scroll(region: lines > 0 ? region.lowerBound..<region.upperBound + 1 : region.lowerBound - 1..<region.upperBound, lines: lines)
  }

  /// Returns the scroll that moves most rows of `new` to their positions, or nil if none is worthwhile.
  package static func best(from old: Surface, to new: Surface) -> Scroll? {
    guard old.size == new.size, new.size.rows > 2 else { return nil }
    let rows = 0..<new.size.rows
    let isChanged: (Int) -> Bool = { old.cells(inRow: $0) != new.cells(inRow: $0) }
    guard let first = rows.first(where: isChanged), let last = rows.last(where: isChanged), last - first >= 2 else { return nil }
    let hash: (Surface, Int) -> Int = { first...last ~= $1 ? $0.cells(inRow: $1).hashValue : 0 }
    let before = rows.map { hash(old, $0) }
    let after = rows.map { hash(new, $0) }
    let shifts = (first - last)...(last - first)
    let candidates = shifts.lazy.filter { $0 != 0 }.compactMap { candidate(shift: $0, before: before, after: after, changed: first...last) }
    let best = candidates.max { $0.gain < $1.gain }
    return best.flatMap { $0.gain > 1 ? $0.scroll : nil }
  }

  /// Returns the range of rows with the greatest gain from a shift.
  ///
  /// Each row moved to its position counts one, each row moved away loses one.
  private static func candidate(shift: Int, before: [Int], after: [Int], changed: ClosedRange<Int>) -> (scroll: Scroll, gain: Int)? {
    var best: (rows: ClosedRange<Int>, gain: Int)?
    var start = changed.lowerBound
    var gain = 0
    for row in changed where changed.contains(row + shift) {
      if gain <= 0 {
        gain = 0
        start = row
      }
      gain += (after[row] == before[row + shift] ? 1 : 0) - (after[row] == before[row] ? 1 : 0)
      if gain > best?.gain ?? 0 { best = (start...row, gain) }
    }
    guard let best else { return nil }
    let region = min(best.rows.lowerBound, best.rows.lowerBound + shift)..<(max(best.rows.upperBound, best.rows.upperBound + shift) + 1)
    return (Scroll(region: region, lines: shift), best.gain)
  }
}
