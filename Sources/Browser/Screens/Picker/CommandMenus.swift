import QuarryEngine
import Terminal

/// The commands that work at a place, as a person is shown them: all of them, those with keys, and those that may follow a key.
struct CommandMenus: Sendable {
  /// The screen that has the focus.
  let screen: any Screen
  /// Whether the screen is a pane, with nothing over it.
  let isPane: Bool
  let environment: ScreenEnvironment
  /// Returns why a command cannot be performed now; nil where it can.
  let unavailability: @Sendable (Command) -> String?

  private var keymap: Keymap { environment.keymap }
  private var context: KeyContext { environment.keyContext }

  /// Returns a list of all commands: those of the screen that has the keys first, then the program's; moves are the last.
  func palette() -> Picker {
    // What the program has too, a screen only does in a way of its own.
    let own = type(of: screen).declarations.map(\.command).filter {
      keymap.commands.general($0) == nil && !keymap.keys(for: $0, in: context).isEmpty
    }
    let places = Dictionary(own.enumerated().map { ($1, $0) }, uniquingKeysWith: min)
    let listed = keymap.commands.declarations.filter { $0.command != .accept && $0.command != .palette }.enumerated().sorted {
      let (left, right) = ($0.element.paletteRank(places), $1.element.paletteRank(places))
      return (left, places[$0.element.command] ?? $0.offset) < (right, places[$1.element.command] ?? $1.offset)
    }
    return Picker(
      title: "Commands", placeholder: "part of a name, or a word for what you want to do",
      items: listed.map { paletteItem($0.element) }, emptyText: "no such command")
  }

  private func paletteItem(_ declaration: CommandDeclaration) -> PickerItem {
    let command = declaration.command
    let synonyms = CommandSynonyms.of(command)
    return PickerItem(
      label: command.rawValue, detail: keymap.commands.help(of: command, in: context), trailing: keys(of: command),
      aliases: declaration.searchWords,
      notes: synonyms.reduce(into: [:]) { notes, synonym in for word in synonym.words { notes[word] = synonym.note } },
      reason: unavailability(command),
      perform: .send(BrowserIntent.perform(command)))
  }

  /// What the moves stand under in the help, as its last: everybody knows the arrows.
  private static let moves = "Moving"

  /// Returns what the screen is for, and the commands that have keys in this place: its own by what they do, then those of every place.
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
      title: screen.helpTitle(in: environment.workspace), placeholder: "type to search, Enter performs", items: items,
      emptyText: "no such key")
    picker.introduction = screen.purpose(in: environment.workspace)
    return picker
  }

  /// Returns the line of a command in the help; nil where it has no key here.
  private func helpItem(_ declaration: CommandDeclaration, section: String) -> PickerItem? {
    let command = declaration.command
    let bound = keys(of: command)
    // The tour has no key, and is for those who ask for help.
    let keys = bound.isEmpty && command == .tour ? ":\(command.rawValue)" : bound
    guard !keys.isEmpty else { return nil }
    return PickerItem(
      label: keys, role: .key, detail: keymap.commands.help(of: command, in: context),
      aliases: [command.rawValue] + declaration.searchWords, section: section, reason: unavailability(command),
      perform: .send(BrowserIntent.perform(command)))
  }

  /// Returns whether the screen has a command of its context: records and details share one context.
  private func isMeant(_ command: Command) -> Bool {
    guard keymap.ownBindings(in: context).contains(where: { $0.command == command }) else { return true }
    return isPane || type(of: screen).has(command)
  }

  private func keys(of command: Command) -> String {
    keymap.keys(for: command, in: context).joined(separator: " ")
  }

  /// Returns the list of what may follow keys of an unfinished command; nil where nothing may.
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
  /// Letters in their order, small before capital ones, then what is no letter.
  fileprivate var rank: (Int, String, String) {
    let isLetter = display.count == 1 && display.allSatisfy(\.isLetter)
    return (isLetter ? 0 : display.count == 1 ? 1 : 2, display.lowercased(), display == display.lowercased() ? "0" : "1")
  }
}

extension CommandDeclaration {
  /// Where the palette has the command: lower for what is nearer to a person on a screen with commands of its own.
  fileprivate func paletteRank(_ own: [Command: Int]) -> Int {
    let name = command.rawValue
    if name.hasPrefix("pane-") || [.nextPane, .previousPane].contains(command) { return 4 }
    let isMotion = ["move-", "page-", "half-page-", "extend-", "back-to-"].contains { name.hasPrefix($0) }
    if own[command] != nil { return isMotion ? 2 : 0 }
    if isMotion { return 3 }
    return isForEveryPlace ? 1 : 3
  }

  /// What finds the command besides its name.
  fileprivate var searchWords: [String] {
    aliases + CommandSynonyms.of(command).filter { $0.note == nil }.flatMap(\.words)
  }
}
