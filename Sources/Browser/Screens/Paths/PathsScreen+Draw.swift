import QuarryEngine
import QuarryRows
import Terminal

extension PathsScreen {
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    Box.draw(
      into: &surface, rect: area, title: list.title(of: column, lines, environment), footer: appearance.sentence(state),
      hasFocus: environment.hasFocus, appearance: appearance)
    let inside = area.inset(columns: 2, rows: 1)
    guard problem == nil, !lines.isEmpty else { return drawMessage(into: &surface, inside, appearance) }
    let columns = inside.columns - 2
    let json = JSONPathColumns(lines.compactMap(\.json), columns: columns)
    let related = RelatedColumnLines(lines, columns: columns, appearance)
    let heading = if case .json = list { json.heading } else { related.heading }
    heading.draw(into: &surface, at: Point(column: inside.column + 2, row: inside.row), columns: columns, appearance: appearance)
    for (offset, line) in lines.dropFirst(cursor.top).prefix(inside.rows - 1).enumerated() {
      let row = Rect(column: inside.column, row: inside.row + 1 + offset, columns: inside.columns, rows: 1)
      let isChosen = chosen.contains(line.value)
      let text =
        line.json.map { json.line(of: $0, isChosen: isChosen, of: texts, appearance) } ?? related.line(of: line, isChosen: isChosen)
      text.drawListed(
        into: &surface, row: row, isCurrent: cursor.top + offset == cursor.index, hasFocus: environment.hasFocus, appearance: appearance)
    }
  }

  private func drawMessage(into surface: inout Surface, _ area: Rect, _ appearance: Appearance) {
    let text = problem?.text ?? (found?.isComplete == true ? "There is no JSON in this column." : "reading\(appearance.glyphs.ellipsis)")
    WrappedText.draw(text, problem == nil ? .muted : .error, into: &surface, area: area, appearance: appearance)
  }

  private var found: JSONPaths? { if case .json(let found) = list { found } else { nil } }

  /// The number of rows with JSON.
  private var texts: Int { max(1, (found?.rows ?? 0) - (found?.nulls ?? 0) - (found?.others ?? 0)) }

  /// The numbers of rows read, or of listed values: `12,345 rows · 3 NULL · 5 no JSON`, `3 values · 2 chosen`.
  private var state: String {
    guard let found else {
      if case .json = list { return "" }
      return Plural.of(lines.count, "value") + (chosen.isEmpty ? "" : " · \(chosen.count) chosen")
    }
    let parts = [
      (found.isComplete ? "" : "≥ ") + Plural.of(found.rows, "row"), found.nulls > 0 ? "\(Plural.grouped(found.nulls)) NULL" : nil,
      found.others > 0 ? "\(Plural.grouped(found.others)) not JSON" : nil,
      found.isTruncated ? "more than \(Plural.grouped(JSONPaths.mostPaths)) paths" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: " · ")
  }
}

/// The columns of the list of paths: the path, its rows, their share, and the types of their values.
private struct JSONPathColumns {
  private let path: Int
  private let rows: Int

  private static let share = ShareText.columns
  private static let mark = 3

  /// Measures the paths for a list of a given width; the paths use at most half of it.
  init(_ paths: [JSONPathCounts], columns: Int) {
    let widest = paths.map { TextWidth.columns(of: $0.path.description) }.max() ?? 0
    path = min(max(4, widest), max(10, columns / 2 - Self.mark))
    rows = max(4, paths.map { Plural.grouped($0.rows).count }.max() ?? 0)
  }

  var heading: StyledLine {
    StyledLine(
      TextWidth.padded("", to: Self.mark) + TextWidth.padded("path", to: path) + "  " + TextWidth.padded("rows", to: rows, isRight: true)
        + "  " + TextWidth.padded("share", to: Self.share, isRight: true) + "  types",
      .muted)
  }

  func line(of found: JSONPathCounts, isChosen: Bool, of total: Int, _ appearance: Appearance) -> StyledLine {
    let name = TextWidth.truncated(found.path.description, to: path, ellipsis: appearance.glyphs.ellipsis)
    return StyledLine(TextWidth.padded(isChosen ? appearance.glyphs.right : "", to: Self.mark), .success)
      .adding(TextWidth.padded(name, to: path))
      .adding("  \(TextWidth.padded(Plural.grouped(found.rows), to: rows, isRight: true))", .number)
      .adding("  \(TextWidth.padded(ShareText.percent(found.rows, of: total), to: Self.share, isRight: true))", .muted)
      .adding("  \(Self.words(for: found.counts))", .muted)
      .adding(found.path.withFirstElements.isReachable ? "" : " \(appearance.glyphs.dot) SQLite has no path to it", .warning)
  }

  /// Returns the types, with their numbers if there are several: `text`, `integer 12, null 3`.
  private static func words(for counts: JSONTypeCounts) -> String {
    let types = counts.types
    guard types.count > 1 else { return types.first.map { "\($0)" } ?? "" }
    return types.map { "\($0) \(Plural.grouped(counts[$0]))" }.joined(separator: ", ")
  }
}
