import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal

/// The drawing of the different rows of a table: a heading, then one line for a new or removed row, and two for a changed one.
///
///     ~  TrackId  Name        Milliseconds
///     ~        5  Big Ones         300,000     the old values; changed ones in the color of the old database
///     →                            301,000     the changed values, in the color of the new one
///     +    3,504  Blue Train       642,000
struct DiffRowsPainter {
  let table: ComparedTable
  var state: DiffRowsState
  let count: Int
  let isSideBySide: Bool
  let needle: String?
  let hasFocus: Bool
  let appearance: Appearance

  /// A visible column: its index in the table, and its width.
  struct Column: Hashable {
    var index: Int
    var width: Int
    var isRight: Bool
  }

  /// One of the two sides of a row.
  private enum Side {
    case old, new
  }

  private static let gap = 2
  private static let widest = 40
  /// The columns of the cursor and the mark.
  private static let margin = 4
  /// The columns of the mark of hidden columns: ` +12 ›`.
  private static let hiddenMark = 6
  /// The least width of a column that is cut at the edge.
  private static let leastCut = 6

  private var glyphs: Glyphs { appearance.glyphs }

  func draw(into surface: inout Surface, area: Rect) {
    guard area.columns > Self.margin + 4, area.rows > 1 else { return }
    isSideBySide ? drawHalves(into: &surface, area: area) : drawUnified(into: &surface, area: area)
  }

  // MARK: Unified

  private func drawUnified(into surface: inout Surface, area: Rect) {
    let columns = columns(in: area.columns - Self.margin)
    drawHeading(columns, into: &surface, row: row(of: area, 0), side: nil)
    var (line, position) = (1, state.top)
    while line < area.rows, position < count {
      guard let row = state[position] else { break }
      let isCurrent = position == state.cursor
      draw(row, .old, columns, isCurrent: isCurrent, into: &surface, row: self.row(of: area, line))
      line += 1
      if row.change == .changed, line < area.rows {
        draw(row, .new, columns, isCurrent: isCurrent, into: &surface, row: self.row(of: area, line))
        line += 1
      }
      position += 1
    }
  }

  private func row(of area: Rect, _ line: Int) -> Rect {
    Rect(column: area.column, row: area.row + line, columns: area.columns, rows: 1)
  }

  /// Draws a line of a row: a changed row has one for the old values, and one for the new values that differ.
  private func draw(
    _ row: StoredDifference, _ side: Side, _ columns: [Column], isCurrent: Bool, into surface: inout Surface, row area: Rect
  ) {
    let base: Role = isCurrent && hasFocus ? .selection : .text
    drawStart(row, isSecond: row.change == .changed && side == .new, isCurrent: isCurrent, base: base, into: &surface, row: area)
    let values = row.change == .changed ? (side == .old ? row.old : row.new) : row.change == .added ? row.new : row.old
    var start = area.column + Self.margin
    for column in columns {
      defer { start += column.width + Self.gap }
      let isChanged = row.isChanged(column.index)
      guard let value = values?[column.index], side == .old || row.change != .changed || isChanged else { continue }
      let role: Role? = row.change == .added ? .added : row.change == .removed ? .error : isChanged ? (side == .old ? .error : .added) : nil
      draw(value, role, column, at: Point(column: start, row: area.row), base: base, into: &surface)
    }
    if side == .old { drawHiddenChanges(row, columns, base: base, into: &surface, row: area) }
  }

  /// Draws the cursor, and the mark of the kind of change; the second line of a changed row has an arrow.
  private func drawStart(
    _ row: StoredDifference, isSecond: Bool, isCurrent: Bool, base: Role, into surface: inout Surface, row area: Rect
  ) {
    surface.fill(area, style: appearance.theme.style(base))
    if isCurrent {
      surface.write(glyphs.cursor, at: Point(column: area.column, row: area.row), style: appearance.theme.markStyle(on: base))
    }
    let mark = DiffMark(row.change)
    let (text, role): (String, Role) =
      isSecond ? (glyphs.reference, .added) : (mark.text, row.change == .removed ? .error : mark.role)
    let count = row.surplus > 1 ? "\(Plural.grouped(row.surplus))\(appearance.sentence("×"))" : ""
    surface.write(
      appearance.sentence(text) + count, at: Point(column: area.column + 1, row: area.row), limit: Self.margin - 1,
      style: appearance.theme.style(role, on: base))
  }

  /// Draws at the right edge how many changed values of a row are not visible.
  private func drawHiddenChanges(
    _ row: StoredDifference, _ columns: [Column], base: Role, into surface: inout Surface, row area: Rect
  ) {
    guard row.change == .changed else { return }
    let shown = Set(columns.map(\.index))
    let hidden = table.columns.indices.count { !shown.contains($0) && row.isChanged($0) }
    guard hidden > 0 else { return }
    let text = " +\(hidden) \(glyphs.scrollRight)"
    let start = area.endColumn - TextWidth.columns(of: text)
    surface.write(text, at: Point(column: start, row: area.row), style: appearance.theme.style(.changed, on: base))
  }

  // MARK: Side by side

  private func drawHalves(into surface: inout Surface, area: Rect) {
    var right = area
    let left = right.removeLeft(area.columns / 2)
    let border = right.removeLeft(1)
    // Both sides show the same columns.
    let columns = columns(in: min(left.columns - Self.margin, right.columns - 1))
    drawHeading(columns, into: &surface, row: row(of: left, 0), side: .old)
    drawHeading(columns, into: &surface, row: row(of: right, 0), side: .new)
    for line in 0..<area.rows {
      let point = Point(column: border.column, row: border.row + line)
      surface.write(glyphs.vertical, at: point, style: appearance.theme.style(.border))
      let position = state.top + line
      guard line + 1 < area.rows, position < count, let difference = state[position] else { continue }
      drawHalf(difference, .old, columns, isCurrent: position == state.cursor, into: &surface, row: row(of: left, line + 1))
      drawHalf(difference, .new, columns, isCurrent: position == state.cursor, into: &surface, row: row(of: right, line + 1))
    }
  }

  private func drawHalf(
    _ row: StoredDifference, _ side: Side, _ columns: [Column], isCurrent: Bool, into surface: inout Surface, row area: Rect
  ) {
    let base: Role = isCurrent && hasFocus ? .selection : .text
    if side == .old {
      drawStart(row, isSecond: false, isCurrent: isCurrent, base: base, into: &surface, row: area)
    } else {
      surface.fill(area, style: appearance.theme.style(base))
    }
    let isMissing = side == .old ? row.change == .added : row.change == .removed
    guard !isMissing, let values = side == .old ? row.old : row.new else { return }
    var start = area.column + (side == .old ? Self.margin : 1)
    let own: Role = side == .old ? .error : .added
    for column in columns {
      let isDifferent = row.change != .changed || row.isChanged(column.index)
      draw(
        values[column.index], isDifferent ? own : nil, column, at: Point(column: start, row: area.row), base: base,
        isMarked:
          row.isChanged(column.index), into: &surface)
      start += column.width + Self.gap
    }
    if side == .new { drawHiddenChanges(row, columns, base: base, into: &surface, row: area) }
  }

  // MARK: Cells

  /// Draws a value.
  ///
  /// - Parameters:
  ///   - role: The role of a value that differs; nil for the role of its type.
  ///   - isMarked: Whether the value is underlined, so that the difference is visible without colors.
  private func draw(
    _ value: StoredValue, _ role: Role?, _ column: Column, at point: Point, base: Role, isMarked: Bool = false, into surface: inout Surface
  ) {
    let text = CountedText(.stored(value), glyphs: glyphs)
    let cut = TextWidth.truncated(text.text.replacing("\n", with: " "), to: column.width, ellipsis: glyphs.ellipsis)
    let start = column.isRight ? point.column + max(0, column.width - TextWidth.columns(of: cut)) : point.column
    var style = appearance.theme.style(role ?? text.role, on: base)
    if isMarked { style.attributes.insert(.underline) }
    surface.write(cut, at: Point(column: start, row: point.row), limit: column.width, style: style)
    guard let needle, !needle.isEmpty else { return }
    let letters = Array(cut)
    for hit in LineSearch.hits(of: needle, in: letters) {
      let before = TextWidth.columns(of: String(letters[..<hit.lowerBound]))
      surface.write(
        String(letters[hit]), at: Point(column: start + before, row: point.row), style: appearance.theme.style(.match, on: base))
    }
  }

  private func drawHeading(_ columns: [Column], into surface: inout Surface, row: Rect, side: Side?) {
    let style = appearance.theme.style(.header)
    surface.fill(row, style: style)
    var start = row.column + (side == .new ? 1 : Self.margin)
    for column in columns {
      let names = table.columns[column.index]
      let name: String? =
        switch side {
        case .old: names.old
        case .new: names.new
        case nil:
          names.old.map { old in names.new.map { old.isSameIdentifier(as: $0) ? $0 : "\(old)\(glyphs.reference)\($0)" } ?? old }
            ?? names.new
        }
      let text = TextWidth.truncated((name ?? "").pictured, to: column.width, ellipsis: glyphs.ellipsis)
      let isKey = column.index < table.keyCount
      surface.write(
        TextWidth.padded(text, to: column.width, isRight: column.isRight), at: Point(column: start, row: row.row), limit: column.width,
        style: appearance.theme.style(isKey ? .key : .header, on: .header))
      start += column.width + Self.gap
    }
    let hidden = table.columns.count - columns.count
    let text = " +\(hidden) \(glyphs.scrollRight)"
    guard hidden > 0, side != .old, row.endColumn - TextWidth.columns(of: text) >= start - Self.gap else { return }
    surface.write(
      text, at: Point(column: row.endColumn - TextWidth.columns(of: text), row: row.row), style: appearance.theme.style(.muted, on: .header)
    )
  }

  // MARK: Columns

  /// Returns the scroll position that shows a changed value or a match of a row, or nil if one is visible.
  func scroll(showing revealed: DiffRowsState.Revealed, of row: StoredDifference, in area: Rect) -> Int? {
    let wanted = table.columns.indices.filter { index in
      switch revealed {
      case .change: row.isChanged(index)
      case .match: [row.old, row.new].contains { $0.map { isMatch($0[index]) } ?? false }
      }
    }
    let room = isSideBySide ? area.columns / 2 - Self.margin : area.columns - Self.margin
    guard !wanted.isEmpty, !columns(in: room).contains(where: { wanted.contains($0.index) }) else { return nil }
    let others = table.columns.count - table.keyCount
    return (0..<others).first { scroll in
      var painter = self
      painter.state.scroll = scroll
      return painter.columns(in: room).contains { wanted.contains($0.index) }
    }
  }

  private func isMatch(_ value: StoredValue) -> Bool {
    guard let needle else { return false }
    return CountedText(.stored(value), glyphs: glyphs).text.lowercased().contains(needle.lowercased())
  }

  /// Returns the columns that fit: those of the key, then the others from the scroll position on.
  ///
  /// If not all fit, columns with changed values precede the others.
  private func columns(in room: Int) -> [Column] {
    let others = Array(table.keyCount..<table.columns.count)
    let keys = Array(0..<table.keyCount)
    if state.scroll == 0, let all = fitting(keys + others, in: room, isWhole: true) { return all }
    let changed = others.filter { table.columns[$0].changes > 0 } + others.filter { table.columns[$0].changes == 0 }
    let scrolled = changed.dropFirst(min(state.scroll, max(0, changed.count - 1)))
    // The mark of hidden columns is at the right edge; side by side, that of the right half, whose margin is narrower.
    let mark = isSideBySide ? Self.hiddenMark - Self.margin + 2 : Self.hiddenMark
    return fitting(keys + scrolled, in: room - mark, isWhole: false) ?? []
  }

  /// Returns as many columns as fit; nil if all have to fit and do not.
  private func fitting(_ indices: [Int], in room: Int, isWhole: Bool) -> [Column]? {
    var (columns, used): ([Column], Int) = ([], 0)
    for index in indices {
      var column = column(index)
      let isKey = index < table.keyCount
      if isKey, table.keyCount > 0 { column.width = min(column.width, max(4, room / 2 / table.keyCount)) }
      let left = room - used - (columns.isEmpty ? 0 : Self.gap)
      if column.width > left {
        if isWhole { return nil }
        guard left >= Self.leastCut || columns.isEmpty else { break }
        column.width = max(1, left)
        columns.append(column)
        break
      }
      columns.append(column)
      used += column.width + (columns.count == 1 ? 0 : Self.gap)
    }
    return columns
  }

  /// Returns a column with the width that its name and its visible values need.
  private func column(_ index: Int) -> Column {
    let visible = (state.top..<min(count, state.top + state.height)).compactMap { state[$0] }
    let texts = visible.flatMap { row in [row.old, row.new].compactMap { $0.map { CountedText(.stored($0[index]), glyphs: glyphs) } } }
    let values = texts.map { TextWidth.columns(of: $0.text) }.max() ?? 0
    let isRight = texts.contains(where: \.isRightAligned) && !texts.contains { $0.role == .textValue }
    let names = table.columns[index]
    let name = names.old.map { old in names.new.map { old.isSameIdentifier(as: $0) ? $0 : "\(old)\(glyphs.reference)\($0)" } ?? old }
    return Column(
      index: index, width: max(1, min(Self.widest, max(values, TextWidth.columns(of: (name ?? names.name).pictured)))), isRight: isRight)
  }
}

extension CountedValue {
  /// A value as it is stored.
  static func stored(_ value: StoredValue) -> CountedValue {
    switch value {
    case .value(let value): .value(value)
    case .rawText(let bytes): .rawText(bytes)
    }
  }
}
