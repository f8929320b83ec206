import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// `=~`: what it becomes, which rows it keeps, and where its faults lie.
@Suite(.gated) struct FilterPatternTests {
  private static let columns = FilterFixture.columns

  @Test(
    "=~ becomes REGEXP, and keeps the rows whose text matches",
    arguments: [
      ("Name =~ '^[A-Z]'", "(Name REGEXP '^[A-Z]')", [1, 3]), ("not Name =~ 'o'", "NOT (Name REGEXP 'o')", [1, 3, 4, 5, 6, 7]),
      ("Name=~'(?i)^love$'", "(Name REGEXP '(?i)^love$')", [2]), ("Composer =~ ''", "(Composer REGEXP '')", [1, 3, 4, 5, 6, 7]),
      ("Name =~ '^l' || 'o'", "(Name REGEXP ('^l' || 'o'))", [2]), ("Name =~ upper('^love ')", "(Name REGEXP upper('^love '))", [3]),
      ("Extra =~ '^[0-9]+$'", "(Extra REGEXP '^[0-9]+$')", [1, 6]), ("cast(Milliseconds as text) =~ '^3'", "", [2]),
      ("Name =~ '''' and TrackId < 5", "((Name REGEXP '''') AND (TrackId < 5))", [4]),
    ])
  func expressions(text: String, sql: String, rows: [Int]) throws {
    let filter = try Filter.compile(text, columns: Self.columns)
    let written = try #require(filter.sqlText)
    if !sql.isEmpty { #expect(written.queryString == sql) }
    let found = try FilterFixture.database().read { db in
      try Int.fetchAll(db, literal: "SELECT TrackId FROM Track WHERE \(written) ORDER BY 1")
    }
    #expect(found == rows)
    #expect(try FilterSyntax.parse(try #require(filter.syntax).description, columns: Self.columns) == filter.syntax)
  }

  @Test("A pattern may be a parameter, which is a text")
  func parameters() throws {
    let open = try Filter.compile("Name =~ :p", columns: Self.columns)
    #expect(open.parameters.map(\.type) == [.text])
    let given = try Filter.compile("Name =~ :p", columns: Self.columns, parameters: ["p": .text("^l")])
    #expect(given.sqlText?.queryString == "(Name REGEXP '^l')")
    let error = try #require(throws: FilterErrors.self) {
      try Filter.compile("Name =~ :p", columns: Self.columns, parameters: ["p": .text("a(")])
    }
    #expect(error.errors.map(\.range) == [8..<10])
  }

  private typealias Refusal = (text: String, fault: String, sentence: String, replaced: [String])

  private static let refusals: [Refusal] = [
    ("Name =~ 'a(b'", "(", "This parenthesis is not closed. Write \\( for the character.", []),
    ("Name =~ 'it''s *+ (x'", "(", "This parenthesis is not closed. Write \\( for the character.", []),
    ("Name =~ '''(é)**)'", ")", "This closing parenthesis has no match. Write \\) for the character.", []),
    ("Name =~ ('[z-a]')", "z-a", "The range z-a is in the wrong order.", []),
    ("Name =~ \"x{2,1}\"", "{2,1}", "The first number of {2,1} is greater than the second.", []),
    ("Name =~ ^a.*z$", "^", "^ has no meaning here.", ["Name =~ '^a.*z$'"]),
    ("Name =~ love", "love", "The pattern after =~ needs single quotes.", ["Name =~ 'love'"]),
    ("Name =~ a.*z and IsLive", "a.*z", "The pattern after =~ needs single quotes.", ["Name =~ 'a.*z' and IsLive"]),
    ("Name not =~ 'x'", "not =~", "After a value, not must be followed by between, in, like, glob or null.", ["not Name =~ 'x'"]),
    ("Name regexp 'x'", "regexp", "An operator is missing before regexp.", ["Name =~ 'x'"]),
    (
      "Milliseconds =~ '3'", "Milliseconds", "=~ matches text, but Milliseconds is declared INTEGER.",
      ["cast(Milliseconds as text) =~ '3'"]
    ),
    ("Name ~= 'x'", "~=", "A value is missing between ~ and =.", ["Name =~ 'x'"]),
    ("Name match 'x'", "Name match 'x'", "match searches full-text tables, but this is not one.", ["Name ~ 'x'"]),
  ]

  @Test("What is wrong is refused at its place, with what would do", arguments: refusals.indices)
  func refused(index: Int) throws {
    let refusal = Self.refusals[index]
    let errors = FilterTextSource.errors(refusal.text, Self.columns)
    let error = try #require(errors.first)
    #expect(errors.count == 1)
    #expect(String(decoding: Array(refusal.text.utf8)[error.range], as: UTF8.self) == refusal.fault)
    #expect(error.sentence == refusal.sentence)
    #expect(error.replacements.map { $0.applied(to: refusal.text) } == refusal.replaced)
  }
}
