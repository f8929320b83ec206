import QuarryEngine
import Testing

/// What is offered for texts as people write them who know SQL, or another tool.
@Suite struct FilterMendTests {
  private static func offers(_ text: String) -> [String] {
    FilterTextSource.errors(text, FilterFixture.columns).first?.replacements.map { $0.applied(to: text) } ?? ["taken"]
  }

  @Test("What is offered first can be taken as it is", arguments: [
    ("Name like A%", "Name like 'A%'"), ("Name not like %A and IsLive", "Name not like '%A' and IsLive"), ("Name glob A*", "Name glob 'A*'"),
    ("Name in France, New York", "Name in ('France', 'New York')"), ("TrackId in 1, 2", "TrackId in (1, 2)"),
    ("Track.Name = 'x'", "Name = 'x'"), ("[Order Details].Name = 'x'", "Name = 'x'"), ("\"Track\".Name = 'x'", "Name = 'x'"),
    ("TrackId > 3 -- those", "TrackId > 3"), ("Name = Trail's", "Name = 'Trail''s'"), ("Name = 'Trail's Head'", "Name = 'Trail''s Head'"),
    ("TrackId ≥ 3", "TrackId >= 3"), ("TrackId > 1_000", "TrackId > 1000"), ("Name = “USA”", "Name = 'USA'"), ("Name = ‘x’", "Name = 'x'"),
  ])
  func mends(text: String, mended: String) {
    #expect(Self.offers(text).first == mended)
    #expect(FilterTextSource.errors(mended, FilterFixture.columns).isEmpty)
  }

  @Test("Nothing is offered that leaves a word or a value over beside it", arguments: [
    "InvoiceDate before 1997", "TrackId greater than 100", "TrackId = 1,2", "TrackId = 1|2", "Rating > 1.000,5", "Rating > 12.5.3",
  ])
  func leftovers(text: String) { #expect(Self.offers(text) == []) }

  @Test("Now and today are offered as the column keeps its dates", arguments: [
    (DateStorage.seconds, "unixepoch(datetime('now'))"), (.milliseconds, "unixepoch(datetime('now')) * 1000"),
    (.julianDays, "julianday(datetime('now'))"), (.text, "datetime('now')"),
  ])
  func moments(storage: DateStorage, moment: String) {
    var column = FilterColumn("day", type: .date, declaredType: "DATE")
    column.dates = storage
    let errors = FilterTextSource.errors("day > now", FilterColumns([column]))
    #expect(errors.first?.replacements.map { $0.applied(to: "day > now") } == ["day > \(moment)"])
  }

  @Test("An aggregate without operands is refused by its name")
  func aggregate() {
    let error = FilterTextSource.errors("count(*) > 3", FilterFixture.columns).first
    #expect(error?.description == "There is no function count. A filter looks at one row at a time.")
  }
}
