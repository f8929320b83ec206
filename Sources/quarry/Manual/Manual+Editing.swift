extension Manual {
  static let editing = Section(
    title: "Changing data",
    blocks: staging + field + pasting + committing + undoing + limits)

  private static let staging: [Block] = [
    .paragraph(
      """
      A change is staged first: you see it in the rows, and the file is neither touched nor locked before you commit. `~` marks a changed \
      row and its changed cells, `+` a new row, `-` one that will be deleted; the title counts the changes. Filters, orders and counts go \
      on working on what is in the file.
      """),
    .entries([
      Entry("e", "changes the value under the cursor; all selected cells (`v`, `V`) get one value; `E` opens the value in `$VISUAL`"),
      Entry(":edit-column", "changes the column under the cursor in all rows that the filter keeps"),
      Entry("o, O", "adds a row, or one with the values of this one, but for a rowid, which SQLite gives"),
      Entry("dd", "deletes this row or those selected; again on a row to keep it"),
      Entry("Tab, Shift-Tab", "in a new row go to its next field, and to the one before"),
      Entry("gn", "sets NULL; the INTEGER PRIMARY KEY of a new row gets the next number"),
      Entry("p", "pastes what was copied; your terminal's own paste works too"),
      Entry("u, ^R", "undo and redo what is staged"),
      Entry("^S, gz", "shows the changes, to commit them"),
      Entry("gu", "shows what was committed, to undo it"),
    ]),
  ]

  private static let field: [Block] = [
    .heading("The field"),
    .paragraph(
      """
      The field opens with the old value selected: what you type replaces it; an arrow, `Home`, `End` or `Backspace` edits it. It says \
      what will be stored: `integer 7`, `text '007'`, `NULL`, `blob 16 B`. `⏎` stages it, `Tab` stages it and goes on to the next cell, `Shift-Tab` to the one before, `Esc` leaves the cell as it was. A cell that you do \
      not change keeps its value to the byte. The text is read by the type of the column; `Alt-t` takes another. What NOT NULL, a CHECK or a \
      STRICT type refuses is said at once, of what is pasted, too. A foreign key offers the rows it can refer to, by key and name, a CHECK \
      with a list its values, other columns the values they have: `Down` and `Up` choose.
      """),
    .entries([
      Entry("NULL", "`Alt-n`; a value that is NULL is shown so until you type"),
      Entry("an empty text", "an empty field of type text"),
      Entry("DEFAULT", "`Alt-t` until the field says so, in new rows and columns that declare one; columns of a new row begin with it"),
      Entry("=upper(Name)", "an expression of the filter language, computed from the columns of each row"),
      Entry("'=text", "a text that begins with `=`"),
      Entry(
        "@path",
        "the bytes of a file, in a blob column or with the type blob; a file of 1 MiB or more is read by the commit, which refuses one that has "
          + "changed since it was staged"),
      Entry("Alt-⏎", "breaks the line; `Alt-e` goes on in `$VISUAL`"),
    ]),
  ]

  private static let pasting: [Block] = [
    .heading("Pasting"),
    .paragraph(
      """
      A value copied with `y` is pasted as it is stored. A text with tabs is read as TSV, several lines with commas as CSV; then the rows \
      go over the selection, or become new rows where nothing is selected. A first row with the names of columns says which columns they \
      belong to; else they begin with that of the cursor, and whole rows with the first one. One line goes into each of the selected rows. \
      What cannot be stored is refused with its line and column, and nothing is pasted. An empty cell is NULL, one between quotes (`""`) \
      an empty text. A `=` that is pasted is text.
      """),
  ]

  private static let committing: [Block] = [
    .heading("Committing"),
    .paragraph(
      """
      `^S` shows the changes by table and row, old and new, with the SQL of the one under the cursor. `⏎` commits all of them in one \
      transaction, in which foreign keys are checked at the end; `Space` discards the one under the cursor, `D` all of them, `gd` goes \
      to the row. Where a constraint fails, nothing is written, the row is marked, and everything stays staged. While a transaction of \
      the SQL editor is open, `:commit` or `:rollback` has to end it first.
      """),
    .paragraph(
      """
      A row is written only where it still has the values that you saw. One that another program has changed is a conflict: nothing is \
      written, and the value that was, theirs and yours are shown. `m` writes yours, `t` keeps theirs; then commit again. In a table \
      without a primary key all columns of the row are compared.
      """),
    .paragraph(
      """
      The list names the rows that foreign keys will change too (`ON DELETE CASCADE`), and the tables whose triggers will run. After the \
      commit they are counted by table. A row that a trigger leaves as it was stays staged, and the last line says so.
      """),
    .paragraph(
      """
      What is staged is kept on disk as you work, by the path of the database, also when the terminal is closed or the program killed. \
      `q` asks whether to commit it, to keep it for next time, or to discard it. The next start offers what was left behind.
      """),
  ]

  private static let undoing: [Block] = [
    .heading("Undo of a commit"),
    .paragraph(
      """
      What is committed in the rows, in the SQL editor or by `quarry query` is recorded with the old and new values of each row, those too \
      that triggers and foreign keys changed; a table that is dropped is kept with its rows. `gu` lists the commits, `⏎` there shows the \
      rows of one, `u` takes it back; `quarry changes` and `quarry undo` do the same without a screen. Each row gets the values that it \
      had, where it still has those that the commit left. If some do not, nothing is written, and you choose which of them are \
      overwritten and which stay (`--conflicts`). An undo is a commit itself, which can be undone.
      """),
    .paragraph(
      """
      The records of a database take `changes.limit` MiB at most; the oldest go first. What would take more by itself is refused, and \
      nothing is written: the screen then asks whether to do it without a record; `quarry query` takes `--no-changes`, which records \
      nothing. `changes.record = false` in `config.toml` \
      switches records off. `VACUUM` and settings of the file, such as `PRAGMA user_version = 7`, are not recorded: they are called \
      not reversible before they run. Records go with a file that is moved or renamed, but not with a copy. They hold your data: the files can be read \
      by you only.
      """),
  ]

  private static let limits: [Block] = [
    .heading("What cannot be changed"),
    .paragraph(
      """
      Results of the SQL editor, but for those of one SELECT from one table that have the columns of its primary key, or \
      the rowid: they are changed in that table, and read again after the commit. Views, but for those with an INSTEAD OF trigger for the \
      change; generated columns; virtual tables that are read only, and the tables behind a virtual table; and everything with \
      `--read-only`, `--immutable` or a file that you may not write. `e` says which it is. A field takes texts of up to 64 KiB, `E` \
      longer ones, which are staged without a field. One step stages up to 100,000 rows; an UPDATE changes more.
      """),
  ]
}
