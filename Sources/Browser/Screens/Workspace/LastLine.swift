package import Terminal

/// The last line: a notice, or the typed keys of an unfinished command.
package struct LastLine: Hashable, Sendable {
  var notice: Notice?
  /// The notices that answer no command, which are shown after an answer.
  private var following: [Notice] = []
  /// The typed keys of an unfinished command.
  package var keys: [Key] = []
  /// The number typed before a command.
  var count: Int?

  init() {}

  /// Removes the notice and the typed keys of a command.
  mutating func clear() { (notice, keys, count) = (nil, [], nil) }

  /// Shows a notice that answers no command, as soon as the line shows no answer.
  mutating func announce(_ notice: Notice) {
    following.append(notice)
    if self.notice?.role == .muted { self.notice = nil }
    showFollowing()
  }

  /// Shows the next notice that waits, if the line shows none.
  mutating func showFollowing() {
    if notice == nil, !following.isEmpty { notice = following.removeFirst() }
  }

  /// Returns the keys of an unfinished command, or the number before it; nil for neither.
  func pendingText(_ environment: ScreenEnvironment) -> String? {
    if !keys.isEmpty { return environment.keymap.display(of: keys) + environment.appearance.glyphs.ellipsis }
    return count.map { String($0) }
  }

  /// Returns the area of the hints in the last line.
  ///
  /// It is separated from the text at its right, which would otherwise look like a hint.
  ///
  /// That text is the position of the cursor. The keys of an unfinished command replace it without moving the hints.
  ///
  /// - Parameter position: The position of the cursor.
  func hintArea(of footer: Rect, position: String?, _ environment: ScreenEnvironment) -> Rect {
    let texts = [position, pendingText(environment)]
    let taken = texts.compactMap { $0.map { TextWidth.columns(of: $0) } }.max().map { $0 + 4 } ?? 2
    return Rect(column: footer.column + 1, row: footer.row, columns: footer.columns - 1 - taken, rows: footer.rows)
  }

  /// Draws the text at the right of the line; returns the remaining area.
  ///
  /// A notice that fits on the line only without the position replaces it, so that it does not need two lines.
  ///
  /// - Parameter position: The position of the cursor.
  func drawPosition(
    _ position: String?, into surface: inout Surface, area: Rect, beside notice: Notice?, _ environment: ScreenEnvironment
  ) -> Rect {
    let pending = pendingText(environment)
    let room = area.columns - 3 - (position.map { TextWidth.columns(of: $0) } ?? 0)
    let isWide = room < area.columns / 2
    let isCrowded = notice.map { (room..<(isWide ? .max : area.columns - 3)).contains(TextWidth.columns(of: $0.text)) } ?? false
    let text = pending ?? (isCrowded ? nil : position) ?? ""
    let right = area.endColumn - TextWidth.columns(of: text) - 1
    surface.write(
      text, at: Point(column: right, row: area.row),
      style: environment.appearance.theme.style(pending == nil ? .muted : .accent, on: .header))
    return Rect(column: area.column, row: area.row, columns: max(0, right - area.column - 1), rows: 1)
  }
}

/// A message to the person; the next key removes it.
package struct Notice: Hashable, Sendable {
  package var text: String
  /// `success`, `warning`, `error` or `muted`.
  var role: Role

  package init(_ text: String, _ role: Role = .muted) {
    self.text = text
    self.role = role
  }

  /// Draws the notice in the last line; a long notice also covers lines above it, over their whole width.
  ///
  /// - Parameter rows: The largest number of lines.
  /// - Returns: The number of lines.
  @discardableResult
  func draw(into surface: inout Surface, area: Rect, rows: Int, appearance: Appearance) -> Int {
    let lines = WrappedText.lines(text, columns: max(1, area.columns - 2), rows: max(1, rows), appearance: appearance)
    for (offset, line) in lines.enumerated() {
      let row = area.row - lines.count + 1 + offset
      if row != area.row {
        surface.fill(Rect(column: 0, row: row, columns: surface.size.columns, rows: 1), style: appearance.theme.style(.header))
      }
      surface.write(
        line, at: Point(column: area.column + 1, row: row), limit: area.columns - 1, style: appearance.theme.style(role, on: .header))
    }
    return lines.count
  }
}
