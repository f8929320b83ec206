import QuarryEngine
import Terminal

/// Values of columns side by side below headings, or one below the other if they are too wide.
///
///            was             theirs   mine
///     title  'Kind of Blue'  'Blue'   'Kind of Blue (Mono)'
struct ComparedValues: Sendable {
  struct Heading: Hashable, Sendable {
    var text: String
    /// The role of the values below the heading.
    var role: Role
  }

  /// The values of a column, one for each heading.
  struct Row: Hashable, Sendable {
    var column: String
    var values: [String]
  }

  let headings: [Heading]
  let rows: [Row]

  private static let gap = 2

  /// Returns the lines for a width in columns.
  func lines(columns: Int) -> [StyledLine] {
    let name = rows.map { TextWidth.columns(of: $0.column) }.max() ?? 0
    let widths = headings.enumerated().map { index, heading in
      max(TextWidth.columns(of: heading.text), rows.map { TextWidth.columns(of: $0.values[index]) }.max() ?? 0)
    }
    let isWide = name + widths.reduce(0) { $0 + Self.gap + $1 } <= columns
    return isWide ? table(name, widths) : rows.flatMap(stack).flatMap { $0.wrapped(to: max(1, columns)) }
  }

  private func table(_ name: Int, _ widths: [Int]) -> [StyledLine] {
    let top = zip(headings, widths).reduce(StyledLine(Self.padded("", name), .muted)) { line, cell in
      line.adding(Self.padded(cell.0.text, cell.1, indent: Self.gap), .muted)
    }
    return [top]
      + rows.map { row in
        headings.indices.reduce(StyledLine(Self.padded(row.column, name))) { line, index in
          line.adding(Self.padded(row.values[index], widths[index], indent: Self.gap), headings[index].role)
        }
      }
  }

  private func stack(_ row: Row) -> [StyledLine] {
    let width = headings.map { TextWidth.columns(of: $0.text) }.max() ?? 0
    return [StyledLine(row.column)]
      + zip(headings, row.values).map { heading, value in
        StyledLine("  \(Self.padded(heading.text, width))  ", .muted).adding(value, heading.role)
      }
  }

  private static func padded(_ text: String, _ columns: Int, indent: Int = 0) -> String {
    String(repeating: " ", count: indent) + TextWidth.padded(text, to: columns)
  }
}
