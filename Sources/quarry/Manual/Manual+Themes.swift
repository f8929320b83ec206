internal import Browser

extension Manual {
  static var themes: Section {
    let catalog = ThemeCatalog()
    return Section(
      title: "Themes",
      blocks: [
        .paragraph(
          """
          `quarry themes` lists them, `--theme` and the setting `theme` choose one; the command `choose-theme` tries them on the screen. \
          These are built in:
          """),
        .entries(catalog.names.map { Entry($0, catalog.remark(on: $0) ?? "") }),
        .paragraph(
          """
          A theme is a TOML file, and yours may build on another. Save this as `dune.toml` in the folder of your themes, and start with \
          `--theme dune`; `quarry themes --default` prints a whole one.
          """),
        .code(
          """
          inherits = "quarry-dark"
          header = { fg = "sand", attributes = ["bold"] }

          [palette]
          sand = { rgb = "#d8c29d", ansi = "yellow" }
          """),
        .paragraph("Each role may have `fg`, `bg` and `attributes` (bold, dim, italic, underline, reverse):"),
        .entries(Role.allCases.map { Entry($0.rawValue, $0.explanation) }),
      ])
  }
}

extension Role {
  /// What looks so, for the manual.
  fileprivate var explanation: String {
    switch self {
    case .text: "what has no other role; its colours are those of the screen"
    case .muted: "what the program says on the side"
    case .accent: "what is chosen, and the title of the pane that has the keys"
    case .selection: "what is selected"
    case .currentRow: "the row under the cursor of a grid"
    case .cursor: "the cell under the cursor of a grid"
    case .header: "titles and the names of columns"
    case .border: "lines between panes"
    case .null: "NULL"
    case .number: "integers and reals"
    case .textValue: "texts in cells"
    case .blob: "blobs"
    case .date: "dates"
    case .key: "keys on the last line and in lists, and marks of primary and foreign keys"
    case .error: "what is wrong"
    case .warning: "what deserves a look"
    case .success: "what is right"
    case .match: "what was found, and what others have just written while you follow the end"
    case .changed: "a value that is to be written; like a warning where a theme leaves it out"
    case .added: "a row that is to be added; like a success where a theme leaves it out"
    case .deleted: "a row that is to be deleted; like an error, crossed out, where a theme leaves it out"
    case .keyword: "keywords of SQL"
    case .string: "texts in SQL"
    case .comment: "comments in SQL"
    case .parameter: "parameters in SQL"
    case .series1: "the first series of a chart; like a number where a theme leaves it out"
    case .series2: "the second; like a warning"
    case .series3: "the third; like a blob"
    case .series4: "the fourth; like a success"
    case .series5: "the fifth; like an error"
    case .series6: "the sixth; like a key"
    }
  }
}
