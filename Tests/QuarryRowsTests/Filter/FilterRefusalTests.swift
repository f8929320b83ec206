import QuarryRows
import TestSupport
import Testing

/// What is refused: the fault's place, the sentence, and what the replacements make of the text.
@Suite(.gated) struct FilterRefusalTests {
  private typealias Refusal = (text: String, fault: String, sentence: String, replaced: [String])

  private static let refusals: [Refusal] = [
    (
      "Name", "Name", "A filter must be true or false for each row, but Name holds text.", ["Name is not null", "~ 'Name'"]
    ),
    (
      "Milliseconds", "Milliseconds", "A filter must be true or false for each row, but Milliseconds is declared INTEGER.",
      ["Milliseconds <> 0", "Milliseconds is not null", "~ 'Milliseconds'"]
    ),
    ("Name = 3", "3", "Name holds text, and 3 is an integer: they cannot be compared.", ["Name = '3'"]),
    ("Milliseconds = '3'", "'3'", "Milliseconds is declared INTEGER, and '3' is text: they cannot be compared.", ["Milliseconds = 3"]),
    ("Milliseconds in (1, 'x', '2')", "'x'", "Milliseconds is declared INTEGER, and 'x' is text: they cannot be compared.", []),
    (
      "not Milliseconds", "Milliseconds", "not expects a condition, but Milliseconds is declared INTEGER.", ["Milliseconds = 0"]
    ),
    (
      "IsLive and Milliseconds", "Milliseconds", "A condition is expected here, but Milliseconds is declared INTEGER.",
      ["IsLive and Milliseconds <> 0", "IsLive and Milliseconds is not null", "IsLive and ~ 'Milliseconds'"]
    ),
    (
      "length(Milliseconds) > 3", "Milliseconds", "length expects text or a blob, but Milliseconds is declared INTEGER.",
      ["length(cast(Milliseconds as text)) > 3"]
    ),
    (
      "Milliseconds = 'x'", "'x'", "Milliseconds is declared INTEGER, and 'x' is text: they cannot be compared.",
      ["(typeof(Milliseconds) = 'text' and cast(Milliseconds as text) = 'x')"]
    ),
    (
      "Rating != 'x' and TrackId = 1", "'x'", "Rating is declared REAL, and 'x' is text: they cannot be compared.",
      ["not (typeof(Rating) = 'text' and cast(Rating as text) = 'x') and TrackId = 1"]
    ),
    ("Order Details ~ x", "Details", "An operator is missing before Details.", ["\"Order Details\" ~ x"]),
    (
      "TrackId = 1 and order details = 'x'", "details", "An operator is missing before details.",
      ["TrackId = 1 and \"Order Details\" = 'x'"]
    ),
    ("TrackId = 1 nd Name = 'x'", "nd", "An operator is missing before nd.", ["TrackId = 1 and Name = 'x'"]),
    ("TrackId = 1 adn IsLive", "adn", "An operator is missing before adn.", ["TrackId = 1 and IsLive", "TrackId = 1 and ~ 'adn IsLive'"]),
    ("Nmae = 'x'", "Nmae", "There is no column Nmae.", ["Name = 'x'"]),
    ("\"Nmae\" = 'x'", "\"Nmae\"", "There is no column \"Nmae\", so this compares text with a value.", ["Name = 'x'"]),
    ("\"Nmae\" is null", "\"Nmae\"", "There is no column \"Nmae\", so this compares text with a value.", ["Name is null"]),
    ("'a' = 'zzzzzz'", "'a' = 'zzzzzz'", "This compares two values, not a column: the result is the same for every row.", []),
    (
      "5 =~ '5'", "5 =~ '5'", "=~ matches a value here, not a column: the result is the same for every row.", []
    ),
    ("'a' ~ zzz", "'a' ~ zzz", "~ matches a value here, not a column: the result is the same for every row.", []),
    ("Name = Quux", "Quux", "There is no column Quux.", ["Name = 'Quux'"]),
    ("lenght(Name) = 3", "lenght", "There is no function lenght.", ["length(Name) = 3"]),
    ("length(Name, 3) = 3", "length(Name, 3)", "length expects 1 argument, but there are 2.", []),
    ("round() = 3", "round()", "round expects 1 to 2 arguments, but there are 0.", []),
    ("Name = 'x", "'x", "This text has no end: a closing ' is missing.", ["Name = 'x'"]),
    ("[Name = 'x'", "[Name = 'x'", "This name has no end: a closing ] is missing.", ["[Name] = 'x'"]),
    ("(Name = 'x'", "(", "This parenthesis is not closed.", ["(Name = 'x')"]),
    ("((IsLive", "(", "This parenthesis is not closed.", ["((IsLive))"]),
    ("Name = 'x')", ")", "This closing parenthesis has no match.", ["Name = 'x'"]),
    ("TrackId in ()", "()", "This list is empty, so nothing matches it.", []),
    ("TrackId in 1, 2", "1, 2", "The list after in needs parentheses.", ["TrackId in (1, 2)"]),
    ("InvoiceDate > 2023-02-29", "2023-02-29", "February 2023 has 28 days.", ["InvoiceDate > 2023-02-28"]),
    ("InvoiceDate > 2023-13-01", "2023-13-01", "There is no month 13: months go from 01 to 12.", ["InvoiceDate > 2023-01-13"]),
    ("InvoiceDate > 2023-12-01T24:00", "2023-12-01T24:00", "There is no such time of day: times go from 00:00:00 to 23:59:59.", []),
    (
      "TrackId = 9223372036854775808", "9223372036854775808", "9223372036854775808 does not fit in a 64-bit integer.",
      ["TrackId = 9223372036854775808.0"]
    ),
    ("TrackId = 0x10000000000000000", "0x10000000000000000", "0x10000000000000000 does not fit in a 64-bit integer.", []),
    ("1 < TrackId < 5", "1 < TrackId < 5", "Comparisons cannot be chained.", ["1 < TrackId and TrackId < 5"]),
    (
      "1 < TrackId <= Milliseconds < 5", "1 < TrackId <= Milliseconds < 5", "Comparisons cannot be chained.",
      ["1 < TrackId and TrackId <= Milliseconds and Milliseconds < 5"]
    ),
    ("TrackId = 1 is null", "TrackId = 1 is", "is cannot follow a condition.", []),
    ("TrackId = 1 || IsLive = 1", "||", "|| joins text. Join conditions with or.", ["TrackId = 1 or IsLive = 1"]),
    ("(TrackId = 1) || (IsLive)", "||", "|| joins text. Join conditions with or.", ["(TrackId = 1) or (IsLive)"]),
    (
      "Name || Milliseconds = 'x'", "Milliseconds", "|| joins text, but Milliseconds is declared INTEGER.",
      ["Name || cast(Milliseconds as text) = 'x'"]
    ),
    ("Name + Composer = 'x'", "+", "+ adds numbers. Join text with ||.", ["Name || Composer = 'x'"]),
    ("Name * 2 = 4", "Name", "A number is expected here, but Name holds text.", ["cast(Name as numeric) * 2 = 4"]),
    ("IsLive < true", "IsLive < true", "Booleans have no order. Compare them with = or !=.", ["not IsLive"]),
    ("IsLive > 0", "IsLive > 0", "Booleans have no order. Compare them with = or !=.", ["IsLive"]),
    ("1 > IsLive", "1 > IsLive", "Booleans have no order. Compare them with = or !=.", ["not IsLive"]),
    ("IsLive > 1", "IsLive > 1", "Booleans have no order. Compare them with = or !=.", ["IsLive = true", "IsLive = false"]),
    ("IsLive = 2", "2", "IsLive is declared BOOLEAN, and 2 is an integer: they cannot be compared.", ["IsLive = true", "IsLive = false"]),
    ("IsLive = 'yes'", "'yes'", "IsLive is declared BOOLEAN, and 'yes' is text: they cannot be compared.", ["IsLive = true"]),
    (
      "Milliseconds > 2024-01-31", "2024-01-31", "Milliseconds is declared INTEGER, and 2024-01-31 is a date: they cannot be compared.",
      ["Milliseconds > unixepoch(2024-01-31)"]
    ),
    ("Milliseconds ~ 3", "Milliseconds", "~ matches text, but Milliseconds is declared INTEGER.", ["cast(Milliseconds as text) ~ 3"]),
    (
      "Milliseconds like '3%'", "Milliseconds", "Like matches text, but Milliseconds is declared INTEGER.",
      ["cast(Milliseconds as text) like '3%'"]
    ),
    ("Name ~ AC/DC and IsLive", "AC/DC", "/ is not part of a word. Quote text that contains it.", ["Name ~ 'AC/DC' and IsLive"]),
    ("Name like 'x' escape 'ab'", "'ab'", "escape expects one character, but 'ab' has 2.", ["Name like 'x' escape '\\'"]),
    ("Name glob 'x' escape 'a'", "'a'", "glob has no escape. Put a character in brackets to match it literally: [*].", []),
    ("Name collate nocas = 'x'", "nocas", "There is no collation nocas.", ["Name collate nocase = 'x'"]),
    ("cast(Name as varchar) = 'x'", "varchar", "varchar is not a type to cast to.", ["cast(Name as text) = 'x'"]),
    ("Name =", "=", "A value is missing after =.", []),
    ("Name = 'x' and", "and", "A value is missing after and.", []),
    ("TrackId => 3", "=>", "A value is missing between = and >.", ["TrackId >= 3"]),
    ("TrackId -- 3 = 1", "--", "Two minus signs begin a comment in SQL. Filters have no comments.", ["TrackId - - 3 = 1"]),
    ("Name love", "love", "An operator is missing before love.", ["Name ~ 'love'"]),
    ("(IsLive)not IsLive", "not IsLive", "After a value, not must be followed by between, in, like, glob or null.", []),
    ("(IsLive)IsLive", "IsLive", "An operator is missing before IsLive.", ["(IsLive) and IsLive", "(IsLive) and ~ 'IsLive'"]),
    ("IsLive&IsLive", "&", "& has no meaning here.", ["IsLive and IsLive"]),
    ("IsLive,IsLive", ",", "A comma cannot join conditions.", ["IsLive and IsLive"]),
    ("IsLive||IsLive", "||", "|| joins text. Join conditions with or.", ["IsLive or IsLive"]),
    ("Name contains 'x'", "contains", "An operator is missing before contains.", ["Name ~ 'x'"]),
    ("Name not ~ x", "not ~", "After a value, not must be followed by between, in, like, glob or null.", ["Name !~ x"]),
    ("IsLive; ", ";", "; has no meaning here.", ["IsLive "]),
    ("Name = 12abc", "12abc", "12abc is neither a number nor a name.", ["Name = '12abc'"]),
    ("TrackId = 12abc", "12abc", "12abc is neither a number nor a name.", []),
    ("Cover = x'0'", "x'0'", "Write a blob as pairs of hexadecimal digits: x'00ff'.", []),
    ("TrackId between 1", "1", "between requires and, followed by a second value.", []),
    ("order = 3", "order", "There is no column order.", ["\"Order Details\" = 3"]),
    ("Rating > 100 France", "France", "An operator is missing before France.", ["Rating > 100 and ~ 'France'"]),
    ("Rating > 1 New York", "New", "An operator is missing before New.", ["Rating > 1 and ~ 'New York'"]),
    (
      "Rating > 1,000,000.5 and IsLive", "1,000,000.5", "1,000,000.5 is not a number. Write numbers without separators.",
      ["Rating > 1000000.5 and IsLive"]
    ),
    ("details = France", "details", "There is no column details.", ["\"Order Details\" = 'France'", "\"Order Details\" = France"]),
    ("where Rating > 3", "where", "Write only the condition that follows where.", ["Rating > 3"]),
    ("select * from Track where Rating > 3", "select * from Track where", "Write only the condition that follows where.", ["Rating > 3"]),
    ("Rating > 3 order by Name", "order by Name", "A filter cannot contain order by.", ["Rating > 3"]),
    ("Rating > 3 limit 10", "limit 10", "A filter cannot contain limit.", ["Rating > 3"]),
    ("hour(InvoiceDate) = 7", "hour", "There is no function hour.", ["cast(strftime('%H', InvoiceDate) as integer) = 7"]),
    (
      "month(InvoiceDate) = 7", "7", "7 is a number, not a date. Write a date as 1997-01-31.",
      ["cast(strftime('%m', InvoiceDate) as integer) = 7"]
    ),
    (
      "year(TrackId) = 1997", "TrackId", "year expects a date, but TrackId is an integer.",
      ["year(datetime(TrackId, 'unixepoch')) = 1997"]
    ),
    ("week(IsLive) is null", "IsLive", "week expects a date, but IsLive is a Boolean.", []),
    ("range(Name, 10) = 0", "Name", "A number is expected here, but Name holds text.", ["range(cast(Name as numeric), 10) = 0"]),
    ("range(TrackId) = 0", "range(TrackId)", "range expects a number and a width, but there is 1 argument.", []),
    ("range(TrackId, 0) = 0", "0", "The width of ranges is a number greater than 0, with at most six decimals.", []),
    ("len(Name) > 3", "len", "There is no function len.", ["length(Name) > 3"]),
    ("Name in ('France' 'Germany' 'x')", "'Germany'", "A comma is missing before 'Germany'.", ["Name in ('France', 'Germany', 'x')"]),
    ("Name in (New York)", "York", "A comma is missing before York.", ["Name in ('New York')"]),
    ("TrackId = 1 or 2", "2", "A condition is expected here, but 2 is an integer.", ["TrackId = 1 or TrackId = 2"]),
    ("TrackId = 1 or 2 or 3", "2", "A condition is expected here, but 2 is an integer.", ["TrackId in (1, 2, 3)"]),
    ("Name ~ love or hate", "hate", "There is no column hate.", ["Name ~ love or Name ~ 'hate'"]),
    (
      "Name = 'a' or 'b'", "'b'", "A condition is expected here, but 'b' is text.",
      ["Name = 'a' or Name = 'b'", "Name = 'a' or ~ 'b'"]
    ),
    ("TrackId in (select 1 from x)", "select 1 from x", "A filter cannot contain a subquery.", []),
    ("IsLive and exists (select 1)", "exists (select 1)", "A filter cannot contain a subquery.", []),
    ("case when IsLive then 1 else 0 end = 1", "case when IsLive then 1 else 0 end", "A filter cannot contain case.", []),
    ("case when a then b end", "case when a then b end", "A filter cannot contain case.", ["~ 'case when a then b end'"]),
    ("Name $= .br", ".", ". has no meaning here.", ["Name $= '.br'"]),
    ("Name ~ sales@acme.com", "sales@acme.com", "@acme is not part of a word. Quote text that contains it.", ["Name ~ 'sales@acme.com'"]),
    ("[Rating 2 = 0", "[Rating 2 = 0", "This name has no end: a closing ] is missing.", ["[Rating] 2 = 0"]),
    ("Rating > abc", "abc", "There is no column abc.", []),
    // Dates.
    ("InvoiceDate > 31.12.1997", "31.12.1997", "31.12.1997 is not a date. Write a date as 1997-01-31.", ["InvoiceDate > 1997-12-31"]),
    (
      "InvoiceDate > 01/02/1997", "01/02/1997", "01/02/1997 is a calculation, not a date. Write a date as 1997-01-31.",
      ["InvoiceDate > 1997-01-02", "InvoiceDate > 1997-02-01"]
    ),
    (
      "InvoiceDate > 1997-1-5", "1997-1-5", "1997-1-5 is a calculation, not a date. Write a date as 1997-01-31.",
      ["InvoiceDate > 1997-01-05"]
    ),
    (
      "InvoiceDate = 19970105", "19970105", "19970105 is a number, not a date. Write a date as 1997-01-31.", ["InvoiceDate = 1997-01-05"]
    ),
    ("InvoiceDate = 12", "12", "12 is a number, not a date. Write a date as 1997-01-31.", []),
    ("InvoiceDate = 1609459200", "1609459200", "1609459200 is a number, not a date. Write a date as 1997-01-31.", []),
    ("InvoiceDate = '1997-02-30'", "'1997-02-30'", "February 1997 has 28 days.", ["InvoiceDate = 1997-02-28"]),
    (
      "'01/02/1997' <= InvoiceDate", "'01/02/1997'", "“01/02/1997” is not a date. Write a date as 1997-01-31.",
      ["1997-01-02 <= InvoiceDate", "1997-02-01 <= InvoiceDate"]
    ),
    ("InvoiceDate in (1997, 'foo')", "'foo'", "“foo” is not a date. Write a date as 1997-01-31.", []),
    ("InvoiceDate between 1997-07 and 1997-13", "1997-13", "There is no month 13: months go from 01 to 12.", []),
    ("InvoiceDate is 1997", "InvoiceDate is 1997", "InvoiceDate holds dates, but 1997 is a number.", ["InvoiceDate = 1997"]),
    ("InvoiceDate > today", "today", "There is no column today.", ["InvoiceDate > date('now')"]),
  ]

  @Test("A refusal names its place and its reason, and offers what would do")
  func refusals() throws {
    for refusal in Self.refusals {
      let errors = Self.errors(refusal.text)
      guard let error = errors.first else {
        Issue.record("\(refusal.text) is taken")
        continue
      }
      let fault = String(decoding: Array(refusal.text.utf8)[error.range], as: UTF8.self)
      let replaced = error.replacements.map { $0.applied(to: refusal.text) }
      if (fault, error.sentence) != (refusal.fault, refusal.sentence) || replaced != refusal.replaced {
        Issue.record("\(refusal.text): \(fault) | \(error.sentence) | \(replaced)")
      }
      for (replacement, mended) in zip(error.replacements, replaced) {
        let left = Self.errors(mended).filter { FilterTextSource.isIn(replacement, $0) }
        #expect(left.isEmpty, "\(mended)")
      }
    }
  }

  private static func errors(_ text: String) -> [FilterError] { FilterTextSource.errors(text, FilterFixture.columns) }

  @Test("Faults that have nothing to do with one another are found at once")
  func independent() {
    let text = "Nmae = 'x' and Name = 3 or lenght(Name) = 2 and (Milliseconds = ) and TrackId in (1, 'x', 'y') and 1 < 2 < 3"
    let faults = Self.errors(text).map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) }
    #expect(faults == ["Nmae", "3", "lenght", "= )", "'x'", "'y'", "1 < 2 < 3"])
    let broken = "TrackId between and 5 and length(Name Name) = 3 and Nmae = 'x'"
    #expect(Self.errors(broken).count == 3, "\(Self.errors(broken))")
  }

  @Test("Texts that are too long, too deep or too many are refused for that alone, in the place where it is too much")
  func limits() {
    let deep = String(repeating: "(", count: 10_000) + "IsLive" + String(repeating: ")", count: 10_000)
    let terms = (1...1001).map { "TrackId = \($0)" }.joined(separator: " and ")
    let texts: [(String, FilterError.Kind, Range<Int>)] = [
      (String(repeating: "x", count: 1 << 20), .tooLong, 0..<1 << 20), (deep, .tooDeep, 25..<20_006),
      (String(repeating: "(", count: 10_000), .tooDeep, 25..<10_000),
      (String(repeating: "not ", count: 10_000) + "IsLive", .tooDeep, 100..<40_006),
      (String(repeating: "- ", count: 10_000) + "1 = 1", .tooDeep, 50..<20_005),
      ("1" + String(repeating: "+1", count: 30_000) + " = 1", .tooMany, 0..<130), (terms, .tooMany, 0..<terms.utf8.count),
      (String(repeating: "length(", count: 9_000), .tooDeep, 181..<63_000),
      ("Name" + String(repeating: " collate nocase", count: 4_000) + " = 'x'", .tooMany, 0..<979),
    ]
    for (text, kind, range) in texts {
      let errors = Self.errors(text)
      if errors.map(\.kind) != [kind] || errors.map(\.range) != [range] { Issue.record("\(text.prefix(40)): \(errors)") }
    }
    let level = String(repeating: "(", count: 25) + "IsLive" + String(repeating: ")", count: 25)
    #expect(Self.errors(level).isEmpty)
    #expect(Self.errors("(" + level + ")").map(\.range) == [25..<58])
  }
}
