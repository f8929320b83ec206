internal import Browser

extension Manual {
  static var keys: Section {
    let keymap = Keymap()
    return Section(
      title: "Keys",
      blocks: [
        .paragraph(
          """
          `⏎` is Enter, `^P` is Ctrl with P. Keys of several letters are typed one after the other. A count goes before the command: `5j`. \
          Yours go into `keys.toml`, by the names in parentheses; `quarry keys --default` prints a file to begin with, `quarry keys` the \
          keys in force.
          """)
      ]
        + keymap.tables.flatMap { table in
          [.heading(table.context.heading), .entries(table.rows.map { Entry($0.keys, "\($0.help) (`\($0.command.rawValue)`)") })] as [Block]
        } + [
          .heading("Without a key, in the palette"),
          .entries(keymap.commandsWithoutKeys.map { Entry($0.command.rawValue, $0.help) }),
        ])
  }

  static var files: Section {
    Section(
      title: "Files",
      blocks: [
        .entries([
          Entry("$XDG_CONFIG_HOME/quarry/config.toml", "settings: `quarry config --default` prints them all"),
          Entry("$XDG_CONFIG_HOME/quarry/keys.toml", "your keys"),
          Entry("$XDG_CONFIG_HOME/quarry/themes/*.toml", "your themes"),
          Entry("$XDG_DATA_HOME/quarry/statements/*.sql", "your statements"),
          Entry(
            "$XDG_STATE_HOME/quarry/",
            """
            what is remembered: the files opened, the history of SQL (one line of JSON per run), for each database its views, texts \
            and values, in `staged` what was changed and not committed, in `changes` what was committed to it; deleting it is safe, \
            but nothing of before can be undone then
            """),
        ]),
        .paragraph(
          """
          `$XDG_CONFIG_HOME` is `~/.config` where it is not set, `$XDG_DATA_HOME` is `~/.local/share`, `$XDG_STATE_HOME` is \
          `~/.local/state`, also on macOS. Nothing is written beside your database, except the `-wal` and `-shm` files that SQLite itself \
          needs to read a database in WAL mode.
          """),
        .heading("Settings"),
        .entries(
          SettingName.allCases.map { Entry("\($0.rawValue) = \($0.standard)", "\($0.help).") } + [
            Entry("labels.Customer = \"LastName, FirstName\"", "The columns by which `gk` names the rows of a table.")
          ]),
        .paragraph(
          """
          `quarry config` prints the settings in force and where each came from; `quarry config --check <file>` checks settings, keys or a \
          theme and names the lines that are wrong.
          """),
        .heading("Environment"),
        .entries([
          Entry("NO_COLOR", "chooses the theme mono where no other is chosen"),
          Entry("VISUAL, EDITOR", "the editor for `Alt-e`; without them vi"),
        ]),
      ])
  }
}

extension KeyContext {
  /// The context as a heading: the name of its table in `keys.toml`.
  fileprivate var heading: String { name == place ? "[\(name)]" : "[\(name)] \(place)" }
}
