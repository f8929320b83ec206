import Terminal

/// Cells of one row that are painted in one style.
struct Segment {
  let row: Int
  var columns: Range<Int>
  var style: Style
  /// Whether the segment is blank up to the end of the row.
  var isErased = false
  /// Whether the segment contains a cluster whose width differs between terminals.
  var hasDisputed = false

  /// Splits the cells of a run where their style changes.
  ///
  /// A blank adopts the style of its neighbors if it looks the same.
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

  /// Returns the segments grouped by style, each in order of appearance.
  ///
  /// Each group is followed by one whose style needs few changes. The first is similar to the style in which the previous frame ended.
  ///
  /// - Parameter saved: The style that the terminal can restore, once, in place of a change.
  static func chainedByStyle(_ segments: [Segment], from style: Style?, saved: Style?) -> [Segment] {
    var groups: [Style: [Segment]] = [:]
    var rest: [Style] = []
    for segment in segments {
      if groups[segment.style] == nil { rest.append(segment.style) }
      groups[segment.style, default: []].append(segment)
    }
    var chained: [Segment] = []
    var last = style ?? .plain
    while !rest.isEmpty {
      // A picture has so many styles that it would take long to compare all of them with each other.
      let changes = rest.prefix(32).map { $0 == saved ? min(1, $0.changes(after: last)) : $0.changes(after: last) }
      let nearest = changes.indices.min { changes[$0] < changes[$1] } ?? 0
      let next = rest.remove(at: nearest)
      chained += groups[next] ?? []
      last = next.continued(after: last)
    }
    return chained
  }
}

extension Style {
  /// Returns a measure of the bytes that change a terminal's style from another to this one.
  fileprivate func changes(after other: Style) -> Int {
    let new = continued(after: other)
    let colors = (new.foreground == other.foreground ? 0 : 2) + (new.background == other.background ? 0 : 2)
    return colors + (new.attributes == other.attributes ? 0 : 1)
  }

  /// Returns this style with its colors exchanged and reversed if only that attribute differs from another style then, or this style.
  ///
  /// Text looks the same, but cells that the terminal erases do not. Some terminals brighten their own 16 colors, or what is bold or dim.
  func continued(after other: Style?) -> Style {
    guard let other, attributes.isSubset(of: .italic), foreground.isDirect, background.isDirect else { return self }
    guard foreground == other.background, background == other.foreground else { return self }
    let reversed = Style(foreground: background, background: foreground, attributes: attributes.union(.reverse))
    return other.attributes.subtracting(.reverse) == attributes ? reversed : self
  }
}

extension Color {
  fileprivate var isDirect: Bool { if case .rgb = self { true } else { false } }
}

/// A scroll, and the style of the incoming rows.
struct ScrollFill {
  let scroll: Scroll
  let style: Style

  /// Returns whether the scroll comes before a segment is painted: one of its rows, or one whose style fills the incoming rows as well.
  func precedes(_ segment: Segment) -> Bool { scroll.region.contains(segment.row) || segment.style.looksLikeOnBlank(style) }
}
