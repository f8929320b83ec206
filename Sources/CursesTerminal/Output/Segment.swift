import Terminal

/// Cells of one row that are painted in one style.
struct Segment {
  let row: Int
  var columns: Range<Int>
  var style: Style
  /// It is blank up to the end of the row.
  var isErased = false
  /// It has a cluster of which terminals differ how wide it is.
  var hasDisputed = false

  /// Splits the cells of a run where their style changes; a blank takes that of its neighbours where nobody can tell.
  static func split(_ columns: Range<Int>, of cells: ArraySlice<Cell>, row: Int) -> [Segment] {
    var segments: [Segment] = []
    var isBlank = false
    for column in columns {
      let cell = cells[cells.startIndex + column]
      if let last = segments.last, last.style == cell.style || ((cell.text == " " || isBlank) && last.style.looksLikeOnBlank(cell.style)) {
        segments[segments.count - 1].columns = last.columns.lowerBound..<(column + 1)
        if isBlank { segments[segments.count - 1].style = cell.style }
      } else {
        segments.append(Segment(row: row, columns: column..<(column + 1), style: cell.style))
        isBlank = true
      }
      isBlank = isBlank && cell.text == " "
      if cell.text.utf8.count > 1, !TextWidth.isAgreed(cell.text) { segments[segments.count - 1].hasDisputed = true }
    }
    return segments
  }

  /// Returns the segments with those of one style together, and the styles on one background together, each in order of appearance.
  static func groupedByStyle(_ segments: [Segment]) -> [Segment] {
    var backgrounds: [Color: Int] = [:]
    var styles: [Style: Int] = [:]
    for (index, segment) in segments.enumerated() {
      if backgrounds[segment.style.background] == nil { backgrounds[segment.style.background] = index }
      if styles[segment.style] == nil { styles[segment.style] = index }
    }
    let keyed = segments.enumerated().map { index, segment in
      (backgrounds[segment.style.background] ?? 0, styles[segment.style] ?? 0, index, segment)
    }
    return keyed.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }.map(\.3)
  }
}
