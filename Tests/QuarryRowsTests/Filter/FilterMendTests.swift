import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Returns what is offered for texts as people write them who know SQL, or another tool.
@Suite(.gated) struct FilterMendTests {
  private static func offers(_ text: String) -> [String] {
    FilterTextSource.errors(text, FilterFixture.columns).first?.replacements.map { $0.applied(to: text) } ?? ["taken"]
  }

  @Test(
    "What is offered first can be taken as it is",
    arguments: [
      ("Name like A%", "Name like 'A%'"), ("Name not like %A and IsLive", "Name not like '%A' and IsLive"),
      ("Name glob A*", "Name glob 'A*'"),
      ("Name in France, New York", "Name in ('France', 'New York')"), ("TrackId in 1, 2", "TrackId in (1, 2)"),
      ("Track.Name = 'x'", "Name = 'x'"), ("[Order Details].Name = 'x'", "Name = 'x'"), ("\"Track\".Name = 'x'", "Name = 'x'"),
      ("TrackId > 3 -- those", "TrackId > 3"), ("Name = Trail's", "Name = 'Trail''s'"), ("Name = 'Trail's Head'", "Name = 'Trail''s Head'"),
      ("Name = AC/DC", "Name = 'AC/DC'"), ("Name != Jean-Luc", "Name != 'Jean-Luc'"),
      ("Name like a b", "Name like 'a b'"), ("Name like Composer%", "Name like 'Composer%'"),
      ("Name in [USA, it's, 'UK']", "Name in ('USA', 'it''s', 'UK')"),
      ("TrackId in [1, 2]", "TrackId in (1, 2)"), ("TrackId is between 1 and 3", "TrackId between 1 and 3"),
      ("TrackId is not between 1 and 3 and IsLive", "TrackId not between 1 and 3 and IsLive"),
      ("Name is not in ('x')", "Name not in ('x')"),
      ("Name is like 'x%'", "Name like 'x%'"), ("InvoiceDate > date('now', '-1 mnth')", "InvoiceDate > date('now', '-1 month')"),
      ("InvoiceDate > date('now', '-2 weeks')", "InvoiceDate > date('now', '-14 days')"),
      ("InvoiceDate > date('now', '-3')", "InvoiceDate > date('now', '-3 days')"),
      ("InvoiceDate > date('now', 'start of the month')", "InvoiceDate > date('now', 'start of month')"),
      ("InvoiceDate > date(1997)", "InvoiceDate > date(1997-01-01)"),
      ("InvoiceDate > date(1997-06)", "InvoiceDate > date(1997-06-01)"),
      ("InvoiceDate > date('31.12.1997')", "InvoiceDate > date('1997-12-31')"),
      ("InvoiceDate > date(1609459200)", "InvoiceDate > date(1609459200, 'unixepoch')"),
      ("InvoiceDate > date(1609459200123)", "InvoiceDate > date(1609459200123 / 1000, 'unixepoch')"), ("TrackId ≥ 3", "TrackId >= 3"),
      ("TrackId > 1_000", "TrackId > 1000"), ("Name = “USA”", "Name = 'USA'"), ("Name = ‘x’", "Name = 'x'"),
    ])
  func mends(text: String, mended: String) {
    #expect(Self.offers(text).first == mended)
    #expect(FilterTextSource.errors(mended, FilterFixture.columns).isEmpty)
  }

  @Test(
    "Nothing is offered that leaves a word or a value over beside it",
    arguments: [
      "InvoiceDate before 1997", "TrackId greater than 100", "TrackId = 1,2", "TrackId = 1|2", "Rating > 1.000,5", "Rating > 12.5.3",
      "Milliseconds > 5 minutes",
      "Milliseconds > 10 MB and IsLive", "-Milliseconds", "Name rom Customers;",
    ])
  func leftovers(text: String) { #expect(Self.offers(text) == []) }

  @Test(
    "Now and today are offered as the column keeps its dates",
    arguments: [
      (DateStorage.seconds, "unixepoch(datetime('now'))"), (.milliseconds, "unixepoch(datetime('now')) * 1000"),
      (.julianDays, "julianday(datetime('now'))"), (.text, "datetime('now')"),
    ])
  func moments(storage: DateStorage, moment: String) {
    var column = FilterColumn("day", type: .date, declaredType: "DATE")
    column.dates = storage
    let errors = FilterTextSource.errors("day > now", FilterColumns([column]))
    #expect(errors.first?.replacements.map { $0.applied(to: "day > now") } == ["day > \(moment)"])
  }

  @Test(
    "A date beside a column of numbers is offered as the column's values count time, where they do",
    arguments: [
      (852_076_800, "unixepoch(1997-06-01)"), (852_076_800_000, "unixepoch(1997-06-01) * 1000"),
      (852_076_800_000_000, "unixepoch(1997-06-01) * 1000000"),
      (852_076_800_000_000_000, "unixepoch(1997-06-01) * 1000000000"), (2_450_450, "julianday(1997-06-01)"), (1997, "1997"), (12, nil),
      (nil, "unixepoch(1997-06-01)"),
    ] as [(Int?, String?)])
  func numbers(value: Int?, date: String?) throws {
    let queue = try makeDatabase("CREATE TABLE e (at INTEGER, x)", "INSERT INTO e VALUES (NULL, NULL)")
    if let value { try queue.write { db in try db.execute(sql: "INSERT INTO e VALUES (?1, ?1), (0, 0)", arguments: [value]) } }
    let columns = try queue.read { db in try FilterColumns(of: db.tableSchema(TableReference(name: "e")), in: db) }
    let text = "at > 1997-06-01"
    let offers = FilterTextSource.errors(text, columns).flatMap(\.replacements).map { $0.applied(to: text) }
    #expect(offers == (date.map { ["at > \($0)"] } ?? []))
    for offer in offers { #expect(FilterTextSource.errors(offer, columns).isEmpty) }
    let advice = try Filter.compile("x > 1997-06-01", columns: columns).advice
    let holds = "x holds numbers: SQLite sorts every number before every date stored as text."
    #expect(advice.map(\.sentence) == (value == nil ? [] : [holds]))
  }

  @Test(
    "A column with a point in its name is offered in quotes, the longest where there are several",
    arguments: [
      ("x.y = 1", "\"x.y\" = 1"), ("X.Y is null and a = 2", "\"x.y\" is null and a = 2"), ("x.y.z > 3", "\"x.y.z\" > 3"),
      ("a = 1 or net.total amount < 3", "a = 1 or \"net.total amount\" < 3"), ("x.yy = 1", "yy = 1"),
    ])
  func points(text: String, mended: String) {
    let columns = FilterColumns(["x.y", "x.y.z", "net.total amount", "a", "yy"].map { FilterColumn($0, type: .integer) })
    let errors = FilterTextSource.errors(text, columns)
    #expect(errors.first?.replacements.first?.applied(to: text) == mended)
    #expect(FilterTextSource.errors(mended, columns).isEmpty)
  }

  @Test(
    "A column that is named as a word of the language is offered in quotes",
    arguments: [
      ("match = 1", "\"match\" = 1"), ("a = 1 and Like > 2", "a = 1 and \"like\" > 2"),
      ("between between 1 and 2", "\"between\" between 1 and 2"),
    ])
  func reservedWords(text: String, mended: String) {
    let columns = FilterColumns(["match", "like", "between", "a"].map { FilterColumn($0, type: .integer) })
    let errors = FilterTextSource.errors(text, columns)
    #expect(errors.first?.replacements.first?.applied(to: text) == mended)
    #expect(FilterTextSource.errors(mended, columns).isEmpty)
  }

  @Test("Names are offered for each of many misspelt columns")
  func manyNames() {
    let text = (0..<8).map { _ in "Miliseconds > 3" }.joined(separator: " and ")
    let errors = FilterTextSource.errors(text, FilterFixture.columns)
    #expect(errors.count == 8)
    #expect(errors.allSatisfy { $0.replacements.map(\.text) == ["Milliseconds"] })
  }

  @Test("An aggregate without operands is refused by its name")
  func aggregate() {
    let error = FilterTextSource.errors("count(*) > 3", FilterFixture.columns).first
    #expect(error?.description == "There is no function count. A filter looks at one row at a time.")
  }
}
