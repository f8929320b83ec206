import Terminal

/// Writes terminal output and tracks the position of the cursor and the current style.
struct Pen {
  private(set) var bytes: [UInt8] = []
  /// The position of the next character, or nil if it is not certain, for example after the last column.
  private var position: Point?
  private(set) var style: Style?
  private let capabilities: Capabilities
  private var styles: StyleEncoder

  init(capabilities: Capabilities, depth: ColorDepth) {
    self.capabilities = capabilities
    styles = StyleEncoder(capabilities: capabilities, depth: depth)
  }

  /// Returns the output so far and removes it.
  ///
  /// The state remains.
  mutating func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// Resets the position and style to unknown.
  mutating func forget() {
    position = nil
    style = nil
  }

  mutating func write(_ sequence: [UInt8]) {
    bytes += sequence
  }

  /// Writes a sequence that moves the cursor to an unknown position.
  mutating func writeUnplaced(_ sequence: [UInt8]) {
    bytes += sequence
    position = nil
  }

  mutating func use(_ style: Style) {
    bytes += styles.change(from: self.style, to: style)
    self.style = style
  }

  mutating func erases(to style: Style) -> Bool { !capabilities.eraseToEnd.isEmpty && styles.erases(to: style) }

  /// Paints the cells of a row from the first of `columns` on, in the current style.
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
