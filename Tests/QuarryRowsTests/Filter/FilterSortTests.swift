import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite(.gated) struct FilterSortTests {
  private static let columns = FilterFixture.columns

  @Test("Sort texts become keys, and are written again as the same keys")
  func keys() throws {
    let expected: [(text: String, sql: String, written: String)] = [
      ("", "", ""),
      ("Name", "Name", "Name"),
      ("-Milliseconds, Name collate nocase", "Milliseconds DESC, Name COLLATE NOCASE", "-Milliseconds, Name collate nocase"),
      ("length(Name) desc", "length(Name) DESC", "length(Name) desc"),
      (
        "name asc nulls last , [Order Details] DESC nulls first", "Name NULLS LAST, \"Order Details\" DESC NULLS FIRST",
        "Name nulls last, -\"Order Details\" nulls first"
      ),
      ("-Milliseconds + 3", "(-(Milliseconds) + 3)", "-Milliseconds + 3"),
      ("(-Milliseconds) desc", "-(Milliseconds) DESC", "(-Milliseconds) desc"),
      ("-(Milliseconds)", "Milliseconds DESC", "-Milliseconds"),
      ("(Name = 'x'), rowid", "(Name = 'x'), rowid", "Name = 'x', rowid"),
    ]
    try FilterFixture.database().read { db in
      for (text, sql, written) in expected {
        let sort = try FilterSort.compile(text, columns: Self.columns)
        var writer = SQLText()
        for (index, key) in sort.orderings.enumerated() {
          if index > 0 { writer.append(", ") }
          writer.append(key.sqlText)
        }
        if writer.queryString != sql || sort.text != written { Issue.record("\(text): \(writer.queryString) | \(sort.text)") }
        if sql.isEmpty { continue }
        var select = SQLText("SELECT * FROM Track ORDER BY ")
        select.append(writer)
        #expect(try Row.fetchAll(db.makeStatement(literal: select)).count == 7)
      }
    }
  }

  @Test("A sort text that cannot be taken says why")
  func refusals() {
    let expected: [(text: String, fault: String, sentence: String, replaced: [String])] = [
      ("-Name desc", "-Name desc", "The minus sign already sets the direction, but desc sets it again.", ["Name desc"]),
      ("-Name asc", "-Name asc", "The minus sign already sets the direction, but asc sets it again.", ["Name"]),
      (
        "-Name collate nocase", "-Name collate nocase", "A minus sign sets the direction only of a single column.",
        ["Name collate nocase desc"]
      ),
      ("Nmae", "Nmae", "There is no column Nmae.", ["Name"]),
      ("Name Composer", "Composer", "Composer is not allowed here.", ["Name, Composer"]),
      ("Name,", ",", "A key is missing after the comma.", []),
      ("Name nulls", "nulls", "Write first or last after nulls.", ["Name nulls first", "Name nulls last"]),
      ("3", "3", "3 is the same for every row, so it cannot sort them.", []),
      ("Milliseconds + :p", "Milliseconds + :p", "A sort order cannot have parameters: nothing asks for their values.", []),
      (
        "length(Milliseconds)", "Milliseconds", "length expects text or a blob, but Milliseconds is declared INTEGER.",
        ["length(cast(Milliseconds as text))"]
      ),
    ]
    for (text, fault, sentence, replaced) in expected {
      do throws(FilterErrors) {
        _ = try FilterSort.compile(text, columns: Self.columns)
        Issue.record("\(text) is taken")
      } catch {
        let first = error.errors[0]
        let found = String(decoding: Array(text.utf8)[first.range], as: UTF8.self)
        let texts = first.replacements.map { $0.applied(to: text) }
        if found != fault || first.sentence != sentence || texts != replaced {
          Issue.record("\(text): \(found) | \(first.sentence) | \(texts)")
        }
      }
    }
  }

  @Test("A name with blanks gets its quotes", arguments: ["-Order Details", "-order details, Name", "Name, -Order Details"])
  func blanks(_ text: String) {
    do throws(FilterErrors) {
      _ = try FilterSort.compile(text, columns: Self.columns)
      Issue.record("\(text) is taken")
    } catch {
      let mended = error.errors.flatMap(\.replacements).map { $0.applied(to: text) }
      #expect(!mended.isEmpty)
      for text in mended { #expect(text.contains("-\"Order Details\"") && !text.contains("Details\" "), "\(text)") }
    }
  }

  @Test("Steps go through ascending, descending and none")
  func steps() throws {
    var sort = try FilterSort.compile("", columns: Self.columns)
    let (name, rating) = (FilterSyntax(named: "Name", in: Self.columns), FilterSyntax(named: "Rating", in: Self.columns))
    var texts: [String] = []
    for step: (inout FilterSort) -> Void in [
      { $0.toggle(name) }, { $0.toggle(FilterSyntax(named: "name", in: Self.columns)) }, { $0.add(rating) }, { $0.add(rating) },
      { $0.add(name) }, { $0.toggle(rating) },
      { $0.toggle(name) }, { $0.toggle(name) }, { $0.toggle(name) },
    ] {
      step(&sort)
      texts.append(sort.text)
    }
    #expect(texts == ["Name", "-Name", "-Name, Rating", "-Name, -Rating", "-Rating", "", "Name", "-Name", ""])
  }

  @Test("An order ends in the rowid, or in the key of a WITHOUT ROWID table")
  func total() throws {
    let queue = try makeDatabase(
      "CREATE TABLE a (x, y)", "CREATE TABLE b (x, y, PRIMARY KEY (y, x)) WITHOUT ROWID", "CREATE TABLE c (rowid, id INTEGER PRIMARY KEY)",
      "CREATE TABLE d (rowid, x)", "CREATE VIEW e AS SELECT * FROM a")
    let found = try queue.read { db in
      try ["a", "b", "c", "d", "e"].map { name in
        let table = try db.tableSchema(TableReference(database: "main", name: name))
        let sort = try FilterSort.compile(name == "c" ? "-id" : "-x", columns: FilterColumns(table))
        return sort.totalOrderings.map(\.sqlText.queryString).joined(separator: ", ")
      }
    }
    #expect(found == ["x DESC, rowid", "x DESC, y", "id DESC", "x DESC, _rowid_", "x DESC"])
  }
}
