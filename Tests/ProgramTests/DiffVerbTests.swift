import Foundation
import TestSupport
import Testing

/// Two files that `quarry diff` compares.
@Suite(.gated) struct DiffVerbTests {
  private let folder: TemporaryFolder
  private let file: String
  private let other: String

  init() throws {
    folder = try TemporaryFolder()
    file = try Fixtures.values(in: folder)
    other = folder.path("other.db")
    try FileManager.default.copyItem(atPath: file, toPath: other)
  }

  @Test func `files that are the same are the same`() throws {
    let outcome = try BuiltProgram.run("diff", file, other)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
  }

  @Test func `differences are lines of CSV unless another format is named`() throws {
    _ = try BuiltProgram.run("query", other, "UPDATE things SET name = 'changed' WHERE id = 1")
    let shown = try BuiltProgram.run("diff", file, other, "--format", "table")
    #expect(shown.status == 1 && shown.text.contains("│ changed │ name"), "\(shown.text)")
    let lines = try BuiltProgram.run("diff", file, other)
    #expect(lines.status == 1)
    #expect(lines.text == "object,key,change,column,from,to\nthings,1,changed,name,\"it's\",changed\n")
    #expect(lines.errors == "quarry: things: +0 -0 ~1\n")
  }

  @Test func `JSON is one object, or an object for each change`() throws {
    _ = try BuiltProgram.run("query", other, "UPDATE things SET size = 2, data = x'01' WHERE id = 1; DELETE FROM things WHERE id = 3")
    _ = try BuiltProgram.run("query", other, "CREATE INDEX named ON things(name); INSERT INTO blank VALUES (1, '1')")
    let outcome = try BuiltProgram.run("diff", file, other, "--format", "json")
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(
      outcome.text == """
        {"schema":[{"kind":"index","name":"named","change":"added","from":null,"to":"CREATE INDEX named ON things(name)"}],
        "tables":[
        {"table":"blank","rows":[
        {"key":{"rowid":1},"change":"added","columns":{"a":{"from":null,"to":1},"b":{"from":null,"to":"1"}}}],\
        "added":1,"removed":0,"changed":0},
        {"table":"things","rows":[
        {"key":{"id":1},"change":"changed","columns":{"size":{"from":1.5,"to":2.0},"data":{"from":{"blob":"AP8="},"to":{"blob":"AQ=="}}}},
        {"key":{"id":3},"change":"removed","columns":{"name":{"from":"","to":null},"size":{"from":-0.1,"to":null},\
        "data":{"from":{"blob":""},"to":null}}}],"added":0,"removed":1,"changed":1}],
        "notCompared":[]}

        """)
    let object = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
    #expect(object?.keys.sorted() == ["notCompared", "schema", "tables"])
    let lines = try BuiltProgram.run("diff", file, other, "--format", "ndjson", "--table", "blank")
    #expect(
      lines.text
        == "{\"table\":\"blank\",\"key\":{\"rowid\":1},\"change\":\"added\",\"columns\":{\"a\":{\"from\":null,\"to\":1},"
        + "\"b\":{\"from\":null,\"to\":\"1\"}}}\n")
    let same = try BuiltProgram.run("diff", file, file, "--format", "json")
    #expect(same.status == 0 && same.text == "{\"schema\":[],\n\"tables\":[],\n\"notCompared\":[]}\n")
  }

  @Test func `a summary counts the rows`() throws {
    _ = try BuiltProgram.run("query", other, "UPDATE things SET size = 2 WHERE id < 3; INSERT INTO blank VALUES (1, 1); DROP VIEW names")
    let outcome = try BuiltProgram.run("diff", file, other, "--summary")
    #expect(
      outcome.text == "object,change,added,removed,changed\n\"view names\",removed,,,\nblank,rows,1,0,0\nthings,rows,0,0,2\n",
      "\(outcome.errors)")
    let json = try BuiltProgram.run("diff", file, other, "--summary", "--format", "json", "--data")
    #expect(
      json.text == """
        {"schema":[],
        "tables":[
        {"table":"blank","added":1,"removed":0,"changed":0},
        {"table":"things","added":0,"removed":0,"changed":2}],
        "notCompared":[]}

        """)
    #expect(try BuiltProgram.run("diff", file, other, "--summary", "--format", "sql").status == 2)
  }

  @Test func `the SQL turns the first database into the second in the sqlite3 shell, and sqldiff finds no difference`() throws {
    let shell = try #require(Fixtures.shell, "the tests need the sqlite3 shell")
    let changes = "INSERT INTO things VALUES (7, 'a' || char(0, 13, 10) || 'b', 1.0e300, x'aa'); DELETE FROM things WHERE id = 1"
    _ = try BuiltProgram.run("query", other, changes)
    _ = try BuiltProgram.run("query", other, "ALTER TABLE blank ADD COLUMN c; INSERT INTO blank VALUES (1, 2, 3); CREATE TABLE more(x)")
    let script = try BuiltProgram.run("diff", file, other, "--format", "sql")
    #expect(script.status == 1 && script.text.hasPrefix("PRAGMA foreign_keys=OFF;\nBEGIN IMMEDIATE;\n"), "\(script.text)")
    let applied = try BuiltProgram.run(shell, ["-bail", file], input: script.text)
    #expect(applied.status == 0, "\(applied.errors)\n\(script.text)")
    for pair in [[file, other], [other, file]] {
      let outcome = try BuiltProgram.run("diff", pair[0], pair[1], "--format", "sql")
      #expect(outcome.status == 0 && outcome.text.isEmpty, "\(outcome.text)")
    }
    if let sqldiff = Fixtures.program("sqldiff") {
      #expect(try BuiltProgram.run(sqldiff, [file, other]).text == "")
    }
  }

  @Test func `the SQL keeps equal rows of a table without a key beside its removed rows`() throws {
    let table = "CREATE TABLE twins(rowid, oid, _rowid_, a UNIQUE); INSERT INTO twins VALUES (1, 2, 3, NULL), (5, 5, 5, 5)"
    for path in [file, other] { _ = try BuiltProgram.run("query", path, table) }
    _ = try BuiltProgram.run("query", other, "INSERT INTO twins VALUES (1, 2, 3, NULL); DELETE FROM twins WHERE a = 5")
    let script = try BuiltProgram.run("diff", file, other, "--format", "sql").text
    _ = try BuiltProgram.run("query", file, script)
    #expect(try BuiltProgram.run("diff", file, other).status == 0, "\(script)")
  }

  @Test func `on a terminal the differences appear on a screen, and the exit status says whether there are any`() throws {
    _ = try BuiltProgram.run("query", other, "UPDATE things SET size = 2 WHERE id < 3")
    for (pair, shown, status) in [([file, other], "things", 1), ([file, file], "No differences.", 0)] {
      let session = try TerminalSession(["diff"] + pair)
      try session.wait(for: shown)
      try session.wait(for: status == 0 ? "no differences" : "1 of")
      try session.press("q")
      try session.waitForEnd()
      #expect(try session.exitStatus() == status)
    }
    let session = try TerminalSession(["diff", file, folder.path("missing.db")])
    try session.waitForEnd()
    #expect(try session.exitStatus() == 3)
    #expect(try session.errors.contains("missing.db"))
  }

  @Test func `a file that cannot be opened or is damaged is no difference`() throws {
    let missing = try BuiltProgram.run("diff", file, folder.path("missing.db"))
    #expect(missing.status == 3 && missing.errors.contains("missing.db"), "\(missing.errors)")
    let text = try folder.write(Data("SQLite format 3\0".utf8) + Data(repeating: 0xFE, count: 5000), to: "noise.db").path
    #expect(try BuiltProgram.run("diff", file, text).status == 3)
    let fill = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO things(name) SELECT hex(i) FROM n"
    for path in [file, other] { _ = try BuiltProgram.run("query", path, fill) }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: other))
    let page = bytes.count / 4096 / 2 * 4096
    bytes.replaceSubrange(page..<page + 4096, with: Data(repeating: 0xFF, count: 4096))
    try bytes.write(to: URL(fileURLWithPath: other))
    for format in ["csv", "json", "sql"] {
      let outcome = try BuiltProgram.run("diff", file, other, "--format", format)
      #expect(outcome.status == 3 && outcome.errors.contains("“things”") && outcome.errors.contains("other.db"), "\(outcome.errors)")
      let elsewhere = try BuiltProgram.run("diff", file, other, "--format", format, "--table", "blank")
      #expect(elsewhere.status == 0, "\(elsewhere.errors)")
    }
  }

  @Test func `a table that cannot be compared is reported, and the databases are not called the same`() throws {
    for path in [file, other] { _ = try BuiltProgram.run("query", path, "CREATE TABLE loose(k); INSERT INTO loose VALUES (1), (1)") }
    let outcome = try BuiltProgram.run("diff", file, other, "--table", "loose", "--key", "k")
    #expect(outcome.status == 1 && outcome.errors.contains("the rows of loose were not compared: several rows"), "\(outcome.errors)")
    let unknown = try BuiltProgram.run("diff", file, other, "--key", "nosuch")
    #expect(unknown.status == 2 && unknown.errors.contains("nosuch"), "\(unknown.errors)")
  }

  @Test func `names that no table has are refused`() throws {
    let table = try BuiltProgram.run("diff", file, other, "--table", "thing")
    #expect(
      table.status == 2 && table.errors.contains("no table “thing”") && table.errors.contains("did you mean “things”?"), "\(table.errors)")
    let far = try BuiltProgram.run("diff", file, other, "--table", "zzzzzzzz")
    #expect(far.status == 2 && far.errors.contains("`quarry tables`"), "\(far.errors)")
    let column = try BuiltProgram.run("diff", file, other, "--ignore", "nmae")
    #expect(column.status == 2 && column.errors.contains("--ignore: no compared table has the column nmae"), "\(column.errors)")
    #expect(try BuiltProgram.run("diff", file, other, "--ignore", "NAME", "--ignore", "b").status == 0)
  }

  @Test func `an output whose reader ends, or a file that cannot be written, is no equality`() throws {
    let fill = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO things(name) SELECT i FROM n"
    _ = try BuiltProgram.run("query", other, fill)
    let shell = try #require(Fixtures.program("bash"))
    let program = BuiltProgram.url.path
    let closed = try BuiltProgram.run(shell, ["-c", "'\(program)' diff '\(file)' '\(other)' | head -n 1; exit ${PIPESTATUS[0]}"])
    #expect(closed.status == 1 && closed.errors.isEmpty, "\(closed.status) \(closed.errors)")
    let path = try folder.write(Data("old".utf8), to: "out.csv").path
    for format in ["csv", "json", "sql"] {
      let command = "ulimit -f 8; '\(program)' diff '\(file)' '\(other)' --format \(format) -o '\(path)'"
      let outcome = try BuiltProgram.run(shell, ["-c", command])
      #expect(outcome.status == 1 && outcome.errors.contains("nothing there was changed"), "\(format): \(outcome.errors)")
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    }
  }
}
