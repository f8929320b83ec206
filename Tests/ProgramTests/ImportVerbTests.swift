import Foundation
import TestSupport
import Testing

/// `quarry import`: what it writes, prints and refuses.
@Suite(.gated) struct ImportVerbTests {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = try Fixtures.database(
      "app.db", in: folder, "CREATE TABLE track(id INTEGER PRIMARY KEY, name TEXT NOT NULL, length REAL)",
      "INSERT INTO track VALUES (1, 'One', 1.5)")
  }

  private func run(_ arguments: [String], input: String = "") throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(BuiltProgram.url, ["import", database] + arguments, input: input, environment: ["HOME": folder.path])
  }

  private func rows(_ table: String = "track") throws -> String {
    try BuiltProgram.run("rows", database, table).text
  }

  private func file(_ name: String, _ text: String) throws -> String { try folder.write(Data(text.utf8), to: name).path }

  @Test func `rows are added to the columns of the same names, and the number is told`() throws {
    let outcome = try run(["track", file("t.csv", "Name,LENGTH\nTwo,2\nThree,\n")])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text == "imported 2 rows into track\n")
    #expect(try rows() == "id,name,length\n1,One,1.5\n2,Two,2.0\n3,Three,\n")
  }

  @Test func `rows that a trigger keeps out, or takes away again, are not counted as imported`() throws {
    let made = "CREATE TABLE seen(id INTEGER PRIMARY KEY, name TEXT); CREATE TRIGGER a BEFORE INSERT ON seen WHEN new.name = 'x' BEGIN "
    let triggers =
      "SELECT RAISE(IGNORE); END; CREATE TRIGGER b AFTER INSERT ON seen WHEN new.name = 'y' BEGIN DELETE FROM seen WHERE id = new.id; END"
    _ = try BuiltProgram.run(BuiltProgram.url, ["query", database, made + triggers], environment: ["HOME": folder.path])
    let outcome = try run(["seen", file("t.csv", "id,name\n1,a\n2,x\n3,y\n4,b\n")])
    #expect(outcome.status == 0 && outcome.text.hasPrefix("imported 2 rows into seen"), "\(outcome.text) \(outcome.errors)")
    #expect((outcome.text + outcome.errors).contains("triggers of seen skipped 2 rows"), "\(outcome.text) \(outcome.errors)")
    #expect(try rows("seen") == "id,name\n1,a\n4,b\n")
  }

  @Test func `standard input and other names are read`() throws {
    let outcome = try run(["track", "-", "--map", "titel=name"], input: "titel\tlength\nTwo\t2\n")
    #expect(outcome.text == "imported 1 row into track\n", "\(outcome.errors)")
    #expect(try run(["track", "--columns", "name,length", "--header", "no"], input: "Three,3\n").status == 0)
    #expect(try rows() == "id,name,length\n1,One,1.5\n2,Two,2.0\n3,Three,3.0\n")
  }

  @Test func `a row that fails leaves nothing, unless a file takes such rows`() throws {
    let source = try file("t.csv", "id,name\n2,Two\n3,\n1,Again\n")
    let refused = try run(["track", source])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("line 3"), "\(refused.errors)")
    #expect(refused.errors.contains("--rejects"))
    #expect(try rows() == "id,name,length\n1,One,1.5\n")
    let rejects = folder.path("bad.csv")
    let taken = try run(["track", source, "--rejects", rejects])
    #expect(taken.status == 0, "\(taken.errors)")
    #expect(taken.text == "imported 1 row into track (2 rejected)\n")
    #expect(try String(contentsOfFile: rejects, encoding: .utf8).contains("Again"))
    let again = try run(["track", source, "--rejects", rejects])
    #expect(again.status == 1 && again.errors.contains("bad.csv” already exists: name another file"), "\(again.errors)")
    #expect(try rows() == "id,name,length\n1,One,1.5\n2,Two,\n")
  }

  @Test func `JSON that is none from some place on is told with what was before, which is imported if asked`() throws {
    let lines = [#"[{"id": 2, "name": "Two"},"#, #"{"id": 3, "name": "Three"},"#, #"{"id": 4,, "name": "Four"}]"#]
    let source = try file("t.json", lines.joined(separator: "\n"))
    let refused = try run(["track", source])
    #expect(refused.status == 1)
    #expect(
      refused.errors.hasSuffix(
        "“\(source)” cannot be read from line 3 on, after 2 records. It is not JSON: unexpected “,” at byte 10. Nothing was imported: "
          + "--rejects PATH imports the records before it.\n"), "\(refused.errors)")
    #expect(try rows() == "id,name,length\n1,One,1.5\n")
    let query = try BuiltProgram.run("query", source, "select count(*) from t")
    #expect(query.status == 1 && query.output.isEmpty)
    #expect(query.errors.contains("from line 3 on, after 2 records. It is not JSON: unexpected “,” at byte 10."), "\(query.errors)")
    let rejects = folder.path("bad.csv")
    let taken = try run(["track", source, "--rejects", rejects])
    #expect(taken.text == "imported 2 rows into track (1 rejected)\n", "\(taken.errors)")
    #expect(try String(contentsOfFile: rejects, encoding: .utf8).contains("unexpected “,” at byte 10"))
  }

  @Test func `a row whose key is taken names it, and what can be said about it`() throws {
    let outcome = try run(["track", file("t.csv", "id,name\n2,Two\n1,Again\n")])
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == """
        quarry: line 3: UNIQUE constraint failed: track.id: there is already a row with id 1; nothing was imported: --on-conflict ignore, \
        replace or update handles it, --rejects PATH saves such rows and imports the rest

        """)
  }

  @Test func `several files are imported together or not at all, and messages name the file`() throws {
    let (first, second) = (try file("a.csv", "name\nTwo\nThree\n"), try file("b.csv", "name,length\nFour,4\n,5\n"))
    let refused = try run(["track", first, second])
    #expect(refused.status == 1 && refused.text == "")
    #expect(refused.errors.contains("\(second): line 3: NOT NULL constraint failed: track.name; nothing was imported: correct the row"))
    #expect(try rows() == "id,name,length\n1,One,1.5\n")
    let missing = try run(["track", first, folder.path("none.csv")])
    #expect(missing.status == 3 && missing.errors.contains("There is no file “\(folder.path("none.csv"))”"), "\(missing.errors)")
    #expect(try rows() == "id,name,length\n1,One,1.5\n")
    let tried = try run(["track", first, first, "--dry-run"])
    #expect(tried.errors.contains("this would import 2 rows of \(first) into track"), "\(tried.errors)")
    let new = try run(["both", first, first, "--create"])
    #expect(new.text == "imported 2 rows of \(first) into both\nimported 2 rows of \(first) into both\n", "\(new.errors)")
    let undo = try BuiltProgram.run("undo", database, environment: ["HOME": folder.path])
    #expect(undo.errors == "quarry: undid commit 1, as commit 2: 4 deleted, both (dropped)\n")
  }

  @Test(arguments: [("x.json", "[]\n"), ("x.ndjson", ""), ("x.jsonl", "\n"), ("x.csv", "id,name\n"), ("-", "")])
  func `an export without rows is imported as none`(name: String, text: String) throws {
    let source = name == "-" ? name : try file(name, text)
    for arguments in [["track", source], ["track", source, "--on-conflict", "update"], ["track", source, "--dry-run"]] {
      let outcome = try run(arguments)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(arguments.contains("--dry-run") || outcome.text == "imported 0 rows into track\n")
    }
    if name == "x.csv" { return }
    let new = try run(["fresh", source, "--create"])
    #expect(new.status == 1 && new.errors.contains("it has no record to make a table from"), "\(new.errors)")
  }

  @Test func `a text that looks like a blob stays one, and a dry run writes no rejects and says so`() throws {
    _ = try BuiltProgram.run("query", database, "CREATE TABLE b(a BLOB)")
    #expect(try run(["b", file("b.csv", "a,b\nx'00ff',1\n\"x'00ff'\",2\n"), "--columns", "a"]).status == 0)
    #expect(try run(["b", file("c.csv", "\"a\"\n\"x'00ff'\"\n")]).status == 0)
    #expect(try run(["b", file("b.json", #"[{"a":"x'00ff'"},{"a":{"blob":"AP8="}}]"#)]).status == 0)
    #expect(try BuiltProgram.run("query", database, "SELECT typeof(a) AS t FROM b").text == "t\nblob\ntext\ntext\ntext\nblob\n")
    let rejects = folder.path("r.csv")
    let outcome = try run(["track", file("t.csv", "name,length\nTwo,1\n,2\n"), "--dry-run", "--rejects", rejects])
    #expect(outcome.errors.contains("the rejected rows would go to “\(rejects)”"), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: rejects))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
  func `what was imported is said on standard error where the output cannot be written`() throws {
    let process = try ChildProcess(
      [BuiltProgram.url.path, "import", database, "track", file("t.csv", "name\nTwo\n")],
      environment: BuiltProgram.environment(home: folder.path), output: .file("/dev/full"), errors: .file(folder.path("errors")))
    #expect(process.wait() == .exit(1))
    let errors = try String(contentsOfFile: folder.path("errors"), encoding: .utf8)
    #expect(errors.hasPrefix("quarry: imported 1 row into track; standard output cannot be written: "), "\(errors)")
    #expect(try rows() == "id,name,length\n1,One,1.5\n2,Two,\n")
  }

  @Test func `names of the table's columns are a header, even if they are years`() throws {
    _ = try BuiltProgram.run("query", database, "CREATE TABLE sales(region TEXT, \"2023\" INT, \"2024\" INT)")
    #expect(try run(["sales", file("s.csv", "region,2023,2024\nNorth,1990,2001\n")]).text == "imported 1 row into sales\n")
    #expect(try rows("sales") == "region,2023,2024\nNorth,1990,2001\n")
  }

  @Test func `rejects stand in the order of their lines, whatever they are rejected for`() throws {
    _ = try BuiltProgram.run(
      "query", database, "CREATE TABLE node(id INTEGER PRIMARY KEY, parent REFERENCES node DEFERRABLE INITIALLY DEFERRED, name NOT NULL)")
    let lines = ["id,parent,name", "1,,a", "2,99,b", "3", "4,,", "5,1,c", "6,98,d", "1,,e", "\"x\"y,,f", "7,97,g", "8,,h"]
    let rejects = folder.path("r.csv")
    let outcome = try run(["node", file("n.csv", lines.joined(separator: "\n")), "--rejects", rejects])
    #expect(outcome.text == "imported 3 rows into node (7 rejected)\n", "\(outcome.errors)")
    let numbers = try String(contentsOfFile: rejects, encoding: .utf8).split(separator: "\n").map { $0.prefix { $0 != "," } }
    #expect(numbers == ["line", "3", "4", "5", "7", "8", "9", "10"])
    #expect(try rows("node") == "id,parent,name\n1,,a\n5,1,c\n8,,h\n")
  }

  @Test func `an upsert counts what it has updated, and is undone`() throws {
    let source = try file("t.json", #"[{"id": 1, "name": "Uno"}, {"id": 2, "name": "Due"}]"#)
    let outcome = try run(["track", source, "--on-conflict", "update"])
    #expect(outcome.text == "imported 2 rows into track (1 updated)\n", "\(outcome.errors)")
    #expect(try rows() == "id,name,length\n1,Uno,1.5\n2,Due,\n")
    let undo = try BuiltProgram.run("undo", database, environment: ["HOME": folder.path])
    #expect(undo.status == 0, "\(undo.errors)")
    #expect(try rows() == "id,name,length\n1,One,1.5\n")
  }

  @Test func `a new table is made where that is asked for, and only then`() throws {
    let source = try file("t.csv", "code,n\n007,1\n008,2\n")
    let refused = try run(["trakc", source])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("did you mean track"), "\(refused.errors)")
    #expect(refused.errors.contains("--create"))
    #expect(try run(["codes", source, "--create"]).text == "imported 2 rows into codes\n")
    #expect(try rows("codes") == "code,n\n007,1\n008,2\n")
    #expect(try run(["track", source, "--create"]).status == 1)
  }

  @Test func `a database is made with the table, and not where the import fails`() throws {
    let source = try file("t.csv", "a\n1\n")
    let path = folder.path("new.db")
    #expect(try BuiltProgram.run("import", path, "t", source).status == 3)
    #expect(try BuiltProgram.run("import", path, "t", source, "--create", "--dry-run").status == 0)
    #expect(try BuiltProgram.run("import", path, "t", folder.path("none.csv"), "--create").status == 3)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try BuiltProgram.run("import", path, "t", source, "--create").status == 0)
    #expect(try BuiltProgram.run("rows", path, "t").text == "a\n1\n")
  }

  @Test func `what stands against a new table or database names the way out that helps`() throws {
    let source = try file("t.csv", "a\n1\n")
    let nowhere = try BuiltProgram.run("import", folder.path("none/new.db"), "t", source, "--create")
    #expect(nowhere.status == 3 && nowhere.errors.hasSuffix("does not exist: create it, or name another database\n"), "\(nowhere.errors)")
    let own = try run(["sqlite_schema", source])
    #expect(own.status == 1 && own.errors.contains("SQLite reserves the name"), "\(own.errors)")
    let unkeyed = try run(["v", source, "--create"])
    #expect(unkeyed.status == 0, "\(unkeyed.errors)")
    let update = try run(["v", source, "--on-conflict", "update"])
    #expect(update.errors == "quarry: v has no primary key to update rows by\n")
  }

  @Test func `what was imported and undone is told in words and grouped numbers`() throws {
    #expect(try run(["n", "-", "--create"], input: "a\n" + (1...1500).map { "\($0)\n" }.joined()).text == "imported 1,500 rows into n\n")
    func runVerb(_ verb: String) throws -> BuiltProgram.Outcome { try BuiltProgram.run(verb, database, environment: ["HOME": folder.path]) }
    #expect(try runVerb("changes").text.contains("import of standard input into n"))
    #expect(try runVerb("undo").errors == "quarry: undid commit 1, as commit 2: 1,500 deleted, n (dropped)\n")
    #expect(try run(["track", "-"], input: "id,name\n2,Two,3\n").errors.hasPrefix("quarry: line 2: it has 3 fields instead of 2; "))
  }

  @Test func `a dry run says where each column goes and what would come of it, and writes nothing`() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: database))
    let outcome = try run(["track", file("t.csv", "name,length,other\nTwo,2,x\n"), "--columns", "name,length", "--dry-run"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text.hasPrefix("source,target,type,first\nname,name,TEXT,Two\nlength,length,REAL,2"), "\(outcome.text)")
    #expect(outcome.errors.contains("nothing was written; this would import 1 row into track"), "\(outcome.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: database)) == before)
  }

  @Test(arguments: [
    (["track", "T", "--map", "nmae"], 2), (["track", "T", "--on-conflict", "maybe"], 2), (["track", "T", "--types", "name"], 2),
    (["track", "T", "--separator", "ab"], 2), (["track", "NONE"], 3), (["track", "T", "--read-only"], 1),
  ])
  func `what cannot be done ends with its status, and writes nothing`(_ arguments: [String], _ status: Int) throws {
    let source = try file("t.csv", "name\nTwo\n")
    let outcome = try run(arguments.map { $0 == "T" ? source : $0 == "NONE" ? folder.path("none.csv") : $0 })
    #expect(outcome.status == Int32(status), "\(outcome.errors)")
    #expect(outcome.text == "")
    #expect(try rows() == "id,name,length\n1,One,1.5\n")
  }

  @Test(arguments: [
    (["", "track", "x.csv", "--create"], "it is empty: name a file"), ([":memory:", "track", "x.csv", "--create"], "lost at once"),
    (["new.db", "", "x.csv", "--create"], "name of the table is empty"), (["new.db", "temp.t", "x.csv", "--create"], "temporary tables"),
  ])
  func `what would be gone at once, or found by nobody, is refused`(_ arguments: [String], _ reason: String) throws {
    let outcome = try BuiltProgram.run(BuiltProgram.url, ["import"] + arguments)
    #expect(outcome.status == 2 && outcome.errors.contains(reason), "\(outcome.errors)")
  }

  @Test func `a text that is not UTF-8 is imported, and shown by its bytes in a dry run`() throws {
    let source = try file("raw.json", #"[{"id":90,"name":{"text":"/2EA"}}]"#)
    let tried = try run(["track", source, "--dry-run", "--format", "csv"])
    #expect(tried.status == 0 && tried.text.contains("x'ff6100'"), "\(tried.errors)")
    #expect(try run(["track", source]).status == 0)
    let stored = try BuiltProgram.run("query", database, "SELECT typeof(name) || hex(name) AS stored FROM track WHERE id = 90").text
    #expect(stored == "stored\ntextFF6100\n")
  }

  @Test func `the tables of a file that are left out are named, and a table may stand with its database before it`() throws {
    let source = try file("two.json", #"{"t1":[{"id":91,"name":"a"}],"t2":[{"b":2}]}"#)
    let outcome = try run(["main.track", source])
    #expect(outcome.status == 0 && outcome.text == "imported 1 row into track\n", "\(outcome.errors)")
    #expect(outcome.errors.contains("the file has other tables, which were skipped: t2"), "\(outcome.errors)")
  }

  @Test func `a column that has no place is told, with the nearest names`() throws {
    let outcome = try run(["track", file("t.csv", "nmae,length\nTwo,2\n")])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("name"), "\(outcome.errors)")
    #expect(outcome.errors.contains("--map"), "\(outcome.errors)")
    #expect(try run([file("t2.csv", "a\n1\n"), "track"]).status != 0)
  }

  @Test func `a file in the place of the database is told`() throws {
    let outcome = try BuiltProgram.run("import", file("t.csv", "a\n1\n"), "t", database)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("is not a database, which comes first"))
  }
}
