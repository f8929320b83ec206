import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Filters as they are typed, the SQL that they become, and a plain where-clause that keeps the same rows.
@Suite(.gated) struct FilterCompilationTests {
  private typealias Meaning = (filter: String, sql: String, plain: String)

  private static let meanings: [Meaning] = [
    ("Name = 'love'", "(Name = 'love')", "Name = 'love'"),
    ("name == 'love'", "(Name = 'love')", "Name = 'love'"),
    ("\"Name\" = 'love'", "(Name = 'love')", "Name = 'love'"),
    ("[Order Details] = 'ab'", "(\"Order Details\" = 'ab')", "\"Order Details\" = 'ab'"),
    ("`Name` <> \"love\"", "(Name <> 'love')", "Name <> 'love'"),
    ("Composer <> 'x'", "(Composer <> 'x')", "Composer <> 'x'"),
    ("Composer != 'x'", "(Composer IS NOT 'x')", "Composer <> 'x' OR Composer IS NULL"),
    ("Composer = null", "(Composer IS NULL)", "Composer IS NULL"),
    ("Composer != null", "(Composer IS NOT NULL)", "Composer IS NOT NULL"),
    ("Composer <> null", "(Composer <> NULL)", "0"),
    ("null = Composer", "(Composer IS NULL)", "Composer IS NULL"),
    ("Composer isnull or Rating notnull", "((Composer IS NULL) OR (Rating IS NOT NULL))", "Composer IS NULL OR Rating IS NOT NULL"),
    ("Composer not null", "(Composer IS NOT NULL)", "Composer IS NOT NULL"),
    ("Composer is not 'x'", "(Composer IS NOT 'x')", "Composer IS NOT 'x'"),
    ("IsLive", "IsLive", "IsLive"),
    ("not IsLive", "NOT (IsLive)", "NOT IsLive"),
    ("!IsLive", "NOT (IsLive)", "NOT IsLive"),
    ("IsLive = true", "(IsLive = 1)", "IsLive = 1"),
    ("IsLive = 0", "(IsLive = 0)", "IsLive = 0"),
    ("IsLive is true", "(IsLive IS TRUE)", "IsLive IS TRUE"),
    ("IsLive is not false", "(IsLive IS NOT FALSE)", "IsLive IS NOT FALSE"),
    ("(Rating > 1) is not true", "((Rating > 1) IS NOT TRUE)", "(Rating > 1) IS NOT TRUE"),
    ("Milliseconds between -5 and 1e3", "(Milliseconds BETWEEN -5 AND 1000.0)", "Milliseconds BETWEEN -5 AND 1000"),
    ("Milliseconds not between 0 and 5", "(Milliseconds NOT BETWEEN 0 AND 5)", "Milliseconds NOT BETWEEN 0 AND 5"),
    ("TrackId in (1, 0x2, 2.5)", "(TrackId IN (1, 2, 2.5))", "TrackId IN (1, 2, 2.5)"),
    ("Composer not in ('x', null)", "(Composer NOT IN ('x', NULL))", "Composer NOT IN ('x', NULL)"),
    ("Name like 'L%'", "(Name LIKE 'L%')", "Name LIKE 'L%'"),
    ("Name not like '1\\%' escape '\\'", "(Name NOT LIKE '1\\%' ESCAPE '\\')", "Name NOT LIKE '1\\%' ESCAPE '\\'"),
    ("Name glob 'L*'", "(Name GLOB 'L*')", "Name GLOB 'L*'"),
    ("Name ~ green day", "(Name LIKE '%green day%' ESCAPE '\\')", "Name LIKE '%green day%'"),
    (
      "Name ~ green day and TrackId < 3", "((Name LIKE '%green day%' ESCAPE '\\') AND (TrackId < 3))",
      "Name LIKE '%green day%' AND TrackId < 3"
    ),
    ("(Name ~ not in love) or TrackId=3", "((Name LIKE '%not in love%' ESCAPE '\\') OR (TrackId = 3))", "TrackId = 3"),
    ("Name ~ 3 && TrackId > 4", "((Name LIKE '%3%' ESCAPE '\\') AND (TrackId > 4))", "Name LIKE '%3%' AND TrackId > 4"),
    ("Name ~ Composer", "(Name LIKE '%Composer%' ESCAPE '\\')", "Name LIKE '%Composer%'"),
    (
      "Name ~ [Composer]",
      #"(Name LIKE ('%' || replace(replace(replace(Composer, '\', '\\'), '%', '\%'), '_', '\_') || '%') ESCAPE '\')"#,
      "instr(lower(Name), lower(Composer))"
    ),
    ("Name ^= lower('LO')", "", "Name LIKE 'lo%'"),
    ("[Order Details] ~ '%'", #"("Order Details" LIKE '%\%%' ESCAPE '\')"#, "instr(\"Order Details\", '%')"),
    ("\"Order Details\"$='b'", "(\"Order Details\" LIKE '%b' ESCAPE '\\')", "\"Order Details\" LIKE '%b'"),
    ("Name$='e'", "(Name LIKE '%e' ESCAPE '\\')", "Name LIKE '%e'"),
    ("Composer !~ x", "((Composer NOT LIKE '%x%' ESCAPE '\\') OR (Composer IS NULL))", "Composer NOT LIKE '%x%' OR Composer IS NULL"),
    (
      "love",
      "((Name LIKE '%love%' ESCAPE '\\') OR (Composer LIKE '%love%' ESCAPE '\\') OR (InvoiceDate LIKE '%love%' ESCAPE '\\') OR (Extra LIKE '%love%' ESCAPE '\\') "
        + "OR (\"Order Details\" LIKE '%love%' ESCAPE '\\'))",
      "Name LIKE '%love%' OR Composer LIKE '%love%' OR Extra LIKE '%love%' OR \"Order Details\" LIKE '%love%'"
    ),
    ("green day", "", "Name LIKE '%green day%' OR Composer LIKE '%green day%'"),
    (
      "3", "",
      "Name || Composer || Extra LIKE '%3%' OR Name LIKE '%3%' OR Extra LIKE '%3%' OR \"Order Details\" LIKE '%3%' OR InvoiceDate "
        + "LIKE '%3%' OR 3 IN (TrackId, Milliseconds, Rating, UnitPrice)"
    ),
    ("~ 'green' and TrackId = 1", "", "TrackId = 1"),
    ("Rating = 3", "(Rating = 3)", "Rating = 3"),
    ("Rating = 9e999 or Rating = -9e999", "((Rating = 9e999) OR (Rating = -9e999))", "abs(Rating) = 9e999"),
    ("Milliseconds = 9223372036854775807", "(Milliseconds = 9223372036854775807)", "Milliseconds = 9223372036854775807"),
    ("Milliseconds > -9223372036854775808", "(Milliseconds > -9223372036854775808)", "Milliseconds > -9223372036854775808"),
    ("Milliseconds > 0xffffffffffffffff", "(Milliseconds > -1)", "Milliseconds > -1"),
    ("Milliseconds + 1 * 2 - -3 > .5", "(((Milliseconds + (1 * 2)) - -3) > 0.5)", "Milliseconds + 1 * 2 - -3 > .5"),
    ("-(Milliseconds) % 7 = 5", "((-(Milliseconds) % 7) = 5)", "-Milliseconds % 7 = 5"),
    ("+Extra = '3'", "(+(Extra) = '3')", "+Extra = '3'"),
    ("Name || Composer = 'lovex'", "((Name || Composer) = 'lovex')", "Name || Composer = 'lovex'"),
    ("Name collate nocase = 'LOVE'", "(Name COLLATE NOCASE = 'LOVE')", "Name COLLATE NOCASE = 'LOVE'"),
    ("length(Name) in (4, 5)", "(length(Name) IN (4, 5))", "length(Name) IN (4, 5)"),
    ("cast(Milliseconds as text) ~ 00", "(CAST(Milliseconds AS TEXT) LIKE '%00%' ESCAPE '\\')", "CAST(Milliseconds AS TEXT) LIKE '%00%'"),
    ("Cover = x'00FF'", "(Cover = X'00FF')", "Cover = x'00ff'"),
    ("typeof(Extra) = 'blob' or Extra = 1", "((typeof(Extra) = 'blob') OR (Extra = 1))", "typeof(Extra) = 'blob' OR Extra = 1"),
    ("InvoiceDate > 2020-12-31", "(InvoiceDate >= '2021-01-01')", "InvoiceDate >= '2021-01-01'"),
    ("InvoiceDate = 2021-01-01 12:30:00", "(InvoiceDate = '2021-01-01 12:30:00')", "InvoiceDate = '2021-01-01 12:30:00'"),
    ("InvoiceDate ^= 2021-01-01", "(InvoiceDate LIKE '2021-01-01%')", "InvoiceDate LIKE '2021-01-01%'"),
    ("date(InvoiceDate) < 2021-01-01", "(date(InvoiceDate) < '2021-01-01')", "date(InvoiceDate) < '2021-01-01'"),
    ("1 = 1", "(1 = 1)", "1"),
    ("rowid = 4 or TrackId = 5", "((rowid = 4) OR (TrackId = 5))", "TrackId IN (4, 5)"),
    ("(TrackId = 1 or TrackId = 2) and Extra = 'x'", "(((TrackId = 1) OR (TrackId = 2)) AND (Extra = 'x'))", "TrackId = 2"),
    ("not Name = 'love' and not not IsLive", "(NOT (Name = 'love') AND NOT (NOT (IsLive)))", "NOT Name = 'love' AND IsLive"),
    ("Extra and Extra is true", "(Extra AND (Extra IS TRUE))", "Extra"),
    ("min(Rating, Milliseconds) < 0", "(min(Rating, Milliseconds) < 0)", "min(Rating, Milliseconds) < 0"),
    ("coalesce(Composer, Name) = 'love'", "(coalesce(Composer, Name) = 'love')", "coalesce(Composer, Name) = 'love'"),
  ]

  @Test("Filters become SQL, and keep the rows of the where-clause that means the same")
  func meanings() throws {
    try FilterFixture.database().read { db in
      for (text, sql, plain) in Self.meanings {
        let filter = try Filter.compile(text, columns: FilterFixture.columns)
        if !sql.isEmpty, filter.sqlText?.queryString != sql { Issue.record("\(text): \(filter.sqlText?.queryString ?? "nothing")") }
        let found = try Self.rows(try #require(filter.sqlText), db)
        var clause = SQLText()
        clause.raw(plain)
        let expected = try Self.rows(clause, db)
        if found != expected { Issue.record("\(text): \(found), not \(expected)") }
      }
    }
  }

  private static func rows(_ condition: SQLText, _ db: Database) throws -> [Int] {
    var sql = SQLText("SELECT TrackId FROM Track WHERE ")
    sql.append(condition)
    sql.append(" ORDER BY 1")
    return try Row.fetchAll(db.makeStatement(literal: sql)).map { try $0[0] as Int }
  }

  @Test(
    "A single word that a column's name begins with is known as such",
    arguments: [("Nam", true), (" invoiced ", true), ("Namx", false), ("Nam x", false), ("~ Nam", false), ("love", false), ("rowi", false)])
  func beginningsOfNames(text: String, isBeginning: Bool) throws {
    #expect(try Filter.compile(text, columns: FilterFixture.columns).isBeginningOfName == isBeginning)
  }

  @Test("A number among the words says in which columns it is looked for")
  func adviceOnNumbers() throws {
    let filter = try Filter.compile("300000", columns: FilterFixture.columns)
    #expect(
      filter.advice.map(\.sentence) == [
        "300000 matches text that contains it, and equal values in TrackId, Milliseconds, Rating, UnitPrice."
      ])
    #expect(try Filter.compile("love", columns: FilterFixture.columns).advice.isEmpty)
  }

  @Test("Empty text is no filter", arguments: ["", " ", "\n\t"])
  func empty(text: String) throws {
    let filter = try Filter.compile(text, columns: FilterFixture.columns)
    #expect(filter.expression == nil && filter.syntax == nil)
  }

  @Test("A parameter takes the type and the column that it stands beside")
  func parameters() throws {
    let text = "Milliseconds > :min and (:c = '' or Composer = :c) and Name ~ @part and length($x) = ? and IsLive in (?5, ?) and (?)"
    let filter = try Filter.compile(text, columns: FilterFixture.columns)
    let found = filter.parameters.map { "\($0.token) \($0.key) \($0.type.map { "\($0)" } ?? "-") \($0.column ?? "-")" }
    #expect(
      found == [
        ":min min integer Milliseconds", ":c c text Composer", "@part part text Name", "$x x text -", "? 5 integer IsLive",
        "? 6 boolean IsLive", "? 7 boolean -",
      ])
    #expect(!filter.isComplete)
    let given = try Filter.compile(
      "Milliseconds > :min and Composer = :c and Name != @n", columns: FilterFixture.columns,
      parameters: ["min": .integer(3), ":c": .null, "n": .null])
    #expect(given.isComplete)
    #expect(given.sqlText?.queryString == "((Milliseconds > 3) AND (Composer IS NULL) AND (Name IS NOT NULL))")
    let open = try Filter.compile("Rating > :min", columns: FilterFixture.columns)
    #expect(open.sqlText?.queryString == "(Rating > :min)")
  }

  @Test("A day that is asked for exactly is advised against")
  func advice() throws {
    let filter = try Filter.compile("IsLive and InvoiceDate is 2021-01-01", columns: FilterFixture.columns)
    let advice = try #require(filter.advice.first)
    #expect(advice.replacements.map { $0.applied(to: filter.text) } == ["IsLive and InvoiceDate = 2021-01-01"])
    #expect(advice.sentence == "This matches only values stored as 2021-01-01, without a time.")
    #expect(try Filter.compile("InvoiceDate = 2021-01-01", columns: FilterFixture.columns).advice.isEmpty)
  }

  @Test("A run of a thousand terms is one node, and SQLite takes it")
  func runs() throws {
    let text = (1...1000).map { "TrackId = \($0)" }.joined(separator: " or ")
    let filter = try Filter.compile(text + " ", columns: FilterFixture.columns)
    guard case .any(let terms)? = filter.syntax?.kind else { throw FilterErrorsExpected() }
    #expect(terms.count == 1000)
    let condition = try #require(filter.sqlText)
    #expect(try FilterFixture.database().read { try Self.rows(condition, $0) } == Array(1...7))
  }
}

struct FilterErrorsExpected: Error {}

@Suite(.gated) struct RowViewTests {
  private static let columns = FilterColumns([FilterColumn("id", type: .integer), FilterColumn("title", type: .text)])
  private static let songs = RowSet(.table(TableReference(name: "song")))

  @Test("A view is compiled once, and gives the rows, the marks and the SQL of both its texts")
  func compiled() throws {
    let view = RowView(filter: "id > :least", sort: "-title, length(title)", arguments: [":least": .integer(3)])
    let compiled = try view.compiled(for: Self.columns)
    #expect(compiled.isComplete && !compiled.isPlain)
    #expect(compiled.applied(to: Self.songs).sqlText.queryString == "SELECT * FROM song WHERE (id > 3) ORDER BY title DESC, length(title)")
    #expect(compiled.queryString(of: .sort) == "title DESC, length(title)")
    let result = [RowSetColumn(name: "TITLE", schema: nil)]
    #expect(
      compiled.marks(in: result) == [
        OrderMark(column: 0, name: "title", isDescending: true), OrderMark(column: nil, name: "length(title)", isDescending: false),
      ])
  }

  @Test("A view without texts shows all rows, and one whose parameter has no value is not complete")
  func plain() throws {
    let plain = try RowView(filter: " ", sort: "\n").compiled(for: Self.columns)
    #expect(plain.isPlain && plain.view.isPlain && plain.applied(to: Self.songs) == Self.songs)
    #expect(try !RowView(filter: "id > :least").compiled(for: Self.columns).isComplete)
  }

  @Test("An error names the text that is wrong", arguments: [RowView.Text.filter, .sort])
  func wrong(text: RowView.Text) throws {
    var view = RowView(filter: "id = 1", sort: "id")
    view[text] = "nowhere"
    if text == .filter { view[text] += " = 1" }
    let error = try #require(throws: RowViewError.self) { try view.compiled(for: Self.columns) }
    #expect(error.text == text && error.faults.errors.count == 1)
  }
}
