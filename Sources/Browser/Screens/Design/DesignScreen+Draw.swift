import QuarryChanges
import QuarryEngine
import QuarrySources
import Terminal

extension DesignScreen {
  private static let labelColumns = 16

  func title(_ environment: ScreenEnvironment) -> StyledLine? { nil }

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    let layout = DesignLayout(self, in: area, environment)
    let name = table.map { "Design of \($0)" } ?? "New table"
    Box.draw(
      into: &surface, rect: area, title: name, footer: footer(environment), hasFocus: environment.hasFocus, appearance: appearance)
    for (offset, line) in lines.dropFirst(cursor.top).prefix(layout.list.rows).enumerated() {
      let row = Rect(column: layout.list.column, row: layout.list.row + offset, columns: layout.list.columns, rows: 1)
      let isCurrent = line == self.line
      if case .heading(let section) = line {
        styled(section).draw(into: &surface, at: Point(column: row.column, row: row.row), columns: row.columns, appearance: appearance)
      } else {
        styled(line, isCurrent, appearance).drawListed(
          into: &surface, row: row, isCurrent: isCurrent, hasFocus: environment.hasFocus, appearance: appearance)
      }
    }
    if layout.isBeside {
      for row in layout.plan.row..<layout.plan.row + layout.plan.rows {
        surface.write(
          appearance.glyphs.vertical, at: Point(column: layout.plan.column - 2, row: row), style: appearance.theme.style(.border))
      }
    } else if !layout.plan.isEmpty {
      Box.drawRule(into: &surface, above: layout.plan, appearance: appearance)
    }
    layout.lines.draw(into: &surface, area: layout.plan, appearance: appearance)
  }

  private func footer(_ environment: ScreenEnvironment) -> String {
    if isRunning { return "writing, \(environment.keyHint(.backOut)) stops it" }
    if isPlanning { return "planning\(environment.appearance.glyphs.ellipsis)" }
    guard hasChanges, counted?.isPossible == true else { return "nothing is written yet" }
    return "\(environment.keyHint(.runDesign, in: .design)) writes it, nothing is written yet"
  }

  // MARK: Lines

  private func styled(_ section: Section) -> StyledLine {
    guard section == .columns else { return StyledLine(section.rawValue, .muted) }
    let names = nameColumns
    return StyledLine("  " + pad("columns", names) + "  " + pad("type", typeColumns) + "  constraints and default", .muted)
  }

  private var nameColumns: Int { min(24, max(8, change?.new.columns.map { TextWidth.columns(of: $0.name) }.max() ?? 8)) }
  private var typeColumns: Int { min(14, max(7, change?.new.columns.map { TextWidth.columns(of: $0.type?.rawValue ?? "") }.max() ?? 7)) }

  private func styled(_ line: Line, _ isCurrent: Bool, _ appearance: Appearance) -> StyledLine {
    guard let new = change?.new else { return StyledLine() }
    func option(_ label: String, _ option: TableDefinition.Options, _ words: String) -> StyledLine {
      let isOn = new.options.contains(option)
      return StyledLine(pad(label, Self.labelColumns), .muted).adding(isOn ? "yes" : "no", isOn ? .accent : .text)
        .adding("  \(words)", .muted)
    }
    switch line {
    case .heading: return StyledLine()
    case .name: return StyledLine(pad("name", Self.labelColumns), .muted).adding(new.name, .accent)
    case .strict: return option("STRICT", .strict, "columns accept only values of their type")
    case .withoutRowID: return option("WITHOUT ROWID", .withoutRowID, "the primary key orders the rows")
    case .column(let index):
      return styled(new.columns[index], isNew: change?.origins[index] == nil, isFaulty: line == faultyLine, appearance)
    case .constraint(let index): return StyledLine(new.constraints[index].sql.singleLine, line == faultyLine ? .error : .text)
    case .index(let index):
      return StyledLine(DesignText.text(of: new.indexes[index]).singleLine, line == faultyLine ? .error : .text)
    case .add(.columns): return StyledLine("add a column\(appearance.glyphs.ellipsis)", .muted)
    case .add(.constraints): return StyledLine("add a key or a check\(appearance.glyphs.ellipsis)", .muted)
    case .add: return StyledLine("add an index\(appearance.glyphs.ellipsis)", .muted)
    case .finding(let index):
      guard let finding = counted?.findings[index] else { return StyledLine() }
      return StyledLine(finding.sentence, finding.check.effect == .refused ? .error : .warning)
    }
  }

  private func styled(_ column: ColumnDefinition, isNew: Bool, isFaulty: Bool, _ appearance: Appearance) -> StyledLine {
    let isKey = change?.new.primaryKey.contains(column.name) == true
    let isReference = change?.new.foreignKeys.contains { $0.columns.contains(column.name) } == true
    let role: Role = isKey ? .key : isReference ? .accent : .text
    let isAdded = isNew && table != nil
    return StyledLine(pad(column.name, nameColumns, appearance.glyphs), role)
      .adding("  " + pad(column.type?.rawValue ?? "", typeColumns, appearance.glyphs) + "  ", .muted)
      .adding((isAdded ? "new  " : ""), .success).adding(column.rest.singleLine, isFaulty ? .error : .text)
  }

  private func pad(_ text: String, _ columns: Int, _ glyphs: Glyphs = .unicode) -> String {
    let cut = TextWidth.truncated(text, to: columns, ellipsis: glyphs.ellipsis)
    return cut + String(repeating: " ", count: max(0, columns - TextWidth.columns(of: cut)))
  }
}

extension String {
  /// The text with spaces in place of line breaks.
  fileprivate var singleLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
