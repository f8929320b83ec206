import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Years, months and days in comparisons, over columns of dates that are texts and numbers.
@Suite(.gated) struct FilterDateTests {
  private static func columns(_ dates: DateStorage = .text) -> FilterColumns {
    var date = FilterColumn("d", type: .date, declaredType: "DATETIME")
    date.dates = dates
    return FilterColumns([
      date, FilterColumn("t", type: .text, declaredType: "TEXT"), FilterColumn("n", type: .integer, declaredType: "INTEGER"),
      FilterColumn("clock", type: .date, declaredType: "TIME"), FilterColumn("x", type: .any),
    ])
  }

  @Test("What most numbers of a column of dates agree on is their unit, whatever a few stand for that are no dates")
  func prevailingUnit() throws {
    func storage(_ numbers: [Int64]) -> DateStorage? { DateSample(numbers.map { .integer($0) }, isDeclared: true).storage }
    let moments = (Int64(0)..<20).map { 1_609_459_200 + $0 * 86_400 }
    for other: Int64 in [253_402_214_400, 9_999_999_999_999, 0, -1, 1] {
      #expect(storage(moments + [other]) == .seconds)
      #expect(storage([other] + moments.map { $0 * 1000 }) == .milliseconds)
    }
    #expect(storage([2_500, 2_999, 3_005]) == .days)
    #expect(storage(Array(1_990...2_020) + [9_999]) == .years)
    #expect(storage([86_400, 1_609_459_200]) == .seconds)
  }

  @Test("Where most numbers agree on no unit, the filter asks for it, and offers the number of each")
  func disputedUnits() throws {
    func columns(_ numbers: [Int64]) -> FilterColumns {
      var date = FilterColumn("d", type: .date, declaredType: "DATETIME")
      let sample = DateSample(numbers.map { .integer($0) }, isDeclared: true)
      (date.sample, date.dates) = (sample, sample.storage ?? .text)
      return FilterColumns([date])
    }
    let moments = (Int64(0)..<4).map { 1_609_459_200 + $0 * 86_400 }
    let disputed = columns(moments + moments.map { $0 * 1000 })
    let errors = FilterTextSource.errors("d >= 2021-01-01", disputed)
    #expect(errors.map(\.sentence) == ["d holds numbers in several units: seconds since 1970, or milliseconds since 1970."])
    #expect(errors.flatMap(\.replacements).map(\.text) == ["1609459200", "1609459200000"])
    for number in ["1609459200", "1609459200000"] {
      #expect(try Filter.compile("d >= \(number)", columns: disputed).sqlText?.queryString == "(d >= \(number))")
    }
    #expect(FilterTextSource.errors("d between 2021 and 2022", disputed).count == 2)
    #expect(FilterTextSource.errors("d = 2021-01-01", columns(moments + [moments[0] * 1000])).isEmpty)
    #expect(FilterTextSource.errors("d = 2021-01-01", columns([2_500, 1_999, 3_005, 1_998])).isEmpty)
    #expect(FilterTextSource.errors("2021-01", disputed).isEmpty, "a word is looked for in all columns")
  }

  @Test("A date is found beside a number that stands for the end of time")
  func endOfTime() async throws {
    let queue = try makeDatabase(
      "CREATE TABLE event(id INTEGER PRIMARY KEY, at DATETIME)",
      "WITH n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 99) INSERT INTO event SELECT i, 1609459200 + i * 86400 FROM n",
      "UPDATE event SET at = 253402214400 WHERE id IN (1, 98)")
    let columns = try await queue.read { FilterColumns(of: try $0.tableSchema(TableReference(name: "event")), in: $0) }
    #expect(
      try Filter.compile("at = 2021-01-01", columns: columns).sqlText?.queryString == "((at >= 1609459200) AND (at < 1609545600))")
    let counts = try await ReadConnections(queue).counts(
      CountRequest(InsightColumn("at"), in: RowSet(.table(TableReference(name: "event")))))
    #expect(counts.dates == .seconds)
  }

  @Test(
    "A year, a month and a day become ranges that an index serves",
    arguments: [
      ("d = 2021-01-01", "((d >= '2021-01-01') AND (d < '2021-01-02'))"), ("d = 2021-12", "((d >= '2021-12') AND (d < '2022-01'))"),
      ("d = 2021", "((d >= '2021-01') AND (d < '2022-01'))"), ("d = '2021'", "((d >= '2021-01') AND (d < '2022-01'))"),
      ("2021 = d", "((d >= '2021-01') AND (d < '2022-01'))"), ("d <> 2021-01", "((d < '2021-01') OR (d >= '2021-02'))"),
      ("d != '2021-01-31'", "((d < '2021-01-31') OR (d >= '2021-02-01') OR (d IS NULL))"), ("d < 2021", "(d < '2021-01')"),
      ("d >= 2021", "(d >= '2021-01')"),
      ("d <= 2021", "(d < '2022-01')"), ("d > 2021", "(d >= '2022-01')"), ("2021 < d", "(d >= '2022-01')"),
      ("d between 2021-01 and 2021-03-05", "((d >= '2021-01') AND (d < '2021-03-06'))"),
      ("d not between 2021 and '2022'", "((d < '2021-01') OR (d >= '2023-01'))"),
      ("d in (2021, 2023-05-01 12:30)", "(((d >= '2021-01') AND (d < '2022-01')) OR (d IN ('2023-05-01 12:30')))"),
      ("d not in (2021, null)", "((d < '2021-01') OR (d >= '2022-01')) AND (d NOT IN (NULL))"),
      ("d = 2021-01-01 12:30", "(d = '2021-01-01 12:30')"), ("d >= '2021-01-01T12:30'", "(d >= '2021-01-01T12:30')"),
      ("d = ''", "(d = '')"),
      ("d is 2021-01-01", "(d IS '2021-01-01')"), ("d > t", "(d > t)"), ("d > date('now')", "(d > date('now'))"),
      ("t = 2021-01-01", "((t >= '2021-01-01') AND (t < '2021-01-02'))"), ("t > 2021-01", "(t >= '2021-02')"),
      ("t = '2021-01-01'", "(t = '2021-01-01')"),
      ("x = 2021-01-01", "((x >= '2021-01-01') AND (x < '2021-01-02'))"), ("x = 2021-01", "(x = (2021 - 1))"),
      ("n > 2021-01", "(n > (2021 - 1))"),
      ("n = 2021", "(n = 2021)"), ("clock > '12:30'", "(clock > '12:30')"),
      ("coalesce(d, t) = 1997-05", "((coalesce(d, t) >= '1997-05') AND (coalesce(d, t) < '1997-06'))"),
      (
        "2021-07",
        "((d LIKE '%2021-07%' ESCAPE '\\') OR (t LIKE '%2021-07%' ESCAPE '\\') OR (clock LIKE '%2021-07%' ESCAPE '\\') OR (x LIKE '%2021-07%' ESCAPE '\\'))"
      ),
    ])
  func ranges(text: String, sql: String) throws {
    let found = try Filter.compile(text, columns: Self.columns()).sqlText?.queryString
    #expect(found == sql || found == "(\(sql))")
  }

  @Test(
    "Where a column's dates are numbers, a date becomes one of them, and the filter says so",
    arguments: [
      (
        DateStorage.seconds, "d = 2021-01-01", "((d >= 1609459200) AND (d < 1609545600))",
        "seconds since 1970: 2021-01-01 means >= 1609459200 and < 1609545600, in UTC."
      ),
      (
        .milliseconds, "d < 2021", "(d < 1609459200000)",
        "milliseconds since 1970: 2021 means >= 1609459200000 and < 1640995200000, in UTC."
      ),
      (.days, "d > 2021-01-01", "(d >= 18629)", "days since 1970: 2021-01-01 means >= 18628 and < 18629, in UTC."),
      (.julianDays, "d >= '2021-01-01'", "(d >= 2459215.5)", "Julian days: 2021-01-01 means >= 2459215.5 and < 2459216.5, in UTC."),
      (
        .seconds, "d = 2021-01-01 12:30", "((d >= 1609504200) AND (d < 1609504260))",
        "seconds since 1970: 2021-01-01 12:30 means >= 1609504200 and < 1609504260, in UTC."
      ),
      (.years, "d != 1997", "((d < 1997) OR (d >= 1998) OR (d IS NULL))", "years: 1997 means >= 1997 and < 1998."),
    ])
  func numbers(storage: DateStorage, text: String, sql: String, advice: String) throws {
    let filter = try Filter.compile(text, columns: Self.columns(storage))
    #expect(filter.sqlText?.queryString == sql)
    #expect(filter.advice.map(\.sentence) == ["d holds \(advice)"])
  }

  @Test("Numbers stay numbers beside dates that are numbers, and texts are converted")
  func numbersBesideNumbers() throws {
    let columns = Self.columns(.seconds)
    #expect(try Filter.compile("d > 1600000000 + 86400", columns: columns).sqlText?.queryString == "(d > (1600000000 + 86400))")
    let errors = FilterTextSource.errors("d > date('now')", columns)
    #expect(errors.map(\.sentence) == ["d holds seconds since 1970, but date('now') is text."])
    #expect(errors.flatMap(\.replacements).map(\.text) == ["unixepoch(date('now'))"])
    #expect(
      try Filter.compile("2021-01-01", columns: columns).sqlText?.queryString.contains("((d >= 1609459200) AND (d < 1609545600))") == true)
  }

  @Test("A parameter with a day means that day, as the literal does")
  func parameters() throws {
    let filter = try Filter.compile("d = :day", columns: Self.columns(), parameters: ["day": .text("2021-01-01")])
    #expect(filter.sqlText?.queryString == "((d >= '2021-01-01') AND (d < '2021-01-02'))")
    #expect(try Filter.compile("d = :day", columns: Self.columns()).sqlText?.queryString == "(d = :day)")
  }

  @Test("A few rows tell what the dates of a table are")
  func samples() throws {
    let queue = try makeDatabase(
      "CREATE TABLE e (id INTEGER PRIMARY KEY, a DATE, b DATETIME, c TIMESTAMP, d DATE, t DATE, empty DATE)",
      "INSERT INTO e VALUES (1, NULL, 1609459200, 1609459200123, 2459215.5, 1609459200, NULL)",
      "INSERT INTO e VALUES (2, 1997, NULL, 1, 2459999, '2021-01-01', NULL)",
      "CREATE VIEW v AS SELECT * FROM e",
      "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT b FROM e JOIN n ON n.i < 0")
    try queue.read { db in
      for name in ["e", "v"] {
        let columns = try FilterColumns(of: db.tableSchema(TableReference(name: name)), in: db)
        let found = ["a", "b", "c", "d", "t", "empty"].map { columns.named($0)?.dates }
        #expect(found == [.years, .seconds, .milliseconds, .julianDays, .text, .text])
      }
      let endless = try FilterColumns(of: db.tableSchema(TableReference(name: "endless")), in: db)
      #expect(endless.named("b")?.dates == .text)
      #expect(try Int.fetchOne(db, sql: "SELECT 1") == 1)
    }
  }

  @Test("Values of a column of dates complete a date that is begun, and what is no date is not offered")
  func completions() throws {
    let found = Filter.completions(of: "d = 2021-0", at: 10, columns: Self.columns())
    let request = try #require(found.values)
    #expect(request.prefix == "2021-0" && request.range == 4..<10)
    #expect(request.completion(for: .text("2021-01-01 12:30"))?.text == "'2021-01-01 12:30'")
    #expect(request.completion(for: .text("never")) == nil && request.completion(for: .integer(3)) == nil)
  }
}

/// Random filters with dates, judged row by row in Swift.
@Suite(.gated) struct FilterDateOracleTests {
  private struct Term {
    var text: String
    /// Whether SQL's answer is true for a value; nil is NULL.
    var keeps: (String?) -> Bool
  }

  /// Returns the year, month and day of a value, as far as the written date goes: `2021-01` of `2021-01-31 12:30` for a month.
  private static func place(of value: String, beside date: String) -> Int {
    let head = String(value.prefix(date.count))
    return head < date ? -1 : head == date ? 0 : 1
  }

  private static func comparison(_ symbol: String, _ date: String) -> Term {
    Term(text: "d \(symbol) \(date)") { value in
      guard let value else { return symbol == "!=" }
      let place = place(of: value, beside: date)
      return switch symbol {
      case "=": place == 0
      case "<>", "!=": place != 0
      case "<": place < 0
      case "<=": place <= 0
      case ">": place > 0
      default: place >= 0
      }
    }
  }

  private static func term(_ source: inout FilterTextSource, _ dates: [String]) -> Term {
    let (first, second) = (dates.randomElement(using: &source) ?? "", dates.randomElement(using: &source) ?? "")
    let isQuoted = Bool.random(using: &source)
    let written = isQuoted ? "'\(first)'" : first
    switch Int.random(in: 0..<6, using: &source) {
    case 0:
      return Term(text: "d between \(written) and \(second)") { value in
        value.map { place(of: $0, beside: first) >= 0 && place(of: $0, beside: second) <= 0 } ?? false
      }
    case 1:
      return Term(text: "d not between \(written) and \(second)") { value in
        value.map { place(of: $0, beside: first) < 0 || place(of: $0, beside: second) > 0 } ?? false
      }
    case 2: return Term(text: "d in (\(written), \(second))") { $0.map { $0.hasPrefix(first) || $0.hasPrefix(second) } ?? false }
    case 3: return Term(text: "d not in (\(second), \(written))") { $0.map { !$0.hasPrefix(first) && !$0.hasPrefix(second) } ?? false }
    default:
      let symbol = ["=", "<>", "!=", "<", "<=", ">", ">="].randomElement(using: &source) ?? "="
      let term = comparison(symbol, first)
      return Term(text: isQuoted ? "d \(symbol) '\(first)'" : term.text, keeps: term.keeps)
    }
  }

  @Test("The rows kept are those that an evaluation in Swift keeps", arguments: 1...4 as ClosedRange<UInt64>)
  func oracle(seed: UInt64) throws {
    var source = FilterTextSource(seed: seed)
    let values = Self.values(&source)
    let queue = try makeDatabase("CREATE TABLE e (id INTEGER PRIMARY KEY, d DATETIME)", "CREATE INDEX e_d ON e(d)")
    try queue.write { db in
      for value in values { try db.execute(sql: "INSERT INTO e (d) VALUES (?)", arguments: [value]) }
    }
    let dates =
      values.compactMap(\.self).flatMap { [String($0.prefix(4)), String($0.prefix(7)), String($0.prefix(10))] } + [
        "1999", "2021-06", "2024-02-29",
      ]
    try queue.read { db in
      let columns = try FilterColumns(of: db.tableSchema(TableReference(name: "e")), in: db)
      for _ in 0..<750 {
        let (first, second) = (Self.term(&source, dates), Self.term(&source, dates))
        let isAnd = Bool.random(using: &source)
        let text = "\(first.text) \(isAnd ? "and" : "or") \(second.text)"
        let expected = values.indices.filter {
          isAnd ? first.keeps(values[$0]) && second.keeps(values[$0]) : first.keeps(values[$0]) || second.keeps(values[$0])
        }
        var sql = SQLText("SELECT id FROM e WHERE ")
        sql.append(try #require(try Filter.compile(text, columns: columns).sqlText))
        sql.append(" ORDER BY id")
        let found = try Row.fetchAll(db.makeStatement(literal: sql)).map { try $0[0] as Int - 1 }
        if found != expected { Issue.record("\(text): \(sql.queryString)") }
      }
    }
  }

  private static func values(_ source: inout FilterTextSource) -> [String?] {
    (0..<60).map { _ in
      let day = [2020, 2021, 2024].randomElement(using: &source).map(String.init) ?? ""
      let month = ["01", "02", "06", "12"].randomElement(using: &source) ?? ""
      let rest = ["-01", "-28", "-29", "-29 23:59:59.999", "-01 00:00:00", "-28T12:30:00Z"].randomElement(using: &source) ?? ""
      return Int.random(in: 0..<10, using: &source) == 0 ? nil : "\(day)-\(month)\(rest)".replacing("2021-02-29", with: "2021-02-28")
    }
  }
}

@Suite(.gated) struct WrittenDateTests {
  @Test(
    "A date covers the texts from its start to its end",
    arguments: [
      ("2021-01-01", "2021-01-01", "2021-01-02"), ("2021-12-31", "2021-12-31", "2022-01-01"), ("2024-02-28", "2024-02-28", "2024-02-29"),
      ("2023-02-28", "2023-02-28", "2023-03-01"), ("2021-01", "2021-01", "2021-02"), ("2021-12", "2021-12", "2022-01"),
      ("2021", "2021-01", "2022-01"), ("0999", "0999-01", "1000-01"), ("9999", "9999-01", "9999-13"), ("9999-12", "9999-12", "9999-13"),
      ("9999-12-31", "9999-12-31", "9999-12-32"),
    ])
  func bounds(text: String, start: String, end: String) throws {
    let date = try WrittenDate(text)
    #expect(date.start == start && date.end == end)
  }

  @Test(
    "A date with a time is the text as written",
    arguments: [
      "2021-01-01 12:30", "2021-01-01T12:30", "2021-01-01 12:30:05", "2021-01-01 12:30:05.123456", "2021-01-01T23:59:59Z",
      "2021-01-01 00:00+02:00",
    ])
  func times(text: String) throws {
    let date = try WrittenDate(text)
    #expect(date.start == text && date.end == nil)
  }

  @Test(
    "What is no date says why, and what was probably meant",
    arguments: [
      ("01/02/1997", "“01/02/1997” is not a date. Write a date as 1997-01-31.", ["1997-01-02", "1997-02-01"]),
      ("31.12.1997", "“31.12.1997” is not a date. Write a date as 1997-01-31.", ["1997-12-31"]),
      ("1.2.97 12:30", "“1.2.97 12:30” is not a date. Write a date as 1997-01-31.", ["1997-02-01 12:30", "1997-01-02 12:30"]),
      ("1997/1/5", "“1997/1/5” is not a date. Write a date as 1997-01-31.", ["1997-01-05"]),
      ("19970105", "“19970105” is not a date. Write a date as 1997-01-31.", ["1997-01-05"]),
      ("1997-7", "“1997-7” is not a date. Write a date as 1997-01-31.", ["1997-07"]),
      ("Dec 31, 1997", "“Dec 31, 1997” is not a date. Write a date as 1997-01-31.", ["1997-12-31"]),
      ("July 1997", "“July 1997” is not a date. Write a date as 1997-01-31.", ["1997-07"]),
      ("foo", "“foo” is not a date. Write a date as 1997-01-31.", []), ("", "Empty text is not a date. Write a date as 1997-01-31.", []),
      ("1997-02-30", "February 1997 has 28 days.", ["1997-02-28"]), ("1997-04-00", "April 1997 has 30 days.", ["1997-04-01"]),
      ("2021-13-01", "There is no month 13: months go from 01 to 12.", ["2021-01-13"]),
      ("2021-13-31", "There is no month 13: months go from 01 to 12.", []),
      ("2021-00", "There is no month 0: months go from 01 to 12.", []),
      ("2021-01-01 24:00", "There is no such time of day: times go from 00:00:00 to 23:59:59.", []),
    ])
  func faults(text: String, sentence: String, suggestions: [String]) {
    let fault = #expect(throws: DateFault.self) { try WrittenDate(text) }
    #expect(fault?.sentence == sentence && fault?.suggestions == suggestions)
    for suggestion in suggestions { #expect(throws: Never.self) { try WrittenDate(suggestion) } }
  }
}
