import QuarryEngine
package import Terminal

/// The keys that may follow those pressed so far, in columns over the rows above the last line.
///
/// It lies over what is there and goes with the next key, so that nothing moves for those who type on.
package struct KeyMenu: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// The keys still to press, as a person reads them: `d`, or `h Left` where two lead to the same.
    var key: String
    var help: String
    package var command: Command
    /// Whether the command can be performed now.
    var isAvailable = true

    package init(key: String, help: String, command: Command, isAvailable: Bool = true) {
      self.key = key
      self.help = help
      self.command = command
      self.isAvailable = isAvailable
    }

    fileprivate var width: Int { TextWidth.columns(of: key) + KeyMenu.keyGap + TextWidth.columns(of: help) }
  }

  /// An entry, and where it stands.
  package struct Cell: Hashable, Sendable {
    package var entry: Entry
    package var area: Rect
  }

  /// The frame; empty where there is no room for one.
  package let box: Rect
  let title: String
  package private(set) var cells: [Cell] = []
  /// How many entries there is no room for.
  package let hidden: Int

  fileprivate static let keyGap = 2
  private static let gap = 3
  /// Texts are cut before a column becomes narrower than this.
  private static let leastColumns = 14

  /// Lays the entries out at the foot of `area`: in as many columns as their texts leave room for, in more where they would be too high.
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
    // Half of the screen is more than a list of keys may hide, so that texts are cut before it takes that.
    if let whole, whole.count * max(6, area.rows / 2) >= entries.count, whole.count * area.rows >= entries.count { return whole }
    let count = counts.first { $0 * min(area.rows, max(6, area.rows / 2)) >= entries.count } ?? counts.upperBound
    return Array(repeating: (area.columns - gap * (count - 1)) / count, count: count)
  }

  /// Returns the command of the entry at a point of the screen.
  func command(at point: Point) -> Command? {
    cells.first { $0.area.contains(point) }?.entry.command
  }

  package func draw(into surface: inout Surface, appearance: Appearance) {
    guard !box.isEmpty else { return }
    let footer = hidden > 0 ? "\(hidden) more: the palette has them all" : "Esc cancels"
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
