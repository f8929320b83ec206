import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Values out of JSON: `->`, `->>` and paths.
@Suite(.gated) struct FilterJSONTests {
  private static let columns = FilterColumns([
    FilterColumn("id", type: .integer, declaredType: "INTEGER"), FilterColumn("data", type: .any, declaredType: "JSON"),
    FilterColumn("note", type: .text, declaredType: "TEXT"), FilterColumn("at", type: .date, declaredType: "DATE"),
    FilterColumn("my data", type: .text, declaredType: "TEXT"),
  ])

  private static func database() throws -> DatabaseQueue {
    try makeDatabase(
      "CREATE TABLE event (id INTEGER PRIMARY KEY, data JSON, note TEXT, at DATE, \"my data\" TEXT)",
      """
      INSERT INTO event VALUES
        (1, '{"user": {"name": "Ada", "age": 36, "e.mail": "ada@x.org"}, "tags": ["a", "b"], "in": 1}', '["n"]', '2024-01-01', '{"a": 1}'),
        (2, '{"user": {"name": "Bob", "age": "36"}, "tags": [], "say \\"so\\"": true, "it''s": 2.5}', 'no JSON', NULL, '{"a b": {"c": 3}}'),
        (3, 'no JSON', '{"user": 1', NULL, NULL), (4, NULL, NULL, NULL, NULL), (5, 5, '', NULL, '[]'),
        (6, '{"user": null, "tags": [[1, 2], {"x": "y"}], "": 7, "back\\\\slash": 8}', '{}', NULL, 'x'), (7, x'00', NULL, NULL, NULL)
      """)
  }

  @Test(
    "A path leads to a value, and to NULL where the text is no JSON",
    arguments: [
      ("data.user.name = 'Ada'", [1]), ("data.user.age = 36", [1]), ("data.user.age = '36'", [2]), ("data.user.name ~ b", [2]),
      ("data.user.\"e.mail\" $= '.org'", [1]), ("data.tags[0] = 'a'", [1]), ("data.tags[#-1] = 'b'", [1]), ("data.tags[0][1] = 2", [6]),
      ("data.tags[1].x = 'y'", [6]), ("data.in = 1", [1]), ("data.\"say \"\"so\"\"\"", [2]), ("data.\"it's\" > 2", [2]),
      ("data.\"back\\slash\" = 8", [6]), ("[my data].\"a b\".c = 3", [2]), ("\"my data\".a = 1", [1]),
      ("data.user.name is null", [3, 4, 5, 6, 7]),
      ("data.user != null", [1, 2]), ("note.user is null", [1, 2, 3, 4, 5, 6, 7]), ("data ->> '$.user.name' = 'Ada'", [1]),
      ("data -> 'user' ->> 'name' in ('Ada', 'Bob')", [1, 2]), ("data -> '$.user' = 'null'", [6]),
      ("data ->> '$.user.\"e.mail\"' ~ ada", [1]),
      ("note ->> 0 = 'n'", [1]), ("data -> 'tags' ->> -1 = 'b'", [1]), ("data ->> 'e.mail' is not null", []),
      ("json_valid(data)", [1, 2, 5, 6]),
      ("note != null and not json_valid(note)", [2, 3, 5]), ("json_valid(data) and data.user.age > 3", [1, 2]), ("data ->> '$' = 5", [5]),
      ("upper(data.user.name) = 'BOB'", [2]), ("data.tags[0] || 'x' = 'ax'", [1]), ("json_valid(data) = 1 and id > 5", [6]),
    ])
  func rows(text: String, rows: [Int]) throws {
    let filter = try Filter.compile(text, columns: Self.columns)
    let sql = try #require(filter.sqlText)
    let found = try Self.database().read { db in try Int.fetchAll(db, literal: "SELECT id FROM event WHERE \(sql) ORDER BY 1") }
    #expect(found == rows, "\(sql.queryString)")
    #expect(try FilterSyntax.parse(try #require(filter.syntax).description, columns: Self.columns) == filter.syntax)
  }

  @Test(
    "A key is found whether its writer has escaped what is not ASCII or not",
    arguments: ["data.café = 1", "data.café.\"né 𝄞\" = 1", "data -> 'café' ->> 'x' = 1", "data ->> '$.\"né 𝄞\"[0]' = 1"])
  func escapedKeys(text: String) throws {
    let queue = try makeDatabase(
      "CREATE TABLE event (id INTEGER PRIMARY KEY, data JSON, note TEXT, at DATE, \"my data\" TEXT)",
      #"""
      INSERT INTO event(data) VALUES ('{"café": 1}'), ('{"caf\u00e9": 1}'), ('{"café": {"né 𝄞": 1, "x": 1}, "né 𝄞": [1]}'),
        ('{"caf\u00e9": {"n\u00e9 \ud834\udd1e": 1, "x": 1}, "n\u00e9 \ud834\udd1e": [1]}')
      """#)
    let sql = try #require(try Filter.compile(text, columns: Self.columns).sqlText)
    let found = try queue.read { db in try Int.fetchAll(db, literal: "SELECT id FROM event WHERE \(sql) ORDER BY 1") }
    #expect(found == (text == "data.café = 1" ? [1, 2] : [3, 4]), "\(sql.queryString)")
  }

  @Test(
    "The SQL asks whether the text is JSON before it looks into it",
    arguments: [
      ("data.user.name = 'x'", "((CASE WHEN json_valid(data) THEN data ->> '$.user.name' END) = 'x')"),
      ("data -> 'a' ->> 'b' = 1", "(((CASE WHEN json_valid(data) THEN data -> '$.a' END) ->> '$.b') = 1)"),
      ("data.\"e.mail\"[2] isnull", "((CASE WHEN json_valid(data) THEN data ->> '$.\"e.mail\"[2]' END) IS NULL)"),
      ("data ->> :path = 1", "((CASE WHEN json_valid(data) THEN data ->> :path END) = 1)"),
    ])
  func sql(text: String, sql: String) throws {
    #expect(try Filter.compile(text, columns: Self.columns).sqlText?.queryString == sql)
  }

  @Test(
    "A date beside a value out of JSON is one, with all of its day, month or year",
    arguments: [
      ("data.d = 2024-01", "'2024-01'", [1, 2]), ("data.d = 2024-01-05", "'2024-01-06'", [1, 2]),
      ("data.d > 2024-01-05", "'2024-01-06'", [3]),
      ("data.d >= 2024-01-05", "'2024-01-05'", [1, 2, 3]), ("data.d <> 2024-01", "'2024-02'", [3]),
      ("data.d != 2024-01", "'2024-02'", [3, 4, 5]), ("data.d between 2024-01 and 2024-02", "'2024-03'", [1, 2, 3]),
      ("data.d in (2024-02, 2023-12)", "'2024-03'", [3]), ("2024-01 < data.d", "'2024-02'", [3]),
      ("data ->> '$.d' = 2024-01", "'2024-02'", [1, 2]), ("data ->> 'd' > 2024-01-05", "'2024-01-06'", [3]),
      ("data.d >= 2024-01-05T11:00", "'2024-01-05T11:00'", [2, 3]),
    ])
  func dates(text: String, bound: String, rows: [Int]) throws {
    let queue = try makeDatabase(
      "CREATE TABLE event (id INTEGER PRIMARY KEY, data JSON, note TEXT)",
      """
      INSERT INTO event(id, data) VALUES (1, '{"d": "2024-01-05"}'), (2, '{"d": "2024-01-05T12:30"}'), (3, '{"d": "2024-02-01"}'),
        (4, '{"d": null}'), (5, 'no JSON')
      """)
    let filter = try Filter.compile(text, columns: Self.columns)
    let sql = try #require(filter.sqlText)
    #expect(sql.queryString.contains(bound))
    #expect(try queue.read { db in try Int.fetchAll(db, literal: "SELECT id FROM event WHERE \(sql) ORDER BY 1") } == rows)
    #expect(filter.advice.isEmpty)
    #expect(try FilterSyntax.parse(try #require(filter.syntax).description, columns: Self.columns) == filter.syntax)
  }

  @Test("A day by its name is refused beside a value out of JSON as beside a column, with what gives it")
  func today() {
    for text in ["data.d > today", "data ->> 'd' > today", "note > today"] {
      let error = #expect(throws: FilterErrors.self, "\(text)") { try Filter.compile(text, columns: Self.columns) }
      #expect(error?.errors.first?.replacements.first?.text == "date('now')", "\(text)")
    }
    #expect(throws: FilterErrors.self) { try Filter.compile("data.d = 2024-13-01", columns: Self.columns) }
  }

  @Test("Rows are sorted by what lies at a path, and the order's mark names it")
  func sorting() throws {
    let sort = try FilterSort.compile("data.user.age desc nulls last, -id", columns: Self.columns)
    #expect(sort.text == "-data.user.age nulls last, -id")
    let order = RowOrder(sort.orderings).sqlText
    let ids = try Self.database().read { db in try Int.fetchAll(db, literal: "SELECT id FROM event ORDER BY \(order)") }
    #expect(ids == [2, 1, 7, 6, 5, 4, 3])
  }

  @Test("A path is taken like a column where one is kept, excluded or sorted by")
  func steps() throws {
    let path = "data.user.\"e.mail\""
    #expect(Filter.term(path, .text("x"), in: Self.columns).description == path + " = 'x'")
    #expect(Filter.term(path, .null, isExcluded: true, in: Self.columns).description == path + " is not null")
    var sort = try FilterSort.compile("", columns: Self.columns)
    let value = FilterSyntax(named: path, in: Self.columns)
    sort.toggle(value)
    sort.add(FilterSyntax(named: "id", in: Self.columns))
    #expect(sort.text == path + ", id")
    sort.add(value)
    #expect(sort.text == "-" + path + ", id")
    #expect(sort.keys.map(\.column) == [nil, "id"] && sort.keys[0].syntax == value)
    #expect(try FilterSort.compile(sort.text, columns: Self.columns) == sort)
    #expect(try FilterSort.compile("(-data.user.age)", columns: Self.columns).keys.map(\.isDescending) == [false])
  }

  @Test(
    "What is no path is refused at its place",
    arguments: [
      ("data ->> '$.a[' = 1", "[", "Write an array index as [0], or as [#-1] for the last element."),
      ("data ->> '$a' = 1", "a", "After $, write a period and a key, or an index in brackets: $.a.b[0]."),
      ("data ->> '$.it''s.' = 1", ".", "A key is missing after this period."),
      ("data ->> '$.\"a' = 1", "\"a", "This key has no end: a closing \" is missing."),
      ("data ->> 'a.b\"c' = 1", "a.b\"c", "SQLite's JSON paths cannot express this key."),
      ("data ->> note = 1", "note", "Write a path, a key or an index after -> and ->>: '$.a.b', 'a', 0."),
      ("data ->> 1.5 = 1", "1.5", "Write a path, a key or an index after -> and ->>: '$.a.b', 'a', 0."),
      ("id -> 'a' = 1", "id", "-> reads JSON text, but id is declared INTEGER."),
      ("data[x] = 1", "[x]", "Write an array index as [0], or as [#-1] for the last element."),
      ("data. = 1", ".", "A key is missing after this period."), ("data.user. = 1", ".", "A key is missing after this period."),
      ("id.x = 1", ".", ". has no meaning here."), ("event.id = 1", ".", ". has no meaning here."),
      ("at.x = 1", ".", ". has no meaning here."),
      ("data.\"a\"\"b.c\" = 1", "data.\"a\"\"b.c\"", "SQLite's JSON paths cannot express the key of \"a\"\"b.c\"."),
    ])
  func refusals(text: String, fault: String, sentence: String) throws {
    let errors = FilterTextSource.errors(text, Self.columns)
    let error = try #require(errors.first)
    #expect(errors.count == 1)
    #expect(String(decoding: Array(text.utf8)[error.range], as: UTF8.self) == fault)
    #expect(error.sentence == sentence)
  }

  @Test("A path alone is true where its value is, and may still be typed on", arguments: [("data.in", true), ("data.in = 1", false)])
  func alone(text: String, isBeginning: Bool) throws {
    let filter = try Filter.compile(text, columns: Self.columns)
    #expect(filter.isBeginningOfName == isBeginning)
    let sql = try #require(filter.sqlText)
    #expect(try Self.database().read { db in try Int.fetchAll(db, literal: "SELECT id FROM event WHERE \(sql)") } == [1])
  }

  @Test("A path that is a parameter's value is checked like one that is written")
  func parameters() throws {
    let given = try Filter.compile("data ->> :p = 1", columns: Self.columns, parameters: ["p": .text("a b")])
    #expect(given.sqlText?.queryString == "((CASE WHEN json_valid(data) THEN data ->> '$.\"a b\"' END) = 1)")
    let error = try #require(throws: FilterErrors.self) {
      try Filter.compile("data ->> :p = 1", columns: Self.columns, parameters: ["p": .text("$[")])
    }
    #expect(error.errors.map(\.range) == [9..<11])
  }

  @Test("A few rows tell which paths a column has; a column of other texts has none, and its name before a point is a table's")
  func sample() throws {
    try Self.database().read { db in
      let columns = FilterColumns(of: try db.tableSchema(TableReference(name: "event")), in: db)
      let texts = { (text: String) in Filter.completions(of: text, at: text.utf8.count, columns: columns).items.map(\.text) }
      #expect(texts("data.us") == ["user", "user.name", "user.age", "user.\"e.mail\""])
      #expect(texts("id = 1 and data.user.e").isEmpty == false)
      #expect(texts("data.user.").starts(with: ["name", "age"]))
      #expect(texts("data.tags[1].x = ").contains("data"))
      #expect(columns.named("data")?.json.isJSON == true)
      #expect(columns.named("at")?.json.isJSON == nil)
      #expect(JSONSample([.text("plain"), .text("12")]).isJSON == false)
      #expect(JSONSample([.null, .text(""), .integer(3)]).isJSON == nil)
      #expect(JSONSample([.text(String(repeating: "[", count: 9000))]).isJSON == true)
    }
    let plain = FilterColumns([FilterColumn("t", type: .text), FilterColumn("Name", type: .text)])
    #expect(FilterTextSource.errors("t.x = 'x'", plain).isEmpty)
    #expect(FilterTextSource.errors("t.Name = 'x'", plain).count == 1)
  }

  @Test("The name of a table before one of its columns is no path")
  func qualified() throws {
    let queue = try makeDatabase("CREATE TABLE data (data TEXT, name TEXT)", "INSERT INTO data VALUES ('{\"name\": 1, \"x\": 2}', 'n')")
    try queue.read { db in
      let columns = FilterColumns(of: try db.tableSchema(TableReference(name: "data")), in: db)
      #expect(FilterTextSource.errors("data.name = 'n'", columns).first?.sentence == ". has no meaning here.")
      #expect(FilterTextSource.errors("data.x = 2", columns).isEmpty)
      #expect(FilterTextSource.errors("name.x = 2", columns).count == 1)
    }
  }
}
