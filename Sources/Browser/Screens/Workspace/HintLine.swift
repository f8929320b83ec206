import QuarryChanges
import QuarrySources
import Terminal

/// The most useful keys in a context, side by side in the last line, and the keys that end an open transaction.
struct HintLine: Sendable {
  /// A key and its effect; a click on it performs the command.
  struct Hint: Hashable, Sendable {
    var key: String
    var word: String
    var command: Command

    /// The width in columns, including the gap before it.
    var width: Int { TextWidth.columns(of: "\(key) \(word)") + Hint.gap.count }

    static let gap = "   "
  }

  /// The screen that has the focus.
  let screen: any Screen
  /// Whether the screen is a pane that no other screen covers.
  let isPane: Bool
  let environment: ScreenEnvironment

  private var workspace: Workspace { environment.workspace }

  /// Returns as many hints as fit; those of the help, the palette and the editor are omitted last.
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

  /// Returns the command of the hint in a column of the screen; the first hint begins at `start`.
  static func command(at column: Int, of hints: [Hint], from start: Int) -> Command? {
    var end = start - Hint.gap.count
    for hint in hints {
      let start = end + Hint.gap.count
      end += hint.width
      if (start..<end).contains(column) { return hint.command }
    }
    return nil
  }

  /// Draws the hints side by side; omits hints that do not fit completely.
  func draw(into surface: inout Surface, area: Rect) {
    Self.line(of: hints(columns: area.columns)).draw(
      into: &surface, at: Point(column: area.column, row: area.row), columns: area.columns, base: .header,
      appearance: environment.appearance)
  }

  /// Returns the hints side by side as a line.
  static func line(of hints: [Hint]) -> StyledLine {
    hints.reduce(into: StyledLine()) { line, hint in
      line = line.adding(line.runs.isEmpty ? "" : Hint.gap).adding(hint.key, .key).adding(" \(hint.word)", .muted)
    }
  }

  /// The open transaction and the keys that end it, for the title; without its label if that would leave little room.
  var transactionBadge: StyledLine? {
    guard let transaction = workspace.source.transaction else { return nil }
    let words = "\(transaction.isEmpty ? "nothing changed yet" : transaction.words)"
    let keys = transactionKeys.map { $0.key.hasPrefix(":") ? "  \($0.key)" : "  \($0.key) \($0.word)" }.joined()
    let badge = StyledLine("open transaction: \(words)", .warning).adding(keys, .key)
    return badge.width <= environment.size.columns / 2 ? badge : StyledLine(words, .warning).adding(keys, .key)
  }

  /// The keys that end an open transaction, or that commit and undo staged changes.
  private var writingKeys: [Hint] {
    if workspace.source.transaction != nil { return transactionKeys }
    return workspace.staged.isEmpty ? [] : [(Command.changes, "commit"), (Command.undoChange, "undo")].compactMap(hint)
  }

  /// The keys that end an open transaction, or the names to type in the palette.
  private var transactionKeys: [Hint] {
    let commands = [(Command.commit, "keep"), (Command.rollBack, "undo")]
    let bound = commands.compactMap(hint)
    guard bound.isEmpty, let palette = environment.keymap.keys(for: .palette, in: environment.keyContext).first else { return bound }
    if palette == ":" { return commands.map { Hint(key: ":\($0.rawValue)", word: $1, command: $0) } }
    return [Hint(key: palette, word: commands.map(\.0.rawValue).joined(separator: " or "), command: .palette)]
  }

  /// The hints at the end of the line, which have priority.
  private var lastHints: [Hint] {
    let context = environment.keyContext
    let out = screen.backOutHint(in: workspace).map { (Command.backOut, $0) }
    let sql: (Command, String)? = context.takesText || !environment.options.first.hasDatabase ? nil : (.editSQL, "SQL")
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
