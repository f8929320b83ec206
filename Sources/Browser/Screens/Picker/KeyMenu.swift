import QuarryEngine
package import Terminal

/// The keys that may follow the typed ones, in columns over the rows above the last line.
///
/// It covers the content below it and disappears with the next key, so that nothing moves for people who type on.
package struct KeyMenu: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// The remaining keys in display form: `d`, or `h Left` if two keys have the same effect.
    var key: String
    var help: String
    package var command: Command
    /// Whether the command is available.
    var isAvailable = true

    package init(key: String, help: String, command: Command, isAvailable: Bool = true) {
      self.key = key
      self.help = help
      self.command = command
      self.isAvailable = isAvailable
    }

    fileprivate var width: Int { TextWidth.columns(of: key) + KeyMenu.keyGap + TextWidth.columns(of: help) }
  }

  /// An entry and its area.
  package struct Cell: Hashable, Sendable {
    package var entry: Entry
    package var area: Rect
  }

  /// The frame; empty if there is no room for one.
  package let box: Rect
  let title: String
  package private(set) var cells: [Cell] = []
  /// The number of entries that do not fit.
  package let hidden: Int

  fileprivate static let keyGap = 2
  private static let gap = 3
  /// The least width of a column; longer texts are truncated.
  private static let leastColumns = 14

  /// Arranges the entries at the bottom of `area`.
  ///
  /// There are as many columns as fit with their full texts, or more if there would be too many rows.
  package init(_ entries: [Entry], title: String, in area: Rect) {
    self.title = title
    let inside = area.inset(columns: 2, rows: 1)
    guard !inside.isEmpty, !entries.isEmpty else {
      (box, hidden) = (.none, entries.count)
      return
    }
    let widths = Self.widths(of: entries, in: inside)
    let rows = min(inside.rows, (entries.count + widths.count - 1) / widths.count)
    let shown = min(entries.count, rows * widths.count)
    hidden = entries.count - shown
    box = Rect(column: area.column, row: area.endRow - rows - 2, columns: area.columns, rows: rows + 2)
    var column = inside.column
    for (index, width) in widths.enumerated() {
      for (offset, entry) in entries[..<shown].dropFirst(index * rows).prefix(rows).enumerated() {
        cells.append(Cell(entry: entry, area: Rect(column: column, row: box.row + 1 + offset, columns: width, rows: 1)))
      }
      column += width + Self.gap
    }
  }

  /// Returns the widths of the columns.
  private static func widths(of entries: [Entry], in area: Rect) -> [Int] {
    let most = max(1, (area.columns + gap) / (leastColumns + gap))
    let counts = 1...min(most, entries.count)
    let whole: [Int]? = counts.reversed().lazy.map { (count: Int) -> [Int] in
      let rows = (entries.count + count - 1) / count
      return stride(from: 0, to: entries.count, by: rows).map { (start: Int) -> Int in
        entries[start..<min(start + rows, entries.count)].map(\.width).max() ?? 0
      }
    }.first { $0.reduce(0, +) + gap * ($0.count - 1) <= area.columns }
    // A list of keys should not cover more than half of the screen, so texts are truncated before it does.
    if let whole, whole.count * max(6, area.rows * 3 / 5) >= entries.count, whole.count * area.rows >= entries.count { return whole }
    let count = counts.first { $0 * min(area.rows, max(6, area.rows * 3 / 5)) >= entries.count } ?? counts.upperBound
    return Array(repeating: (area.columns - gap * (count - 1)) / count, count: count)
  }

  /// Returns the command of the entry at a point of the screen.
  func command(at point: Point) -> Command? {
    cells.first { $0.area.contains(point) }?.entry.command
  }

  package func draw(into surface: inout Surface, appearance: Appearance) {
    guard !box.isEmpty else { return }
    let footer = hidden > 0 ? "\(hidden) more: the palette lists them all" : "Esc cancels"
    Box.draw(into: &surface, rect: box, title: title, footer: footer, appearance: appearance)
    let keyColumns = cells.map { TextWidth.columns(of: $0.entry.key) }.max() ?? 0
    for cell in cells {
      let start = Point(column: cell.area.column, row: cell.area.row)
      surface.write(
        cell.entry.key, at: start, limit: cell.area.columns, style: appearance.theme.style(cell.entry.isAvailable ? .key : .muted))
      let gap = min(keyColumns, TextWidth.columns(of: cell.entry.key)) + Self.keyGap
      StyledLine(appearance.sentence(cell.entry.help), cell.entry.isAvailable ? .text : .muted).draw(
        into: &surface, at: Point(column: start.column + gap, row: start.row), columns: max(0, cell.area.columns - gap),
        appearance: appearance)
    }
  }
}
