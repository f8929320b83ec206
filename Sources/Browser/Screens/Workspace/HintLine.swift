import QuarryChanges
import QuarrySources
import Terminal

/// The keys that are worth naming at a place, side by side on the last line, and how an open transaction ends.
struct HintLine: Sendable {
  /// A key with what it does; to click it performs the command.
  struct Hint: Hashable, Sendable {
    var key: String
    var word: String
    var command: Command

    /// The width in cells, with the gap before it.
    var width: Int { TextWidth.columns(of: "\(key) \(word)") + Hint.gap.count }

    static let gap = "   "
  }

  /// The screen that has the focus.
  let screen: any Screen
  /// Whether the screen is a pane, with nothing over it.
  let isPane: Bool
  let environment: ScreenEnvironment

  private var workspace: Workspace { environment.workspace }

  /// Returns the keys that are worth naming here, as many as there is room for: those of help, palette and editor are the last to go.
  func hints(columns: Int) -> [Hint] {
    var room = columns + Hint.gap.count
    let last = fitting(lastHints.reversed(), in: &room).reversed()
    let first = fitting(isPane ? writingKeys : [], in: &room)
    return first + fitting(screen.hints(environment).compactMap(hint), in: &room) + last
  }

  /// Returns the command of the hint in a column of the line.
  func command(at column: Int, in area: Rect) -> Command? {
    Self.command(at: column, of: hints(columns: area.columns), from: area.column)
  }

  /// Returns the command of the hint in a column of the screen, where the first hint begins at `start`.
  static func command(at column: Int, of hints: [Hint], from start: Int) -> Command? {
    var end = start - Hint.gap.count
    for hint in hints {
      let start = end + Hint.gap.count
      end += hint.width
      if (start..<end).contains(column) { return hint.command }
    }
    return nil
  }

  /// Draws the hints side by side, each whole.
  func draw(into surface: inout Surface, area: Rect) {
    Self.line(of: hints(columns: area.columns)).draw(
      into: &surface, at: Point(column: area.column, row: area.row), columns: area.columns, base: .header,
      appearance: environment.appearance)
  }

  /// Returns hints side by side.
  static func line(of hints: [Hint]) -> StyledLine {
    hints.reduce(into: StyledLine()) { line, hint in
      line = line.adding(line.runs.isEmpty ? "" : Hint.gap).adding(hint.key, .key).adding(" \(hint.word)", .muted)
    }
  }

  /// The open transaction and how to end it, as the title has it; where that would leave little room, without the word for it.
  var transactionBadge: StyledLine? {
    guard let transaction = workspace.source.transaction else { return nil }
    let words = "\(transaction.isEmpty ? "nothing changed yet" : transaction.words)"
    let keys = transactionKeys.map { $0.key.hasPrefix(":") ? "  \($0.key)" : "  \($0.key) \($0.word)" }.joined()
    let badge = StyledLine("open transaction: \(words)", .warning).adding(keys, .key)
    return badge.width <= environment.size.columns / 2 ? badge : StyledLine(words, .warning).adding(keys, .key)
  }

  /// How to end an open transaction, or to commit and to undo what is staged.
  private var writingKeys: [Hint] {
    if workspace.source.transaction != nil { return transactionKeys }
    return workspace.staged.isEmpty ? [] : [(Command.changes, "commit"), (Command.undoChange, "undo")].compactMap(hint)
  }

  /// How to end an open transaction: by keys, else by the names to type in the palette.
  private var transactionKeys: [Hint] {
    let commands = [(Command.commit, "keep"), (Command.rollBack, "undo")]
    let bound = commands.compactMap(hint)
    guard bound.isEmpty, let palette = environment.keymap.keys(for: .palette, in: environment.keyContext).first else { return bound }
    if palette == ":" { return commands.map { Hint(key: ":\($0.rawValue)", word: $1, command: $0) } }
    return [Hint(key: palette, word: commands.map(\.0.rawValue).joined(separator: " or "), command: .palette)]
  }

  /// The hints at the end of the line, which get their room first.
  private var lastHints: [Hint] {
    let context = environment.keyContext
    let out = screen.backOutHint(in: workspace).map { (Command.backOut, $0) }
    let sql: (Command, String)? = context.takesText || environment.options.first == .startScreen ? nil : (.editSQL, "SQL")
    let commands = context == .bar || context == .form ? nil : (Command.palette, "commands")
    return [out, sql, commands, (.help, "keys")].compactMap(\.self).compactMap(hint)
  }

  private func hint(_ command: Command, _ word: String) -> Hint? {
    environment.keymap.keys(for: command, in: environment.keyContext).first.map { Hint(key: $0, word: word, command: command) }
  }

  /// Returns the leading hints that fit into `room`, and reduces it by their width.
  private func fitting(_ hints: [Hint], in room: inout Int) -> [Hint] {
    hints.prefix { hint in
      guard hint.width <= room else { return false }
      room -= hint.width
      return true
    }
  }
}
