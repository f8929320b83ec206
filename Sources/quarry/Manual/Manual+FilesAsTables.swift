extension Manual {
  static let filesAsTables = Section(title: "Files as tables, and import", blocks: openedFiles + readFiles + importedFiles)

  private static let openedFiles: [Block] = [
    .paragraph(
      """
      A CSV, TSV, JSON or NDJSON file can stand wherever a database can: each becomes a table, named after the file, of a private database, \
      beside which databases are attached. What a file is, its content says, and not its name; only a file named `.json` is nothing but JSON. `-` is standard input, whose table is \
      called `stdin`; on the full screen the keys come from the terminal then. With a verb `--attach` adds further files.
      """),
    .code(
      """
      quarry sales.csv orders.json app.db
      curl https://example.com/data.csv | quarry -
      quarry query sales.csv 'SELECT region, sum(total) FROM sales GROUP BY 1'
      quarry query app.db --attach sales.csv \\
        'SELECT * FROM sales JOIN app.Customer USING (email)'
      """),
    .paragraph(
      """
      The first rows are there at once, and others are added while the file is read; the title tells how far that has come, numbers of \
      rows say `so far`, and `^C` stops it with what is there. The verbs wait for all rows. What you change is changed in the private \
      database, which goes with the program: the file stays as it is.
      """),
  ]

  private static let readFiles: [Block] = [
    .heading("How a file is read"),
    .paragraph(
      """
      All of this is found, and holds for files that are opened and for those that are imported. `quarry schema` and `i` on the full screen \
      say how a file was read.
      """),
    .entries([
      Entry(
        "types",
        """
        A column is INTEGER or REAL only where every value reads back as it is written: `007`, `+1`, `1e5` and `1.10` keep it TEXT, and so \
        do dates. A field in quotes is a text, unless every field of the file stands in quotes. A number of \
        JSON keeps its column a number where it reads back as the same number: `1.10` does, `1e400` and `99999999999999999.99` do not. \
        `--types zip:text,total:real` says what columns are.
        """),
      Entry("NULL", "is an empty field; one in quotes, `\"\"`, is an empty text."),
      Entry(
        "separator",
        "is the one of comma, semicolon, tab and bar that the first lines have in common; or what `--separator` says: a character, or `tab`."
      ),
      Entry(
        "header",
        """
        is the first line where it reads as names, as years or dates above values of another kind do, and names of the table that a file is \
        imported into; `--header yes` or `no` says so. Names that are empty or there twice get others.
        """),
      Entry(
        "titles",
        """
        before the header are left out, and told: `--skip 3` leaves out the first three lines instead, `--skip 0` none. `--comment '#'` leaves \
        out the lines that begin with a `#`. Empty lines are left out and counted.
        """),
      Entry(
        "encoding",
        """
        is UTF-8, or UTF-16 by its byte order mark or its first characters; anything else is refused at its byte, with the encoding that is \
        likely, unless `--encoding` names it.
        """),
      Entry(
        "JSON",
        """
        is an array of objects, objects one after the other, or an object of arrays, each of which becomes a table. Of an answer such as \
        `{"page":1,"results":[…]}`, with one array of objects, the table has the objects; what stands beside them is left out, and told. \
        Nested values are JSON texts; `{"blob":"<base64>"}` is a blob, `true` and `false` are 1 and 0.
        """),
      Entry(
        "what cannot be read",
        "as a row is told with its line: of a file that is opened it is kept in a table of its own, `sales_rejects`; an import it ends."),
    ]),
  ]

  private static let importedFiles: [Block] = [
    .heading("Import"),
    .paragraph(
      """
      `quarry import app.db Track tracks.csv`, and `I` on the full screen, add the rows of a file to a table in one transaction: the first \
      row that fails undoes all of it, of several files too, unless such rows go to a file of their own, each with its line and the reason. It is recorded like a \
      commit: `gu` and `quarry undo` take it back later.
      """),
    .paragraph(
      """
      Columns go to those of the same name; `--map Titel=Name` says where one of another name goes, `--columns` which are read. `--create` \
      makes the table. `--on-conflict update` gives a row that is there the new values, by its primary key. `--rejects` names a new file \
      for rows that fail. A row that refers to none fails once all have been read, since what it refers to may stand further down; where it \
      has replaced or updated another, the file is read again without it, and a pipe, which cannot be read twice, ends the import. \
      `--dry-run` prints where each column goes and with what type, and writes nothing.
      """),
    .code(
      """
      quarry import app.db Track tracks.csv --dry-run
      quarry import app.db Track tracks.csv --map Titel=Name --rejects bad.csv
      quarry import app.db Customer new.json --on-conflict update
      curl https://example.com/data.csv | quarry import app.db data - --create
      quarry undo app.db
      """),
    .paragraph(
      """
      On the full screen write the path of the file, which `Tab` completes, and `⏎` reads it. The arrows choose what was found otherwise, and \
      nothing is written before `F5`. The title tells how far the import is; `^C` takes back all of it, \
      and `Esc` lets it go on.
      """),
    .entries([
      Entry("its table", "is one of those that a JSON file has under its keys."),
      Entry("into", "is the table on the screen where it has half of the columns at least, else a new one; or another one."),
      Entry(
        "columns",
        """
        have a line each: where it goes, its type, and its first values as they would be stored. Where there is none of its name, near names \
        are offered: `⏎` chooses from all, the arrows step through what is free, `-` leaves it out. In a new table `r` gives it another \
        name, `t` another type.
        """),
      Entry("the same key", "says what becomes of a row whose key is there: it fails, is passed over, or replaces or updates the other."),
      Entry(
        "a row that fails", "ends the import, or goes to a file beside the one that is imported; one that is there already is left alone."),
    ]),
  ]
}
