extension Manual {
  static let knowing = Section(
    title: "Knowing the data",
    blocks: [
      .paragraph(
        """
        What is counted grows on the screen while it is read in the background; `≥` marks what is still growing, `≈` an estimate. All of it \
        is of the rows that the filter keeps, and is counted anew when that or the data changes. `Esc` leaves and cancels, `^C` stops with \
        what there is. Where rows cannot be read to their end, as those of a view that fails, what came before stays, and the error says \
        in which column it was and after how many rows.
        """),
      .heading("The values of a column"),
      .paragraph(
        """
        `#` counts the values of the column under the cursor, in a record too. What SQLite holds equal is one value, as 1 and 1.0, and \
        `USA` and `usa` in a column that is declared `COLLATE NOCASE`; NULL is a line of its own, and a text that could be taken for something else stands in quotes: `'1'`, `''`, `' '`.
        """),
      .entries([
        Entry("⏎, !", "keeps only the rows with this value, or leaves them out: it becomes a condition of the filter"),
        Entry("Space", "marks values, which `⏎` and `!` then take together"),
        Entry("b", "counts numbers and dates in ranges, and each value by itself again"),
        Entry("s", "sorts by the value or by the count, either way around"),
        Entry("/", "finds a value while you type; `n` and `N` go on"),
        Entry("] [", "count the next column, and the one before"),
        Entry("y, Y", "copy the value; all values with their counts"),
      ]),
      .heading("Facets"),
      .paragraph(
        """
        `gf` shows the columns beside the rows, each with its most frequent values, or how its numbers and dates are spread, how many values \
        there are, and how many rows have none. `Tab` goes from them to the rows and back.
        """),
      .entries([
        Entry("Space, ⏎", "chooses a value or a range, or no longer: the rows and all other columns are narrowed to it"),
        Entry("!", "leaves a value out, or no longer: it is marked by a cross"),
        Entry("l, h", "show more values of a column, and fewer; in a histogram go to the next range"),
        Entry("F, gF, x", "remove the last condition, the whole filter, what is chosen and left out of this column"),
        Entry("#, /", "show all values of the column; find a column by its name"),
      ]),
      .paragraph(
        """
        What is chosen stands in the filter as text, `Country in ('USA', 'UK')`, and is read from there: to write it is to choose it. A \
        column is counted under all conditions but those on itself, so that its other values show what they would lead to. `≥` stands before \
        numbers that may still grow, or that were not counted to their end.
        """),
      .heading("The profile"),
      .paragraph(
        """
        `g#` says of each column which types its values have, how many are NULL, empty and different, the least and the greatest, mean and \
        quartiles, how they are spread, and which are most frequent. `!` marks what is worth a second look, such as numbers kept as texts; \
        the reason stands below. `l` and `h` scroll sideways, `=` counts exactly what is estimated, `⏎` counts the values of a column.
        """),
      .paragraph(
        """
        Values are different as `BINARY` tells them apart: 1 and 1.0 are one, `'1'` is another, and `USA` and `usa` are two whatever the \
        column's collation, which `#` and `gf` go by. The least and the greatest are those of `min()` and `max()`, which go by it too. The \
        mean is `avg()` of the integers and reals, which `quarry profile` prints to 15 digits as `sqlite3` does. A table of more than \
        20,000 rows is read by two threads: its sum of reals loses less by rounding than SQLite's, so that the last three or four of these \
        digits may differ.
        """),
      .paragraph(
        """
        What is counted takes little memory however many values there are: the rest goes to a temporary file, in `TMPDIR` where that is set. \
        The rows of a view or a query may have no end, so that the file stops at 8 GiB, or at half of what its disk has left; what was \
        counted by then stays.
        """),
    ])
}
