extension Manual {
  static let sql = Section(
    title: "SQL",
    blocks: [
      .paragraph(
        """
        `F4` opens the editor over the rows, and leaves it. `F5` runs the statement under the caret, or what is selected, `Shift-F5` all \
        of them. Results come as tabs under it (of a long script the last 200; `gt` and `gT` go through them), in the same grid with the \
        same keys: find, filter, sort, copy. An error marks its place in the text. A name between double quotes that is no column, which \
        SQLite reads as a text, is reported.
        """),
      .paragraph(
        """
        `x REGEXP '^(a|b)+$'` takes the regular expressions of filters (see “Filters”). A faulty one is the statement's error.
        """),
      .paragraph(
        """
        `Tab` completes tables, functions, parameters, columns by the aliases of their tables, and after ON the conditions of foreign keys; \
        `Alt-⏎` mends a name that SQLite does not know, where one is near; `Alt-l` says how SQLite will find the rows; `Alt-e` edits \
        the text in `$VISUAL`. Lines longer than the editor is wide are wrapped, marked `↳`; up and down move by rows.
        """),
      .paragraph(
        """
        What writes stays in a transaction until you commit it: the rows changed are counted first, and leaving asks. `commit` and \
        `rollback` are in the palette. A statement that drops a table, or changes or deletes all of its rows, is run only after you confirm \
        it. With `--read-only` nothing is written.
        """),
      .paragraph(
        """
        What is committed is recorded, so that it can be undone: `gu` lists the commits; see “Undo of a commit” under “Changing data”.
        """),
      .paragraph(
        """
        `Alt-s` saves a text among your statements, `F9` lists them, fills one in and runs it; `F8` has all that was run before, with its \
        values (a blank before a statement keeps it out). A saved statement is a plain file, whose comments say what it is and what its \
        parameters are:
        """),
      .code(
        """
        -- title: Orders of a country
        -- description: the newest first
        -- :country text from select distinct Country from Customers
        -- :above real = 100
        SELECT * FROM Invoices
        WHERE Country = :country AND ExtendedPrice > :above
        ORDER BY OrderDate DESC
        """),
      .code("quarry query northwind.db --statement orders -p country=France"),
    ])

  static let parameters = Section(
    title: "Parameters",
    blocks: [
      .paragraph(
        """
        A statement with parameters (`:name`, `@name`, `$name`, `?`, `?2`) asks for them in a form, each with the type that its place in \
        the statement suggests, the value used last, and values to choose from (`Alt-Down`). `Alt-t` changes the type: an empty text is a \
        text, NULL is a type of its own. With the type blob, `@path` takes the bytes of a file. `F7` asks again.
        """),
      .paragraph(
        """
        On the command line `-p name=value` gives a value to `:name`, `@name` and `$name` in all statements, `-p 2=value` to the parameter \
        of that number in each, 1 to the first `?`. A type may follow the name, as in `-p zip:text=007`; without one the value is read as \
        the type of what the parameter is compared with or stored in, else as it is written. Nothing runs while a value is missing.
        """),
      .paragraph("Comments in the SQL declare types, defaults, and where values to choose from come from:"),
      .entries([
        Entry("-- :least integer = 20", "a type and a default"),
        Entry("-- :country text from select distinct Country from Customer", "where values to choose from come from"),
        Entry("-- @since date", "a type: null, integer, real, text, blob, date or json"),
      ]),
    ])
}
