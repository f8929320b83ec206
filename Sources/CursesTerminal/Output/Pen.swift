import Terminal

/// Writes terminal output and tracks the position of the cursor and the current style.
struct Pen {
  private(set) var bytes: [UInt8] = []
  /// The position of the next character, or nil if it is not certain, for example after the last column.
  private var position: Point?
  /// The current style, which may have the colors of the text exchanged and reversed, or nil if it is not known.
  private(set) var style: Style?
  /// The position and the style that the terminal can restore, or nil if it has saved none.
  private(set) var saved: (position: Point, style: Style)?
  /// The rows to which scrolling is limited, or nil if it is not.
  private var region: Range<Int>?
  private let capabilities: Capabilities
  private let depth: ColorDepth
  private var styles: StyleEncoder

  init(capabilities: Capabilities, depth: ColorDepth) {
    self.capabilities = capabilities
    self.depth = depth
    styles = StyleEncoder(capabilities: capabilities, depth: depth)
  }

  /// Returns the output so far and removes it.
  ///
  /// The state remains.
  mutating func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// Clears a screen of which nothing is known.
  mutating func clear(rows: Int) {
    style = nil
    use(.plain)
    region = nil
    bytes += capabilities.wholeRegion(rows: rows) + capabilities.clear
    position = nil
    saved = nil
  }

  mutating func write(_ sequence: [UInt8]) {
    bytes += sequence
  }

  /// Changes the style of the next text, or of the cells that the terminal erases next.
  mutating func use(_ style: Style, erases: Bool = false) {
    let style = erases || depth < .indexed ? style : style.continued(after: self.style)
    bytes += styles.change(from: self.style, to: style)
    self.style = style
  }

  mutating func erases(to style: Style) -> Bool { !capabilities.eraseToEnd.isEmpty && styles.erases(to: style) }

  /// Paints the cells of a row from the first of `columns` on, in the current style.
  mutating func paint(_ cells: ArraySlice<Cell>, columns: Range<Int>, row: Int) {
    let start = cells.startIndex
    for column in bridged(columns, of: cells, row: row) {
      let text = cells[start + column].text
      guard !text.isEmpty else { continue }
      let width = column + 1 < cells.count && cells[start + column + 1].text.isEmpty ? 2 : 1
      move(toColumn: column, row: row)
      if text.utf8.count == 1 || TextWidth.isAgreed(text) {
        bytes += text.utf8
        position?.column += width
      } else {
        paintDisputed(text, width: width, column: column, row: row, columns: cells.count)
      }
      if column + width >= cells.count { position = nil }
    }
  }

  /// Begins at the cursor if it is so near that to paint the cells between takes fewer bytes than to move.
  private func bridged(_ columns: Range<Int>, of cells: ArraySlice<Cell>, row: Int) -> Range<Int> {
    guard let position, let style, position.row == row, 1..<4 ~= columns.lowerBound - position.column else { return columns }
    let gap = cells.dropFirst(position.column).prefix(columns.lowerBound - position.column)
    let isCheap = gap.allSatisfy { $0.text.utf8.count == 1 && ($0.style == style || ($0.text == " " && $0.style.looksLikeOnBlank(style))) }
    return isCheap ? position.column..<columns.upperBound : columns
  }

  /// Paints a cluster whose width differs between terminals, and resets the cursor position to unknown.
  ///
  /// Spaces are written first, for a terminal that fills one cell less. A cluster that may exceed the edge is replaced, because a terminal
  /// would continue in the next row.
  private mutating func paintDisputed(_ text: String, width: Int, column: Int, row: Int, columns: Int) {
    if width > 1 {
      bytes += Array(repeating: 0x20, count: width)
      bytes += capabilities.moveCursor(toColumn: column, row: row)
    }
    let reach = max(width, TextWidth.sumOfScalars(text))
    bytes += (column + reach > columns ? "…" : text).utf8
    position = nil
  }

  /// Erases from `column` to the end of the row, in the current style.
  mutating func eraseToEnd(fromColumn column: Int, row: Int) {
    move(toColumn: column, row: row)
    bytes += capabilities.eraseToEnd
  }

  /// Moves rows, and leaves scrolling limited to them for the next time.
  ///
  /// The next style is used for the incoming rows if they look the same in it. If it has to change, the terminal saves it with the position of
  /// the next segment: whoever scrolls by a line scrolls by more, and they begin there. Nothing happens if the terminal cannot scroll.
  mutating func scroll(_ fill: ScrollFill, before next: Segment?, rows: Int) {
    let scroll = fill.scroll
    guard let change = capabilities.region(scroll.region), let move = capabilities.scroll(scroll.lines) else { return }
    let start = next.flatMap { scroll.region.contains($0.row) ? Point(column: $0.columns.lowerBound, row: $0.row) : nil }
    let style = next.flatMap { $0.style.looksLikeOnBlank(fill.style) ? $0.style : nil } ?? fill.style
    let isChanged = self.style != style
    if isChanged, region == scroll.region, let saved, saved == (start, style) { restore(saved) }
    use(style, erases: true)
    if region != scroll.region {
      bytes += change
      region = scroll.region
      position = nil
    }
    let isAtEdge = capabilities.scrollsAtEdge(scroll.lines)
    if isAtEdge { self.move(toColumn: 0, row: scroll.incomingEdge) }
    bytes += move
    if isAtEdge { position = nil }
    guard capabilities.scrollsAtCorner else {
      if isChanged { save(start) }
      return
    }
    // Such a terminal would also scroll at a cluster in the last cell of the region.
    bytes += capabilities.wholeRegion(rows: rows)
    region = nil
    position = nil
  }

  /// Makes the terminal save the current style with a position.
  private mutating func save(_ position: Point?) {
    guard let sequences = capabilities.savedCursor, let position, let style, saved.map({ $0 != (position, style) }) ?? true else { return }
    move(toColumn: position.column, row: position.row)
    bytes += sequences.save
    saved = (position, style)
  }

  private mutating func restore(_ saved: (position: Point, style: Style)) {
    guard let sequences = capabilities.savedCursor else { return }
    bytes += sequences.restore
    (position, style) = saved
  }

  /// Moves the cursor with the fewest bytes.
  mutating func move(toColumn column: Int, row: Int) {
    let target = Point(column: column, row: row)
    guard position != target else { return }
    let absolute = capabilities.moveCursor(toColumn: column, row: row)
    let relative = position.flatMap { way(from: $0, to: target) }
    bytes += relative.flatMap { $0.count < absolute.count ? $0 : nil } ?? absolute
    position = target
  }

  private func way(from start: Point, to target: Point) -> [UInt8]? {
    guard let vertical = vertically(from: start.row, to: target.row) else { return nil }
    let returned = (target.column == 0 ? [] : capabilities.moveForward(target.column)).map { [0x0D] + $0 }
    let ways = [along(from: start.column, to: target.column), returned, capabilities.moveCursor(toColumn: target.column)]
    return ways.compactMap { $0 }.min { $0.count < $1.count }.map { vertical + $0 }
  }

  /// Returns the bytes that move the cursor between rows, or nil if an edge of the region would stop it or make it scroll.
  private func vertically(from start: Int, to target: Int) -> [UInt8]? {
    if target == start { return [] }
    if target < start {
      if let top = region?.lowerBound, start >= top, target < top { return nil }
      return capabilities.moveUp(start - target)
    }
    if let end = region?.upperBound, start < end, target >= end { return nil }
    return capabilities.hasLineFeed && target - start < 4 ? Array(repeating: 0x0A, count: target - start) : nil
  }

  private func along(from start: Int, to target: Int) -> [UInt8]? {
    if target == start { return [] }
    if target > start { return capabilities.moveForward(target - start) }
    return start - target < 4 ? Array(repeating: 0x08, count: start - target) : capabilities.moveBack(start - target)
  }
}
