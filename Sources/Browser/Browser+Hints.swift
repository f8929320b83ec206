import QuarryEngine
import Terminal

/// The key hints on the last line.
extension Browser {
  private struct Hint {
    var key: String
    var word: String

    /// The width in cells, with the gap before it.
    var width: Int { TextWidth.columns(of: "\(key) \(word)") + Hint.gap.count }

    static let gap = "   "
  }

  /// Returns as many key hints as fit; those of help, palette and editor are the last to be dropped.
  func hints(columns: Int) -> StyledLine {
    if !lastLine.keys.isEmpty, case .pending(let continuations) = keymap.resolve(lastLine.keys, in: context) {
      return line(of: continuations.map { Hint(key: $0.display, word: $0.command.rawValue) }, columns: columns)
    }
    var room = columns + Hint.gap.count
    let last = fitting(lastHints.reversed(), in: &room).reversed()
    let first = fitting(transactionHints, in: &room)
    let usual = Browser.hints(of: focusedScreen.screen, environment)
    let others = fitting(usual.compactMap(hint), in: &room)
    return line(of: first + others + last, columns: columns)
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
    keymap.keys(for: command, in: context).first.map { Hint(key: $0, word: word) }
  }

  /// Joins hints into a line.
  private func line(of hints: [Hint], columns: Int) -> StyledLine {
    var room = columns + Hint.gap.count
    return fitting(hints, in: &room).reduce(into: StyledLine()) { line, hint in
      line = line.adding(line.runs.isEmpty ? "" : Hint.gap).adding(hint.key, .key).adding(" \(hint.word)", .muted)
    }
  }

  /// How to end an open transaction: by keys, or else by the names to type in the palette.
  private var transactionHints: [Hint] {
    guard workspace.transaction != nil, topScreen == nil else { return [] }
    let commands = [(Command.commit, "keep"), (Command.rollBack, "undo")]
    let bound = commands.compactMap(hint)
    guard bound.isEmpty, let palette = keymap.keys(for: .palette, in: context).first else { return bound }
    if palette == ":" { return commands.map { Hint(key: ":\($0.rawValue)", word: $1) } }
    return [Hint(key: palette, word: commands.map(\.0.rawValue).joined(separator: " or "))]
  }

  /// The hints at the end of the line, which get their room first.
  private var lastHints: [Hint] {
    let out = focusedScreen.screen.backOutHint(in: workspace).map { (Command.backOut, $0) }
    let sql: (Command, String)? = context.takesText ? nil : (.editSQL, "SQL")
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
