import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Returns the advice on a text that is taken, and may not be what was meant.
@Suite(.gated) struct FilterHintTests {
  private static func advice(_ text: String, _ columns: FilterColumns = FilterFixture.columns) throws -> [String] {
    try Filter.compile(text, columns: columns).advice.map(\.sentence)
  }

  @Test(
    "Words that begin a clause elsewhere are looked for, and where the clause is written is said",
    arguments: [
      ("limit 10", "A filter has no limit: you can scroll to every row."),
      ("TOP 10", "A filter has no limit: you can scroll to every row."),
      ("first 10", "A filter has no limit: you can scroll to every row."),
      ("order by whatever", "Write a sort order in the sort bar, or after --sort."),
      ("sort Name", "Write a sort order in the sort bar, or after --sort."),
      ("desc Name", "Write a sort order in the sort bar, or after --sort."),
      ("group by Name", "Write statements in the SQL editor, or use quarry query."),
      ("select Name", "Write statements in the SQL editor, or use quarry query."),
      ("filter Name", "Write the condition as Name = 'x', without filter."),
    ])
  func clauses(text: String, way: String) throws {
    #expect(try Self.advice(text) == ["The rows are searched for these words. \(way)"])
  }

  @Test(
    "Other words are looked for without a word, and so is what ~ stands before",
    arguments: [
      "first love", "limit", "top ten", "order", "select", "group hug", "~ limit 10", "~ 'order by Name'",
    ])
  func words(text: String) throws { #expect(try Self.advice(text) == []) }

  @Test("A direction after a condition is an order's")
  func direction() {
    let error = FilterTextSource.errors("IsLive desc", FilterFixture.columns).first
    #expect(error?.description == "A filter cannot contain desc. Write a sort order in the sort bar, or after --sort.")
    #expect(error?.replacements.map { $0.applied(to: "IsLive desc") } == ["IsLive"])
  }

  @Test(
    "A number with a unit, and a key of an order, are refused with where to write what",
    arguments: [
      (
        "Milliseconds > 5 minutes",
        "5 minutes is not a number: filters do not support units. Write the number alone, in the unit of the column's values."
      ),
      (
        "-Milliseconds",
        "A filter must be true or false for each row, but -Milliseconds is an integer. Write a sort order in the sort bar, or after --sort."
      ),
    ])
  func refusals(text: String, message: String) {
    #expect(FilterTextSource.errors(text, FilterFixture.columns).map(\.description) == [message])
  }

  @Test("A price beside a number is said to be a parameter, and beside a text it is one without a word")
  func price() throws {
    let filter = try Filter.compile("UnitPrice > $1", columns: FilterFixture.columns)
    #expect(filter.advice.map(\.sentence) == ["$1 is a parameter. Quarry asks for its value."])
    #expect(filter.advice.flatMap(\.replacements).map { $0.applied(to: filter.text) } == ["UnitPrice > 1"])
    #expect(try Self.advice("Name = $1") == [])
    #expect(try Self.advice("UnitPrice > $least") == [])
  }

  @Test(
    "What -> gives is said to be a text of JSON where that is compared with a number or a text, or is to be true",
    arguments: [
      ("Name -> '$.a' = 5", "Name ->> '$.a' = 5"), ("5.5 < Name -> 'a'", "5.5 < Name ->> 'a'"),
      ("Name -> '$.a' = 'x'", "Name ->> '$.a' = 'x'"),
      ("Name -> '$.a' in (1, 2)", "Name ->> '$.a' in (1, 2)"), ("Name -> '$.a' between 1 and 2", "Name ->> '$.a' between 1 and 2"),
      ("Name -> '$.a'", "Name ->> '$.a'"), ("not Name -> '$.a'", "not Name ->> '$.a'"),
    ])
  func json(text: String, mended: String) throws {
    let filter = try Filter.compile(text, columns: FilterFixture.columns)
    #expect(filter.advice.count == 1 && filter.advice.allSatisfy { $0.sentence.hasPrefix("-> returns JSON text") }, "\(filter.advice)")
    #expect(filter.advice.flatMap(\.replacements).map { $0.applied(to: text) } == [mended])
    #expect(try Self.advice(mended) == [])
  }

  @Test(
    "A text of JSON beside one is as it is meant",
    arguments: ["Name -> '$.a' = '\"x\"'", "Name -> '$.a' = '[]'", "Name -> '$.a' = Name"])
  func textOfJSON(text: String) throws {
    #expect(try Self.advice(text) == [])
  }

  @Test("A month beside numbers is said to be a difference")
  func month() throws {
    let filter = try Filter.compile("Milliseconds > 1997-06", columns: FilterFixture.columns)
    #expect(filter.advice.map(\.sentence) == ["1997-06 is a subtraction here (1991): Milliseconds is not a date column."])
    #expect(filter.advice.flatMap(\.replacements).map { $0.applied(to: filter.text) } == ["Milliseconds > unixepoch(1997-06-01)"])
  }

  // MARK: Dates that are stored in several ways

  private static func columns(_ values: String) throws -> FilterColumns {
    let queue = try makeDatabase("CREATE TABLE e (d DATE, n INTEGER)", "INSERT INTO e VALUES \(values)")
    return try queue.read { db in try FilterColumns(of: db.tableSchema(TableReference(name: "e")), in: db) }
  }

  @Test("Numbers among the texts of a column of dates are told of once, and what compares them too is offered")
  func mixed() throws {
    let columns = try Self.columns("('1997-01-01', 1), (872076800, 2)")
    for (text, isMendable) in [
      ("d > 1997-06-01", true), ("d = '1997-06-01'", true), ("d in (1997-01, 1998-01-01)", true), ("d between 1997 and 1998", false),
    ] {
      let filter = try Filter.compile(text, columns: columns)
      let sentence = "d holds numbers and text: SQLite sorts every number before every date stored as text."
      #expect(filter.advice.map(\.sentence) == [sentence])
      let mended = filter.advice.flatMap(\.replacements).map { $0.applied(to: text) }
      #expect(mended == (isMendable ? [text.replacing("d ", with: "datetime(d, 'auto') ", maxReplacements: 1)] : []))
      for mended in mended { #expect(try Self.advice(mended, columns) == []) }
    }
    #expect(try Self.advice("d > 1997-06-01", Self.columns("('1997-01-01', 1)")) == [])
  }

  @Test("What is offered finds the numbers of a column that has both")
  func mixedRows() throws {
    let queue = try makeDatabase("CREATE TABLE e (d DATE)", "INSERT INTO e VALUES ('1997-01-01'), ('1997-12-31'), (872076800), (852076800)")
    let found = try queue.read { db in
      let columns = try FilterColumns(of: db.tableSchema(TableReference(name: "e")), in: db)
      let condition = try #require(try Filter.compile("datetime(d, 'auto') > 1997-06-01", columns: columns).sqlText)
      return try String.fetchAll(db, literal: "SELECT CAST(d AS TEXT) FROM e WHERE \(condition)")
    }
    #expect(found == ["1997-12-31", "872076800"])
  }

  @Test(
    "A function of dates is told of numbers that it takes for others",
    arguments: [
      (
        "852076800", "date(n) > '1997'", ["n holds seconds since 1970, but date reads them as Julian days."],
        ["date(n, 'unixepoch') > '1997'"]
      ),
      (
        "852076800000", "date(n) > '1997'", ["n holds milliseconds since 1970, but date reads them as Julian days."],
        ["date(n / 1000, 'unixepoch') > '1997'"]
      ),
      ("852076800000", "date(n, 'unixepoch') > '1997'", ["n holds milliseconds since 1970, but date reads them as seconds."], []),
      ("852076800", "date(n, 'unixepoch') > '1997'", [], []), ("2450000", "date(n) > '1997'", [], []), ("12", "date(n) > '1997'", [], []),
    ])
  func functions(value: String, text: String, sentences: [String], mended: [String]) throws {
    let filter = try Filter.compile(text, columns: Self.columns("(NULL, \(value))"))
    #expect(filter.advice.map(\.sentence) == sentences)
    #expect(filter.advice.flatMap(\.replacements).map { $0.applied(to: text) } == mended)
  }

  @Test(
    "Constants of which SQLite makes no date are refused",
    arguments: [
      ("InvoiceDate > date('now', '+1 x')", "'+1 x' is not a date modifier."),
      ("InvoiceDate > date(1997)", "date reads 1997 as a Julian day, -4707-05-13."),
      ("InvoiceDate > date(99999999)", "date reads 99999999 as a Julian day, which is too large."),
      ("InvoiceDate > date('foo')", "“foo” is not a date. Write a date as 1997-01-31."),
      ("strftime('%Q', InvoiceDate) = '3'", "'%Q' is not a strftime format."),
      ("InvoiceDate > date('1997-01-31', 'unixepoch')", "date returns NULL for these values."),
    ])
  func constants(text: String, sentence: String) {
    #expect(FilterTextSource.errors(text, FilterFixture.columns).map(\.sentence) == [sentence])
  }

  @Test(
    "Constants of which SQLite makes a date are taken",
    arguments: [
      "InvoiceDate > date('now', '-1 month', 'start of month')", "InvoiceDate > date('now', 'weekday 1', '+3 days')",
      "InvoiceDate > date()",
      "InvoiceDate > datetime(1609459200, 'unixepoch', 'localtime')", "InvoiceDate > date(2459215.5)",
      "InvoiceDate > date(1609459200, 'auto')",
      "InvoiceDate > datetime('now', '+01:30')", "strftime('%Y-%m', InvoiceDate) = '1997-01'", "InvoiceDate > date(:day, '+1 day')",
      "time('12:30') < time('now')",
    ])
  func taken(text: String) { #expect(FilterTextSource.errors(text, FilterFixture.columns).isEmpty) }
}
