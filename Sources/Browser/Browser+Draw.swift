import QuarryEngine
public import Terminal

extension Browser {
  /// Draws the whole screen; reads only.
  public func draw(into surface: inout Surface) {
    let layout = ScreenLayout(self)
    surface.fill(surface.bounds, style: appearance.theme.style(.text))
    drawTitle(into: &surface, layout: layout)
    if !layout.catalog.isEmpty {
      surface.clipped(to: layout.catalog) { catalog.draw(into: &$0, area: layout.catalog, paneEnvironment(.catalog)) }
    }
    for row in layout.border.row..<layout.border.endRow {
      surface.write(appearance.glyphs.vertical, at: Point(column: layout.border.column, row: row), style: appearance.theme.style(.border))
    }
    surface.clipped(to: layout.rows) { rows.draw(into: &$0, area: layout.rows, paneEnvironment(.rows)) }
    surface.clipped(to: layout.editor) { sql.draw(into: &$0, area: layout.editor, paneEnvironment(.editor)) }
    sql.drawOver(into: &surface, area: layout.editor, paneEnvironment(.editor))
    for overlay in overlays.all where overlay.screen.placement != .lastLine {
      let area = layout.area(of: overlay.screen)
      surface.clipped(to: area) { overlay.screen.draw(into: &$0, area: area, overlayEnvironment(overlay.id)) }
    }
    overlays.guide?.screen.draw(into: &surface, area: layout.guide, environment)
    keyMenu(in: layout.body)?.draw(into: &surface, appearance: appearance)
    drawFooter(into: &surface, layout: layout)
  }

  /// Returns what a pane may read; a pane that has asked for a line at the foot of the screen is drawn as having the focus.
  private func paneEnvironment(_ pane: ScreenID) -> ScreenEnvironment {
    var environment = environment
    environment.hasFocus =
      overlays.all.allSatisfy { $0.screen.placement == .lastLine || ($0.screen.placement == .side && overlays.hasLeftKeys && hasSidePanel) }
      && focus == pane
    return environment
  }

  private func overlayEnvironment(_ id: ScreenID) -> ScreenEnvironment {
    var environment = environment
    environment.hasFocus = topScreen?.id == id || topScreen?.screen.placement == .lastLine && !overlays.hasLeftKeys
    return environment
  }

  // MARK: Title

  private func drawTitle(into surface: inout Surface, layout: ScreenLayout) {
    guard !layout.title.isEmpty else { return }
    let style = appearance.theme.style(.header)
    surface.fill(layout.title, style: style)
    let leftRoom = layout.border.isEmpty ? min(layout.title.columns, TextWidth.columns(of: options.title) + 2) : layout.catalog.columns
    let name = TextWidth.truncated(options.title, to: max(0, leftRoom - 2), ellipsis: appearance.glyphs.ellipsis)
    let isCatalogFocused = topScreen == nil && focus == .catalog
    surface.write(
      " \(name)", at: Point(column: 0, row: layout.title.row), limit: leftRoom,
      style: appearance.theme.style(isCatalogFocused ? .accent : .header, on: .header))
    let start = layout.border.isEmpty ? leftRoom + 1 : layout.border.column
    let badge = badge
    let room = layout.title.columns - start - badge.width - (badge.runs.isEmpty ? 3 : 5)
    if !layout.border.isEmpty {
      surface.write(
        appearance.glyphs.vertical, at: Point(column: start, row: layout.title.row), style: appearance.theme.style(.border, on: .header))
    }
    let title = environment.isEditorVisible ? sql.title(paneEnvironment(.editor)) : rows.title(paneEnvironment(.rows))
    title?.draw(
      into: &surface, at: Point(column: start + 2, row: layout.title.row), columns: max(0, room), base: .header, appearance: appearance)
    badge.draw(
      into: &surface, at: Point(column: layout.title.endColumn - badge.width - 1, row: layout.title.row), columns: badge.width,
      base: .header,
      appearance: appearance)
  }

  /// What is under way, and what is worth knowing of the session.
  private var badge: StyledLine {
    let parts = [
      requests.badge().map { StyledLine(appearance.sentence($0), .muted) }, transactionBadge,
      workspace.fileBadge.map { StyledLine($0, .muted) }, options.badge.map { StyledLine($0, .muted) },
    ]
    return parts.compactMap(\.self).reduce(into: StyledLine()) { $0.runs += ($0.runs.isEmpty ? [] : StyledLine("  ").runs) + $1.runs }
  }

  // MARK: Footer

  private func drawFooter(into surface: inout Surface, layout: ScreenLayout) {
    guard !layout.footer.isEmpty else { return }
    var area = layout.footer
    surface.fill(area, style: appearance.theme.style(.header))
    let position = pendingText ?? workspace.position(appearance) ?? ""
    let right = area.endColumn - TextWidth.columns(of: position) - 1
    surface.write(
      position, at: Point(column: right, row: area.row), style: appearance.theme.style(pendingText == nil ? .muted : .accent, on: .header))
    area = Rect(column: area.column, row: area.row, columns: max(0, right - area.column - 1), rows: 1)
    if let prompt = topScreen?.screen, prompt.placement == .lastLine {
      prompt.draw(into: &surface, area: area, environment)
    } else if let notice = lockNotice ?? notice {
      drawNotice(notice, into: &surface, area: area, layout: layout)
    } else {
      drawHints(into: &surface, area: hintArea(of: layout.footer))
    }
  }

  /// Who is waited for, for as long as that lasts.
  var lockNotice: Notice? {
    let stop = " \(appearance.glyphs.dot) \(keyHint(.stop)) stops"
    switch workspace.lockWait {
    case .anotherProgram?: return Notice("waiting for another program to release its lock on \(options.title)\(stop)", .warning)
    case .ownTransaction?: return Notice("waiting for your own open transaction: commit it or roll it back\(stop)", .warning)
    case nil: return nil
    }
  }

  /// Draws a notice over the footer; a long one also takes lines above it.
  private func drawNotice(_ notice: Notice, into surface: inout Surface, area: Rect, layout: ScreenLayout) {
    let lines = WrappedText.lines(
      notice.text, columns: max(1, area.columns - 2), rows: max(1, layout.body.rows / 2), appearance: appearance)
    for (offset, line) in lines.enumerated() {
      let row = area.row - lines.count + 1 + offset
      if row != area.row {
        surface.fill(Rect(column: 0, row: row, columns: surface.size.columns, rows: 1), style: appearance.theme.style(.header))
      }
      surface.write(
        line, at: Point(column: area.column + 1, row: row), limit: area.columns - 1, style: appearance.theme.style(notice.role, on: .header)
      )
    }
  }
}

extension Workspace {
  /// Returns the cursor's position as far as it is known: `row 12 of 3,503`.
  func position(_ appearance: Appearance) -> String? {
    guard let grid, grid.currentRow != nil else { return nil }
    let total = grid.total.map { " of " + $0.text(appearance) } ?? ""
    guard let number = grid.window.number(at: grid.row) else { return grid.total.map { $0.text(appearance) + " rows" } }
    let hit = grid.hits?.words(at: grid.currentRow?.key, appearance).map { "\($0) \(appearance.glyphs.dot) " } ?? ""
    return hit + "row " + (number.isExact ? "" : "~") + Plural.grouped(number.value + 1) + total
  }
}
