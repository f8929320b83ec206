import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Random trees that are written and read again, and random texts that must do no harm.
@Suite(.gated) struct FilterFuzzTests {
  private static let columns = FilterFixture.columns

  @Test("A tree that is written as text is read as the same tree", arguments: 1...8 as ClosedRange<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var source = FilterTextSource(seed: seed)
    for _ in 0..<1500 {
      let tree = source.predicate(depth: 4)
      let text = tree.description
      guard let read = try? FilterSyntax.parse(text, columns: Self.columns), read == tree else {
        Issue.record("\(text)")
        continue
      }
    }
  }

  @Test("Random and mutated texts are refused with places that lie in them, or SQLite takes what they become", arguments: [1, 2])
  func texts(seed: UInt64) throws {
    var source = FilterTextSource(seed: seed)
    var taken = 0
    try FilterFixture.database().read { db in
      for _ in 0..<10_000 {
        let text = source.text()
        if let complaint = FilterTextSource.complaint(text, columns: Self.columns) { Issue.record("\(complaint)") }
        guard let filter = try? Filter.compile(text, columns: Self.columns), filter.isComplete, let sql = filter.sqlText else { continue }
        taken += 1
        Self.prepare(sql, of: text, in: db)
      }
    }
    #expect(taken >= 490, "\(taken)")
  }

  @Test("What an error offers brings no fault to its place", arguments: 1...4 as ClosedRange<UInt64>)
  func offers(seed: UInt64) {
    var source = FilterTextSource(seed: seed)
    for _ in 0..<1_000 {
      let text = source.text()
      let complaints = [
        FilterTextSource.complaintAboutOffers(text) { FilterTextSource.errors($0, Self.columns) },
        FilterTextSource.complaintAboutOffers(text) { FilterTextSource.sortErrors($0, Self.columns) },
      ]
      for complaint in complaints.compactMap(\.self) { Issue.record("\(complaint)") }
    }
  }

  @Test("What an error offers leaves nothing wrong, or fewer faults or a later one", arguments: 11...14 as ClosedRange<UInt64>)
  func offersLessen(seed: UInt64) {
    var source = FilterTextSource(seed: seed)
    var offered = 0
    for _ in 0..<2_500 {
      let text = source.brokenText()
      let errors = FilterTextSource.errors(text, Self.columns)
      for replacement in errors.flatMap(\.replacements) {
        offered += 1
        let mended = replacement.applied(to: text)
        let left = FilterTextSource.errors(mended, Self.columns)
        if !FilterTextSource.isLess(left, mended, than: errors, text) { Issue.record("\(text) → \(mended): \(left)") }
      }
    }
    #expect(offered > 1_000, "\(offered)")
  }

  @Test("What is nested as deep as may be is refused, or SQLite takes it")
  func nesting() throws {
    let shapes = [
      ("not (", ")"), ("(Rating = 1) and (IsLive or ", ")"), ("coalesce(1, ", ") = 1"), ("1 + (2 * -", ")"), ("Name ~ (", ")"),
      ("~ (", ")"),
      ("'a' || (Name || ", ")"), ("Extra in (1, 2, ", ")"), ("Extra between 1 and (", ")"), ("(not ", ") = true"), ("Name !~ lower(", ")"),
      ("cast(", " as text)"), ("Extra is not (", ")"), ("Name like 'x' escape (", ")"), ("+(", ") collate nocase"),
    ]
    try FilterFixture.database().read { db in
      for (prefix, suffix) in shapes {
        for depth in 1...25 {
          for core in ["IsLive", "Extra", "Extra = 1"] {
            let text = String(repeating: prefix, count: depth) + core + String(repeating: suffix, count: depth)
            guard let sql = try? Filter.compile(text, columns: Self.columns).sqlText else { continue }
            Self.prepare(sql, of: text, in: db)
          }
        }
      }
    }
  }

  private static func prepare(_ condition: SQLText, of text: String, in db: Database) {
    var select = SQLText("SELECT TrackId FROM Track WHERE (TrackId > 0) AND (")
    select.append(condition)
    select.append(") ORDER BY Name")
    do { _ = try db.makeStatement(literal: select) } catch { Issue.record("\(text): \(error)") }
  }
}
