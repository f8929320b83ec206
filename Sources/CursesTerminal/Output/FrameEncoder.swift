package import Terminal

/// Encodes the differences between two surfaces as terminal output that turns one into the other, with as few bytes as possible.
package struct FrameEncoder {
  private let capabilities: Capabilities
  private var pen: Pen
  private var isCursorShown: Bool?

  package init(capabilities: Capabilities, depth: ColorDepth) {
    self.capabilities = capabilities
    pen = Pen(capabilities: capabilities, depth: depth)
  }

  /// Returns the bytes that turn `old` into `new`.
  ///
  /// If `old` is nil, the screen is unknown and is cleared first.
  package mutating func encode(from old: Surface?, to new: Surface) -> [UInt8] {
    guard new.size.columns > 0, new.size.rows > 0 else { return [] }
    if old == nil {
      isCursorShown = nil
      pen.clear(rows: new.size.rows)
    }
    let old = old ?? Surface(size: new.size)
    let scrolled = scrolled(from: old, to: new)
    pen = painted(from: old, to: new, with: pen, limit: scrolled?.bytes.count) ?? scrolled ?? pen
    placeCursor(new.cursor.flatMap { new.bounds.contains($0) ? $0 : nil })
    return pen.takeBytes()
  }

  private mutating func placeCursor(_ cursor: Point?) {
    if let cursor { pen.move(toColumn: cursor.column, row: cursor.row) }
    if isCursorShown != (cursor != nil) {
      pen.write(cursor == nil ? capabilities.cursorInvisible : capabilities.cursorVisible)
      isCursorShown = cursor != nil
    }
  }

  /// Scrolls rows on the terminal if that helps, and paints the rest.
  private func scrolled(from old: Surface, to new: Surface) -> Pen? {
    guard let best = Scroll.best(from: old, to: new) else { return nil }
    // A row at the edge may differ in a few cells, such as the cursor's, and still be worth moving.
    let scrolls = [best, best.widened].filter { 0..<new.size.rows ~= $0.incomingEdge }
    let fills = scrolls.flatMap { scroll in
      blankStyles(ofRow: scroll.incomingEdge, in: new).map { ScrollFill(scroll: scroll, style: $0) }
    }
    return fills.filter { capabilities.canScroll($0.scroll) }.reduce(nil) { best, fill in
      let moved = old.scrolled(by: fill.scroll, filling: fill.style)
      return painted(from: moved, to: new, after: fill, with: pen, limit: best.map { $0.bytes.count - 1 }) ?? best
    }
  }

  /// Returns the styles with which the terminal may fill an incoming row, so that its spaces need not be painted.
  private func blankStyles(ofRow row: Int, in surface: Surface) -> [Style] {
    guard capabilities.erasesWithBackground else { return [.plain] }
    let cells = surface.cells(inRow: row)
    var styles: [Style] = []
    for style in [cells.first, cells.first { $0.text != " " }].compactMap({ $0?.style })
    where style.attributes.isDisjoint(with: .inked) && !styles.contains(style) {
      styles.append(style)
    }
    return styles.isEmpty ? [.plain] : styles
  }

  /// Paints row by row, or style by style if that is shorter, because 24-bit colors need more bytes than cursor moves.
  ///
  /// Returns nil if both take more than `limit` bytes.
  private func painted(from old: Surface, to new: Surface, after scroll: ScrollFill? = nil, with pen: Pen, limit: Int?) -> Pen? {
    var pen = pen
    let segments = SurfaceDifference(from: old, to: new).runs.flatMap { self.segments(of: $0, in: new, pen: &pen) }
    let byPlace = painted(segments, of: new, after: scroll, with: pen, limit: limit)
    // A cluster that exceeds its cells must be painted before the cells beside it.
    guard segments.count > 1, segments.allSatisfy({ !$0.hasDisputed }) else { return byPlace }
    let chained = Segment.chainedByStyle(segments, from: pen.style, saved: scroll == nil ? nil : pen.saved?.style)
    return painted(chained, of: new, after: scroll, with: pen, limit: byPlace.map { $0.bytes.count - 1 } ?? limit) ?? byPlace
  }

  private func painted(_ segments: [Segment], of surface: Surface, after scroll: ScrollFill?, with pen: Pen, limit: Int?) -> Pen? {
    var pen = pen
    var scroll = scroll
    let limit = limit ?? .max
    for segment in segments where pen.bytes.count <= limit {
      if let first = scroll, first.precedes(segment) {
        pen.scroll(first, before: segment, rows: surface.size.rows)
        scroll = nil
      }
      pen.use(segment.style, erases: segment.isErased)
      if segment.isErased {
        pen.eraseToEnd(fromColumn: segment.columns.lowerBound, row: segment.row)
      } else {
        pen.paint(surface.cells(inRow: segment.row), columns: segment.columns, row: segment.row)
      }
    }
    if let scroll { pen.scroll(scroll, before: nil, rows: surface.size.rows) }
    return pen.bytes.count <= limit ? pen : nil
  }

  private func segments(of run: SurfaceDifference.Run, in surface: Surface, pen: inout Pen) -> [Segment] {
    let cells = surface.cells(inRow: run.row)
    let isCorner = capabilities.scrollsAtCorner && run.row == surface.size.rows - 1
    let columns = run.columns.clamped(to: 0..<(cells.count - (isCorner ? 1 : 0)))
    let tail = max(columns.lowerBound, cells.count - blankTail(of: cells, pen: &pen))
    // Spaces that are already shown may be erased with the others.
    guard columns.upperBound - tail > capabilities.eraseToEnd.count else { return Segment.split(columns, of: cells, row: run.row) }
    let style = cells[cells.startIndex + tail].style
    return Segment.split(columns.lowerBound..<tail, of: cells, row: run.row)
      + [Segment(row: run.row, columns: tail..<cells.count, style: style, isErased: true)]
  }

  /// Returns the number of spaces at the end of a row that look the same, or 0 if the terminal cannot erase to their style.
  private func blankTail(of cells: ArraySlice<Cell>, pen: inout Pen) -> Int {
    guard let last = cells.last, last.text == " ", pen.erases(to: last.style) else { return 0 }
    return cells.reversed().prefix { $0.looks(like: last) }.count
  }
}
