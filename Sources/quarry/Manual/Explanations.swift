internal import Browser

extension OutputFormat {
  /// A description of the format, for the manual.
  var explanation: String {
    switch self {
    case .table: "For reading: long texts end in `…`, control characters are shown as symbols, NULL as `∅`, a blob as its size."
    case .csv:
      """
      RFC 4180, with the line endings and quotes of the sqlite3 shell: an empty text is `""`, NULL an empty field. Blobs are `x'00ff'`.
      """
    case .tsv:
      """
      Like `csv`, but with tabs, as spreadsheets copy it. A text that is empty, contains a tab or a line ending, or begins with a quote is \
      quoted. Backslashes are not special.
      """
    case .json:
      """
      One array of objects. Blobs are `{"blob":"<base64>"}`; text that is not UTF-8 is `{"text":"<base64>"}`.
      """
    case .ndjson: "One object per line, with the same values as `json`."
    case .markdown: "A table with escaped markup. NULL is `NULL`, blobs are `x'00ff'`."
    case .html:
      """
      A `<table>` with a header and escaped values. Numbers have the class `number`; NULL and blobs are in `<span>`s of the classes `null` \
      and `blob`. Control characters are shown as symbols.
      """
    case .sql:
      """
      One INSERT statement per row, which inserts the same values. `quarry rows --schema` also prints the CREATE TABLE statement.
      """
    }
  }
}

extension ExitStatus {
  /// The causes of this exit status, for the manual.
  var explanation: String {
    switch self {
    case .success: "Done."
    case .refused:
      """
      The database or the SQL reported an error: invalid SQL, a constraint, a read-only database, an unknown table, a corrupt file; or the \
      output could not be written.
      """
    case .usage:
      "The command line, a filter, a sort order or a parameter is invalid, or the full screen was started without a terminal."
    case .cannotOpen:
      "The file cannot be opened: it is missing, a folder, not readable, not a database or encrypted; or its host cannot be reached."
    case .interrupted: "Interrupted by `^C`."
    }
  }
}

extension Role {
  /// The text in this role, for the manual.
  var explanation: String {
    switch self {
    case .text: "text without another role; its colors are the colors of the screen"
    case .muted: "secondary text"
    case .accent: "the current item, and the title of the focused pane"
    case .selection: "selected text, cells and rows"
    case .currentRow: "the row under the cursor in a grid"
    case .cursor: "the cell under the cursor in a grid"
    case .header: "titles and column names"
    case .border: "lines between panes"
    case .null: "NULL"
    case .number: "integers and reals"
    case .textValue: "texts in cells"
    case .blob: "blobs"
    case .date: "dates"
    case .key: "keys on the last line and in lists, and marks of primary and foreign keys"
    case .error: "errors"
    case .warning: "warnings"
    case .success: "success messages and valid input"
    case .match: "matches of a search, and new rows while you follow the end"
    case .changed: "a staged value; by default like a warning"
    case .added: "a staged new row; by default like a success"
    case .deleted: "a row staged for deletion; by default like an error, crossed out"
    case .keyword: "SQL keywords"
    case .string: "texts in SQL"
    case .comment: "comments in SQL"
    case .parameter: "parameters in SQL"
    case .series1: "the first series of a chart; by default like a number"
    case .series2: "the second series; by default like a warning"
    case .series3: "the third series; by default like a blob"
    case .series4: "the fourth series; by default like a success"
    case .series5: "the fifth series; by default like an error"
    case .series6: "the sixth series; by default like a key"
    }
  }
}
