extension Manual {
  /// What the program is, and what its screen does.
  static let introduction: [Section] = [
    Section(title: "Name", blocks: [.paragraph("quarry - browse SQLite databases on a full screen, or query them from the command line")]),
    Section(
      title: "Synopsis",
      blocks: [
        .code(
          """
          quarry [<file> ...] [-t <table>] [options]
          quarry --demo
          quarry <verb> <arguments> [options]
          """)
      ]),
    Section(
      title: "Description",
      blocks: [
        .paragraph(
          """
          `quarry app.db` shows a database of any size at once: rows are read as they come into sight, counts and searches run in the \
          background, and every key answers meanwhile. What you see is what SQLite stores, with its storage class; a number that is not \
          exact says so. Opening a database never changes it.
          """),
        .paragraph(
          """
          `?` shows the keys that work where you are, `:` finds every command by what it does, `q` closes a screen and on the last one \
          leaves. Arrows and the mouse work as usual, `h j k l` and the like as in vim. `quarry` alone lists \
          the databases opened before, the demo, and a guided tour of it.
          """),
      ]),
  ]

  static let screen = Section(
    title: "The full screen",
    blocks: [
      .paragraph(
        """
        The catalog is on the left, rows are on the right, the filter bar is below them; the last line shows keys that work now. `Tab` goes \
        to the next pane. `^P` jumps to a table by a part of its name, `gc` shows or hides the catalog.
        """),
      .entries([
        Entry(
          "rows",
          "`G` goes to the last row, `500G` to row 500, `50%` to the middle; numbers and counts that are not known yet have a `~` or `≥`."),
        Entry("find", "`/` finds a text in any column as it is typed, `n` and `N` go on, `*` finds the next row with this value."),
        Entry(
          "filter",
          "`&` writes one, `f` begins with this column, `=` and `!` keep or leave out the value under the cursor, `gF` removes it."),
        Entry("sort", "`s` sorts by this column, `S` adds it as a further key, `gs` edits the keys, `gS` removes them."),
        Entry("columns", "`c` goes to one by name; `-` hides, `_` fits, `<` and `>` resize it, `zf` freezes all up to here."),
        Entry(
          "one row",
          "`⏎` shows it as a record, with whole values: JSON laid out, blobs as bytes, the names of referenced rows, and who refers to it; "
            + "`]` and `[` go to the next and previous one."),
        Entry(
          "search",
          "`g/` looks for a text in all tables while it is typed: hits by table, with counts; `⏎` opens the table at one, `^O` comes back."),
        Entry("keys", "`gd` goes to the row that a foreign key refers to, `gr` to those that refer to this one, `^O` back."),
        Entry(
          "selecting",
          "`v` selects cells, `V` rows. The last line tells how many values there are of each kind, how many differ, and of the numbers "
            + "sum, mean, least and greatest (of rows: those of the cursor's column)."),
        Entry(
          "following",
          "`gw` stays at the last row while others add rows, or at the first where the greatest comes first; what is new or has changed is "
            + "marked for two seconds. A change of the filter or the order does not end it."),
        Entry(
          "names for keys",
          """
          `gk` shows the name of the row behind each value of a foreign key, as `5 · Big Ones`, and under the rows what the cursor's row \
          refers to and how many rows refer to it. The values stay what they are, for filters and copies too.
          """),
        Entry(
          "JSON",
          """
          `gj` lists the paths in this column of JSON, with the rows and the types of what lies there; `Space` chooses, `⏎` shows the chosen \
          ones as columns, `f` filters and `s` sorts by one; `K` writes a column and an index for it into the editor. A key that has a quote \
          and a point or bracket is listed, but SQLite's paths have no way to write it.
          """),
        Entry(
          "copying",
          """
          `y` copies a value or the selection (`v`, `V`), `Y` the row, `gy` as CSV, TSV, JSON, Markdown or INSERT; `gC` copies the command \
          line that prints these rows, to be pasted into a shell, and in counts, a profile or a chart the one that prints those; `--log` \
          writes it to the log each time that the rows become others.
          """),
        Entry(
          "exporting",
          """
          `X` writes the rows to a file as they are seen, with the filter, the order and the columns, or only the selection. The ending of \
          the path says the format, `Tab` completes the path. The file appears once it is whole; the title tells how far it is, `^C` stops \
          it, and nothing of it is left then. Meanwhile everything else goes on. In the catalog `X` writes all of the table under the cursor.
          """),
        Entry("importing", "`I` takes a CSV, TSV, JSON or NDJSON file into this table or a new one: see “Files as tables, and import”."),
        Entry(
          "changing", "`e` changes a value, `o` adds a row, `dd` deletes one; `^S` shows the changes and commits them, `u` undoes the last."
        ),
        Entry(
          "chart",
          "`gv` draws the rows that the filter keeps, as it suits the column under the cursor: `b` bars, `l` a line, `s` points, `h` a "
            + "histogram. `X`, `Y` and `C` choose the columns along the axis, of numbers, and of colours; `a` adds rows up, counts them or "
            + "takes their mean; `u` gathers them by day, week, month, quarter or year; `o` orders bars, `L` makes an axis logarithmic. Arrows "
            + "read values, `⏎` keeps only those rows, `y` copies the chart as text."),
        Entry("structure", "`i` shows columns, keys, indexes, triggers and the SQL of a table."),
      ]),
      .paragraph(
        """
        The search of all tables finds what a filter of words finds: parts of texts, and a number or a date as a value too. FTS5 tables are \
        asked first, by their index, and so for words. Views are left out, since what they show lies in tables; `quarry search` takes them \
        by name. `space` folds the hits of a table, `f` changes the text, `Esc` leaves.
        """),
      .paragraph(
        """
        What another program writes is seen within a second or two and shown in place, with the cursor on its row; the rows of a view stay \
        what they are until `R` reads them again, and the title says so. No lock stays on the file while no rows are being read, so other \
        programs can write. In a file with a rollback journal they can write while a table is counted, profiled, searched, filtered, \
        sorted, charted, compared, exported or printed by `rows`, too: it is read for some milliseconds at a time, and a result that is not \
        of one moment says so. Read to their end, while nobody else writes, are views and statements of your own, a WITHOUT ROWID table \
        that no index sorts or that is counted by its values, an order by a collation that is not SQLite's own, and what `query`, `chart`, \
        `dump` and `backup` read. Where another program has locked the file, the last line says so: what waits goes on by itself, and `^C` \
        stops it.
        """),
      .paragraph(
        """
        Of several files the first is `main`; up to ten others are attached under their names without the extension, made unique. Filter, \
        order and columns of each table, and the texts of the editor, are kept for the next start.
        """),
    ])
}
