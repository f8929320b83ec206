import QuarryEngine
import QuarryRows
import Terminal

/// The areas of the health report: the list, and the whole text of the result under the cursor.
struct HealthLayout: Hashable, Sendable {
  let list: Rect
  let detail: Rect

  init(in area: Rect) {
    var rest = area.inset(columns: 2, rows: 1)
    let rows = rest.rows >= 24 ? 5 : rest.rows >= 12 ? 4 : 0
    detail = rest.removeBottom(rows)
    if rows > 0 { _ = rest.removeBottom(1) }
    list = rest
  }
}

extension HealthScreen {
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    Box.draw(
      into: &surface, rect: area, title: heading(appearance), footer: footer(environment), hasFocus: environment.hasFocus,
      appearance: appearance)
    let layout = HealthLayout(in: area)
    guard !lines.isEmpty else {
      let text = problem?.text ?? (isStopped ? "Nothing was checked." : "checking\(appearance.glyphs.ellipsis)")
      return WrappedText.draw(text, problem == nil ? .muted : .error, into: &surface, area: layout.list, appearance: appearance)
    }
    let widths = columns(in: layout.list.columns)
    for (offset, line) in lines.dropFirst(cursor.top).prefix(layout.list.rows).enumerated() {
      let row = Rect(column: layout.list.column, row: layout.list.row + offset, columns: layout.list.columns, rows: 1)
      guard case .result(let result) = line else {
        line.heading.draw(into: &surface, at: Point(column: row.column, row: row.row), columns: row.columns, appearance: appearance)
        continue
      }
      styled(result, widths, appearance).drawListed(
        into: &surface, row: row, isCurrent: cursor.top + offset == cursor.index, hasFocus: environment.hasFocus, appearance: appearance)
    }
    guard !layout.detail.isEmpty else { return }
    Box.drawRule(into: &surface, above: layout.detail, appearance: appearance)
    drawDetail(into: &surface, area: layout.detail, environment)
  }

  private func heading(_ appearance: Appearance) -> String {
    guard let report else { return "Health" }
    let counts = [HealthResult.Status.damaged, .finding, .note].compactMap { status -> String? in
      let count = report.results.count { $0.status == status }
      return count == 0 ? nil : status == .damaged ? "\(Plural.grouped(count)) damaged" : Plural.of(count, status.rawValue)
    }
    let isSound = report.isComplete && (report.worst ?? .ok) < .finding
    let summary = (isSound ? ["sound"] : []) + counts
    return "Health\(appearance.glyphs.separator)\(summary.isEmpty ? "nothing found yet" : summary.joined(separator: ", "))"
  }

  private func footer(_ environment: ScreenEnvironment) -> String {
    let again = "\(environment.keyHint(.refresh, in: .health)) checks again"
    switch work {
    case .mending(let maintenance, let report):
      return "\(environment.appearance.sentence(report.words(maintenance.name))): \(environment.stopHint)"
    case .checking: return report?.words.map { environment.appearance.sentence($0) } ?? ""
    case .none: break
    }
    if problem != nil { return "stopped at an error: \(again)" }
    if isStopped { return "stopped before the end: \(again)" }
    return isOutdated ? "the database has changed since: \(again)" : ""
  }

  /// Returns the widths of the first two columns.
  private func columns(in width: Int) -> (check: Int, object: Int) {
    let results = lines.compactMap { if case .result(let result) = $0 { result } else { nil } }
    let check = results.map(\.check.count).max() ?? 0
    let object = results.map { TextWidth.columns(of: $0.object ?? "") }.max() ?? 0
    return (min(check, max(19, width / 5)), min(object, max(9, width / 4)))
  }

  private func styled(_ result: HealthResult, _ widths: (check: Int, object: Int), _ appearance: Appearance) -> StyledLine {
    func cut(_ text: String, _ width: Int) -> String {
      TextWidth.padded(TextWidth.truncated(text, to: width, ellipsis: appearance.glyphs.ellipsis), to: width)
    }
    return StyledLine(cut(result.check, widths.check) + "  ", .muted)
      .adding(cut(result.object ?? "", widths.object) + "  ")
      .adding(appearance.sentence(result.text), result.status < .note ? .muted : .text)
  }

  /// Draws the whole text of the result, and what Enter does.
  private func drawDetail(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    guard let result = current else { return }
    let text = StyledLine(appearance.sentence(result.text)).wrapped(to: area.columns)
    guard let remedy = result.remedy else { return text.draw(into: &surface, area: area, appearance: appearance) }
    let mending = line(of: remedy, environment).wrapped(to: area.columns)
    (text.prefix(max(1, area.rows - mending.count)) + mending).draw(into: &surface, area: area, appearance: appearance)
  }

  private func line(of remedy: HealthRemedy, _ environment: ScreenEnvironment) -> StyledLine {
    let key = environment.keyHint(.mend, in: .health)
    return switch remedy {
    case .maintenance(let maintenance): StyledLine("\(key) runs it after a question: ", .accent).adding(maintenance.sql, .keyword)
    case .rows(let sql): StyledLine("\(key) shows the rows to correct: ", .accent).adding(sql, .keyword)
    case .advice(let text): StyledLine("To mend: ", .accent).adding(environment.appearance.sentence(text))
    }
  }
}

extension HealthScreen.Line {
  /// The line as a heading.
  fileprivate var heading: StyledLine {
    switch self {
    case .verdict: StyledLine("Nothing to mend: the database is sound", .success)
    case .heading(.damaged): StyledLine("Damaged", .error)
    case .heading(.finding): StyledLine("To mend", .warning)
    case .heading(.note): StyledLine("Worth knowing", .accent)
    case .heading(.ok): StyledLine("Sound", .success)
    case .heading(.info): StyledLine("Facts", .accent)
    case .result: StyledLine()
    }
  }
}
