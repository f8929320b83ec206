import QuarryEngine
import Terminal

/// The lists of commands for a context: all commands, the commands with keys, and the commands that may follow a key.
package struct CommandMenus: Sendable {
  /// The screen that has the focus.
  let screen: any Screen
  /// Whether the screen is a pane that no other screen covers.
  let isPane: Bool
  let environment: ScreenEnvironment
  /// The commands chosen from the palette before, the latest first.
  let chosen: [Command]
  /// Returns why a command cannot be performed now; nil if it can.
  let unavailability: @Sendable (Command) -> Unavailability?

  /// Why a command cannot be performed.
  package enum Unavailability: Hashable, Sendable {
    /// What is missing, as a sentence.
    case obstacle(String)
    /// The command belongs to a screen that is not open.
    case elsewhere

    /// The reason as a text for the user.
    package var text: String {
      switch self {
      case .obstacle(let sentence): sentence
      case .elsewhere: "only works on a screen that is not open"
      }
    }
  }

  private var keymap: Keymap { environment.keymap }
  private var context: KeyContext { environment.keyContext }

  /// Returns the list of the commands that work here.
  ///
  /// The commands chosen before come first, then those of the focused screen, then those of the program. Moves come last. A command that is
  /// not available now is only found by typing. The list has no commands of screens that are not open.
  func palette() -> Picker {
    // A command that the program also has is only a variant on the screen.
    let own = type(of: screen).declarations.map(\.command).filter {
      keymap.commands.general($0) == nil && !keymap.keys(for: $0, in: context).isEmpty
    }
    let places = Dictionary(own.enumerated().map { ($1, $0) }, uniquingKeysWith: min)
    let listed = keymap.commands.declarations.enumerated().compactMap { offset, declaration -> (rank: (Int, Int), item: PickerItem)? in
      let command = declaration.command
      let obstacle = unavailability(command)
      guard isListed(declaration), obstacle != .elsewhere else { return nil }
      let recent = chosen.firstIndex(of: command)
      let rank = (recent == nil ? declaration.paletteRank(places) : -1, recent ?? places[command] ?? offset)
      return (rank, paletteItem(declaration, obstacle))
    }
    var picker = Picker(
      title: "Commands", placeholder: "part of a name, or a word for what you want to do",
      items: listed.sorted { $0.rank < $1.rank }.map(\.item), emptyText: "no such command")
    // A command with an argument may be typed as a whole: `diff backup.db`.
    if unavailability(.diff) == nil {
      picker.argument = { text in
        let beginning = "\(Command.diff.rawValue) "
        return text.hasPrefix(beginning) ? .send(DiffIntent.ask(String(text.dropFirst(beginning.count)))) : nil
      }
    }
    return picker
  }

  /// Whether the palette lists a command here: one with keys for text fields alone needs a text field with the focus.
  private func isListed(_ declaration: CommandDeclaration) -> Bool {
    guard declaration.command != .accept, declaration.command != .palette else { return false }
    let isOfTextFields = !declaration.keys.isEmpty && declaration.keys.keys.allSatisfy { [.bar, .form].contains($0) }
    return context.takesText || !isOfTextFields
  }

  private func paletteItem(_ declaration: CommandDeclaration, _ obstacle: Unavailability?) -> PickerItem {
    let command = declaration.command
    let synonyms = CommandSynonyms.of(command)
    return PickerItem(
      label: command.rawValue, detail: keymap.commands.help(of: command, in: context), trailing: keys(of: command),
      aliases: declaration.searchWords,
      notes: synonyms.reduce(into: [:]) { notes, synonym in for word in synonym.words { notes[word] = synonym.note } },
      reason: obstacle?.text, isOnlyFound: obstacle != nil,
      perform: .send(BrowserIntent.choose(command)))
  }

  /// The title of the motions in the help, its last section: everybody knows the arrow keys.
  private static let moves = "Moving"

  /// Returns the purpose of the screen and the commands with keys in this context: its own by group, then the general ones.
  func help() -> Picker {
    let own = type(of: screen).declarations
    let ownCommands = Set(own.map(\.command))
    let general = keymap.commands.declarations.filter { !ownCommands.contains($0.command) && isMeant($0.command) }
    let groups = own.reduce(into: [String]()) { groups, declaration in
      if !groups.contains(declaration.group) { groups.append(declaration.group) }
    }
    func items(of group: String) -> [PickerItem] {
      own.filter { $0.group == group }.compactMap { helpItem($0, section: group.isEmpty ? "Here" : group) }
    }
    let items =
      groups.filter { $0 != Self.moves }.flatMap(items) + general.compactMap { helpItem($0, section: "Everywhere") }
      + items(of: Self.moves)
    var picker = Picker(
      title: screen.helpTitle(in: environment.workspace), placeholder: "type to search; Enter runs the command", items: items,
      emptyText: "no such key")
    picker.introduction = screen.purpose(in: environment.workspace)
    return picker
  }

  /// Returns the line of a command in the help; nil if it has no key in this context.
  private func helpItem(_ declaration: CommandDeclaration, section: String) -> PickerItem? {
    let command = declaration.command
    let bound = keys(of: command)
    // The tour and the settings have no key, but people who open the help may need them.
    let keys = bound.isEmpty && [.tour, .settings].contains(command) ? ":\(command.rawValue)" : bound
    guard !keys.isEmpty else { return nil }
    return PickerItem(
      label: keys, role: .key, detail: keymap.commands.help(of: command, in: context),
      aliases: [command.rawValue] + declaration.searchWords, section: section, reason: unavailability(command)?.text,
      perform: .send(BrowserIntent.perform(command)))
  }

  /// Returns whether the screen has a command of its context, because records and details share one context.
  private func isMeant(_ command: Command) -> Bool {
    guard keymap.ownBindings(in: context).contains(where: { $0.command == command }) else { return true }
    return isPane || type(of: screen).has(command)
  }

  private func keys(of command: Command) -> String {
    keymap.keys(for: command, in: context).joined(separator: " ")
  }

  /// Returns the menu of the keys that may follow an unfinished command; nil if none may.
  func keyMenu(after keys: [Key], in area: Rect) -> KeyMenu? {
    guard !keys.isEmpty, case .pending(let continuations) = keymap.resolve(keys, in: context) else { return nil }
    var entries: [KeyMenu.Entry] = []
    for continuation in continuations.sorted(by: { $0.rank < $1.rank }) {
      if let index = entries.firstIndex(where: { $0.command == continuation.command }) {
        entries[index].key += " \(continuation.display)"
      } else {
        let command = continuation.command
        entries.append(
          KeyMenu.Entry(
            key: continuation.display, help: keymap.commands.briefHelp(of: command, in: context), command: command,
            isAvailable: unavailability(command) == nil))
      }
    }
    return KeyMenu(entries, title: keymap.display(of: keys) + environment.appearance.glyphs.ellipsis, in: area)
  }
}

extension Keymap.Continuation {
  /// The sort key: letters in alphabetical order, lowercase before uppercase, then all other keys.
  fileprivate var rank: (Int, String, String) {
    let isLetter = display.count == 1 && display.allSatisfy(\.isLetter)
    return (isLetter ? 0 : display.count == 1 ? 1 : 2, display.lowercased(), display == display.lowercased() ? "0" : "1")
  }
}

extension CommandDeclaration {
  /// The rank of the command in the palette, the lowest first.
  ///
  /// - Parameter own: The commands of the focused screen.
  fileprivate func paletteRank(_ own: [Command: Int]) -> Int {
    let name = command.rawValue
    if name.hasPrefix("pane-") || [.nextPane, .previousPane].contains(command) { return 4 }
    let isMotion = ["move-", "page-", "half-page-", "extend-", "back-to-"].contains { name.hasPrefix($0) }
    if own[command] != nil { return isMotion ? 2 : 0 }
    if isMotion { return 3 }
    return isForEveryPlace ? 1 : 3
  }

  /// The words that find the command in addition to its name.
  fileprivate var searchWords: [String] {
    aliases + CommandSynonyms.of(command).filter { $0.note == nil }.flatMap(\.words)
  }
}
