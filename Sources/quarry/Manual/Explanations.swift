internal import Browser

extension OutputFormat {
  /// What it looks like, for the manual.
  var explanation: String {
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
  var explanation: String {
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

extension Role {
  /// What looks so, for the manual.
  var explanation: String {
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
