import Foundation
import QuarryEngine
import TestSupport
import Testing

/// Counts and profiles on the command line.
@Suite(.gated) struct InsightVerbTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Fixtures.database(
      in: folder, "CREATE TABLE songs(id INTEGER PRIMARY KEY, title TEXT, length REAL, 'a b')",
      """
      INSERT INTO songs VALUES (1, 'Love', 300, 1), (2, 'Love', 200, 1.0), (3, NULL, 200.5, '1'), (4, 'Day, Night', 100, x'00'),
        (5, 'love', NULL, '')
      """, "CREATE VIEW broken AS SELECT * FROM gone",
      "CREATE VIEW failing AS SELECT id, CASE id WHEN 3 THEN abs(-9223372036854775808) ELSE id END AS b FROM songs")
  }

  private func run(_ arguments: String...) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(BuiltProgram.url, arguments)
  }

  @Test(arguments: ["csv", "json", "sql", "table"])
  func `a text that is not UTF-8 is printed as that of a row is, and apart from the blob of its bytes`(format: String) throws {
    let raw = try Fixtures.database(
      "raw.db", in: folder, "CREATE TABLE counts(value, count)", "INSERT INTO counts VALUES (CAST(x'61ff' AS TEXT), 1), (x'61ff', 1)")
    let counted = try run("counts", raw, "counts", "value", "--format", format)
    #expect(try counted.text == run("rows", raw, "counts", "--format", format).text && counted.status == 0)
    #expect(try run("profile", raw, "counts", "--format", "json").text.contains(#"{"text":"Yf8="}"#))
  }

  @Test(arguments: [
    (["title"], "value,count\nLove,2\n,1\n\"Day, Night\",1\nlove,1\n"),
    (["title", "--limit", "1"], "value,count\nLove,2\n"),
    (["TITLE", "--where", "length > :least", "-p", "least=150"], "value,count\nLove,2\n,1\n"),
    (["a b"], "value,count\n1,2\n\"\",1\n1,1\nx'00',1\n"),
    (["title", "--where", "length > 1000"], "value,count\n"),
    (["length", "--format", "json", "--limit", "2"], "[{\"value\":null,\"count\":1},\n{\"value\":100.0,\"count\":1}]\n"),
  ])
  func `counts have the most frequent value first`(_ arguments: [String], _ expected: String) throws {
    let outcome = try BuiltProgram.run(BuiltProgram.url, ["counts", path, "songs"] + arguments)
    #expect(outcome.text == expected)
    #expect(outcome.status == 0)
  }

  @Test func `a profile has a row a column`() throws {
    let outcome = try run("profile", path, "songs", "--columns", "title,length", "--where", "id < 5")
    #expect(
      outcome.text == """
        column,declared,rows,null,integer,real,text,blob,empty,distinct,min,max,mean,p25,p50,p75,min_length,max_length
        title,TEXT,4,1,0,0,3,0,0,2,"Day, Night",Love,,,,,4,10
        length,REAL,4,0,0,4,0,0,0,4,100.0,300.0,200.125,100.0,200.0,200.5,,

        """)
  }

  @Test(.enabled(if: Fixtures.shell != nil))
  func `the mean is what the shell prints for avg()`() throws {
    let shell = try #require(Fixtures.shell)
    let columns = ["a", "b", "c", "d", "e"]
    let path = try Fixtures.database(
      in: folder, "CREATE TABLE numbers(a INTEGER, b REAL, c, d, e REAL)",
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO numbers SELECT i * 9223372036854, exp(i * 31 % 997 / 50.0), CASE i % 3 WHEN 0 THEN i WHEN 1 THEN i / 7.0 END,
        CASE WHEN i % 2 THEN 1e300 ELSE i * 0.1 END, CASE WHEN i = 77 THEN 9e999 ELSE i END FROM n
      """)
    let lines = try run("profile", path, "numbers").text.split(separator: "\n").dropFirst()
    let means = lines.map { String($0.split(separator: ",", omittingEmptySubsequences: false)[12]) }
    let sql = "SELECT \(columns.map { "avg(\($0))" }.joined(separator: ", ")) FROM numbers"
    let printed = try BuiltProgram.run(shell, ["-batch", "-init", "/dev/null", path, sql]).text
    #expect(means.joined(separator: "|").replacing("9e999", with: "Inf") + "\n" == printed)
  }

  @Test func `a profile as JSON has histogram, frequent values and remarks too`() throws {
    let outcome = try run("profile", path, "songs", "--format", "json")
    let objects = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]])
    #expect(objects.map { $0["column"] as? String } == ["id", "title", "length", "a b"])
    let histogram = try #require(objects[2]["histogram"] as? [[String: Any]])
    #expect(histogram.compactMap { $0["count"] as? Int }.reduce(0, +) == 4)
    let top = try #require(objects[1]["top"] as? [[String: Any]])
    #expect(top.first?["value"] as? String == "Love" && top.first?["count"] as? Int == 2)
    #expect((objects[3]["remarks"] as? [[String: Any]])?.count == 1)
    let lines = try run("profile", path, "songs", "--format", "ndjson").text.split(separator: "\n")
    #expect(lines.count == 4)
  }

  @Test(
    arguments: [
      (["counts", "main.songs", "title", "--limit", "1"], "value,count\nLove,2\n"),
      (["counts", "MAIN.Songs", "title", "--limit", "1"], "value,count\nLove,2\n"),
      (["rows", "main.songs", "--columns", "id", "--limit", "1"], "id\n1\n"),
      (["rows", "main.songs", "--columns", "x.y", "--where", "\"x.y\" = 3"], "x.y\n"),
      (["rows", "main.a", "--columns", "x.y"], "x.y\n1\n"),
      (["profile", "main.songs", "--columns", "title", "--where", "id < 0", "--format", "tsv"], nil),
      (["search", "Night", "--tables", "main.songs"], "table,key,column,value\nsongs,4,title,\"Day, Night\"\n"),
      (["schema", "main.a"], nil), (["filter-check", "main.songs", "id > 3"], nil),
    ] as [([String], String?)])
  func `a table may be named with its database, and by a name with a point`(_ arguments: [String], _ expected: String?) throws {
    _ = try run("query", path, "CREATE TABLE \"main.a\"(\"x.y\"); INSERT INTO \"main.a\" VALUES (1); ALTER TABLE songs ADD COLUMN \"x.y\"")
    let outcome = try BuiltProgram.run(BuiltProgram.url, [arguments[0], path] + arguments.dropFirst())
    if let expected { #expect(outcome.text == expected) }
    #expect(outcome.status == 0 && !outcome.output.isEmpty, "\(outcome.errors)")
  }

  @Test func `what is not there is refused`() throws {
    #expect(try run("rows", path, "main.song").errors == "quarry: no such table: main.song; did you mean songs?\n")
    #expect(try run("rows", path, "songs", "--where", "a.b = 1").errors.contains("Write a column without its table"))

    #expect(try run("counts", path, "songs", "titel").errors == "quarry: songs has no column titel; did you mean title?\n")
    #expect(try run("counts", path, "songs", "title", "--where", "lenght > 3").status == 2)
    #expect(try run("profile", path, "broken").status != 0)
    #expect(
      try run("counts", path, "failing", "b").errors == "quarry: integer overflow, in column b of failing after 2 rows\n")
    #expect(try run("profile", path, "songs", "--columns", "none").errors.contains("has no column none"))
  }
}
