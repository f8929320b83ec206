import QuarryEngine
import QuarryRows
import Terminal

extension AdviceScreen {
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    Box.draw(into: &surface, rect: area, title: "Plan", hasFocus: environment.hasFocus, appearance: appearance)
    let inside = area.inset(columns: 2, rows: 1)
    for (offset, line) in lines(appearance).dropFirst(top).prefix(inside.rows).enumerated() {
      let row = Rect(column: inside.column, row: inside.row + offset, columns: inside.columns, rows: 1)
      let text = needle.map(line.text.marking) ?? line.text
      if let way = line.way {
        text.drawListed(
          into: &surface, row: row, isCurrent: way == cursor.index, hasFocus: environment.hasFocus, appearance: appearance)
      } else {
        let base: Role = hit == top + offset ? .selection : .text
        if base == .selection { surface.fill(row, style: appearance.theme.style(base)) }
        text.draw(into: &surface, at: Point(column: row.column, row: row.row), columns: row.columns, base: base, appearance: appearance)
      }
    }
  }

  /// The lines with the number of the way that a line shows.
  func lines(_ appearance: Appearance) -> [(text: StyledLine, way: Int?)] {
    let ways = (advice?.ways ?? []).enumerated().map { index, way in (text: line(of: way, index, appearance), way: Optional(index)) }
    let before = plan + [StyledLine(), StyledLine("Indexes that avoid this", .accent)]
    let after = wrapped(state(appearance))
    return before.flatMap { wrapped($0) }.map { ($0, nil) } + ways + after.map { ($0, nil) }
      + rest.flatMap { wrapped($0) }.map { ($0, nil) }
  }

  private func wrapped(_ line: StyledLine) -> [StyledLine] { line.wrapped(to: max(1, room.columns)) }

  /// A way: its number and statement at the left, times and size at the right.
  private func line(of way: IndexAdvice.Way, _ index: Int, _ appearance: Appearance) -> StyledLine {
    let size = TextWidth.padded(way.byteCount.map { "+\(ByteSize.text($0))" } ?? "", to: 10, isRight: true)
    let before = advice?.time.map { DurationText.text($0, isEstimated: advice?.isTimeEstimated == true) } ?? ""
    let times = appearance.sentence("\(before) → \(DurationText.text(way.time, isEstimated: isSampled))")
    let width = max(12, room.columns - TextWidth.columns(of: times + size) - 8)
    let text = TextWidth.truncated(way.summary, to: width, ellipsis: appearance.glyphs.ellipsis)
    let isFaster = advice?.time.map { way.time < $0 } ?? true
    return StyledLine("\(index + 1)  ", .muted).adding(TextWidth.padded(text, to: width))
      .adding("  " + times, isFaster ? .success : .warning).adding(size, .muted)
  }

  /// What is being done, or on what the times were measured.
  private func state(_ appearance: Appearance) -> StyledLine {
    if let problem { return StyledLine(appearance.sentence(problem.text), .muted) }
    let text =
      switch advice?.stage {
      case nil: "looking for indexes…"
      case .copying(let table, let part):
        "copying \(table) to measure them\(part.map { ": \(Int($0 * 100)) %" } ?? "")…"
      case .trying(nil): "measuring the statement as it is…"
      case .trying(let statement?): "trying \(statement)…"
      case .done: measurement
      }
    return StyledLine(appearance.sentence(text), .muted)
  }

  private var measurement: String {
    guard let advice else { return "" }
    if advice.ways.isEmpty { return "no index changes the plan" }
    let rows = measuredRows.map { "the first \(Plural.grouped($0)) rows" } ?? "all rows"
    let copied = Plural.of(advice.rowCount, "row")
    let copy = advice.sampling > 1 ? "a sample of \(copied), one of \(Plural.grouped(advice.sampling))" : "a private copy of \(copied)"
    let measured =
      advice.isTimeEstimated
      ? "Times of \(rows), from \(copy): reading the file takes too long."
      : "Times of \(rows): in the file → \(isSampled ? "estimated from" : "in") \(copy)."
    let cut = advice.cutTables.map { " Of \($0), only the first rows were copied." }.joined()
    return "\(measured)\(cut) The file is unchanged."
  }

  /// Whether the times of the ways come from a part of the rows.
  private var isSampled: Bool { advice.map { $0.sampling > 1 || !$0.cutTables.isEmpty } ?? false }
}

/// A measured time in display form.
enum DurationText {
  /// Returns a time: `0.4 ms`, `38.2 ms`, `≈ 1.24 s`, `over 10 s`.
  static func text(_ duration: Duration, isEstimated: Bool = false) -> String {
    if duration >= IndexAdvice.longestTime { return "over \(Int(IndexAdvice.longestTime / .seconds(1))) s" }
    return (isEstimated ? "≈ " : "") + text(milliseconds: duration / .milliseconds(1))
  }

  private static func text(milliseconds: Double) -> String {
    if milliseconds >= 1000 { return "\((milliseconds / 10).rounded() / 100) s" }
    return "\((milliseconds * (milliseconds < 1 ? 100 : 10)).rounded() / (milliseconds < 1 ? 100 : 10)) ms"
  }
}
