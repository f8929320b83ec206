/// A move of whole rows that a terminal does by itself.
package struct Scroll: Hashable, Sendable {
  /// The rows that move; those that come in are blank.
  package let region: Range<Int>
  /// How far: up where positive, down where negative.
  package let lines: Int

  package init(region: Range<Int>, lines: Int) {
    self.region = region
    self.lines = lines
  }

  /// The last of the rows that come in, at the edge of the region.
  package var incomingEdge: Int { lines > 0 ? region.upperBound - 1 : region.lowerBound }

  /// The same with one row more at the edge where rows come in.
  package var widened: Scroll {
    Scroll(region: lines > 0 ? region.lowerBound..<region.upperBound + 1 : region.lowerBound - 1..<region.upperBound, lines: lines)
  }

  /// Returns the scroll that puts most of the rows of `new` in their places, or nil where none is worth it.
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

  /// The stretch of rows that gains most by a shift: a row that it puts right counts one, a row that was right and is moved away loses one.
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
