import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("The conditions of a filter, and the values that they choose", .gated)
struct FilterConditionTests {
  private static let columns = FilterFixture.columns

  /// Returns the numbers of the rows that a filter keeps.
  private static func rows(_ text: String, _ db: Database) throws -> [Int] {
    var sql = SQLText("SELECT TrackId FROM Track WHERE ")
    sql.append(try #require(try Filter.compile(text, columns: columns).sqlText, "\(text)"))
    return try Row.fetchAll(db.makeStatement(literal: sql)).map { try $0[0] as Int }
  }

  /// Returns one, two or three of some values.
  private static func choices(of values: [DatabaseValue]) -> [[DatabaseValue]] {
    let all = values.reduce(into: [DatabaseValue]()) { if !$0.contains($1) { $0.append($1) } }
    var choices: [[DatabaseValue]] = []
    for index in all.indices {
      let others = (1...3).map { all[(index + $0) % all.count] }
      choices += [[all[index]], [all[index], others[0]], [all[index], others[1], others[2]]]
    }
    return choices.filter { Set($0).count == $0.count }
  }

  @Test("values chosen of each column keep just the rows that hold one of them, are read back, and leave the rest of the text as it is")
  func values() throws {
    try FilterFixture.database().read { db in
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM Track ORDER BY TrackId").map { try $0.databaseValues }
      for (index, column) in Self.columns.all.dropLast().enumerated() {
        for choice in Self.choices(of: rows.map { $0[index] }) {
          let members = choice.map(CountedValue.value)
          for before in ["", "TrackId > 0 and (TrackId < 90  or IsLive)"] {
            let text = try Filter.text(before, choosing: members, of: column.name, in: Self.columns)
            let expected = rows.indices.filter { choice.contains(rows[$0][index]) }.map { $0 + 1 }
            #expect(try Self.rows(text, db) == expected, "\(text)")
            let chosen = try Filter.conditions(of: text, in: Self.columns).chosen(of: column.name)
            #expect(chosen.count == members.count && members.allSatisfy { member in chosen.contains { $0.isSame(as: member) } }, "\(text)")
            #expect(try Filter.text(text, choosing: [], of: column.name, in: Self.columns) == before)
            if !before.isEmpty { #expect(try Filter.text(text, droppingLastTermIn: Self.columns) == before) }
          }
        }
      }
    }
  }

  @Test("values left out of each column drop just the rows that hold one of them, and keep those without a value")
  func exclusions() throws {
    try FilterFixture.database().read { db in
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM Track ORDER BY TrackId").map { try $0.databaseValues }
      for (index, column) in Self.columns.all.dropLast().enumerated() {
        for choice in Self.choices(of: rows.map { $0[index] }) {
          let members = choice.map(CountedValue.value)
          let text = try Filter.text("TrackId > 0", with: members, of: column.name, isExcluded: true, in: Self.columns)
          let expected = rows.indices.filter { !choice.contains(rows[$0][index]) }.map { $0 + 1 }
          #expect(try Self.rows(text, db) == expected, "\(text)")
        }
      }
    }
  }

  @Test("a value is chosen, another one with it, and either no longer")
  func toggling() throws {
    var text = "Milliseconds > 3 and Name ~ love it"
    let steps: [(CountedValue, String)] = [
      (.value("x"), "Milliseconds > 3 and Name ~ love it and Composer = 'x'"),
      (.value("it's"), "Milliseconds > 3 and Name ~ love it and Composer in ('x', 'it''s')"),
      (.value(.null), "Milliseconds > 3 and Name ~ love it and (Composer in ('x', 'it''s') or Composer is null)"),
      (.value("x"), "Milliseconds > 3 and Name ~ love it and (Composer = 'it''s' or Composer is null)"),
      (.value("it's"), "Milliseconds > 3 and Name ~ love it and Composer is null"),
      (.value(.null), "Milliseconds > 3 and Name ~ love it"),
    ]
    for (value, expected) in steps {
      text = try Filter.text(text, toggling: value, of: "composer", in: Self.columns)
      #expect(text == expected)
    }
    #expect(try Filter.text("green day", toggling: .value("x"), of: "Composer", in: Self.columns) == "~ 'green day' and Composer = 'x'")
    #expect(throws: FilterErrors.self) { try Filter.text("Composer = ", toggling: .value("x"), of: "Composer", in: Self.columns) }
  }

  @Test("the text stays as it was written around the values that change")
  func place() throws {
    let texts: [(String, CountedValue, String)] = [
      ("Composer='x'  and  IsLive", .value("y"), "Composer in ('x', 'y')  and  IsLive"),
      ("Composer='x'  and  IsLive", .value("x"), "IsLive"),
      ("IsLive && COMPOSER in ('x', 'y') && TrackId<9", .value("x"), "IsLive && Composer = 'y' && TrackId<9"),
      ("(composer = 'x' or Composer is null)", .value("x"), "Composer is null"),
      ("Composer = 'x' or IsLive", .value("y"), "(Composer = 'x' or IsLive) and Composer = 'y'"),
      ("Composer ~ x", .value("y"), "Composer ~ x and Composer = 'y'"),
      ("1 is 1.0 and Composer in ('x')", .value("x"), "1 is 1.0"),
    ]
    for (text, value, expected) in texts {
      #expect(try Filter.text(text, toggling: value, of: "Composer", in: Self.columns) == expected)
    }
    #expect(try Filter.text("Rating = 1", toggling: .value(1.0), of: "Rating", in: Self.columns) == "", "1 and 1.0 are one value")
    #expect(try Filter.text("Extra = 1", toggling: .value("1"), of: "Extra", in: Self.columns) == "Extra in (1, '1')")
  }

  @Test("a value is kept or left out, not both, and neither once it is toggled again")
  func toggledExclusions() throws {
    func toggled(_ text: String, _ value: CountedValue) throws -> String {
      try Filter.text(text, togglingExclusionOf: value, of: "Composer", in: Self.columns)
    }
    #expect(try toggled("", .value("x")) == "Composer != 'x'")
    #expect(try toggled("Composer != 'x'", .value("x")) == "")
    #expect(try toggled("IsLive and Composer!='x' and TrackId < 9", .value("x")) == "IsLive and TrackId < 9")
    #expect(try toggled("Composer in ('x', 'y')", .value("x")) == "Composer = 'y' and Composer != 'x'")
    #expect(try toggled("Composer = 'x'", .value("x")) == "Composer != 'x'")
    let withoutNull = try toggled("", .value(.null))
    #expect(try toggled(withoutNull, .value(.null)) == "")
    #expect(try Filter.text("Composer != 'x'", toggling: .value("x"), of: "Composer", in: Self.columns) == "Composer = 'x'")
    let range = CountedValue.bin(ValueBin(lower: 0, upper: 1.5))
    let without = try Filter.text("", togglingExclusionOf: range, of: "Rating", in: Self.columns)
    #expect(try Filter.conditions(of: without, in: Self.columns).leaveOut(range, of: "Rating", in: Self.columns), "\(without)")
    #expect(try Filter.text(without, togglingExclusionOf: range, of: "Rating", in: Self.columns) == "")
  }

  @Test("a range is one condition, which is read back and dropped as one")
  func ranges() throws {
    let low = ValueBin(lower: 0, upper: 1.5), high = ValueBin(lower: 1.5, upper: 3, includesUpper: true)
    let one = try Filter.text("", toggling: .bin(low), of: "Rating", in: Self.columns)
    #expect(one == "(Rating >= 0 and Rating < 1.5)")
    let both = try Filter.text(one, toggling: .bin(high), of: "Rating", in: Self.columns)
    #expect(both == "Rating >= 0 and Rating < 1.5 or Rating >= 1.5 and Rating <= 3")
    #expect(try Filter.text(both, toggling: .bin(low), of: "Rating", in: Self.columns) == "(Rating >= 1.5 and Rating <= 3)")
    #expect(try Filter.text(one, droppingLastTermIn: Self.columns) == "")
    let dates = ValueBin(lower: "2021-01-01", upper: "2022-01-01")
    let year = try Filter.text("IsLive", toggling: .bin(dates), of: "InvoiceDate", in: Self.columns)
    #expect(year == "IsLive and (InvoiceDate >= '2021-01-01' and InvoiceDate < '2022-01-01')")
    try FilterFixture.database().read { db in
      #expect(try Self.rows(one, db) == [6])
      #expect(try Self.rows(both, db) == [1, 3, 6])
      #expect(try Self.rows(year, db) == [1, 6])
      for bin in [low, high] {
        let left = try Filter.text("", with: [.bin(bin)], of: "Rating", isExcluded: true, in: Self.columns)
        let kept = try Filter.text("", with: [.bin(bin)], of: "Rating", isExcluded: false, in: Self.columns)
        #expect(try (Self.rows(left, db) + Self.rows(kept, db)).sorted() == Array(1...7), "rows without a rating are left too")
      }
    }
  }

  @Test("a condition is a column's where it names no other one")
  func columnsOfConditions() throws {
    let texts: [(String, [String?])] = [
      ("", []), ("love", [nil]), ("Name ~ x and composer = 'y'", ["Name", "Composer"]), ("Name = Composer and IsLive", [nil, "IsLive"]),
      ("(Rating > 1 and Rating < 3) and TrackId = 1 or IsLive", [nil]),
      ("length(Name) > 3 and not (Rating > :r or Rating is null)", ["Name", "Rating"]),
      ("1 = :x and rowid > 3", [nil, "rowid"]), ("~ x and Rating between 1 and 3", [nil, "Rating"]),
    ]
    for (text, expected) in texts { #expect(try Filter.conditions(of: text, in: Self.columns).map(\.column) == expected, "\(text)") }
  }

  @Test("conditions are compiled with the parameters of the whole text")
  func parameters() throws {
    let conditions = try Filter.facetConditions(
      of: "TrackId > ? and Name ~ :n and Rating < ?", in: Self.columns,
      parameters: ["1": .integer(1), ":n": .text("o"), "3": .integer(9)])
    #expect(conditions.map(\.column) == ["TrackId", "Name", "Rating"])
    #expect(conditions[0].filter.description.contains("> 1") && conditions[2].filter.description.contains("< 9"), "\(conditions)")
    #expect(throws: FilterErrors.self) { try Filter.facetConditions(of: "Nmae = 'x'", in: Self.columns) }
  }

  @Test("a text that is not valid UTF-8 is kept and left out by its bytes")
  func rawTexts() throws {
    let database = try makeDatabase("CREATE TABLE t(a TEXT)", "INSERT INTO t VALUES (CAST(x'ff41' AS TEXT)), (x'ff41'), ('A'), (NULL)")
    let columns = FilterColumns([FilterColumn("a", type: .text)])
    try database.read { db in
      for (isExcluded, count) in [(false, 1), (true, 3)] {
        let text = try Filter.text("", with: [.rawText([0xFF, 0x41])], of: "a", isExcluded: isExcluded, in: columns)
        var sql = SQLText("SELECT count(*) FROM t WHERE ")
        sql.append(try #require(try Filter.compile(text, columns: columns).sqlText))
        #expect(try Row.fetchAll(db.makeStatement(literal: sql)).map { try $0[0] as Int } == [count], "\(text)")
        if !isExcluded { #expect(try Filter.conditions(of: text, in: columns).chosen(of: "a") == [.rawText([0xFF, 0x41])]) }
      }
    }
  }
}
