import Foundation
import TestSupport
import Testing

/// Files that are no databases, as the tables of one.
@Suite(.gated) struct FilesAsTablesTests {
  private let folder: TemporaryFolder
  private let sales: String
  private let orders: String

  init() throws {
    folder = try TemporaryFolder()
    sales = try folder.write(Data("region;zip;total\nnorth;007;1.5\nsouth;012;2\n\"a;b\";100;\n".utf8), to: "sales.csv").path
    orders = try folder.write(Data(#"[{"id": 1, "region": "north"}, {"id": 2, "note": [1, 2]}]"#.utf8), to: "orders.json").path
  }

  private func run(_ arguments: String..., input: String = "") throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(BuiltProgram.url, arguments, input: input, environment: ["TMPDIR": folder.path])
  }

  /// Returns what a command prints, which has nothing to complain of.
  private func output(_ arguments: String..., input: String = "") throws -> String {
    let outcome = try BuiltProgram.run(BuiltProgram.url, arguments, input: input, environment: ["TMPDIR": folder.path])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors == "")
    return outcome.text
  }

  @Test func `the rows of a CSV file are those of a table, with types that keep what is written`() throws {
    #expect(try output("rows", sales, "sales") == "region,zip,total\nnorth,007,1.5\nsouth,012,2\na;b,100,\n")
    #expect(try output("query", sales, "select typeof(zip), typeof(total) from sales limit 1") == "typeof(zip),typeof(total)\ntext,real\n")
    #expect(try output("rows", sales, "sales", "--types", "zip:integer", "--columns", "zip", "--limit", "1") == "zip\n7\n")
  }

  @Test func `what was decided about a file is told with its table`() throws {
    let tables = try output("tables", sales)
    #expect(tables.contains("sales,table,3,3"), "\(tables)")
    let schema = try output("schema", sales)
    #expect(schema.hasPrefix("-- sales is sales.csv: separator “;”, header"), "\(schema)")
    #expect(schema.contains("CREATE TABLE sales"))
  }

  @Test func `standard input is the table stdin of every verb`() throws {
    let text = "a,b\n1,x\n2,y\n"
    #expect(try output("rows", "-", "stdin", "--where", "a > 1", input: text) == "a,b\n2,y\n")
    #expect(try output("query", "-", "select sum(a) from stdin", input: text) == "sum(a)\n3\n")
    #expect(try output("counts", "-", "stdin", "b", "--limit", "1", input: text) == "value,count\nx,1\n")
    #expect(try output("filter-check", "-", "stdin", "a = 1", input: text).contains("a = 1"))
    #expect(try output("search", "-", "y", input: text) == "table,key,column,value\nstdin,2,b,y\n")
    let outcome = try run("query", "-", input: "select 1")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("standard input is the data"))
  }

  @Test func `files and databases are joined`() throws {
    let path = try Fixtures.database(
      "app.db", in: folder, "CREATE TABLE region(name TEXT, boss TEXT)", "INSERT INTO region VALUES ('north', 'Ada')")
    let sql = "select o.id, boss, total from orders o join sales s using (region) join app.region r on r.name = s.region"
    #expect(try output("query", sales, "--attach", path, "--attach", orders, sql) == "id,boss,total\n1,Ada,1.5\n")
    #expect(try output("query", path, "--attach", sales, "select count(*) from sales, app.region") == "count(*)\n3\n")
  }

  @Test func `what is no row is told with its line, and kept`() throws {
    let file = try folder.write(Data("a,b\n1,2\n3\n4,5\n".utf8), to: "ragged.csv").path
    let outcome = try run("rows", file, "ragged")
    #expect(outcome.status == 0)
    #expect(outcome.text == "a,b\n1,2\n4,5\n")
    #expect(outcome.errors.contains("line 3"), "\(outcome.errors)")
    #expect(outcome.errors.contains("ragged_rejects"), "\(outcome.errors)")
  }

  @Test func `names of columns that are there twice or not at all are told with those that they get`() throws {
    let file = try folder.write(Data("a,,a\n1,2,3\n".utf8), to: "names.csv").path
    let outcome = try run("rows", file, "names")
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("column 2, without a name, is named"), "\(outcome.errors)")
    #expect(outcome.errors.contains("column 3, “a”, is named"), "\(outcome.errors)")
  }

  @Test(arguments: [
    ("empty.csv", "", 1, "is empty"), ("latin.csv", "a\n\u{FF}\n", 1, "--encoding latin1"), ("x.gz", "\u{1F}\u{8B}\u{8}", 3, "gzip"),
  ])
  func `a file that cannot be read is refused with its place and the way out`(
    _ name: String, _ text: String, _ status: Int, _ message: String
  ) throws {
    let file = try folder.write(Data(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }), to: name).path
    let outcome = try run("tables", file)
    #expect(outcome.status == Int32(status))
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.text == "")
  }

  @Test func `UTF-16 without a byte order mark is read, and objects of too many keys are named as such`() throws {
    let bytes = Array("a,b\n1,x\n".utf16).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let file = try folder.write(Data(bytes), to: "wide.csv").path
    #expect(try run("rows", file, "wide", "--encoding", "utf-16le").text == "a,b\n1,x\n")
    #expect(try run("rows", file, "wide").text == "a,b\n1,x\n")
    let lines = (0..<2001).map { "{\"k\($0)\":1}\n" }.joined()
    let keys = try run("tables", folder.write(Data(lines.utf8), to: "keys.ndjson").path)
    #expect(keys.status == 1 && keys.errors.contains("have 2,001 different keys"), "\(keys.errors)")
  }

  @Test(arguments: [
    ("blank.csv", "a,b\n\n1,2\n\n3,4\n", "blank.csv: skipped 2 empty lines"),
    (
      "title.csv", "Extract of 2025-01-06\nid|plant|owner\n1|N|A\n2|S|C\n",
      "title.csv: skipped 1 title line before the records, on line 1: “Extract of 2025-01-06” (--skip 0 reads it)"
    ),
    (
      "page.json", #"{"page":1,"results":[{"a":1},{"a":2}]}"#,
      "page.json: the rows come from an array of objects in the file; skipped “page” next to it"
    ),
  ])
  func `what is dropped is told on standard error`(name: String, text: String, message: String) throws {
    let file = try folder.write(Data(text.utf8), to: name).path
    let outcome = try run("query", file, "select count(*) from \(name.prefix { $0 != "." })")
    #expect(outcome.status == 0 && outcome.text == "count(*)\n2\n")
    #expect(outcome.errors == "quarry: \(message)\n")
  }

  @Test func `lines are skipped, and comments left out, where that is said`() throws {
    let file = try folder.write(Data("one,two\n# c\na,b\n1,2\n#end\n".utf8), to: "c.csv").path
    let outcome = try run("rows", file, "c", "--skip", "1", "--comment", "#")
    #expect(outcome.text == "a,b\n1,2\n")
    #expect(outcome.errors == "quarry: c.csv: skipped the first 1 line (--skip); skipped 2 comment lines\n")
    #expect(try run("rows", file, "c", "--skip", "9").status == 2)
    for wrong in [["--skip", "-1"], ["--skip", "x"], ["--comment", ""], ["--comment", "\"x"]] {
      #expect(try BuiltProgram.run(BuiltProgram.url, ["rows", file, "c"] + wrong).status == 2, "\(wrong)")
    }
  }

  @Test(arguments: ["a,b\n1,2\n", "{'a':1}", "[1,2", "[1,2]", "7", "nul", "<html></html>", "{\"a\":1,}", "\"text\""])
  func `a file that is called JSON and is none is refused with its place`(text: String) throws {
    let file = try folder.write(Data(text.utf8), to: "x.json").path
    let outcome = try run("tables", file)
    #expect(outcome.status == 1 && outcome.text == "")
    #expect(outcome.errors.contains("cannot be read from line 1 on, before the first record"), "\(outcome.errors)")
  }

  @Test func `Windows-1252 is proposed and read, and random bytes are no text`() throws {
    let file = try folder.write(Data("Id;Name\r\n1;\u{93}Zo\u{EB}\u{94}\r\n".unicodeScalars.map { UInt8($0.value) }), to: "w.csv").path
    let refused = try run("rows", file, "w")
    #expect(refused.status == 1 && refused.errors.contains("give --encoding windows-1252"), "\(refused.errors)")
    #expect(try run("rows", file, "w", "--encoding", "windows-1252").text == "Id,Name\n1,\"“Zoë”\"\n")
    var random = SplitMix(seed: 5)
    for _ in 0..<testRounds(10) {
      let bytes = Data((0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) })
      let outcome = try run("tables", folder.write(bytes, to: "noise").path)
      #expect(outcome.status == 3 && outcome.errors.contains("not an SQLite database"), "\(outcome.errors)")
    }
    let broken = try folder.write(Data([0xFF, 0xFE, 0x61, 0, 0x0A, 0, 0x31, 0, 0x00, 0xD8, 0x0A, 0]), to: "u.csv").path
    let surrogate = try run("tables", broken)
    #expect(surrogate.status == 1)
    #expect(surrogate.errors.hasSuffix("is not UTF-16LE: byte 8, on line 2, belongs to no character. Correct the file at that byte.\n"))
  }

  @Test func `nothing is left behind, and the file stays as it was`() throws {
    let before = try folder.contents()
    let outcome = try run("query", sales, "delete from sales")
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("the files are unchanged"))
    #expect(try folder.contents() == before)
  }

  @Test func `options for such files are refused where there is none, and so are commits of them`() throws {
    let path = try Fixtures.values(in: folder)
    let outcome = try run("tables", path, "--separator", ";")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("and none was named"))
    #expect(try run("undo", sales).status == 2)
    #expect(try run("changes", sales).status == 2)
  }

  @Test func `a twelfth database is one too many, and the table of files is one of them`() throws {
    let paths = try (0..<11).map { try Fixtures.database("d\($0).db", in: folder, "CREATE TABLE t(a)") }
    let others = paths.flatMap { ["--attach", $0] }
    let outcome = try BuiltProgram.run(BuiltProgram.url, ["tables", sales] + others)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("SQLite opens 11 databases at once, and you named 12"), "\(outcome.errors)")
  }
}

/// Files as tables on the full screen.
@Suite(.gated) struct FilesOnScreenTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `standard input is shown as a table, and the keys come from the terminal`() throws {
    let file = try folder.write(Data("name,size\nPoe,3\nKafka,12\n".utf8), to: "data").path
    let session = try TerminalSession("-", fedBy: "cat '\(file)'")
    try session.wait(for: "Kafka")
    #expect(try session.screen.contains("stdin"))
    try session.press("&")
    try session.press("size > 5", "Enter")
    try session.wait(for: "row 1 of 1")
    try session.press("C-q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
    #expect(try session.lineModes("after") == session.lineModes("before"))
  }

  @Test func `rows come while more is written to the pipe, and stopping it leaves what is there`() throws {
    let rows = "echo a,b; i=0; while [ $i -lt 500 ]; do i=$((i + 1)); echo $i,x$i; done"
    let wait = "until [ -e pid ]; do sleep 0.1; done; while kill -0 $(cat pid) 2> /dev/null; do sleep 0.1; done"
    let session = try TerminalSession("-", fedBy: "(\(rows); \(wait))")
    // How much room the title has depends on how fast the rows come.
    try session.wait(for: "reading: 500 rows")
    try session.wait(for: "x1")
    try session.press("C-c")
    try session.wait(for: "500 rows of standard input were read")
    try session.press("C-q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
  }

  @Test func `without a terminal for the keys it is refused`() throws {
    let outcome = try BuiltProgram.run("-", input: "a,b\n1,2\n")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("terminal"), "\(outcome.errors)")
  }
}
