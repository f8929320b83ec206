import Terminal

/// Alternatives side by side on a line, one of which is selected: `CSV ‹JSON› Markdown`.
struct ChoiceLine: Hashable, Sendable {
  let labels: [String]
  /// The index of the selected label.
  let chosen: Int

  private static let gap = "  "

  /// Returns the line; only the selected label if there is no room for all.
  func line(columns: Int, isCurrent: Bool, glyphs: Glyphs) -> StyledLine {
    guard labels.indices.contains(chosen) else { return StyledLine() }
    let marked = "\(glyphs.scrollLeft)\(labels[chosen])\(glyphs.scrollRight)"
    let role: Role = isCurrent ? .accent : .text
    guard labels.count > 1 else { return StyledLine(labels[chosen], .text) }
    let all = labels.indices.reduce(into: StyledLine()) { line, index in
      if index > 0 { line = line.adding(Self.gap) }
      line = index == chosen ? line.adding(marked, role) : line.adding(labels[index], .muted)
    }
    return all.width <= columns ? all : StyledLine(marked, role)
  }

  /// Returns the index of the label at a column of the line; nil for none.
  ///
  /// A line that shows only the selected label has no such index.
  func index(at column: Int, columns: Int, glyphs: Glyphs) -> Int? {
    guard line(columns: columns, isCurrent: false, glyphs: glyphs).runs.count > 1 else { return nil }
    var start = 0
    for (index, label) in labels.enumerated() {
      let marks = index == chosen ? TextWidth.columns(of: glyphs.scrollLeft + glyphs.scrollRight) : 0
      let end = start + TextWidth.columns(of: label) + marks
      if (start..<end).contains(column) { return index }
      start = end + Self.gap.count
    }
    return nil
  }
}
