import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite(.gated) struct FilterStepsTests {
  private static let columns = FilterFixture.columns

  @Test("A term for each value of each row keeps or drops just the rows that hold the value")
  func terms() throws {
    try FilterFixture.database().read { db in
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM Track ORDER BY TrackId").map { try $0.databaseValues }
      for (index, column) in Self.columns.all.dropLast().enumerated() {
        for value in rows.map({ $0[index] }) {
          for isExcluded in [false, true] {
            let text = Filter.term(column.name, value, isExcluded: isExcluded, in: Self.columns).description
            var sql = SQLText("SELECT TrackId FROM Track WHERE ")
            sql.append(try #require(try Filter.compile(text, columns: Self.columns).sqlText))
            let found = try Row.fetchAll(db.makeStatement(literal: sql)).map { try $0[0] as Int }
            let expected = rows.indices.filter { (rows[$0][index] == value) != isExcluded }.map { $0 + 1 }
            if found != expected { Issue.record("\(text) keeps \(found), not \(expected)") }
          }
        }
      }
    }
  }

  @Test("Terms are written as a filter names columns and values")
  func texts() {
    let terms: [(String, DatabaseValue, Bool, String)] = [
      ("Name", .text("it's"), false, "Name = 'it''s'"), ("Composer", .null, true, "Composer is not null"),
      ("Order Details", .text(""), true, "\"Order Details\" != ''"), ("Rating", .real(-.infinity), false, "Rating = -9e999"),
      ("Rating", .real(0.1), false, "Rating = 0.1"), ("Cover", .blob([0, 255]), false, "Cover = x'00ff'"),
      ("IsLive", .integer(1), false, "IsLive = true"), ("InvoiceDate", .text("2021-01-01"), false, "InvoiceDate is '2021-01-01'"),
      ("Milliseconds", .text("many"), true, "not (typeof(Milliseconds) = 'text' and cast(Milliseconds as text) = 'many')"),
    ]
    for (column, value, isExcluded, text) in terms {
      #expect(Filter.term(column, value, isExcluded: isExcluded, in: Self.columns).description == text)
    }
  }

  @Test("A term is added to a text, and the last one taken away")
  func adding() throws {
    let term = Filter.term("TrackId", .integer(3), in: Self.columns)
    let texts: [(String, added: String, dropped: String)] = [
      ("", "TrackId = 3", ""), ("IsLive", "IsLive and TrackId = 3", ""), ("green day", "~ 'green day' and TrackId = 3", ""),
      ("Name ~ a  or  IsLive", "(Name ~ a  or  IsLive) and TrackId = 3", ""),
      ("(Name ~ a or IsLive) ", "(Name ~ a or IsLive) and TrackId = 3", ""),
      ("(IsLive) or (IsLive)", "((IsLive) or (IsLive)) and TrackId = 3", ""),
      ("Name='x' && IsLive&&Name ~ love it", "Name='x' && IsLive&&Name ~ love it and TrackId = 3", "Name='x' && IsLive"),
    ]
    for (text, added, dropped) in texts {
      #expect(try Filter.text(text, adding: term, in: Self.columns) == added)
      #expect(try Filter.text(text, droppingLastTermIn: Self.columns) == dropped)
      let left = try FilterSyntax.parse(added, columns: Self.columns)?.terms.dropLast() ?? []
      let before = try FilterSyntax.parse(text, columns: Self.columns)
      #expect(Array(left) == (text.isEmpty ? [] : text.hasPrefix("Name='x'") ? before?.terms ?? [] : [before].compactMap(\.self)))
    }
    #expect(throws: FilterErrors.self) { try Filter.text("Name = ", adding: term, in: Self.columns) }
  }

  @Test("What could stand at the caret is offered, with what it replaces")
  func completions() {
    let cases: [(text: String, items: [String], values: String)] = [
      ("", ["TrackId", "Name", "not"], "-"), ("na", ["Name"], "-"), ("Order", ["\"Order Details\""], "-"),
      ("Name ", ["~", "=", "!=", "between", "^=", "like", "in"], "-"), ("Name li", ["like"], "-"),
      ("Composer is ", ["not", "null"], "Composer||12..<12"), ("Name = ", ["Name", "Composer"], "Name||7..<7"),
      ("Name = 'Gr", [], "Name|Gr|7..<10"), ("Name ~ green da", [], "Name|green da|7..<15"),
      ("IsLive an", ["and"], "-"), ("IsLive and Mil", ["Milliseconds"], "-"), ("len", ["length("], "-"),
      ("Milliseconds between 1 ", ["and"], "-"), ("Name collate ", ["nocase"], "-"), ("cast(Name as ", ["integer", "text"], "-"),
      ("IsLive = ", ["true", "false"], "IsLive||9..<9"), ("TrackId in (1, ", ["TrackId"], "TrackId||15..<15"),
      ("Name not ", ["in", "like"], "-"), ("length(Na", ["Name"], "-"), ("Milliseconds = 3 ", ["and", "or"], "-"),
    ]
    for (text, items, values) in cases {
      let found = Filter.completions(of: text, at: text.utf8.count, columns: Self.columns)
      let texts = found.items.map(\.text)
      let request = found.values.map { "\($0.column)|\($0.prefix)|\($0.range)" } ?? "-"
      if !items.allSatisfy(texts.contains) || request != values { Issue.record("\(text): \(texts) \(request)") }
      for item in found.items { #expect(item.range.upperBound == text.utf8.count) }
    }
    let values = Filter.completions(of: "Name ~ gr and IsLive", at: 9, columns: Self.columns).values
    #expect(values?.completion(for: .text("it's gr"))?.text == "'it''s gr'")
    #expect(values?.completion(for: .integer(3))?.text == "'3'")
    #expect(FilterSort.completions(of: "Name d", at: 6, columns: Self.columns).items.map(\.text) == ["desc"])
    #expect(FilterSort.completions(of: "-Rating, Mil", at: 12, columns: Self.columns).items.map(\.text) == ["Milliseconds"])
  }
}
