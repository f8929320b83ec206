import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources
package import Terminal

extension Browser {
  /// Draws the whole screen without changing any state.
  package func draw(into surface: inout Surface) {
    let layout = ScreenLayout(self)
    surface.fill(surface.bounds, style: appearance.theme.style(.text))
    titleBar.draw(into: &surface, layout: layout, appearance: appearance)
    if !layout.catalog.isEmpty {
      surface.clipped(to: layout.catalog) { catalog.draw(into: &$0, area: layout.catalog, environment(of: .catalog)) }
    }
    for row in layout.border.row..<layout.border.endRow {
      surface.write(appearance.glyphs.vertical, at: Point(column: layout.border.column, row: row), style: appearance.theme.style(.border))
    }
    surface.clipped(to: layout.rows) { rows.draw(into: &$0, area: layout.rows, environment(of: .rows)) }
    surface.clipped(to: layout.editor) { sql.draw(into: &$0, area: layout.editor, environment(of: .editor)) }
    sql.drawOver(into: &surface, area: layout.editor, environment(of: .editor))
    for overlay in overlays.all where overlay.screen.placement != .lastLine {
      let area = layout.area(of: overlay.screen)
      surface.clipped(to: area) { overlay.screen.draw(into: &$0, area: area, environment(of: overlay.id)) }
    }
    overlays.guide?.screen.draw(into: &surface, area: layout.guide, environment)
    keyMenu(in: layout.body)?.draw(into: &surface, appearance: appearance)
    drawFooter(into: &surface, layout: layout)
  }

  /// Returns the state that a screen may read to draw itself.
  private func environment(of id: ScreenID) -> ScreenEnvironment {
    var environment = environment
    environment.hasFocus = markedScreen == id
    return environment
  }

  /// Returns the menu of keys that may follow the typed keys; nil if no keys have been typed.
  package func keyMenu(in area: Rect) -> KeyMenu? {
    lastLine.keys.isEmpty ? nil : menus.keyMenu(after: lastLine.keys, in: area)
  }

  // MARK: Title and footer

  private var titleBar: TitleBar {
    let isEditorVisible = environment.isEditorVisible
    return TitleBar(
      name: options.title, isNameAccented: topScreen == nil && focus == .catalog,
      title: isEditorVisible ? sql.title(environment(of: .editor)) : rows.title(environment(of: .rows)), badges: badges)
  }

  /// The current activity and the state of the session: the longest form first, then shorter ones.
  private var badges: [StyledLine] {
    let connection = workspace.connectionBadges
    return (0..<max(1, connection.count)).map { level in badge(connection: connection.indices.contains(level) ? connection[level] : nil) }
  }

  private func badge(connection: String?) -> StyledLine {
    let parts = [
      copyBadge ?? requests.badge().map { StyledLine(appearance.sentence($0), .muted) }, hintLine.transactionBadge, stagedBadge,
      connection.flatMap { $0.isEmpty ? nil : StyledLine($0, workspace.source.connection?.isLost == true ? .warning : .muted) },
      workspace.source.fileBadge.map { StyledLine($0, .muted) }, options.badge.map { StyledLine($0, .muted) },
    ]
    return parts.compactMap(\.self).reduce(into: StyledLine()) { $0.runs += ($0.runs.isEmpty ? [] : StyledLine("  ").runs) + $1.runs }
  }

  /// The staged changes that the title of the shown table does not count; nil for none.
  private var stagedBadge: StyledLine? {
    let shown = environment.isEditorVisible ? nil : workspace.grid?.table
    let tables = workspace.staged.tables.filter { $0 != shown }
    let changes = tables.reduce(0) { $0 + workspace.staged.counts(of: $1).changes }
    guard changes > 0 else { return nil }
    let place = tables.count == 1 ? tables[0].name : Plural.of(tables.count, "table")
    return StyledLine("\(Plural.of(changes, "change")) staged in \(place)", .changed)
  }

  /// The copy that a screen reads: its progress, or the time when it was made; nil if no screen reads a copy.
  private var copyBadge: StyledLine? {
    guard let copy = workspace.source.copy else { return nil }
    if case .ready = copy, requests.badge(atLeast: .asked) != nil || !overlays.all.contains(where: { $0.screen.showsCopies }) { return nil }
    return StyledLine(appearance.sentence(copy.words), .muted)
  }

  private var hintLine: HintLine {
    HintLine(screen: focusedScreen.screen, isPane: topScreen == nil, environment: environment)
  }

  private func drawFooter(into surface: inout Surface, layout: ScreenLayout) {
    guard !layout.footer.isEmpty else { return }
    surface.fill(layout.footer, style: appearance.theme.style(.header))
    let environment = environment
    let notice = lockNotice ?? notice
    let position = focusedScreen.screen.position(environment)
    let area = lastLine.drawPosition(position, into: &surface, area: layout.footer, beside: notice, environment)
    if let prompt = topScreen?.screen, prompt.placement == .lastLine {
      prompt.draw(into: &surface, area: area, environment)
    } else if let notice {
      let rows = notice.draw(into: &surface, area: area, rows: layout.body.rows / 2, appearance: appearance)
      // During a lock wait, the notice of the last key appears above the wait.
      guard lockNotice != nil, let answer = self.notice, layout.body.rows > rows else { return }
      let above = Rect(column: 0, row: area.row - rows, columns: surface.size.columns, rows: 1)
      surface.fill(above, style: appearance.theme.style(.header))
      answer.draw(into: &surface, area: above, rows: 1, appearance: appearance)
    } else {
      hintLine.draw(into: &surface, area: lastLine.hintArea(of: layout.footer, position: position, environment))
    }
  }

  /// Returns the command of the hint at a point of the last line.
  func hint(at point: Point) -> Command? {
    let position = focusedScreen.screen.position(environment)
    let area = lastLine.hintArea(of: ScreenLayout(self).footer, position: position, environment)
    guard area.contains(point), (lockNotice ?? notice) == nil, topScreen?.screen.placement != .lastLine else { return nil }
    return hintLine.command(at: point.column, in: area)
  }

  /// The notice about the current lock wait; nil without one.
  private var lockNotice: Notice? {
    let seconds = workspace.source.lockWaitTime.components.seconds
    let time = seconds > 0 ? " \(appearance.glyphs.dot) \(workspace.source.lockWaitTime.wholeWords)" : ""
    let stop = "\(time) \(appearance.glyphs.dot) \(keyHint(.stop)) stops"
    switch workspace.source.lockWait {
    case .anotherProgram?:
      // Unless the database uses a WAL, SQLite lets nobody write while rows are being read.
      if let file = workspace.writtenFile {
        return Notice("waiting: \(options.title) is locked by another program, or while \(file) is written\(stop)", .warning)
      }
      return Notice("waiting for another program to release its lock on \(options.title)\(stop)", .warning)
    case .ownTransaction?: return Notice("waiting for your own open transaction: commit it or roll it back\(stop)", .warning)
    case nil: return nil
    }
  }
}

extension Workspace {
  /// The machines that serve the data and whether they can be written, longest form first; empty for a file.
  fileprivate var connectionBadges: [String] {
    guard let connection = source.connection else { return [] }
    return connection.badges.map { badge in
      source.editRefusal == nil ? badge : badge.isEmpty ? "read-only" : "\(badge), read-only"
    }
  }

  /// Returns the position of the cursor, if it is known: `row 12 of 3,503`.
  func position(_ appearance: Appearance) -> String? {
    if grid?.newRow != nil { return "new row" }
    guard let grid, grid.currentRow != nil else { return nil }
    let total = grid.total.map { " of " + $0.text(appearance) } ?? ""
    guard let number = grid.window.number(at: grid.row) else { return grid.total.map { $0.text(appearance) + " rows" } }
    let hit = grid.search.hits?.words(at: grid.currentRow?.key, appearance).map { "\($0) \(appearance.glyphs.dot) " } ?? ""
    return hit + "row " + (number.isExact ? "" : "~") + Plural.grouped(number.value + 1) + total
  }
}
