extension Manual {
  static let filters = Section(
    title: "Filters",
    blocks: [
      .paragraph(
        """
        The bar under the rows takes a filter; it is checked as you type, and an error comes with a correction where there is one, which \
        `Alt-⏎` applies. `Tab` completes columns, operators and values, `Up` and `Down` give former filters, `⏎` applies, `Esc` goes back \
        to the filter in force. `--where` takes the same language.
        """),
      .entries(filterForms),
      .paragraph(
        """
        A filter becomes a typed expression, never pasted text: values are bound. A text compared with a number is refused, with the two \
        ways to write what may be meant; so is `'1997-02-30'` or `01/02/1997` beside a date, with the form to write. Where a column of \
        dates holds seconds, milliseconds or days, a date is converted to them, and the bar says so. What is valid but perhaps not meant \
        is pointed out: `limit 10` is searched for as words. Sub-selects, `exists` and `case` are for the SQL editor: `ge` opens filter and \
        order there.
        """),
      .paragraph(
        """
        A regular expression is looked for anywhere in the text, and case counts unless `(?i)` stands in front. There are `.` for any \
        character, `[a-z]`, `[^a-z]`, `[[:alpha:]]` and the other classes of POSIX, `\\d \\w \\s` and `\\D \\W \\S` (these and the named ones \
        go by ASCII), `\\b` and `\\B` at the ends of words (of what `\\w` stands for) and elsewhere, `^` and `$` for the beginning and the end of the text, groups, `|`, \
        `* + ? {2} {2,} {2,5}`, and `\\n \\t \\x{E9}`. Bytes that are no UTF-8 are no character. However it is written, the time is \
        proportional to the length of the text. `REGEXP` in SQL is the same.
        """),
      .paragraph(
        """
        Values out of JSON are of any type. Where a text is no JSON, SQLite's `->` and `->>` would end the reading; here they give NULL. Keys \
        that are no words stand in double quotes, places in arrays in brackets, from 0 or, as `[#-1]`, from the end. `Tab` completes paths \
        that the first rows have. Sort keys take them too: `-data.user.age`.
        """),
      .paragraph(
        """
        Sort keys are columns and expressions: `-Total` is descending, `length(Name) desc nulls last` says it in words.
        """),
      .paragraph(
        """
        `quarry filter-check <file> <table> <filter> --format json` tells editors and scripts what a filter is, or what is wrong with it \
        and where.
        """),
      .code(
        """
        quarry chinook.db -t Customer \\
          --where "Country = 'Brazil' or Email ~ gmail"
        quarry rows chinook.db Track --sort '-Milliseconds, Name' \\
          --where 'Milliseconds > 300000 and Name ~ love'
        """),
    ])

  private static let filterForms = [
    Entry("love, green day", "rows with these words, as one phrase, in a column of texts or dates"),
    Entry("10248, 1997-07", "one number or one date is looked for as a value too, in the columns of numbers and dates"),
    Entry("Name ~ love", "texts that contain it, letters in either case; `!~` do not contain, `^=` start with, `$=` end with it"),
    Entry("Name =~ '^(a|b)+$'", "texts that match a regular expression; `not` goes before the condition"),
    Entry("notes match 'green day'", "rows of a full-text table with these words; joined with other conditions by `and` only"),
    Entry("data.user.name = 'Ada'", "a value out of JSON, as `data ->> '$.user.name'`; `data -> '$.user'` is JSON"),
    Entry("json_valid(data)", "a function that is true or false stands alone"),
    Entry("Total > 5", "a comparison as in SQL: `= <> < <= > >= between in like glob is`"),
    Entry("A and (B or not C)", "conditions together; values are built with `+ - * / % ||` and functions, as `length(Name) > 20`"),
    Entry("Country = 'USA'", "texts stand in single quotes, names of columns in none or in double quotes"),
    Entry("Composer != 'X'", "not this, and rows without a value too, as `Composer !~ x`; SQL's own `<>` and `not` drop those"),
    Entry("Composer = null", "rows without a value; `Composer is null` is the same"),
    Entry(
      "InvoiceDate = 2021-01",
      """
      all of that month, and so of a day or a year; also with `<> != in between`; `<` and `>=` begin where it begins, `<=` and `>` where it \
      ends
      """),
    Entry("InvoiceDate is '2021-01-31'", "what is stored exactly so; a date with a time is compared as written too"),
    Entry("Total > :least", "a parameter, asked for in a form, or given by `-p least=20`"),
  ]
}
