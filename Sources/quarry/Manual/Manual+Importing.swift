extension Manual {
  static let importing = Section(
    title: "Importing",
    blocks: [
      .paragraph(
        """
        `I` imports a CSV, TSV, JSON or NDJSON file. Write its path, which `Tab` completes, and `⏎` reads it: what the file is, its \
        separator, its header and its encoding are found, and can be chosen otherwise with the arrows. Nothing is written before `F5`.
        """),
      .entries([
        Entry("into", "the table on the screen, another one, or a new one, whose name and types you can change"),
        Entry(
          "columns",
          """
          A line for each column of the file: where it goes, its type, and its first values as they would be stored. Columns of the same \
          name find each other. Where there is none, near names are offered: `⏎` chooses from them, the arrows step through what is free.
          """),
        Entry("the same key", "what becomes of a row whose key is there: it fails, is passed over, replaces the other, or updates it"),
        Entry(
          "a row that fails",
          """
          It ends the import, of which nothing is written then; or it goes, with its line and the reason, to a file beside the one that is \
          imported, and the others are imported.
          """),
      ]),
      .paragraph(
        """
        All is written in one transaction, whose progress the title tells and which `^C` takes back. It is recorded like a commit: `gu` and \
        `quarry undo` take it back later. A column of a new table holds integers or reals only where every value reads back as it was \
        written; an empty field is NULL, an empty text stands in quotes.
        """),
    ])
}
