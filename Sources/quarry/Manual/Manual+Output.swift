extension Manual {
  static var formats: Section {
    Section(
      title: "Formats",
      blocks: [
        .paragraph(
          """
          `--format` takes one of these. Without it the ending of the path that `--output` names says the format; else it is `table` on a \
          terminal and `csv` elsewhere.
          """),
        .entries(OutputFormat.allCases.map { Entry($0.rawValue, $0.explanation) }),
        .paragraph(
          """
          Reals are written with as many digits as it takes to read back the same. Infinities are `9e999`. `csv`, \
          `tsv`, `markdown`, `html` and `table` have their header even where there are no rows; `json` is then `[]`.
          """),
      ])
  }

  static var exitStatuses: Section {
    Section(
      title: "Exit status", blocks: [.entries(ExitStatus.allCases.map { Entry(String($0.rawValue), $0.explanation) })])
  }
}

extension OutputFormat {
  /// What it looks like, for the manual.
  fileprivate var explanation: String {
    switch self {
    case .table: "For people: long texts are cut at a `…`, control characters are pictures, NULL is `∅`, a blob its size."
    case .csv:
      """
      RFC 4180 with the line ends of the sqlite3 shell, and its quotes: an empty text is `""`, NULL is nothing. Blobs are `x'00ff'`.
      """
    case .tsv:
      """
      As `csv`, with tabs, as spreadsheets copy it: quotes stand around a text with a tab, a line end or a quote at its beginning, and \
      around an empty one; a backslash is a backslash.
      """
    case .json:
      """
      One array of objects. Blobs are `{"blob":"<base64>"}`, text that is not UTF-8 is `{"text":"<base64>"}`.
      """
    case .ndjson: "One object per line, with the values of `json`."
    case .markdown: "A table, with markup escaped. NULL is `NULL`, blobs are `x'00ff'`."
    case .html:
      """
      A `<table>` with a header, in which no value is markup. Numbers have the class `number`; NULL and blobs stand in `<span>`s of the \
      classes `null` and `blob`. Control characters are pictures.
      """
    case .sql:
      """
      One INSERT statement per row, which gives the same values again. It makes no table: `quarry rows --schema` begins with what does.
      """
    }
  }
}

extension ExitStatus {
  /// When the program ends so, for the manual.
  fileprivate var explanation: String {
    switch self {
    case .success: "Done."
    case .refused:
      """
      The database or the SQL says no: an error in the SQL, a constraint, a refusal to write, no such table, damage met on the way; or what \
      was found could not be written out.
      """
    case .usage:
      "The command line, a filter, an order or a parameter is wrong, or the full screen was asked for where there is no terminal."
    case .cannotOpen:
      "The file cannot be opened: there is none, it is a folder, no permission, no database, or encrypted; or its machine is out of reach."
    case .interrupted: "Interrupted by `^C`."
    }
  }
}
