import Foundation
import TestSupport
import Testing

@Suite(.gated) struct VerbTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try Fixtures.values(in: folder)
  }

  @Test func `a misspelt name between double quotes is reported, and the statement runs`() throws {
    let (table, sql) = (
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%size%'", "SELECT \"siez\" AS x FROM TABLE LIMIT 1"
    )
    let name = try BuiltProgram.run("query", file, table).text.split(separator: "\n")[1]
    let run = try BuiltProgram.run("query", file, sql.replacing("TABLE", with: String(name)))
    #expect(run.status == 0 && run.text == "x\nsiez\n", "\(run.errors)")
    #expect(
      run.errors.contains("there is no column \"siez\", so SQLite reads it as text: write 'siez', or size if you mean"), "\(run.errors)")
    let right = try BuiltProgram.run("query", file, "SELECT \"size\" AS x FROM \(name) LIMIT 1")
    #expect(right.status == 0 && right.errors.isEmpty, "\(right.errors)")
  }

  @Test(arguments: [
    ("csv", "id,name,size,data\n1,\"it's\",1.5,x'00ff'\n2,,9e999,\n3,\"\",-0.1,x''\n"),
    ("tsv", "id\tname\tsize\tdata\n1\tit's\t1.5\tx'00ff'\n2\t\t9e999\t\n3\t\"\"\t-0.1\tx''\n"),
    (
      "json",
      """
      [{"id":1,"name":"it's","size":1.5,"data":{"blob":"AP8="}},
      {"id":2,"name":null,"size":9e999,"data":null},
      {"id":3,"name":"","size":-0.1,"data":{"blob":""}}]

      """
    ),
    (
      "ndjson",
      """
      {"id":1,"name":"it's","size":1.5,"data":{"blob":"AP8="}}
      {"id":2,"name":null,"size":9e999,"data":null}
      {"id":3,"name":"","size":-0.1,"data":{"blob":""}}

      """
    ),
    (
      "markdown",
      """
      | id | name | size | data |
      | --- | --- | --- | --- |
      | 1 | it's | 1.5 | x'00ff' |
      | 2 | NULL | 9e999 | NULL |
      | 3 |  | -0.1 | x'' |

      """
    ),
    (
      "html",
      """
      <table>
      <thead>
      <tr><th scope="col">id</th><th scope="col">name</th><th scope="col">size</th><th scope="col">data</th></tr>
      </thead>
      <tbody>
      <tr><td class="number">1</td><td>it's</td><td class="number">1.5</td><td><span class="blob">x'00ff'</span></td></tr>
      <tr><td class="number">2</td><td><span class="null">NULL</span></td><td class="number">9e999</td><td><span class="null">NULL</span></td></tr>
      <tr><td class="number">3</td><td></td><td class="number">-0.1</td><td><span class="blob">x''</span></td></tr>
      </tbody>
      </table>

      """
    ),
    (
      "sql",
      """
      INSERT INTO things(id,name,size,data) VALUES(1,'it''s',1.5,x'00ff');
      INSERT INTO things(id,name,size,data) VALUES(2,NULL,9e999,NULL);
      INSERT INTO things(id,name,size,data) VALUES(3,'',-0.1,x'');

      """
    ),
    (
      "table",
      """
      ┌────┬──────┬───────┬───────────────┐
      │ id │ name │ size  │ data          │
      ├────┼──────┼───────┼───────────────┤
      │  1 │ it's │   1.5 │ blob, 2 bytes │
      │  2 │ ∅    │ 9e999 │ ∅             │
      │  3 │      │  -0.1 │ blob, 0 bytes │
      └────┴──────┴───────┴───────────────┘

      """
    ),
  ])
  func `rows are printed in every format`(format: String, expected: String) throws {
    let outcome = try BuiltProgram.run("rows", file, "things", "--format", format)
    #expect(outcome.status == 0)
    #expect(outcome.text == expected)
  }

  @Test(arguments: [
    ("csv", "a,b\n"), ("tsv", "a\tb\n"), ("json", "[]\n"), ("ndjson", ""), ("markdown", "| a | b |\n| --- | --- |\n"), ("sql", ""),
    ("table", "┌───┬───┐\n│ a │ b │\n├───┼───┤\n└───┴───┘\n"),
  ])
  func `an empty table leaves its header`(format: String, expected: String) throws {
    #expect(try BuiltProgram.run("rows", file, "blank", "--format", format).text == expected)
  }

  @Test func `the shell's spellings choose the format`() throws {
    for (flag, format) in [("-csv", "csv"), ("-json", "json"), ("-markdown", "markdown"), ("-table", "table"), ("-tabs", "tsv")] {
      #expect(try BuiltProgram.run("rows", file, "things", flag).text == BuiltProgram.run("rows", file, "things", "--format", format).text)
    }
  }

  @Test func `columns, limit and offset choose what is printed`() throws {
    #expect(
      try BuiltProgram.run("rows", file, "THINGS", "--columns", "SIZE,id", "--limit", "1", "--offset", "1").text == "size,id\n9e999,2\n")
    #expect(
      try BuiltProgram.run("rows", file, "THINGS", "--columns", " SIZE , \"id\" ", "--limit", "1", "--offset", "1").text
        == "size,id\n9e999,2\n")
    #expect(try BuiltProgram.run("rows", file, "names", "--offset", "2").text == "name\n\"\"\n")
  }

  @Test func `rows keep the order of the table where an index holds the columns`() throws {
    let path = try Fixtures.database(
      "indexed.db", in: folder, "CREATE TABLE t(a, b)", "CREATE INDEX t_a ON t(a)", "INSERT INTO t VALUES (3, 0), (1, 0), (2, 0)")
    #expect(try BuiltProgram.run("rows", path, "t", "--columns", "a").text == "a\n3\n1\n2\n")
  }

  @Test func `INSERT statements leave out what a table computes`() throws {
    let path = try Fixtures.database("made.db", in: folder, "CREATE TABLE t(a, b AS (a + 1))", "INSERT INTO t(a) VALUES (1)")
    #expect(try BuiltProgram.run("rows", path, "t", "--format", "sql").text == "INSERT INTO t(a) VALUES(1);\n")
    #expect(try BuiltProgram.run("rows", path, "t").text == "a,b\n1,2\n")
  }

  @Test func `wide characters keep the box straight, and a long text is cut`() throws {
    let path = try Fixtures.database(
      "wide.db", in: folder, "CREATE TABLE t(a)", "INSERT INTO t VALUES ('東京'), ('👨‍👩‍👧‍👦'), ('a' || char(10) || 'b')")
    #expect(
      try BuiltProgram.run("rows", path, "t", "-table").text == """
        ┌──────┐
        │ a    │
        ├──────┤
        │ 東京 │
        │ 👨‍👩‍👧‍👦   │
        │ a␊b  │
        └──────┘

        """)
    let long = try BuiltProgram.run("query", path, "SELECT hex(zeroblob(100))", "-table").text
    #expect(long.contains("│ " + String(repeating: "0", count: 79) + "… │"))
  }

  @Test func `tables tells kinds, columns and rows`() throws {
    #expect(
      try BuiltProgram.run("tables", file).text == "name,kind,columns,rows\nblank,table,2,0\nnames,view,1,\nthings,table,4,3\n")
  }

  @Test func `schema prints what makes the tables, or one`() throws {
    #expect(
      try BuiltProgram.run("schema", file).text == """
        CREATE TABLE things(id INTEGER PRIMARY KEY, name TEXT, size REAL, data BLOB);
        CREATE VIEW names AS SELECT name FROM things;
        CREATE TABLE blank(a, b);

        """)
    #expect(try BuiltProgram.run("schema", file, "NAMES").text == "CREATE VIEW names AS SELECT name FROM things;\n")
  }

  @Test func `the schema of a full-text table is what makes it, and no more`() throws {
    let path = try Fixtures.database("search.db", in: folder, "CREATE VIRTUAL TABLE search USING fts5(body)")
    #expect(try BuiltProgram.run("schema", path).text == "CREATE VIRTUAL TABLE search USING fts5(body);\n")
  }

  @Test func `query takes its SQL from the command line, a file or standard input`() throws {
    let script = try folder.write(Data("SELECT 2 AS b".utf8), to: "script.sql")
    #expect(try BuiltProgram.run("query", file, "SELECT 1 AS a").text == "a\n1\n")
    #expect(try BuiltProgram.run("query", file, "-f", script.path).text == "b\n2\n")
    #expect(try BuiltProgram.run("query", file, input: "SELECT 3 AS c").text == "c\n3\n")
  }

  @Test func `several statements run in order, each seeing what those before it wrote`() throws {
    let outcome = try BuiltProgram.run(
      "query", file, "CREATE TABLE new(a); INSERT INTO new VALUES (1), (2); -- both\nSELECT * FROM new; SELECT count(*) AS n FROM new;")
    #expect(outcome.text == "a\n1\n2\nn\n2\n")
    #expect(try BuiltProgram.run("rows", file, "new").text == "a\n1\n2\n")
  }

  @Test func `empty statements and comments are passed over`() throws {
    #expect(try BuiltProgram.run("query", file, ";; -- one\n; SELECT 1 AS a;; /* two */ SELECT 2 AS b; -- end").text == "a\n1\nb\n2\n")
  }

  @Test func `a script's own transaction is kept together`() throws {
    _ = try BuiltProgram.run("query", file, "BEGIN; DELETE FROM things; ROLLBACK; BEGIN; DELETE FROM things WHERE id = 1; COMMIT")
    #expect(try BuiltProgram.run("query", file, "SELECT count(*) FROM things").text == "count(*)\n2\n")
  }

  @Test func `INSERT statements read back as the same values`() throws {
    let script = try BuiltProgram.run("rows", file, "things", "--format", "sql").text
    let copy = try Fixtures.database("copy.db", in: folder, "CREATE TABLE things(id INTEGER PRIMARY KEY, name TEXT, size REAL, data BLOB)")
    #expect(try BuiltProgram.run("query", copy, input: script).status == 0)
    #expect(try BuiltProgram.run("rows", copy, "things", "-json").text == BuiltProgram.run("rows", file, "things", "-json").text)
  }

  @Test func `themes, keys and config list what is in force`() throws {
    #expect(try BuiltProgram.run("themes").text.contains("quarry-dark"))
    #expect(try BuiltProgram.run("keys").text.contains("follow-foreign-key"))
    #expect(try BuiltProgram.run("config", environment: ["NO_COLOR": "1"]).text.contains("NO_COLOR"))
    #expect(try BuiltProgram.run("config", "--default").text.contains("theme"))
  }

  @Test func `at a terminal it is said that the first row is waited for, and an interrupt ends that`() throws {
    let folder = try TemporaryFolder()
    let path = try Fixtures.database(
      in: folder, "CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0")
    let session = try TerminalSession("rows", path, "v", "--limit", "1", showsErrors: true)
    try session.wait(for: "waiting for the first (^C stops that)")
    try session.press("C-c")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 130)
  }
}
