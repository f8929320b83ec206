internal import Browser

/// The lists that the manual generates from the program's declarations, where a page contains a line such as `{{themes}}`.
package enum ManualList: String, CaseIterable {
  case commandsWithoutKeys = "commands-without-keys"
  case exitStatuses = "exit-statuses"
  case formats
  case keys
  case roles
  case settings
  case sharedOptions = "shared-options"
  case themes
  case verbs

  /// The headings and tables that replace the line.
  var blocks: [Manual.Block] {
    switch self {
    case .commandsWithoutKeys: [.entries(Keymap().commandsWithoutKeys.map { Manual.Entry($0.command.rawValue, $0.help) })]
    case .exitStatuses: [.entries(ExitStatus.allCases.map { Manual.Entry(String($0.rawValue), $0.explanation) })]
    case .formats: [.entries(OutputFormat.allCases.map { Manual.Entry($0.rawValue, $0.explanation) })]
    case .keys: Self.keysByContext
    case .roles: [.entries(Role.allCases.map { Manual.Entry($0.rawValue, $0.explanation) })]
    case .settings: [.entries(Self.standardSettings)]
    case .sharedOptions: [.entries(VerbOutline.sharedOptions(of: VerbOutline.all).map(\.entry))]
    case .themes: [.entries(Self.builtInThemes)]
    case .verbs: Self.verbBlocks
    }
  }

  private static var keysByContext: [Manual.Block] {
    Keymap().tables.flatMap { table in
      [
        .heading(table.context.heading),
        .entries(table.rows.map { Manual.Entry($0.keys, "\($0.help) (`\($0.command.rawValue)`)") }),
      ] as [Manual.Block]
    }
  }

  private static var standardSettings: [Manual.Entry] {
    SettingName.allCases.map { Manual.Entry("\($0.rawValue) = \($0.standard)", "\($0.help).") } + [
      Manual.Entry("labels.Customer = \"LastName, FirstName\"", "The columns by which `gk` names the rows of a table.")
    ]
  }

  private static var builtInThemes: [Manual.Entry] {
    let catalog = ThemeCatalog()
    return catalog.names.map { Manual.Entry($0, catalog.remark(on: $0) ?? "") }
  }

  private static var verbBlocks: [Manual.Block] {
    let verbs = VerbOutline.all
    let shared = VerbOutline.sharedOptions(of: verbs)
    return verbs.flatMap { $0.blocks(without: shared) }
  }
}

extension KeyContext {
  /// The heading of the context: the name of its table in `keys.toml`.
  fileprivate var heading: String { name == place ? "[\(name)]" : "[\(name)] \(place)" }
}
