import QuarryEngine
import QuarryRows
import Terminal

/// The column under the cursor, in the room that the list leaves.
extension ProfileScreen {
  /// The width from which ranges and values are side by side.
  private static let wide = 64

  /// Draws what went wrong, what is worth a second look, how the values are spread, and which are the most frequent.
  func drawDetails(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    var rest = area
    let lines = sentences(columns: area.columns, environment)
    lines.draw(into: &surface, area: rest.removeTop(min(lines.count, rest.rows)), appearance: appearance)
    guard let column = current, !rest.isEmpty else { return }
    let hasTop = column.top.first.map { $0.count > 1 } ?? false
    // One range says no more than the values in it.
    let hasRanges = column.histogram.count > (hasTop ? 1 : 0)
    guard rest.rows >= RangePlot.leastRows else {
      let lines = [hasRanges ? range(of: column, appearance) : nil, top(of: column, columns: rest.columns, appearance)]
      return lines.compactMap(\.self).draw(into: &surface, area: rest, appearance: appearance)
    }
    if hasRanges, hasTop, rest.columns >= Self.wide {
      let ranges = rest.removeLeft(rest.columns * 3 / 5 - 2)
      _ = rest.removeLeft(2)
      drawRanges(of: column, into: &surface, area: ranges, appearance)
      drawTop(of: column, into: &surface, area: rest, appearance)
    } else if hasRanges {
      if let line = hasTop ? top(of: column, columns: rest.columns, appearance) : nil, rest.rows > RangePlot.leastRows {
        [line].draw(into: &surface, area: rest.removeTop(1), appearance: appearance)
      }
      drawRanges(of: column, into: &surface, area: rest, appearance)
    } else if hasTop {
      drawTop(of: column, into: &surface, area: rest, appearance)
    }
  }

  // MARK: Sentences

  private func sentences(columns: Int, _ environment: ScreenEnvironment) -> [StyledLine] {
    let appearance = environment.appearance
    var lines: [StyledLine] = []
    if let problem {
      let text = appearance.sentence(problem.text)
      let sentence = "stopped at an error: \(text); the rows after it are missing"
      lines += WrappedText.lines(sentence, columns: max(1, columns), rows: 3, appearance: appearance).map { StyledLine($0, .error) }
    }
    guard let column = current else { return lines }
    return lines + [facts(of: column, appearance)] + column.remarks.map { StyledLine("! \(appearance.sentence($0.sentence))", .warning) }
  }

  private func facts(of column: ColumnProfile, _ appearance: Appearance) -> StyledLine {
    let separator = "  \(appearance.glyphs.dot)  "
    var line = StyledLine(column.name, .accent)
    if !column.declaredType.isEmpty { line = line.adding("  \(column.declaredType)", .muted) }
    line = line.adding("\(separator)\(bounded(column).distinct.text(appearance)) distinct", .muted)
    if let least = column.minLength, let most = column.maxLength {
      let lengths = least == most ? Plural.grouped(least) : "\(Plural.grouped(least)) to \(Plural.grouped(most))"
      line = line.adding("\(separator)\(lengths) characters or bytes", .muted)
    }
    return line
  }

  // MARK: Ranges

  private func drawRanges(of column: ColumnProfile, into surface: inout Surface, area: Rect, _ appearance: Appearance) {
    let size = Size(columns: area.columns, rows: area.rows)
    RangePlot(ranges: column.histogram, dates: column.dates, size: size, glyphs: appearance.glyphs).picture
      .draw(into: &surface, at: Point(column: area.column, row: area.row), theme: appearance.theme)
  }

  /// The ranges on one line, between their bounds.
  private func range(of column: ColumnProfile, _ appearance: Appearance) -> StyledLine? {
    guard let first = column.histogram.first?.value.bin, let last = column.histogram.last?.value.bin else { return nil }
    let (start, end) = (
      first.start(dates: column.dates, glyphs: appearance.glyphs), last.end(dates: column.dates, glyphs: appearance.glyphs)
    )
    return StyledLine("\(start) ", .number)
      .adding(Bars.histogram(column.histogram.map(\.count), glyphs: appearance.glyphs).joined(), .muted).adding(" \(end)", .number)
  }

  // MARK: Values

  /// Returns the heading of the most frequent values.
  ///
  /// If there are more distinct values than are counted individually, a more frequent value may be missing.
  private func topHeading(of column: ColumnProfile) -> String { column.isTopExact ? "most frequent" : "frequent (estimated)" }

  private func bound(of column: ColumnProfile, _ appearance: Appearance) -> String { column.isTopExact ? "" : appearance.atLeast }

  /// The most frequent values on one line, as many as there is room for.
  private func top(of column: ColumnProfile, columns: Int, _ appearance: Appearance) -> StyledLine? {
    guard let first = column.top.first, first.count > 1 else { return nil }
    var line = StyledLine(topHeading(of: column) + "  ", .muted)
    for value in column.top {
      let text = CountedText(value.value, dates: column.dates, glyphs: appearance.glyphs)
      let shown = TextWidth.truncated(text.text, to: 24, ellipsis: appearance.glyphs.ellipsis)
      let name = row(value.value)?.text(glyphs: appearance.glyphs) ?? (text: "", role: Role.text)
      let label = TextWidth.truncated(name.text, to: 24, ellipsis: appearance.glyphs.ellipsis)
      let count = " \(bound(of: column, appearance))\(Plural.grouped(value.count))   "
      let next = line.adding(shown, text.role).adding(label, name.role).adding(count, .muted)
      guard next.width <= columns + 3 else { break }
      line = next
    }
    return line
  }

  private static let widestValue = 40
  private static let widestBar = 24

  /// Draws the most frequent values, a line each, with a bar.
  private func drawTop(of column: ColumnProfile, into surface: inout Surface, area: Rect, _ appearance: Appearance) {
    let texts = column.top.map { top in
      top.value.value.map { ProfileField.text(of: $0, column, appearance) }
        ?? CountedText(top.value, dates: column.dates, glyphs: appearance.glyphs)
    }
    let counts = column.top.map { bound(of: column, appearance) + Plural.grouped($0.count) }
    let countColumns = counts.lazy.map { TextWidth.columns(of: $0) }.max() ?? 0
    let widest = min(Self.widestValue, texts.lazy.map { TextWidth.columns(of: $0.text) }.max() ?? 0)
    let names = column.top.map { row($0.value)?.text(glyphs: appearance.glyphs) ?? (text: "", role: Role.text) }
    let fixed = countColumns + ShareText.columns + 4
    let value = max(4, min(widest, area.columns - fixed - 6))
    // A name needs the room more than a bar.
    let widestName = min(Self.widestValue, names.lazy.map { TextWidth.columns(of: $0.text) }.max() ?? 0)
    let nameColumns = max(0, min(widestName, area.columns - value - fixed - 2))
    let bar = max(0, min(Self.widestBar, area.columns - value - nameColumns - fixed - 2))
    let greatest = Double(max(1, column.top.first?.count ?? 1))
    let lines = column.top.indices.map { index -> StyledLine in
      let (top, text, name, count) = (column.top[index], texts[index], names[index], counts[index])
      let shown = TextWidth.truncated(text.text, to: value, ellipsis: appearance.glyphs.ellipsis)
      let label = TextWidth.truncated(name.text, to: nameColumns, ellipsis: appearance.glyphs.ellipsis)
      return StyledLine(TextWidth.padded(shown, to: value, isRight: text.isRightAligned), text.role)
        .adding(TextWidth.padded(label, to: nameColumns), name.role)
        .adding("  " + TextWidth.padded(count, to: countColumns, isRight: true))
        .adding("  " + TextWidth.padded(ShareText.percent(top.count, of: column.rows), to: ShareText.columns, isRight: true) + "  ", .muted)
        .adding(Bars.bar(Double(top.count) / greatest, columns: bar, glyphs: appearance.glyphs), .border)
    }
    ([StyledLine(topHeading(of: column), .muted)] + lines).draw(into: &surface, area: area, appearance: appearance)
  }
}
