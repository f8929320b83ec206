import QuarryEngine
import Terminal

/// The key hints on the last line.
extension Browser {
  /// A key with what it does; to click it performs the command.
  struct Hint: Hashable, Sendable {
    var key: String
    var word: String
    var command: Command

    /// The width in cells, with the gap before it.
    var width: Int { TextWidth.columns(of: "\(key) \(word)") + Hint.gap.count }

    static let gap = "   "
  }

  /// Returns the keys that are worth naming here, as many as there is room for: those of help, palette and editor are the last to go.
  func hints(columns: Int) -> [Hint] {
    var room = columns + Hint.gap.count
    let last = fitting(lastHints.reversed(), in: &room).reversed()
    let first = fitting(transactionHints, in: &room)
    let usual = Browser.hints(of: focusedScreen.screen, environment)
    return first + fitting(usual.compactMap(hint), in: &room) + last
  }

  /// Returns the command of the hint at a point of the last line.
  func hint(at point: Point) -> Command? {
    let area = hintArea(of: ScreenLayout(self).footer)
    guard area.contains(point), (lockNotice ?? notice) == nil, topScreen?.screen.placement != .lastLine else {
      return nil
    }
    var end = area.column - Hint.gap.count
    for hint in hints(columns: area.columns) {
      let start = end + Hint.gap.count
      end += hint.width
      if (start..<end).contains(point.column) { return hint.command }
    }
    return nil
  }

  /// Returns where the hints stand on the last line: what stands at its right keeps its distance, or it would read as one of them.
  ///
  /// That is where the cursor is; the keys of an unfinished command take its place, and nothing moves for them.
  func hintArea(of footer: Rect) -> Rect {
    let widths = [workspace.position(appearance), pendingText].compactMap { $0.map { TextWidth.columns(of: $0) } }
    let taken = widths.max().map { $0 + 4 } ?? 2
    return Rect(column: footer.column + 1, row: footer.row, columns: footer.columns - 1 - taken, rows: footer.rows)
  }

  /// Draws the hints side by side, each whole.
  func drawHints(into surface: inout Surface, area: Rect) {
    let line = hints(columns: area.columns).reduce(into: StyledLine()) { line, hint in
      line = line.adding(line.runs.isEmpty ? "" : Hint.gap).adding(hint.key, .key).adding(" \(hint.word)", .muted)
    }
    line.draw(into: &surface, at: Point(column: area.column, row: area.row), columns: area.columns, base: .header, appearance: appearance)
  }

  /// The keys of an unfinished command, or the number before it.
  var pendingText: String? {
    if !lastLine.keys.isEmpty { return keymap.display(of: lastLine.keys) + appearance.glyphs.ellipsis }
    return lastLine.count.map { String($0) }
  }

  /// Returns the leading hints that fit into `room`, and reduces it by their width.
  private func fitting(_ hints: [Hint], in room: inout Int) -> [Hint] {
    hints.prefix { hint in
      guard hint.width <= room else { return false }
      room -= hint.width
      return true
    }
  }

  private func hint(_ command: Command, _ word: String) -> Hint? {
    keymap.keys(for: command, in: context).first.map { Hint(key: $0, word: word, command: command) }
  }

  /// The open transaction and how to end it, as the title has it; where that would leave little room, without the word for it.
  var transactionBadge: StyledLine? {
    guard let transaction = workspace.transaction else { return nil }
    let words = "\(transaction.isEmpty ? "nothing changed yet" : transaction.words)"
    let keys = transactionKeys.map { $0.key.hasPrefix(":") ? "  \($0.key)" : "  \($0.key) \($0.word)" }.joined()
    let badge = StyledLine("open transaction: \(words)", .warning).adding(keys, .key)
    return badge.width <= size.columns / 2 ? badge : StyledLine(words, .warning).adding(keys, .key)
  }

  /// How to end an open transaction: by keys, else by the names to type in the palette.
  private var transactionHints: [Hint] {
    workspace.transaction != nil && topScreen == nil ? transactionKeys : []
  }

  private var transactionKeys: [Hint] {
    let commands = [(Command.commit, "keep"), (Command.rollBack, "undo")]
    let bound = commands.compactMap(hint)
    guard bound.isEmpty, let palette = keymap.keys(for: .palette, in: context).first else { return bound }
    if palette == ":" { return commands.map { Hint(key: ":\($0.rawValue)", word: $1, command: $0) } }
    return [Hint(key: palette, word: commands.map(\.0.rawValue).joined(separator: " or "), command: .palette)]
  }

  /// The hints at the end of the line, which get their room first.
  private var lastHints: [Hint] {
    let out = focusedScreen.screen.backOutHint(in: workspace).map { (Command.backOut, $0) }
    let sql: (Command, String)? = context.takesText || options.first == .startScreen ? nil : (.editSQL, "SQL")
    let commands = context == .bar || context == .form ? nil : (Command.palette, "commands")
    return [out, sql, commands, (.help, "keys")].compactMap(\.self).compactMap(hint)
  }
}

/// The last line: a notice, or the keys typed so far of a sequence.
struct LastLine: Hashable, Sendable {
  var notice: Notice?
  /// The keys typed so far of a sequence.
  var keys: [Key] = []
  /// The number that was typed before a command.
  var count: Int?
}

/// A message to the person at the screen; the next key removes it.
struct Notice: Hashable, Sendable {
  var text: String
  /// `success`, `warning`, `error` or `muted`.
  var role: Role

  init(_ text: String, _ role: Role = .muted) {
    self.text = text
    self.role = role
  }
}
