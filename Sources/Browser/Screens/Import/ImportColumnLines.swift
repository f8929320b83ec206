import QuarryEngine
import QuarryFiles
import Terminal

/// The columns of a file, one per line: the name, the target, the type, and the first values as they would be stored.
struct ImportColumnLines: Sendable {
  private let nameColumns: Int
  private let targetColumns: Int
  private let typeColumns: Int
  private let screen: ImportScreen
  /// The target table of the columns; nil for a new table.
  private var table: String? { screen.isNew ? nil : screen.plan.target.table.name }

  private static let widest = 24

  init(_ screen: ImportScreen) {
    self.screen = screen
    let columns = screen.preview?.columns ?? []
    let table = screen.isNew ? nil : screen.plan.target.table.name
    func widest(_ least: Int, _ text: (ImportColumn) -> String) -> Int {
      min(Self.widest, columns.map { TextWidth.columns(of: text($0)) }.max().map { max($0, least) } ?? least)
    }
    nameColumns = widest("in the file".count, { $0.source.name })
    targetColumns = widest(min(Self.widest, "in \(table ?? "the table")".count), { Self.target(of: $0, on: screen).text })
    typeColumns = widest("type".count, { Self.type(of: $0) })
  }

  var heading: StyledLine {
    let target = table.map { "in \($0)" } ?? "in the table"
    return StyledLine(
      "\(pad("in the file", nameColumns))    \(pad(target, targetColumns))  \(pad("type", typeColumns))  first values, as they would be stored",
      .muted)
  }

  func line(of index: Int, in preview: ImportPreview, isCurrent: Bool, _ appearance: Appearance) -> StyledLine {
    let (column, glyphs) = (preview.columns[index], appearance.glyphs)
    let target = Self.target(of: column, on: screen)
    let line = StyledLine(pad(column.source.name, nameColumns, glyphs), isCurrent ? .accent : .text)
      .adding(glyphs == .ascii ? " -> " : "  → ", .muted)
      .adding(pad(target.text, targetColumns, glyphs), target.role)
      .adding("  \(pad(Self.type(of: column), typeColumns, glyphs))  ", .muted)
    guard column.target != nil else { return line }
    let place = preview.columns[..<index].count { $0.target != nil }
    return preview.rows.enumerated().reduce(line) { line, row in
      guard row.element.indices.contains(place) else { return line }
      let value = CountedText(row.element[place], glyphs: glyphs)
      let text = TextWidth.truncated(value.text, to: Self.widest, ellipsis: glyphs.ellipsis)
      return line.adding(row.offset > 0 ? "  " : "").adding(text, value.role)
    }
  }

  /// Returns the target of a column, or the most similar name if it has none.
  private static func target(of column: ImportColumn, on screen: ImportScreen) -> (text: String, role: Role) {
    if let target = column.target { return (target, .text) }
    if screen.isLeftOut(column) { return ("skipped", .muted) }
    return (column.nearest.first.map { "no column (\($0)?)" } ?? "no column", .warning)
  }

  private static func type(of column: ImportColumn) -> String {
    guard column.target != nil else { return "" }
    return column.declaredType.isEmpty ? column.type.title : column.declaredType
  }

  private func pad(_ text: String, _ columns: Int, _ glyphs: Glyphs = .unicode) -> String {
    let cut = TextWidth.truncated(text, to: columns, ellipsis: glyphs.ellipsis)
    return cut + String(repeating: " ", count: max(0, columns - TextWidth.columns(of: cut)))
  }
}
