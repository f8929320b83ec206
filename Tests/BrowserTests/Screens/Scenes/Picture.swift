import Terminal

/// A screen in lines that a person can read and compare: its text as it appears, then which columns of each row are in which style.
///
/// ```
///  music.db     │ artist · 3 rows
/// ▸   artist    │▸   1  Nina Simone
///
/// rows   styles by column; all else is text
/// 0      [header 0-32]  accent 1-8  border 14  muted 23-30
/// 1      [selection 16-32]  accent 0-10  border 14  key 15  number 19
/// cursor hidden
/// ```
///
/// A style goes by the base that shows in its background, in brackets, and by the role of what is written there. Of a blank only the
/// base counts, since its foreground is not seen; one blank between two of a role belongs to them.
struct Picture: Equatable {
  let lines: [String]

  init(of surface: Surface, named title: String, in names: StyleNames) {
    let text = (0..<surface.size.rows).map(surface.text(ofRow:))
    let styles = (0..<surface.size.rows).map { Self.runs(of: Array(surface.cells(inRow: $0)), in: names) }
    let cursor = surface.cursor.map { "cursor in row \($0.row), column \($0.column)" } ?? "cursor hidden"
    lines =
      ["\(title) · \(surface.size.columns)×\(surface.size.rows)", ""] + text
      + ["", "rows   styles by column; all else is text"] + Self.table(of: styles) + [cursor]
  }

  /// Reads what ``text`` writes.
  init(text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
  }

  var text: String { lines.map { $0 + "\n" }.joined() }

  /// The lines that are not in both pictures, with their numbers: `-` those of `expected`, `+` those of this one.
  func difference(from expected: Picture) -> String {
    let changes = lines.difference(from: expected.lines)
    let lines = changes.map { change -> (number: Int, text: String) in
      switch change {
      case .remove(let offset, let line, _): (offset, "- \(offset + 1): \(line)")
      case .insert(let offset, let line, _): (offset, "+ \(offset + 1): \(line)")
      }
    }
    return lines.sorted { ($0.number, $1.text) < ($1.number, $0.text) }.map(\.text).joined(separator: "\n")
  }

  /// The rows that have styles of their own, a line each; rows below each other with the same ones share it.
  private static func table(of styles: [String]) -> [String] {
    var lines: [(rows: ClosedRange<Int>, styles: String)] = []
    for (row, styles) in styles.enumerated() where !styles.isEmpty {
      if let last = lines.last, last.rows.upperBound == row - 1, last.styles == styles {
        lines[lines.count - 1].rows = last.rows.lowerBound...row
      } else {
        lines.append((row...row, styles))
      }
    }
    return lines.map { line in
      let rows = text(of: line.rows)
      return rows + String(repeating: " ", count: max(1, 7 - rows.count)) + line.styles
    }
  }

  /// The bases of a row in brackets, then the roles of what is written on them.
  private static func runs(of cells: [Cell], in names: StyleNames) -> String {
    let bases = runs(of: cells.map { names.base(of: $0.style) }).map { "[\($0)]" }
    var roles = cells.map { names.isBlank($0) ? nil : names.role(of: $0.style) }
    for column in roles.indices.dropFirst().dropLast() where roles[column] == nil && roles[column - 1] == roles[column + 1] {
      roles[column] = roles[column - 1]
    }
    return (bases + runs(of: roles)).joined(separator: "  ")
  }

  /// Each name but that of text with the columns that it has: `muted 3-8`.
  private static func runs(of names: [String?]) -> [String] {
    var runs: [String] = []
    var start = 0
    for column in names.indices where column + 1 == names.count || names[column + 1] != names[start] {
      if let name = names[start], name != StyleNames.ground { runs.append("\(name) \(text(of: start...column))") }
      start = column + 1
    }
    return runs
  }

  private static func text(of range: ClosedRange<Int>) -> String {
    range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
  }
}
