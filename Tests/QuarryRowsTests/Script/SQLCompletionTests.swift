import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite(.gated) struct SQLCompletionTests {
  private static let schema = SQLCompletionSchema(
    tables: [
      .init(
        reference: TableReference(name: "Album"),
        columns: [
          .init(name: "AlbumId", declaredType: "INTEGER"), .init(name: "Title", declaredType: "TEXT"),
        ]),
      .init(reference: TableReference(name: "Order Details"), columns: [.init(name: "group"), .init(name: "id")]),
      .init(reference: TableReference(name: "sqlite_schema"), kind: "system table", columns: [.init(name: "type")]),
      .init(
        reference: TableReference(name: "Track"),
        columns: [
          .init(name: "TrackId", declaredType: "INTEGER"), .init(name: "AlbumId", declaredType: "INTEGER"),
          .init(name: "Name", declaredType: "TEXT"), .init(name: "Unit Price", declaredType: "REAL"),
        ],
        foreignKeys: [
          ForeignKeySchema(
            columns: ["AlbumId"], table: TableReference(name: "Album"), referencedColumns: ["AlbumId"], onDelete: "", onUpdate: "")
        ]),
      .init(reference: TableReference(name: "Titles"), kind: "view", columns: [.init(name: "Title")]),
      .init(reference: TableReference(database: "archive", name: "Track"), columns: [.init(name: "OldId")]),
    ],
    tableFunctions: [
      .init(
        reference: TableReference(name: "json_each"), kind: "table-valued function", columns: [.init(name: "key"), .init(name: "value")])
    ],
    functions: ["->", "like", "total", "trim", "current_date"],
    pragmas: ["journal_mode", "page_size"])

  /// Returns what is offered at the `|` of a text.
  private func completions(_ marked: String, limit: Int = 100) -> [SQLCompletion] {
    let halves = marked.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    return SQLScript(halves.joined()).completions(at: halves[0].utf8.count, schema: Self.schema, limit: limit)
  }

  private func labels(_ marked: String) -> [String] {
    completions(marked).map(\.label)
  }

  @Test(
    "Whatever is missing of a statement, something can be completed at each place or nothing",
    arguments: [
      "WITH RECURSIVE a(x) AS (SELECT 1 UNION SELECT x FROM a), b AS (VALUES (1)) "
        + "SELECT x FROM a AS c JOIN (b, d) USING (x) WHERE x IN (SELECT 1)",
      "INSERT OR REPLACE INTO main.t AS u (a, b) SELECT 1, f(2) FROM v ON CONFLICT (a) DO UPDATE SET a = excluded.b RETURNING *",
      "CREATE TEMP TRIGGER r AFTER UPDATE OF a ON t BEGIN UPDATE OR IGNORE u SET (a, b) = (SELECT 1, 2); DELETE FROM v WHERE x; END",
      "EXPLAIN QUERY PLAN SELECT sum(x) FILTER (WHERE y) OVER (ORDER BY z) FROM (SELECT * FROM (a JOIN b)) c, json_each('[]') AS d LIMIT 1",
      "ALTER TABLE a.b DROP COLUMN c; DROP VIEW IF EXISTS d; CREATE UNIQUE INDEX e ON f (g) WHERE h",
    ])
  func fragments(sql: String) {
    let whole = StatementTokens(sql)
    for start in 0...whole.count {
      for end in start...whole.count {
        for part in [whole.text(start..<end), whole.text(0..<start) + " " + whole.text(end..<whole.count)] {
          let syntax = StatementSyntax(part)
          for index in 0...syntax.tokens.count { _ = syntax.completionPlace(at: index) }
        }
      }
    }
  }

  @Test(
    "After FROM, JOIN, INTO and UPDATE there are tables",
    arguments: [
      "SELECT * FROM t|", "SELECT * FROM Album JOIN t|", "SELECT * FROM Album a, t|", "SELECT * FROM Album JOIN Track ON 1, t|",
      "CREATE INDEX i ON t|", "CREATE TABLE a (b REFERENCES t|", "SELECT (SELECT 1 FROM t|) FROM Album", "ALTER TABLE t|",
      "SELECT * FROM (Album, t|",
    ])
  func tables(text: String) {
    #expect(labels(text) == ["Titles", "Track", "archive.Track"])
  }

  @Test(
    "Where rows are to be changed there are tables, and the views that have triggers for that",
    arguments: [
      "INSERT INTO t|", "REPLACE INTO t|", "UPDATE t|", "UPDATE OR IGNORE t|", "DELETE FROM t| WHERE 1", "WITH x AS (SELECT 1) UPDATE t|",
      "CREATE TRIGGER r AFTER UPDATE ON Album BEGIN UPDATE t|",
    ])
  func changedTables(text: String) {
    #expect(labels(text) == ["Track", "archive.Track"])
  }

  @Test(
    "A name with blanks is found by its words without quotes, and nothing else is made of them",
    arguments: [
      ("SELECT * FROM Order Det|", 14..<23, "\"Order Details\""), ("SELECT * FROM Album JOIN order d|", 25..<32, "\"Order Details\""),
      ("SELECT * FROM Order |", 14..<20, "\"Order Details\""), ("INSERT INTO Order Det|", 12..<21, "\"Order Details\""),
      ("SELECT t.Unit Pr| FROM Track t", 9..<16, "\"Unit Price\""), ("SELECT 1 FROM Track WHERE 2 < unit p|", 30..<36, "\"Unit Price\""),
    ])
  func spacedNames(text: String, range: Range<Int>, replacement: String) {
    let found = completions(text).first
    #expect(found?.range == range)
    #expect(found?.replacement == replacement)
    if text.contains("rder") { #expect(completions(text).count == 1) }
  }

  @Test("After ORDER and GROUP there is BY alone", arguments: ["SELECT * FROM Album ORDER |", "SELECT * FROM Album ORDER d|"])
  func orderBy(text: String) {
    #expect(labels(text).isEmpty)
    #expect(labels("SELECT * FROM Album order b|") == ["by"])
  }

  @Test(
    "There are pragmas after PRAGMA, collations after COLLATE, and what a FROM can call",
    arguments: [
      ("PRAGMA j|", ["journal_mode"]), ("PRAGMA main.p|", ["page_size"]), ("pragma |", ["journal_mode", "page_size"]),
      ("SELECT * FROM Track ORDER BY Name collate no|", ["NOCASE"]), ("CREATE TABLE x (a COLLATE |", ["BINARY", "NOCASE", "RTRIM"]),
      ("SELECT * FROM js|", ["json_each"]), ("SELECT * FROM Track t, json_each(t.Name) j WHERE j.|", ["key", "value"]),
      ("INSERT INTO js|", []), ("DROP TABLE js|", []),
    ])
  func names(text: String, expected: [String]) {
    #expect(labels(text) == expected)
  }

  @Test("Where a table must follow, all are offered before a letter has been typed")
  func allTables() {
    let all = ["Album", "Order Details", "Titles", "Track", "archive.Track", "sqlite_schema", "archive", "main", "json_each"]
    #expect(labels("SELECT * FROM |") == all)
    #expect(labels("SELECT * FROM Album, |") == all)
    #expect(labels("WITH zero AS (SELECT 1) SELECT * FROM |") == ["zero"] + all)
    #expect(labels("DROP VIEW |") == ["Titles", "archive", "main"])
    #expect(labels("SELECT * FROM archive.|") == ["Track"])
    #expect(labels("SELECT * FROM main.t|") == ["Titles", "Track"])
    #expect(labels("CREATE TABLE |").isEmpty)
    #expect(labels("SELECT a IS NOT DISTINCT FROM |").isEmpty)
  }

  @Test("A completion tells what it is, what it replaces and how SQL spells it")
  func details() {
    #expect(
      completions("SELECT é, na| FROM Track") == [
        SQLCompletion(label: "Name", detail: "text · Track", range: 11..<13, replacement: "Name"),
        SQLCompletion(label: "natural", detail: "keyword", range: 11..<13, replacement: "natural"),
      ])
    #expect(
      completions("SELECT 1; SELECT * FROM ord|") == [
        SQLCompletion(label: "Order Details", detail: "table", range: 24..<27, replacement: "\"Order Details\"")
      ])
    #expect(completions("SELECT * FROM ti|").map(\.detail) == ["view"])
    #expect(completions("SELECT g| FROM \"Order Details\"").first?.replacement == "\"group\"")
    #expect(completions("SELECT * FROM Album JOIN archive.t|").map(\.replacement) == ["Track"])
    #expect(completions("SELECT * FROM trac|").map(\.replacement) == ["Track", "archive.Track"])
  }

  @Test(
    "After an alias or a table and a dot there are its columns",
    arguments: [
      ("SELECT t.| FROM Track t", ["AlbumId", "Name", "TrackId", "Unit Price"]), ("SELECT t.a| FROM Track AS t", ["AlbumId"]),
      ("SELECT \"my t\".n| FROM Track \"my t\"", ["Name"]), ("SELECT Track.n|", ["Name"]), ("SELECT archive.Track.|", ["OldId"]),
      ("SELECT t.| FROM archive.Track t", ["OldId"]), ("SELECT x.| FROM Track t", []), ("UPDATE Track SET Name = track.n|", ["Name"]),
      ("SELECT s.| FROM (SELECT Name AS n, 1 + 1 AS two, count(*) c, a.Title, 3 FROM Track, Album a) s", ["c", "n", "Title", "two"]),
      ("SELECT s.| FROM (SELECT t.*, Title FROM Track t, Album) s", ["AlbumId", "Name", "Title", "TrackId", "Unit Price"]),
      ("WITH c(x, y) AS (SELECT 1, 2), d AS (SELECT * FROM c) SELECT d.| FROM d", ["x", "y"]),
      ("SELECT 1 FROM Album a WHERE EXISTS (SELECT 1 FROM Track t WHERE t.AlbumId = a.|)", ["AlbumId", "Title"]),
      ("INSERT INTO Album VALUES (1) ON CONFLICT DO UPDATE SET Title = excluded.|", ["AlbumId", "Title"]),
      ("CREATE TRIGGER r AFTER UPDATE ON Album BEGIN SELECT new.|; END", ["AlbumId", "Title"]),
    ])
  func members(text: String, expected: [String]) {
    #expect(labels(text) == expected)
  }

  @Test(
    "After ON the conditions come first by which foreign keys join the table before it",
    arguments: [
      ("SELECT 1 FROM Track JOIN Album ON |", "Track.AlbumId = Album.AlbumId"),
      ("SELECT 1 FROM Album a JOIN Track t ON | WHERE 1", "t.AlbumId = a.AlbumId"),
      ("SELECT 1 FROM Titles, Track t JOIN Album ON t|", "t.AlbumId = Album.AlbumId"),
    ])
  func joins(text: String, condition: String) {
    #expect(labels(text).first == condition)
    #expect(!labels("SELECT 1 FROM Track JOIN Titles ON |").contains { $0.contains("=") })
  }

  @Test("Before FROM there are the columns of its tables; without one functions, and last the columns of all tables")
  func beforeFrom() {
    #expect(labels("SELECT | FROM Album") == ["AlbumId", "Title", "Album"])
    let all = labels("SELECT |")
    #expect(all.prefix(2) == ["total", "trim"])
    #expect(all.contains("Track.Name") && all.last == "Track.Unit Price")
    #expect(!all.contains { $0.hasPrefix("sqlite_schema") })
  }

  @Test(
    "A name that is not there has a nearest one, or tables that have it",
    arguments: [
      ("no such column: Nmae", "SELECT Nmae FROM Track", 7, "did you mean Name?"),
      ("no such column: t.Nmae", "SELECT 1 FROM Track t WHERE t.Nmae = 2", 28, "did you mean Name?"),
      ("no such column: Title", "SELECT Title FROM Track", 7, "Album, Titles have it"),
      ("no such table: Trakc", "SELECT * FROM Trakc", 14, "did you mean Track?"),
      ("no such function: totla", "SELECT totla(1)", 7, "did you mean total?"),
    ])
  func missingNames(message: String, sql: String, offset: Int, advice: String) throws {
    let missing = try #require(MissingName(message: message, in: sql, at: offset, schema: Self.schema))
    #expect(missing.advice == advice)
    let name = message.split { " .:".contains($0) }.last.map(String.init)
    #expect(missing.range.map { String(decoding: Array(sql.utf8)[$0], as: UTF8.self) } == name)
    #expect(MissingName(message: "no such column: x", in: "SELECT x", at: 7, schema: Self.schema) == nil)
  }

  @Test(
    "A keyword that is meant for a name is written in quotes, or the nearest table is meant",
    arguments: [
      ("SELECT * FROM Order Details", "Order", "write it as \"Order Details\" to use it as a name", "Order Details"),
      ("SELECT group FROM \"Order Details\"", "group", "write it as \"group\" to use it as a name", "group"),
      (
        "SELECT * FROM Transaction", "Transaction", "Transaction is a keyword: write it as \"Transaction\" to use it as a name",
        "Transaction"
      ),
      ("SELECT * FROM Table", "Table", "Table is a keyword; did you mean Tables?", "Table"),
    ])
  func unquotedNames(sql: String, keyword: String, advice: String, place: String) throws {
    var schema = Self.schema
    schema.tables.append(.init(reference: TableReference(name: "Tables"), columns: []))
    let message = "near \"\(keyword)\": syntax error"
    let offset = try #require(sql.firstRange(of: keyword).map { sql.utf8.distance(from: sql.startIndex, to: $0.lowerBound) })
    let unquoted = try #require(UnquotedName(message: message, in: sql, at: offset, schema: schema))
    #expect(unquoted.advice == advice)
    #expect(String(decoding: Array(sql.utf8)[unquoted.range], as: UTF8.self) == place)
  }

  @Test(
    "A keyword in a wrong place, and a word that is none, are no names",
    arguments: [
      ("SELECT * FORM Track", "FORM", 9), ("SELECT * FROM Track ORDER ORDER BY 1", "ORDER", 26), ("SELECT FROM Track", "FROM", 7),
    ])
  func misplacedKeywords(sql: String, keyword: String, offset: Int) {
    #expect(UnquotedName(message: "near \"\(keyword)\": syntax error", in: sql, at: offset, schema: Self.schema) == nil)
    #expect(UnquotedName(message: "no such table: Order", in: sql, at: offset, schema: Self.schema) == nil)
  }

  @Test("Elsewhere there are columns, then tables and aliases, functions and keywords")
  func kinds() {
    #expect(labels("SELECT T| FROM Track") == ["TrackId", "Track", "total", "trim"] + SQLKeywords.all.filter { $0.hasPrefix("T") })
    #expect(
      labels("SELECT t| FROM Album tr") == [
        "Title", "tr", "total", "trim", "table", "temp", "temporary", "then", "ties", "to", "transaction", "trigger",
      ])
    #expect(labels("SELECT trac|") == ["Track", "archive.Track", "Track.TrackId"])
    #expect(completions("SELECT tri| FROM Album").map(\.replacement) == ["trim(", "trigger"])
    #expect(completions("SELECT tri|(1) FROM Album").first?.replacement == "trim")
    #expect(completions("SELECT t| FROM Album", limit: 2).map(\.label) == ["Title", "total"])
  }

  @Test("A column that two tables have is written with its table")
  func sharedColumns() {
    #expect(labels("SELECT a| FROM Track t JOIN Album USING (AlbumId)").prefix(3) == ["Album.AlbumId", "t.AlbumId", "Album"])
    #expect(labels("SELECT * FROM Track JOIN Album USING (|") == ["AlbumId"])
    #expect(labels("SELECT * FROM Album WHERE EXISTS (SELECT 1 FROM Track WHERE |)").contains("Album.AlbumId"))
  }

  @Test(
    "Columns are those of the select under the caret",
    arguments: [
      ("INSERT INTO Track (|", ["AlbumId", "Name", "TrackId", "Unit Price"]), ("INSERT INTO Album (Title, a|) VALUES", ["AlbumId"]),
      ("INSERT INTO Track (Name) SELECT | FROM Album", ["AlbumId", "Title", "Album"]),
      ("SELECT Name FROM Track UNION SELECT | FROM Album", ["AlbumId", "Title", "Album"]),
      ("SELECT | FROM Album UNION SELECT Name FROM Track", ["AlbumId", "Title", "Album"]),
      ("WITH c AS (SELECT | FROM Album) SELECT * FROM c, Track", ["AlbumId", "Title", "Album"]),
      ("SELECT * FROM Album WHERE |\n\nSELECT * FROM Track", ["AlbumId", "Title", "Album"]),
      ("UPDATE Album SET |", ["AlbumId", "Title"]), ("UPDATE Album SET Title = 1, | FROM Track", ["AlbumId", "Title"]),
      ("SELECT 1; SELECT * FROM Album WHERE Title = 1 AND |; SELECT * FROM Track", ["AlbumId", "Title", "Album"]),
      ("DELETE FROM Album WHERE abs(|) = 1", ["AlbumId", "Title", "Album"]),
      ("SELECT * FROM Album ORDER BY |", ["AlbumId", "Title", "Album"]),
      ("CREATE INDEX i ON Album (|", ["AlbumId", "Title", "Album"]), ("CREATE TABLE x (a REFERENCES Album (|", ["AlbumId", "Title"]),
      ("ALTER TABLE Album DROP COLUMN |", ["AlbumId", "Title", "Album"]),
      ("CREATE TRIGGER r AFTER INSERT ON Track BEGIN UPDATE Album SET |; END", ["AlbumId", "Title"]),
    ])
  func scopes(text: String, expected: [String]) {
    #expect(labels(text) == expected)
  }

  @Test(
    "Nothing is offered where nothing can be completed, or before a letter where it is not clear what follows",
    arguments: [
      "|", "SELECT 1;|", "SELECT 1; | SELECT 2", "SELECT 't|' FROM Track", "SELECT 't| FROM Track", "SELECT 1 -- t|",
      "SELECT /* t| */ 1 FROM Track", "SELECT 1 /* t|", "SELECT 1|", "SELECT x't|' FROM Track", "SELECT * FROM Track |",
      "SELECT Name | FROM Track", "SELECT Name = | FROM Track",
      "SELECT Name AS t|", "SELECT \"Track\"| FROM Track", "-- t|", "SELECT * FROM Track WHERE Name LIKE |",
    ])
  func nothing(text: String) {
    #expect(completions(text).isEmpty)
  }

  @Test(
    "Keywords alone are offered at the beginning and after a value",
    arguments: [
      ("sel|", ["select"]), ("EX|", ["EXPLAIN"]), ("explain query plan de|", ["delete", "detach"]),
      ("SELECT * FROM Track wh|", ["when", "where"]),
      ("SELECT * FROM Album ti|", ["ties"]), ("SELECT 1; UPD| ", ["UPDATE"]), ("CREATE VIEW v AS SE|", ["SELECT"]),
      ("INSERT OR rep|", ["replace"]), ("DROP TABLE i|", ["if"]), ("SELECT * FROM (s|", ["sqlite_schema", "select"]),
    ])
  func keywords(text: String, expected: [String]) {
    #expect(labels(text) == expected)
  }

  @Test("After the prefix of a parameter there are those of the statement")
  func parameters() {
    #expect(labels("SELECT :min, :max, @min, ?, :m|") == [":max", ":min"])
    #expect(labels("SELECT :| , :b, $c::d(e)") == [":b"])
    #expect(labels("SELECT $| , :b, $c::d(e)") == ["$c::d(e)"])
    #expect(labels("SELECT :old; SELECT :o|").isEmpty)
    #expect(completions("SELECT :one, :o|").map(\.range) == [13..<15])
  }

  @Test(
    "Within quotes there are names alone, and the quotes are replaced with what is in them",
    arguments: [
      ("SELECT * FROM \"ord|", 14..<18, "\"Order Details\""), ("SELECT * FROM \"ord|\" WHERE 1", 14..<19, "\"Order Details\""),
      ("SELECT * FROM [ord| WHERE 1; SELECT 2", 14..<18, "\"Order Details\""), ("SELECT `na| FROM Track", 7..<10, "Name"),
    ])
  func quotes(text: String, range: Range<Int>, replacement: String) {
    let found = completions(text)
    #expect(found.map(\.range) == [range])
    #expect(found.map(\.replacement) == [replacement])
  }

  @Test("A caret outside of the text or within a character is no fault", arguments: [-1, 8, 9, 99])
  func strangeCarets(offset: Int) {
    _ = SQLScript("SELECT é FROM Track").completions(at: offset, schema: Self.schema)
  }

  @Test("The deepest parentheses are passed over")
  func depth() {
    let text = "SELECT * FROM " + String(repeating: "(SELECT * FROM ", count: 2_000)
    #expect(!SQLScript(text).completions(at: text.utf8.count, schema: Self.schema).isEmpty)
  }

  @Test("The schema is read from all databases, a view that does not compile has no columns")
  func reading() throws {
    let queue = try makeDatabase(
      "CREATE TABLE Track(TrackId INTEGER PRIMARY KEY, Name TEXT, Length AS (length(Name)))", "CREATE VIEW Names AS SELECT Name FROM Track",
      "CREATE TRIGGER taking INSTEAD OF INSERT ON Names BEGIN SELECT 1; END", "CREATE VIEW bad AS SELECT * FROM gone",
      "CREATE VIRTUAL TABLE notes USING fts5(body)", "ATTACH ':memory:' AS archive",
      "CREATE TABLE archive.Old(x)")
    let schema = try queue.withoutTransaction { try SQLCompletionSchema(of: $0) }
    #expect(
      schema.table(named: "track")?.columns == [
        .init(name: "TrackId", declaredType: "INTEGER"), .init(name: "Name", declaredType: "TEXT"), .init(name: "Length"),
      ])
    #expect(schema.table(named: "names")?.kind == "view")
    #expect(schema.table(named: "bad")?.columns == [])
    #expect(schema.table(named: "notes")?.kind == "virtual table")
    #expect(schema.table(named: "notes_data")?.kind == "shadow table")
    #expect(schema.table(named: "old")?.reference == TableReference(database: "archive", name: "Old"))
    #expect(schema.table(named: "old", database: "main") == nil)
    #expect(schema.functions.filter { $0 == "count" } == ["count"])
    #expect(schema.keywords.count == 147)
    #expect(schema.table(named: "names")?.takesRows == true)
    #expect(schema.table(named: "bad")?.takesRows == false)
    let each = schema.tableFunctions.first { $0.reference.name == "json_each" }
    #expect(each?.columns.map(\.name).prefix(3) == ["key", "value", "type"])
    #expect(schema.tableFunctions.contains { $0.reference.name == "pragma_table_info" })
    #expect(!schema.tableFunctions.contains { $0.reference.name == "fts5" }, "which makes none by itself")
    #expect(schema.pragmas.contains("journal_mode"))
    #expect(schema.collations.contains("NOCASE"))
  }
}
