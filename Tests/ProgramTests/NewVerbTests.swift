import Foundation
import TestSupport
import Testing

/// `quarry new`, and what is said about a file that is not there.
@Suite(.gated) struct NewVerbTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `it makes an empty database and says what opens it`() throws {
    let path = folder.path("my new.db")
    let outcome = try BuiltProgram.run("new", path)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(outcome.text == "created “\(path)”, an empty database: open it with `quarry '\(path)'`\n")
    #expect(try BuiltProgram.run("tables", path).text == "name,kind,columns,rows\n")
    #expect(try BuiltProgram.run("query", path, "CREATE TABLE t(a)").status == 0)
    #expect(try folder.contents().keys.sorted() == ["my new.db"])
  }

  @Test(arguments: ["rows", "help", "-dash.db", "--help"])
  func `a name that is a verb or an option is a path in the command that opens it`(name: String) throws {
    let shell = URL(fileURLWithPath: "/bin/sh")
    func run(_ line: String) throws -> BuiltProgram.Outcome {
      try BuiltProgram.run(shell, ["-c", "cd '\(folder.path)' && PATH='\(BuiltProgram.url.deletingLastPathComponent().path)' && \(line)"])
    }
    let missing = try run("quarry tables -- \(name)")
    #expect(missing.errors.hasSuffix(" `quarry new ./\(name)` creates an empty database.\n"), "\(missing.errors)")
    let created = try run("quarry new -- \(name)")
    #expect(created.text == "created “\(name)”, an empty database: open it with `quarry ./\(name)`\n", "\(created.errors)")
    let again = try run("quarry new ./\(name)")
    #expect(again.status == 2 && again.errors.contains("already exists: open it with `quarry ./\(name)`"), "\(again.errors)")
    let written = try run("quarry query -- \(name) 'CREATE TABLE t(a); INSERT INTO t VALUES (1)'")
    #expect(written.errors.contains("`quarry undo ./\(name)`"), "\(written.errors)")
  }

  @Test func `an existing file is refused with the command that opens it, and stays`() throws {
    let path = try Fixtures.database("a.db", in: folder, "CREATE TABLE t(a)")
    let before = try folder.contents()
    let outcome = try BuiltProgram.run("new", path)
    #expect(outcome.status == 2 && outcome.text.isEmpty)
    #expect(outcome.errors == "quarry: “\(path)” already exists: open it with `quarry \(path)`, or name another file\n")
    #expect(try folder.contents() == before)
  }

  @Test func `on a terminal the form of the first table opens, and writes it`() throws {
    let path = folder.path("shop.db")
    let session = try TerminalSession(["new", path], size: (columns: 80, rows: 24))
    // The plan is made by then.
    try session.wait(for: "F5 writes it")
    try session.press("F5")
    try session.wait(for: "Create the table new_table?")
    try session.press("Down", "Enter")
    try session.wait(for: "created new_table")
    try session.press("q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 0)
    #expect(try BuiltProgram.run("tables", path).text == "name,kind,columns,rows\nnew_table,table,1,0\n")
  }

  @Test(arguments: [
    ("no/such/a.db", "does not exist: create it, or name another file"), (".", "is a folder: name a file in it"),
    ("-", "a new database is a file: give its path"), ("", "it is empty: name a file"),
    ("dqlite://10.0.0.1:9001/demo", "`quarry dqlite://10.0.0.1:9001/demo --write`"),
  ])
  func `what cannot be a new file is a wrong command line`(name: String, message: String) throws {
    let isPath = !["-", ""].contains(name) && !name.hasPrefix("dqlite")
    let outcome = try BuiltProgram.run("new", isPath ? "\(folder.path)/\(name)" : name)
    #expect(outcome.status == 2 && outcome.text.isEmpty)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(try folder.contents().isEmpty)
  }

  @Test(.enabled(if: getuid() != 0)) func `a folder that may not be written has a way out`() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path) }
    let outcome = try BuiltProgram.run("new", folder.path("a.db"))
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasSuffix("its folder is not writable: name another file, or change the permissions\n"), "\(outcome.errors)")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `a report that nobody can read does not undo the file, and says that it is there`() throws {
    let path = folder.path("a.db")
    let shell = URL(fileURLWithPath: "/bin/sh")
    let outcome = try BuiltProgram.run(shell, ["-c", "exec \"$0\" new '\(path)' > /dev/full", BuiltProgram.url.path])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("; “\(path)” was created: open it with "), "\(outcome.errors)")
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func `a missing file is answered with similar names and the command that creates it`() throws {
    try FileManager.default.createDirectory(atPath: folder.path("data"), withIntermediateDirectories: false)
    try Fixtures.database("data/chinook.db", in: folder, "CREATE TABLE t(a)")
    try Fixtures.database("notes.sqlite", in: folder, "CREATE TABLE t(a)")
    let cases = [
      ("data/chinok.db", "data/chinook.db"), ("dtaa/chinook.db", "data/chinook.db"), ("dtaa/chinok.db", "data/chinook.db"),
      ("data/chinook", "data/chinook.db"), ("data/chinok", "data/chinook.db"), ("notes", "notes.sqlite"), ("notes.db", "notes.sqlite"),
      ("Notes.SQLite", "notes.sqlite"),
    ]
    for (name, near) in cases {
      let path = folder.path(name)
      let outcome = try BuiltProgram.run("tables", path)
      let creation = name.hasPrefix("dtaa") ? "" : " `quarry new \(path)` creates an empty database."
      #expect(outcome.status == 3)
      #expect(outcome.errors == "quarry: There is no file “\(path)”. Check the path. Did you mean “\(folder.path(near))”?\(creation)\n")
    }
    let path = folder.path("other.db")
    #expect(
      try BuiltProgram.run(path).errors
        == "quarry: There is no file “\(path)”. Check the path. `quarry new \(path)` creates an empty database.\n")
    #expect(try BuiltProgram.run(folder.path("other.csv")).errors.hasSuffix("Check the path.\n"))
    let importing = try BuiltProgram.run("import", path, "t", folder.path("x.csv"))
    #expect(importing.errors.hasSuffix("--create creates the database and the table.\n"))
  }
}
