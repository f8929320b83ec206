import QuarryEngine
import Terminal

/// The keys that the last line names.
extension Browser {
  private struct Hint {
    var key: String
    var word: String

    /// The cells that it takes, with the gap before it.
    var width: Int { TextWidth.columns(of: "\(key) \(word)") + Hint.gap.count }

    static let gap = "   "
  }

  /// Returns the keys that are worth naming here, as many as there is room for: those of help, palette and editor are the last to go.
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

  /// Returns the first of the hints that fit into what room is left, and takes it from that.
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

  /// Puts hints side by side, each whole.
  private func line(of hints: [Hint], columns: Int) -> StyledLine {
    var room = columns + Hint.gap.count
    return fitting(hints, in: &room).reduce(into: StyledLine()) { line, hint in
      line = line.adding(line.runs.isEmpty ? "" : Hint.gap).adding(hint.key, .key).adding(" \(hint.word)", .muted)
    }
  }

  /// How to end an open transaction: by keys, else by the names to type in the palette.
  private var transactionHints: [Hint] {
    guard workspace.transaction != nil, overlays.isEmpty else { return [] }
    let commands = [(Command.commit, "keep"), (Command.rollBack, "undo")]
    let bound = commands.compactMap(hint)
    guard bound.isEmpty, let palette = keymap.keys(for: .palette, in: context).first else { return bound }
    if palette == ":" { return commands.map { Hint(key: ":\($0.rawValue)", word: $1) } }
    return [Hint(key: palette, word: commands.map(\.0.rawValue).joined(separator: " or "))]
  }

  /// The last of the line, which are the first to have room.
  private var lastHints: [Hint] {
    let out = focusedScreen.screen.backOutHint(in: workspace).map { (Command.backOut, $0) }
    let sql: (Command, String)? = context.takesText ? nil : (.editSQL, "SQL")
    let commands = context == .bar || context == .form ? nil : (Command.palette, "commands")
    return [out, sql, commands, (.help, "keys")].compactMap(\.self).compactMap(hint)
  }
}

/// What the last line says: a sentence, or the keys that were pressed of a longer one.
struct LastLine: Hashable, Sendable {
  var notice: Notice?
  /// The first keys of a command of several.
  var keys: [Key] = []
  /// The number that was typed before a command.
  var count: Int?
}

/// A sentence for the person at the screen; the next key takes it away.
struct Notice: Hashable, Sendable {
  var text: String
  /// `success`, `warning`, `error` or `muted`.
  var role: Role

  init(_ text: String, _ role: Role = .muted) {
    self.text = text
    self.role = role
  }
}
