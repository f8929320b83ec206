import Terminal

/// Writes to a terminal of which it knows where the cursor is and which style is in force.
struct Pen {
  private(set) var bytes: [UInt8] = []
  /// Where the next character goes; nil where that is not certain, as after the last column.
  private var position: Point?
  private(set) var style: Style?
  private let capabilities: Capabilities
  private var styles: StyleEncoder

  init(capabilities: Capabilities, depth: ColorDepth) {
    self.capabilities = capabilities
    styles = StyleEncoder(capabilities: capabilities, depth: depth)
  }

  /// Returns what was written, and begins anew where it stands.
  mutating func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// Forgets all that was known of the terminal's state.
  mutating func forget() {
    position = nil
    style = nil
  }

  mutating func write(_ sequence: [UInt8]) {
    bytes += sequence
  }

  /// Writes what moves the cursor to a place that is not known.
  mutating func writeUnplaced(_ sequence: [UInt8]) {
    bytes += sequence
    position = nil
  }

  mutating func use(_ style: Style) {
    bytes += styles.change(from: self.style, to: style)
    self.style = style
  }

  mutating func erases(to style: Style) -> Bool { !capabilities.eraseToEnd.isEmpty && styles.erases(to: style) }

  /// Paints the cells of a row from the first of `columns` on; the style is set already.
  mutating func paint(_ cells: ArraySlice<Cell>, columns: Range<Int>, row: Int) {
    let start = cells.startIndex
    for column in columns {
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

  /// Paints a cluster of which terminals differ how wide it is, and forgets where the cursor is.
  ///
  /// Blanks first, for a terminal that fills one cell less; none that may reach past the edge, where a terminal would go on in the next
  /// row.
  private mutating func paintDisputed(_ text: String, width: Int, column: Int, row: Int, columns: Int) {
    if width > 1 {
      bytes += Array(repeating: 0x20, count: width)
      bytes += capabilities.moveCursor(toColumn: column, row: row)
    }
    let reach = max(width, TextWidth.sumOfScalars(text))
    bytes += (column + reach > columns ? "…" : text).utf8
    position = nil
  }

  /// Erases from `column` to the end of the row, in the style that is set.
  mutating func eraseToEnd(fromColumn column: Int, row: Int) {
    move(toColumn: column, row: row)
    bytes += capabilities.eraseToEnd
  }

  /// Moves the cursor by the shortest way.
  mutating func move(toColumn column: Int, row: Int) {
    let target = Point(column: column, row: row)
    guard position != target else { return }
    let absolute = capabilities.moveCursor(toColumn: column, row: row)
    let relative = position.flatMap { way(from: $0, to: target) }
    bytes += relative.flatMap { $0.count < absolute.count ? $0 : nil } ?? absolute
    position = target
  }

  private func way(from start: Point, to target: Point) -> [UInt8]? {
    let down = target.row - start.row
    guard down >= 0, down == 0 || (capabilities.hasLineFeed && down < 4) else { return nil }
    let feeds = [UInt8](repeating: 0x0A, count: down)
    let returned = target.column == 0 ? [] : capabilities.moveForward(target.column)
    let ways = [along(from: start.column, to: target.column), returned.map { [0x0D] + $0 }]
    return ways.compactMap { $0 }.min { $0.count < $1.count }.map { feeds + $0 }
  }

  private func along(from start: Int, to target: Int) -> [UInt8]? {
    if target == start { return [] }
    if target > start { return capabilities.moveForward(target - start) }
    return start - target < 4 ? Array(repeating: 0x08, count: start - target) : capabilities.moveBack(start - target)
  }
}
