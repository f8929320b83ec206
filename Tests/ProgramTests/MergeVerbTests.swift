import Foundation
import TestSupport
import Testing

/// The verb `quarry merge`.
@Suite(.gated) struct MergeVerbTests {
  private let folder: TemporaryFolder
  private let paths: [String]
  private var result: String { folder.path("result.db") }

  init() throws {
    folder = try TemporaryFolder()
    var paths: [String] = []
    for name in ["base.db", "mine.db", "theirs.db"] {
      paths.append(
        try Fixtures.database(
          name, in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b)", "INSERT INTO t VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3)"))
    }
    self.paths = paths
  }

  private func change(_ index: Int, _ sql: String) throws {
    let outcome = try BuiltProgram.run("query", paths[index], sql, "--no-changes")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func merge(_ options: String...) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(BuiltProgram.url, ["merge"] + paths + ["-o", result] + options)
  }

  @Test func `both sides' changes are in the result`() throws {
    try change(1, "UPDATE t SET a = 'mine' WHERE id = 1")
    try change(2, "UPDATE t SET b = 'theirs' WHERE id = 1; DELETE FROM t WHERE id = 3; INSERT INTO t VALUES (9, 9, 9)")
    let outcome = try merge()
    #expect(outcome.status == 0 && outcome.text.isEmpty, "\(outcome.errors)")
    #expect(outcome.errors == "quarry: t: +1 -1 ~1\n")
    #expect(try BuiltProgram.run("rows", result, "t").text == "id,a,b\n1,mine,theirs\n2,2,2\n9,9,9\n")
    #expect(try merge("--format", "json").text == "[]\n")
  }

  @Test func `conflicts are printed, and a preferred side settles them`() throws {
    try change(1, "UPDATE t SET a = 'mine' WHERE id < 3")
    try change(2, "UPDATE t SET a = 'theirs' WHERE id = 1; DELETE FROM t WHERE id = 2")
    let outcome = try merge()
    #expect(outcome.status == 1)
    #expect(
      outcome.text == "conflict,object,key,column,base,mine,theirs\ncell,t,1,a,1,mine,theirs\ndeleted,t,2,,,changed,deleted\n",
      "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("quarry: 2 conflicts: ") || outcome.errors.contains("2 conflicts: "), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: result))
    #expect(try merge("--prefer", "mine").status == 0)
    #expect(try BuiltProgram.run("rows", result, "t").text == "id,a,b\n1,mine,1\n2,mine,2\n3,3,3\n")
    #expect(try merge("--prefer", "theirs").status == 0)
    #expect(try BuiltProgram.run("rows", result, "t").text == "id,a,b\n1,theirs,1\n3,3,3\n")
  }

  @Test func `new rows with the same key are renumbered on request, with the rows that refer to them`() throws {
    for path in paths {
      _ = try BuiltProgram.run("query", path, "CREATE TABLE child(id INTEGER PRIMARY KEY, t REFERENCES t)", "--no-changes")
    }
    try change(1, "INSERT INTO t VALUES (4, 'mine', 1), (5, 'mine', 2)")
    try change(2, "INSERT INTO t VALUES (4, 'theirs', 1), (6, 'theirs', 2); INSERT INTO child VALUES (1, 4), (2, 6), (3, 1)")
    #expect(try merge().text.hasSuffix("key,t,4,,,\"a = 'mine'\",\"a = 'theirs'\"\n"))
    let outcome = try merge("--renumber")
    #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
    #expect(
      try BuiltProgram.run("rows", result, "t", "--where", "id > 3").text == "id,a,b\n4,mine,1\n5,mine,2\n6,theirs,2\n7,theirs,1\n")
    #expect(try BuiltProgram.run("rows", result, "child").text == "id,t\n1,7\n2,6\n3,1\n")
  }

  @Test func `what is no database, or must not be replaced, is refused`() throws {
    let text = try folder.write(Data("a,b\n1,2\n".utf8), to: "rows.csv").path
    let outcome = try BuiltProgram.run("merge", paths[0], paths[1], text, "-o", result)
    #expect(outcome.status == 3 && outcome.errors.contains("not a database"), "\(outcome.errors)")
    let missing = try BuiltProgram.run("merge", folder.path("none.db"), paths[1], paths[2], "-o", result)
    #expect(missing.status == 3 && missing.errors.contains("none.db"), "\(missing.errors)")
    let other = try Fixtures.database("other.db", in: folder, "CREATE TABLE u(x)")
    let ancestor = try BuiltProgram.run("merge", other, paths[1], paths[2], "-o", result)
    #expect(ancestor.status == 1 && ancestor.errors.contains("no table in common"), "\(ancestor.errors)")
    let over = try BuiltProgram.run("merge", paths[0], paths[1], paths[2], "-o", paths[2])
    #expect(over.status == 2, "\(over.errors)")
    for suffix in ["-wal", "-journal", "-shm"] {
      let log = try BuiltProgram.run("merge", paths[0], paths[1], paths[2], "-o", paths[1] + suffix)
      #expect(log.status == 2 && !FileManager.default.fileExists(atPath: paths[1] + suffix), "\(log.errors)")
    }
    #expect(try BuiltProgram.run("merge", paths[0], paths[1], paths[2]).status == 2)
    #expect(!FileManager.default.fileExists(atPath: result))
  }

  @Test func `a preferred side settles unique values and references, and no message is without its reason`() throws {
    for path in paths {
      _ = try BuiltProgram.run(
        "query", path, "CREATE TABLE c(id INTEGER PRIMARY KEY, t REFERENCES t, u UNIQUE); INSERT INTO c VALUES (1, 1, 1)", "--no-changes")
    }
    try change(1, "DELETE FROM t WHERE id = 3; INSERT INTO c VALUES (2, 1, 7)")
    try change(2, "INSERT INTO c VALUES (3, 3, 8), (4, 1, 7)")
    let outcome = try merge()
    #expect(outcome.status == 1)
    #expect(outcome.text == "conflict,object,key,column,base,mine,theirs\nconstraint,c,4,u,,\"id = 2, u = 7\",\"id = 4, u = 7\"\n")
    #expect(outcome.errors.contains("UNIQUE constraint failed: c.u"), "\(outcome.errors)")
    #expect(try merge("--prefer", "mine").status == 0)
    #expect(try BuiltProgram.run("rows", result, "c").text == "id,t,u\n1,1,1\n2,1,7\n")
    #expect(try merge("--prefer", "theirs").status == 0)
    #expect(try BuiltProgram.run("rows", result, "c").text == "id,t,u\n1,1,1\n3,3,8\n4,1,7\n")
    #expect(try BuiltProgram.run("rows", result, "t", "--columns", "id").text == "id\n1\n2\n3\n")
  }

  @Test(arguments: ["ndjson", "markdown", "tsv", "html", "sql"]) func `conflicts are listed in each format`(format: String) throws {
    try change(1, "UPDATE t SET a = 'm' WHERE id = 1")
    try change(2, "UPDATE t SET a = 't' WHERE id = 1")
    let outcome = try merge("--format", format)
    #expect(outcome.status == 1 && outcome.text.contains("cell") && outcome.text.contains("m"), "\(outcome.errors)")
    #expect(outcome.errors.contains("1 conflict: "))
  }

  @Test func `a base that is no ancestor is reported before the conflicts`() throws {
    try change(0, "DELETE FROM t")
    for index in 1...2 {
      let values = (10...40).map { "(\($0), \(index), 0)" }.joined(separator: ", ")
      try change(index, "INSERT INTO t VALUES \(values)")
    }
    let outcome = try merge()
    #expect(
      outcome.errors.hasPrefix("quarry: “\(paths[0])” is probably not the common ancestor: 34 keys of t are new in both"),
      "\(outcome.errors)")
  }

  @Test func `databases on other machines are copied first`() throws {
    for place in ["dqlite://127.0.0.1:1/app", "ada@example.invalid:app.db"] {
      for words in [[place, paths[1], paths[2]], [paths[0], paths[1], place]] {
        let outcome = try BuiltProgram.run(BuiltProgram.url, ["merge"] + words + ["-o", result])
        #expect(outcome.status == 2 && outcome.errors.contains("`quarry backup"), "\(outcome.errors)")
      }
    }
  }

  @Test func `on a terminal the conflicts open in a screen, which writes the result`() throws {
    try change(1, "UPDATE t SET a = 'm' WHERE id = 1")
    try change(2, "UPDATE t SET a = 't' WHERE id = 1")
    let session = try TerminalSession(["merge"] + paths + ["-o", result])
    try session.wait(for: "Merge into result.db")
    try session.press("t")
    try session.wait(for: "all settled")
    try session.press("C-s")
    try session.wait(for: "Write the result")
    try session.press("Enter")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
    #expect(try BuiltProgram.run("rows", result, "t").text == "id,a,b\n1,t,1\n2,2,2\n3,3,3\n")
    let other = try TerminalSession(["merge"] + paths + ["-o", folder.path("other.db")])
    try other.wait(for: "Merge into other.db")
    try other.press("q")
    try other.wait(for: "Leave without")
    try other.press("Down", "Enter")
    try other.waitForEnd()
    #expect(try other.exitStatus() == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path("other.db")))
  }

  @Test func `the screen of conflicts ends by SIGTERM, which writes nothing`() throws {
    try change(1, "UPDATE t SET a = 'm' WHERE id = 1")
    try change(2, "UPDATE t SET a = 't' WHERE id = 1")
    let session = try TerminalSession(["merge"] + paths + ["-o", result])
    try session.wait(for: "Merge into result.db")
    try session.signal(SIGTERM)
    try session.waitForEnd()
    #expect(try session.exitStatus() == 128 + Int(SIGTERM))
    try session.wait(for: "THE END")
    #expect(try session.lineModes("after") == session.lineModes("before"))
    #expect(!FileManager.default.fileExists(atPath: result))
  }

  @Test func `on a terminal in git, the screen has the name of the file there`() throws {
    try change(1, "UPDATE t SET a = 'm' WHERE id = 1")
    try change(2, "UPDATE t SET a = 't' WHERE id = 1")
    let words = ["merge"] + paths + ["-o", paths[1], "--git-path", "data/my app.db"]
    let session = try TerminalSession(words, size: (240, 24), showsErrors: true)
    try session.wait(for: "Merge into my app.db")
    #expect(try session.screen.contains("mine (HEAD)"))
    try session.press("q")
    try session.wait(for: "Leave without writing data/my app.db")
    try session.press("Down", "Enter")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 1)
    try session.wait(for: "git mergetool --tool quarry 'data/my app.db'")
    #expect(try BuiltProgram.run("rows", paths[1], "t", "--limit", "1").text == "id,a,b\n1,m,1\n")
  }
}
