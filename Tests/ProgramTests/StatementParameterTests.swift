import Foundation
import TestSupport
import Testing

/// Parameters of statements on the command line, and statements that are kept.
@Suite(.gated) struct StatementParameterTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try Fixtures.database(
      in: folder, "CREATE TABLE songs(id INTEGER PRIMARY KEY, title TEXT, length INTEGER, price REAL, cover BLOB)",
      "INSERT INTO songs VALUES (1, 'Love', 300, 0.99, x'00ff'), (2, '007', 200, 1.5, NULL), (3, NULL, 200, NULL, NULL)")
  }

  private func query(_ arguments: [String], input: String = "", environment: [String: String] = [:]) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(BuiltProgram.url, ["query", file] + arguments, input: input, environment: environment)
  }

  private func value(_ sql: String, _ parameters: String...) throws -> String {
    let outcome = try query([sql] + parameters.flatMap { ["-p", $0] })
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast().joined(separator: "|")
  }

  @Test(arguments: [
    ("SELECT id FROM songs WHERE length >= :min", ["min=250"], "1"),
    ("SELECT :x || @x || $x || :x", ["x=a"], "aaaa"),
    ("SELECT id FROM songs WHERE title = $t", ["t=007"], "2"),
    ("SELECT ? - ?, ?1", ["1=5", "2=3"], "2,5"),
    ("SELECT ?3, ?", ["3=a", "4=b"], "a,b"),
    ("SELECT :a, ?", ["a=1", "2=2"], "1,2"),
    ("SELECT typeof(:a), typeof(:b), typeof(:c), typeof(:d)", ["a=7", "b=7.5", "c=07", "d="], "integer,real,text,text"),
    ("SELECT typeof(:a), typeof(:b), hex(:c)", ["a:text=7", "b:null=", "c:blob=0aFF"], "text,null,0AFF"),
    ("SELECT id FROM songs WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY 1", ["ids=[1, 3]"], "1|3"),
    ("SELECT id FROM songs WHERE title IS :t", ["t:null="], "3"),
    ("SELECT id FROM songs ORDER BY id LIMIT :n OFFSET :o", ["n=1", "o=1"], "2"),
    ("SELECT ':x', '?' -- :y\n, :z", [":z=1"], ":x,?,1"),
    ("WITH c AS (SELECT * FROM songs WHERE price > :p) SELECT id FROM c WHERE title = :t", ["p=1", "t=007"], "2"),
    ("SELECT id FROM songs WHERE length = :a", ["a=-200"], ""),
  ])
  func `values are given by name or number, and read as what they stand beside`(
    _ sql: String, _ parameters: [String], _ rows: String
  ) throws {
    let outcome = try query([sql] + parameters.flatMap { ["-p", $0] } + ["--format", "csv"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text.split(separator: "\n").dropFirst().joined(separator: "|") == rows)
    #expect(outcome.errors.isEmpty)
  }

  @Test(arguments: [
    ("SELECT 1 FROM orders WHERE freight > :f", "f=abc", "-p f=abc: “abc” is not valid here: expected a number"),
    ("SELECT 1 FROM orders WHERE made < :d", "d=01/02/1997", "-p d=01/02/1997: “01/02/1997” is not a date"),
    ("SELECT 1 FROM orders WHERE made < :d", "d=1997-02-30", "February 1997 has 28 days. Did you mean 1997-02-28?"),
    ("SELECT 1 FROM orders WHERE made < :d", "d=", "-p d=: Empty text is not a date"),
    ("SELECT value FROM json_each(:list)", "list=1,2", "-p list=1,2: “,” at character 2 is not valid JSON. Did you mean [1,2]?"),
    ("SELECT value FROM json_each(:list)", "list=[1,", "-p list=[1,: The JSON ends too early."),
  ])
  func `a text that cannot be meant for a column is refused by name before anything runs`(
    _ sql: String, _ parameter: String, _ error: String
  ) throws {
    let made = try query(["CREATE TABLE IF NOT EXISTS orders(freight NUMERIC, made DATETIME)"])
    #expect(made.status == 0)
    let outcome = try query([sql, "-p", parameter])
    #expect(outcome.status == 2 && outcome.text.isEmpty)
    #expect(outcome.errors.contains(error), "\(outcome.errors)")
  }

  @Test func `a parameter that is compared and shown is read as a number all the same`() throws {
    let sql = "WITH t(n) AS (SELECT :n UNION ALL SELECT n + 1 FROM t WHERE n < :to) SELECT sum(n), :n || '/' || :to FROM t"
    #expect(try value(sql + " -- as 1.0", "n=1", "to=4").contains("1/4"))
  }

  @Test func `a blob can come from a file`() throws {
    let cover = try folder.write(Data([1, 2, 3]), to: "cover")
    #expect(try value("SELECT hex(:c)", "c:blob=@\(cover.path)") == "010203")
    #expect(try query(["UPDATE songs SET cover = :c WHERE id = 2", "-p", "c=@\(cover.path)"]).status == 0)
    #expect(try value("SELECT hex(cover) FROM songs WHERE id = 2") == "010203")
    #expect(try query(["SELECT :c", "-p", "c:blob=@/no/such/file"]).status == 2)
  }

  @Test func `statements of one text share names, and each has its own numbers`() throws {
    let insert = "INSERT INTO new VALUES (?, :name);"
    let sql = "CREATE TABLE new(a, b); \(insert) \(insert) SELECT * FROM new WHERE b = :name"
    #expect(try value(sql, "1=7", "name=x") == "7,x|7,x")
  }

  @Test func `the same name is read by each of its places`() throws {
    #expect(try value("SELECT id FROM songs WHERE title = :v; SELECT id FROM songs WHERE id = :v", "v=007").isEmpty == false)
  }

  @Test func `a comment declares types and defaults`() throws {
    let sql = "-- :min integer = 250\n-- :code text\nCREATE TEMP TABLE c(x); SELECT id, typeof(:code) AS t FROM songs WHERE length > :min"
    #expect(try value(sql, "code=1") == "1,text")
    #expect(try value(sql, "code=1", "min=1") == "1,text|2,text|3,text")
  }

  @Test func `a faulty declaration is told, and runs where a value is given`() throws {
    let sql = "SELECT 1;\n-- :min intger = 3\nSELECT :min AS m"
    let outcome = try query([sql, "-p", "min=4"])
    #expect(outcome.status == 0 && outcome.text.hasSuffix("m\n4\n"))
    #expect(outcome.errors.contains("line 2") && outcome.errors.contains("intger") && outcome.errors.contains("integer, real"))
    let missing = try query([sql])
    #expect(missing.status == 2 && missing.output.isEmpty && missing.errors.contains("line 2") && missing.errors.contains("-p min="))
  }

  @Test func `EXPLAIN needs no values`() throws {
    #expect(try query(["EXPLAIN QUERY PLAN SELECT * FROM songs WHERE id = :id"]).text.contains("SEARCH songs"))
    #expect(try query(["EXPLAIN SELECT * FROM songs WHERE id = :id", "-p", "id=1"]).status == 0)
  }

  @Test(arguments: [
    (
      ["SELECT * FROM songs WHERE length > :min AND title = @t AND ? = $any"],
      ["-p min=… (an integer)", "-p t=… (text)", "-p 3=…", "-p any=…"]
    ),
    (["SELECT value FROM json_each(:ids)"], ["-p ids=… (JSON)"]),
    (["-- :d date\nSELECT :d"], ["-p d=… (a date)"]),
    (["SELECT :min, :max", "-p", "min=1", "-p", "mix=2"], ["-p mix", "it has min, max"]),
    (["SELECT 1", "-p", "a=1"], ["-p a", "it has none"]),
    (["SELECT ?", "-p", "1=1", "-p", "2=2"], ["-p 2", "it has 1"]),
    (["SELECT :a", "-p", "a=1", "-p", "a=2"], ["-p a is given twice"]),
    (["SELECT * FROM songs WHERE length > :min", "-p", "min=long"], ["-p min=long", "an integer such as 42"]),
    (["SELECT :a", "-p", "a:date=tomorrow"], ["-p a=tomorrow", "Write a date as 1997-01-31"]),
    (["-- :a = x\nSELECT * FROM songs WHERE length > :a"], ["the default of a", "an integer such as 42"]),
    (["SELECT :a", "-p", "a"], ["name[:type]=value"]),
  ])
  func `what does not fit is told before anything runs`(_ arguments: [String], _ words: [String]) throws {
    let before = try folder.contents()
    let outcome = try query(["DELETE FROM songs; " + arguments[0]] + arguments.dropFirst())
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    for word in words { #expect(outcome.errors.contains(word), "\(outcome.errors)") }
    #expect(try folder.contents() == before)
  }

  @Test func `what is missing for a table that is still to be made is told before it is made`() throws {
    let outcome = try query(["CREATE TABLE new(a); INSERT INTO new VALUES (:a)"])
    #expect(outcome.status == 2 && outcome.errors.contains("-p a="))
    #expect(try BuiltProgram.run("tables", file).text.contains("new") == false)
  }

  @Test func `a saved statement runs by its name`() throws {
    let data = folder.path("data")
    let statements = "\(data)/quarry/statements"
    try FileManager.default.createDirectory(atPath: statements, withIntermediateDirectories: true)
    let sql = "-- title: Long songs\n-- :min integer = 250\nSELECT id FROM songs WHERE length >= :min"
    try Data(sql.utf8).write(to: URL(fileURLWithPath: "\(statements)/long songs.sql"))
    try Data([0xFF]).write(to: URL(fileURLWithPath: "\(statements)/latin.sql"))
    let environment = ["XDG_DATA_HOME": data]
    #expect(try query(["--statement", "long songs"], environment: environment).text == "id\n1\n")
    #expect(try query(["--statement", "long songs", "-p", "min=200"], environment: environment).text == "id\n1\n2\n3\n")
    for (name, word) in [("long song", "did you mean long songs?"), ("xyz", statements), ("latin", "UTF-8"), ("../x", statements)] {
      let outcome = try query(["--statement", name], environment: environment)
      #expect(outcome.status == 2 && outcome.output.isEmpty)
      #expect(outcome.errors.contains(word), "\(outcome.errors)")
    }
  }

  @Test(arguments: [["SELECT 1", "-f", "x.sql"], ["SELECT 1", "--statement", "x"], ["-f", "x.sql", "--statement", "x"]])
  func `the SQL, a file and a saved statement exclude one another`(_ arguments: [String]) throws {
    let outcome = try query(arguments)
    #expect(outcome.status == 2 && outcome.errors.contains("not both"))
  }

  @Test func `SQL on standard input and in a file has parameters too`() throws {
    #expect(try query(["-p", "a=1"], input: "SELECT :a AS a").text == "a\n1\n")
    let script = try folder.write(Data("SELECT :a AS a".utf8), to: "script.sql")
    #expect(try query(["-f", script.path, "-p", "a=1", "--format", "json"]).text == "[{\"a\":1}]\n")
  }

  @Test func `help tells how parameters get their values`() throws {
    let help = try BuiltProgram.run("query", "--help").text
    for word in ["-p <name[:type]=value>", "--statement <name>", ":x, @x and $x", "-- :min integer = 3"] { #expect(help.contains(word)) }
  }
}
