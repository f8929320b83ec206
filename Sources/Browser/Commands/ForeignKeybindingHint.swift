import Terminal

/// A hint for a key of other programs that is not bound here: it names the key with the same effect.
///
/// A bound key runs its command and shows no hint, so a hint is obsolete only when its sentence is no longer true.
package struct ForeignKeybindingHint: Sendable {
  /// The keys, in the notation of the keymap file.
  package let keys: [String]
  /// The contexts in which the hint is shown; nil for all.
  let contexts: [KeyContext]?
  /// The sentence, in which `{edit-sql}` is a placeholder for the key of that command.
  package let advice: String

  private init(_ keys: String, in contexts: [KeyContext]? = nil, _ advice: String) {
    self.keys = keys.split(separator: " ").map(String.init)
    self.contexts = contexts
    self.advice = advice
  }

  /// Returns the sentence for keys in a context: the first hint for this context, or the first hint for all contexts.
  static func advice(on keys: [Key], in context: KeyContext) -> String? {
    let hints = all.filter { hint in
      (hint.contexts?.contains { context.includes($0) } ?? true) && hint.keys.contains { Keymap.parse($0) == keys }
    }
    return (hints.first { $0.contexts != nil } ?? hints.first)?.advice
  }

  private static let rows: [KeyContext] = [.grid, .record]

  /// The keys that users of vim, VisiData, lazygit, datui, spreadsheets and editors expect.
  package static let all: [ForeignKeybindingHint] = values + places + tables + texts

  /// The hints for changing and deleting rows.
  private static let values: [ForeignKeybindingHint] = [
    ForeignKeybindingHint("E i f2 c C", in: rows, "{edit-cell} changes this value"),
    ForeignKeybindingHint("a A", in: [.grid], "{new-row} adds a row, {edit-cell} changes a value"),
    ForeignKeybindingHint("x D", in: [.grid], "{delete-rows} deletes this row or the selected rows, once you commit"),
    ForeignKeybindingHint("o O a A I insert", in: [.record], "{new-row} adds a row"),
    ForeignKeybindingHint("d x X delete", in: [.record], "{delete-rows} deletes rows"),
    ForeignKeybindingHint("p", in: [.record], "{paste} pastes a value or rows"),
    ForeignKeybindingHint("P", in: rows, "{paste} pastes what was copied"),
    ForeignKeybindingHint("ctrl-v", in: rows, "{paste} pastes what was copied here; the terminal pastes by Ctrl-Shift-V or Shift-Ins"),
    ForeignKeybindingHint("u U ctrl-r", in: rows, "{undo-change} undoes the last staged change, {redo-change} redoes it"),
    ForeignKeybindingHint("ctrl-y", in: rows, "{redo-change} redoes the last undone change"),
    ForeignKeybindingHint("ctrl-x", in: rows, "{copy-row} copies a row, {delete-rows} deletes it"),
    ForeignKeybindingHint("r", in: rows, "{refresh} reads the rows again"),
  ]

  /// The hints for moving, marking and sorting.
  private static let places: [ForeignKeybindingHint] = [
    ForeignKeybindingHint("space t", in: [.grid], "{select-rows} selects rows, {select-cells} cells; {page-down} goes down by a page"),
    ForeignKeybindingHint("space", in: [.record], "{page-down} goes down by a page, {next-record} to the next record"),
    ForeignKeybindingHint("h l left right", in: [.record], "{previous-record} and {next-record} go to the previous and the next record"),
    ForeignKeybindingHint(
      "H M L J", in: [.grid], "{half-page-down} and {half-page-up} move by half a page, {move-to-top} and {move-to-bottom} to the ends"),
    ForeignKeybindingHint(
      "m ' \"", in: rows, "there are no marks; {back-to-row} goes back to the row where the cursor was, {go-back} to the last table"),
    ForeignKeybindingHint(
      "[ ]", in: [.grid], "{sort-column} sorts by this column; {open-record} shows a record, where [ and ] change the row"),
    ForeignKeybindingHint("( )", in: [.grid], "{move-to-start} and {move-to-end} go to the first and the last column"),
    ForeignKeybindingHint("{ }", in: [.grid], "{find-previous} and {find-next} go through the hits of {find}"),
    ForeignKeybindingHint("|", in: [.grid], "{filter} filters the rows, {select-rows} selects some"),
    ForeignKeybindingHint(", +", in: [.grid], "{include-value} shows only rows with this value, {widen-column} makes the column wider"),
    ForeignKeybindingHint("ctrl-a", in: rows, "{select-rows} selects rows, and {move-to-bottom} then selects to the last"),
    ForeignKeybindingHint("ctrl-e", in: [.grid], "{half-page-down} moves down by half a page, {move-to-end} to the last column"),
    ForeignKeybindingHint("ctrl-g", "the last line shows the row number; {details} shows the table's columns and keys"),
    ForeignKeybindingHint(".", in: rows, "no key repeats a command; {history} lists earlier statements"),
    ForeignKeybindingHint("@ M", in: rows, "there are no macros; {statements} lists saved statements with parameters"),
    ForeignKeybindingHint("D", in: [.record], "{delete-rows} deletes rows"),
  ]

  /// The hints for tables and the program.
  private static let tables: [ForeignKeybindingHint] = [
    ForeignKeybindingHint("insert", in: [.catalog], "tables are made in SQL: {edit-sql} opens the editor for a CREATE TABLE"),
    ForeignKeybindingHint("delete", in: [.catalog], "tables are dropped in SQL: {edit-sql} opens the editor for a DROP TABLE"),
    ForeignKeybindingHint("space", in: [.catalog], "{open} opens the table"),
    ForeignKeybindingHint("f5 ctrl-r", in: [.catalog, .record], "{refresh} reads the rows and the catalog again"),
    ForeignKeybindingHint("ctrl-t", "{jump-to-table} jumps to a table, {next-result} goes to the next result"),
    ForeignKeybindingHint("ctrl-k", "{palette} lists all commands, {jump-to-table} the tables"),
    ForeignKeybindingHint("ctrl-n", "{edit-sql} opens the editor; {move-down} moves down"),
    ForeignKeybindingHint("Q W", "{quit} quits, {close} closes this screen"),
    ForeignKeybindingHint("f3", "{find} finds a text"),
    ForeignKeybindingHint("f12", "{follow-foreign-key} follows a foreign key"),
  ]

  /// The hints for text input.
  private static let texts: [ForeignKeybindingHint] = [
    ForeignKeybindingHint("ctrl-s", in: [.editor], "{save-file} saves the text as a statement or to a file"),
    ForeignKeybindingHint("ctrl-r", in: [.editor], "{history} lists earlier statements; {run-statement} runs the statement"),
    ForeignKeybindingHint("ctrl-n", in: [.editor], "{complete} completes the word at the caret"),
    ForeignKeybindingHint("ctrl-v", in: [.editor, .bar, .form], "the terminal pastes: Ctrl-Shift-V, or Shift-Ins"),
    ForeignKeybindingHint("ctrl-x", in: [.editor], "{stop} copies the selection, Del removes it"),
    ForeignKeybindingHint("ctrl-g", in: [.editor], "{back-out} leaves the editor"),
    ForeignKeybindingHint("ctrl-r ctrl-s", in: [.bar], "Up and Down go through the history"),
    ForeignKeybindingHint("ctrl-g", in: [.bar, .form], "{back-out} goes back"),
  ]
}

extension ScreenEnvironment {
  /// Returns the message for unbound keys.
  ///
  /// It names the key with the expected effect, the context in which the keys are bound, or the key of the help.
  func sentence(onUnbound keys: [Key]) -> String {
    let name = keymap.display(of: keys)
    if let advice = ForeignKeybindingHint.advice(on: keys, in: keyContext) { return "\(name) is not bound here: \(filled(advice))" }
    if let place = elsewhere(keys) { return "\(name) is not bound here: \(place)" }
    if keys.count > 1 { return "\(name) is not bound here: \(keymap.display(of: Array(keys.dropLast()))) lists the keys that may follow" }
    return "\(name) is not bound here; \(keyHint(.help)) lists the keys"
  }

  /// Replaces the commands in braces with their keys, or with their palette names if they have no key.
  ///
  /// - Parameter namesPlaces: Whether a key that is not bound in this context is followed by its context.
  func filled(_ advice: String, namesPlaces: Bool = true) -> String {
    var text = ""
    var rest = advice[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let command = Command(rawValue: String(rest[rest.index(after: open)..<close]))
      text += rest[..<open] + (isBound(command) ? namesPlaces ? keyHint(command) : key(of: command) : ":\(command.rawValue)")
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }

  /// Returns the first key of a command: in the grid, in this context, or in any context.
  ///
  /// A command without a key is represented by its name.
  private func key(of command: Command) -> String {
    ([.grid, keyContext] + keymap.commands.contexts).lazy.compactMap { keymap.keys(for: command, in: $0).first }.first ?? command.rawValue
  }

  private func isBound(_ command: Command) -> Bool {
    keymap.commands.contexts.contains { !keymap.keys(for: command, in: $0).isEmpty }
  }

  /// Returns the effect of keys in another context, and the key that leads there; nil if they have none.
  private func elsewhere(_ keys: [Key]) -> String? {
    for context in [KeyContext.grid, .catalog, .record, .editor] where !keyContext.includes(context) {
      guard let command = keymap.ownBindings(in: context).first(where: { $0.keys == keys })?.command else { continue }
      let help = keymap.commands.briefHelp(of: command, in: context)
      guard let way = way(to: context) else { continue }
      return "it is a key \(context.place) (\(help.prefix(1).lowercased() + help.dropFirst())); \(way)"
    }
    return nil
  }

  /// Returns the key that leads to a context, as the end of a sentence; nil if none does.
  private func way(to context: KeyContext) -> String? {
    let isOverPanes = ![KeyContext.grid, .catalog, .editor].contains { keyContext.includes($0) }
    switch context {
    case .record: return keyContext.includes(.grid) ? "\(keyHint(.openRecord)) shows the row as one" : nil
    case _ where isOverPanes: return "\(keyHint(.backOut)) goes back"
    case .editor: return "\(keyHint(.editSQL)) opens it"
    case .grid: return "\(keyHint(isEditorShown ? .paneDown : .nextPane)) goes there"
    case .catalog: return "\(keyHint(isEditorShown ? .paneLeft : .nextPane)) goes there"
    default: return nil
    }
  }
}
