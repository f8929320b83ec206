import QuarryEngine
public import Terminal

extension Browser {
  /// Draws everything that is to be seen; only reads.
  public func draw(into surface: inout Surface) {
    let layout = ScreenLayout(self)
    surface.fill(surface.bounds, style: look.theme.style(.text))
    drawTitle(into: &surface, layout: layout)
    if !layout.catalog.isEmpty {
      surface.clipped(to: layout.catalog) { catalog.draw(into: &$0, area: layout.catalog, hasFocus: hasFocus(.catalog), look: look) }
    }
    for row in layout.border.row..<layout.border.endRow {
      surface.write(look.glyphs.vertical, at: Point(column: layout.border.column, row: row), style: look.theme.style(.border))
    }
    drawEditor(into: &surface, layout: layout)
    if !layout.grid.isEmpty { surface.clipped(to: layout.grid) { drawGrid(into: &$0, area: layout.grid) } }
    if let grid, !layout.bar.isEmpty {
      surface.clipped(to: layout.gridWithBar) {
        grid.bar.draw(
          into: &$0, area: layout.bar, view: awaitedView ?? grid.view, condition: grid.rowSet.condition,
          mendKey: keyHint(.applyReplacement, in: .bar), look: look)
      }
    }
    let environment = environment
    for overlay in overlays where overlay.screen.placement == .body {
      surface.clipped(to: layout.body) { overlay.screen.draw(into: &$0, area: layout.body, environment) }
    }
    drawFooter(into: &surface, layout: layout)
  }

  func hasFocus(_ pane: Focus) -> Bool {
    overlays.allSatisfy { $0.screen.placement == .lastLine } && focus == pane
  }

  private func drawGrid(into surface: inout Surface, area: Rect) {
    if let grid { return grid.draw(into: &surface, area: area, hasFocus: hasFocus(.grid), isOutdated: areRowsOutdated, look: look) }
    let (text, role): (String, Role) =
      if let tab = sql.results.current { (tab.report, tab.role) } else if let failure { (failure.problem.text, .error) } else if opening != nil { ("opening\(look.glyphs.ellipsis)", .muted) } else { (emptyText, .muted) }
    for (offset, line) in WrappedText.lines(text, columns: max(1, area.columns - 4), rows: area.rows - 1, look: look).enumerated() {
      surface.write(line, at: Point(column: area.column + 2, row: area.row + 1 + offset), limit: area.columns - 3, style: look.theme.style(role))
    }
  }

  private var emptyText: String {
    catalog.catalog == nil ? "" : "This database has no tables yet."
  }

  // MARK: Title

  private func drawTitle(into surface: inout Surface, layout: ScreenLayout) {
    guard !layout.title.isEmpty else { return }
    let style = look.theme.style(.header)
    surface.fill(layout.title, style: style)
    let leftRoom = layout.border.isEmpty ? min(layout.title.columns, TextWidth.columns(of: options.title) + 2) : layout.catalog.columns
    let name = TextWidth.truncated(options.title, to: max(0, leftRoom - 2), ellipsis: look.glyphs.ellipsis)
    surface.write(" \(name)", at: Point(column: 0, row: layout.title.row), limit: leftRoom, style: look.theme.style(.accent, on: .header))
    let start = layout.border.isEmpty ? leftRoom + 1 : layout.border.column
    let badge = badge
    let room = layout.title.columns - start - TextWidth.columns(of: badge) - (badge.isEmpty ? 3 : 5)
    if !layout.border.isEmpty {
      surface.write(look.glyphs.vertical, at: Point(column: start, row: layout.title.row), style: look.theme.style(.border, on: .header))
    }
    gridTitle.draw(into: &surface, at: Point(column: start + 2, row: layout.title.row), columns: max(0, room), base: .header, look: look)
    let badgeStart = layout.title.endColumn - TextWidth.columns(of: badge) - 1
    surface.write(badge, at: Point(column: badgeStart, row: layout.title.row), style: look.theme.style(.muted, on: .header))
  }

  private var badge: String {
    let running = sql.ending.map { $0 ? "committing" : "rolling back" } ?? sql.run.flatMap(\.badge)
    let transaction = sql.transaction.map { "open transaction: \($0.words)" }
    return [running ?? work, transaction, fileBadge, options.badge].compactMap(\.self).joined(separator: "  ")
  }

  /// What is waited for, in a few words.
  private var work: String? {
    if let search, opening == nil { return badge(of: "searching", search.progress) }
    if let copying { return badge(of: "copying", copying.progress) }
    if let progress = grid?.pending?.progress ?? opening?.progress { return progress.badge }
    if let counted = grid?.counted { return counted.badge }
    if grid?.isCounting == true { return "counting\(look.glyphs.ellipsis)" }
    return opening.map { "opening \($0.title)\(look.glyphs.ellipsis)" }
  }

  private func badge(of work: String, _ progress: RowProgress?) -> String {
    progress.map { "\(work): \($0.badge)" } ?? work + look.glyphs.ellipsis
  }

  private var gridTitle: StyledLine {
    if focus == .editor, sql.isShown { return editorTitle }
    guard let grid else { return StyledLine(sql.results.current?.title ?? failure?.title ?? "", .header) }
    let separator = " \(look.glyphs.dot) "
    var line = StyledLine(grid.title, .header)
    if isBeforeTransaction(grid) { line = line.adding(" as committed", .warning) }
    if let total = grid.total { line = line.adding(separator + text(of: total) + (total.value == 1 ? " row" : " rows"), .muted) }
    if !grid.order.isEmpty {
      let keys = grid.order.map { "\($0.name)\($0.isDescending ? look.glyphs.descending : look.glyphs.ascending)" }
      line = line.adding("\(separator)sort \(keys.joined(separator: " "))", .muted)
    }
    let hidden = grid.layout.hidden.count
    if hidden > 0 { line = line.adding(separator + "\(Plural.of(hidden, "column")) hidden", .muted) }
    if isOutdated(grid) { line = line.adding("\(separator)changed since: \(keyHint(.refresh)) reads again", .warning) }
    if grid.selection != nil { line = line.adding(separator + look.sentence(grid.selectionTitle) + " selected", .accent) }
    return line
  }

  private func text(of number: RowNumber) -> String {
    switch number {
    case .exact(let count): Plural.grouped(count)
    case .atLeast(let count): look.atLeast + Plural.grouped(count)
    case .estimated(let count): "~" + Plural.grouped(count)
    }
  }

  /// `row 12 of 3,503`, as far as it is known.
  var position: String? {
    guard let grid, grid.currentRow != nil else { return nil }
    let total = grid.total.map { " of " + text(of: $0) } ?? ""
    guard let number = grid.window.number(at: grid.row) else { return grid.total.map { text(of: $0) + " rows" } }
    return "row " + (number.isExact ? "" : "~") + Plural.grouped(number.value + 1) + total
  }

  // MARK: Footer

  private func drawFooter(into surface: inout Surface, layout: ScreenLayout) {
    guard !layout.footer.isEmpty else { return }
    var area = layout.footer
    surface.fill(area, style: look.theme.style(.header))
    let place = pendingText ?? position ?? ""
    let right = area.endColumn - TextWidth.columns(of: place) - 1
    surface.write(place, at: Point(column: right, row: area.row), style: look.theme.style(pendingText == nil ? .muted : .accent, on: .header))
    area = Rect(column: area.column, row: area.row, columns: max(0, right - area.column - 1), rows: 1)
    if let prompt = overlays.last?.screen, prompt.placement == .lastLine {
      prompt.draw(into: &surface, area: area, environment)
    } else if let notice = lockNotice ?? notice {
      drawNotice(notice, into: &surface, area: area, layout: layout)
    } else {
      // The position keeps its distance, or it would read as one of the hints.
      let room = area.columns - (place.isEmpty ? 1 : 3)
      hints(columns: room).draw(into: &surface, at: Point(column: area.column + 1, row: area.row), columns: room, base: .header, look: look)
    }
  }

  private var pendingText: String? {
    if !pendingKeys.isEmpty { return keymap.display(of: pendingKeys) + look.glyphs.ellipsis }
    return count.map { String($0) }
  }

  /// Who is waited for, for as long as that lasts.
  private var lockNotice: Notice? {
    let stop = " \(look.glyphs.dot) \(keyHint(.stop)) stops"
    switch lockWait {
    case .anotherProgram?: return Notice("waiting for another program's lock on \(options.title)\(stop)", .warning)
    case .ownTransaction?: return Notice("waiting for the transaction that is open here: commit it or roll it back\(stop)", .warning)
    case nil: return nil
    }
  }

  /// Draws a notice on the footer, a long one on lines above it besides.
  private func drawNotice(_ notice: Notice, into surface: inout Surface, area: Rect, layout: ScreenLayout) {
    let lines = WrappedText.lines(notice.text, columns: max(1, area.columns - 2), rows: max(1, layout.body.rows / 2), look: look)
    for (offset, line) in lines.enumerated() {
      let row = area.row - lines.count + 1 + offset
      if row != area.row { surface.fill(Rect(column: 0, row: row, columns: surface.size.columns, rows: 1), style: look.theme.style(.header)) }
      surface.write(line, at: Point(column: area.column + 1, row: row), limit: area.columns - 1, style: look.theme.style(notice.role, on: .header))
    }
  }
}

extension RowProgress {
  /// The part that has been read, and how long the rest will take; else how many rows that are.
  fileprivate var badge: String {
    guard let total, total > 0 else { return "\(Plural.of(rows, "row")) read" }
    let part = "\(min(100, 100 * rows / total)) % read"
    guard let left = timeLeft?.components.seconds, left > 0 else { return part }
    return part + (left < 100 ? ", \(left) s left" : ", \((left + 30) / 60) min left")
  }
}
