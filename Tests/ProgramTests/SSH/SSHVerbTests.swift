import Foundation
import TestSupport
import Testing

/// Verbs on a file of another host do what they do on one here.
@Suite(.gated, .enabled(if: SSHServer.isInstalled, "\(SSHServer.whatIsMissing)")) struct SSHVerbTests {
  private let server: SSHServer
  private let file: String

  init() throws {
    server = try SSHServer()
    file = try Fixtures.values(in: server.folder)
  }

  private var remote: String { "box:\(file)" }

  @Test(
    arguments: [
      ["tables", "F"], ["schema", "F"], ["rows", "F", "things"], ["rows", "F", "things", "--format", "json"],
      ["rows", "F", "things", "--where", "id > :n", "-p", "n=1", "--sort", "-id"], ["rows", "F", "things", "--show-sql"],
      ["query", "F", "SELECT 'a' || char(13, 10) || 'b', char(27), x'0d0a00', 'é🎂', '$HOME `id` \\ ! %'"],
      ["query", "F", "SELECT \"it's\", ''''"], ["counts", "F", "things", "name"], ["profile", "F", "things", "-json"],
      ["group", "F", "things", "--by", "name", "--across", "id"], ["search", "F", "it's"], ["check", "F"],
      ["chart", "F", "SELECT id, size FROM things"], ["dump", "F"],
      ["filter-check", "F", "things", "id = 1"], ["changes", "F"], ["rows", "F", "things", "--format", "table"],
      ["rows", "F", "thing"], ["rows", "F", "things", "--where", "nmae = 1"], ["query", "F", "INSERT INTO things(id) VALUES (1)"],
      ["query", "F", "DELETE FROM things", "--read-only"], ["query", "F", "SELECT :x"], ["undo", "F"],
    ])
  func `output and status are those of a file here, byte for byte`(arguments: [String]) throws {
    let here = try BuiltProgram.run(BuiltProgram.url, arguments.map { $0 == "F" ? file : $0 })
    let there = try server.run(arguments.map { $0 == "F" ? remote : $0 })
    #expect(there.output == here.output)
    #expect(there.status == here.status)
    #expect(there.errors.hasSuffix(here.errors), "\(there.errors)")
  }

  @Test func `a result of many megabytes arrives whole, and a reader that has had enough ends it`() throws {
    let sql = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 20000) SELECT x, hex(zeroblob(200)) FROM n"
    #expect(try server.run("query", remote, sql).output == BuiltProgram.run("query", file, sql).output)
    let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
    let script = "'\(BuiltProgram.url.path)' query '\(remote)' '\(endless)' | head -3"
    let outcome = try BuiltProgram.run(URL(fileURLWithPath: "/bin/sh"), ["-c", script], environment: server.environment)
    #expect(outcome.text == "x\n1\n2\n")
  }

  @Test func `over a slow line, too, a reader that has had enough ends what runs there`() throws {
    let view = "CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
    #expect(try BuiltProgram.run("query", file, view).status == 0)
    try server.slowDown()
    let script = "'\(BuiltProgram.url.path)' rows '\(remote)' endless | head -3"
    let outcome = try BuiltProgram.run(URL(fileURLWithPath: "/bin/sh"), ["-c", script], environment: server.environment)
    #expect(outcome.text == "x\n1\n2\n", "\(outcome.errors)")
    try server.waitForNobody()
  }

  @Test(arguments: ["ssh://box:PORT/FILE", "box:~/home.db", "box:home.db", "ssh://box/~/home.db", "box:~/a b'c$HOME.db"])
  func `an address may be a URL, and a path begin in the home folder there`(address: String) throws {
    let name = address.split(separator: "/").last.map(String.init) ?? ""
    let isHome = address.contains("home.db") || address.contains("a b")
    if isHome {
      try FileManager.default.copyItem(atPath: file, toPath: server.home + "/" + (address == "box:home.db" ? "home.db" : name))
    }
    var text = address.replacing("PORT", with: String(try server.port)).replacing("/FILE", with: file)
    // sshd begins in the home folder of the system's list of users, which is not this one.
    if address == "box:home.db" { text = "box:\(relative(to: server.home + "/home.db"))" }
    #expect(try server.run("rows", text, "blank").text == "a,b\n")
  }

  @Test func `a path there need not be UTF-8`() throws {
    let script = "cp '\(file)' \"$(printf '%s/caf\\351.db' '\(server.home)')\""
    try #require(try ChildProcess(["/bin/sh", "-c", script]).wait() == .exit(0))
    let read = "exec '\(BuiltProgram.url.path)' rows \"$(printf 'box:~/caf\\351.db')\" blank"
    #expect(try BuiltProgram.run(URL(fileURLWithPath: "/bin/sh"), ["-c", read], environment: server.environment).text == "a,b\n")
    #expect(try server.run("rows", "ssh://box/~/caf%E9.db", "blank").text == "a,b\n")
  }

  /// Returns a path as it is written in the home folder of whoever runs the tests.
  private func relative(to path: String) -> String {
    let home = FileManager.default.homeDirectoryForCurrentUser.path
    return String(repeating: "../", count: home.split(separator: "/").count) + path.dropFirst()
  }

  @Test func `standard input is data, where a verb reads it, and is left alone where it does not`() throws {
    #expect(try server.run("query", remote, "-f", "-", input: "SELECT 1; SELECT 2").text == "1\n1\n2\n2\n")
    #expect(try server.run("query", remote, input: "SELECT 3").text == "3\n3\n")
    #expect(try server.run("import", remote, "new", "-", "--create", input: "a,b\n1,x\n").text == "imported 1 row into new\n")
    let script = "'\(BuiltProgram.url.path)' rows '\(remote)' new; cat"
    let outcome = try BuiltProgram.run(URL(fileURLWithPath: "/bin/sh"), ["-c", script], input: "kept", environment: server.environment)
    #expect(outcome.text == "a,b\n1,x\nkept")
  }

  @Test func `files that the command line names are those here`() throws {
    let folder = server.folder
    let script = try folder.write(Data("SELECT :x AS x".utf8), to: "here/script.sql")
    let value = try folder.write(Data([0, 13, 10, 255]), to: "here/value")
    let first = try folder.write(Data("a,b\n1,x\n".utf8), to: "here/first.csv")
    let second = try folder.write(Data("a,b\n2,y\n".utf8), to: "here/second.csv")
    let output = folder.path("here/out.json")
    #expect(try server.run("query", remote, "-f", script.path, "-p", "x:blob=@\(value.path)", "-o", output).status == 0)
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "[{\"x\":{\"blob\":\"AA0K/w==\"}}]\n")
    #expect(try server.run("import", remote, "new", first.path, second.path, "--create").text.split(separator: "\n").count == 2)
    #expect(try BuiltProgram.run("rows", file, "new").text == "a,b\n1,x\n2,y\n")
    #expect(try server.run("backup", remote, folder.path("here/copy.db")).status == 0)
    // Over a database only where that is asked for; it is looked through, and none of what is there stays.
    let other = try Fixtures.database("other.db", in: folder, "PRAGMA journal_mode = WAL", "CREATE TABLE other(a)")
    #expect(try server.run("backup", remote, other).status == 2)
    let replaced = try server.run("backup", "--force", remote, other)
    #expect(replaced.status == 0 && replaced.text.hasPrefix("copied "), "\(replaced.errors)")
    #expect(try BuiltProgram.run("dump", other).output == BuiltProgram.run("dump", file).output)
    #expect(try BuiltProgram.run("dump", folder.path("here/copy.db")).output == BuiltProgram.run("dump", file).output)
    let kept = try Data(contentsOf: URL(fileURLWithPath: output))
    #expect(try server.run("query", remote, "SELECT nothing", "-o", output).status == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == kept)
  }

  @Test func `several files to be imported are one transaction, as they are here`() throws {
    func file(_ name: String, _ text: String) throws -> String { try server.folder.write(Data(text.utf8), to: name).path }
    // More than a pipe takes at once, and what is read of no file: blanks after the end of the JSON.
    let many = "a,b\n" + (0..<40_000).map { "\($0),x\n" }.joined()
    let json = "[{\"a\": -1, \"b\": \"y\"}]" + String(repeating: "\n", count: 200_000)
    let paths = try [file("one.json", json), file("two.csv", many), file("three.csv", "a,b\n-3,z\n")]
    let broken = try file("broken.csv", "a,b\n2,\"y\n")
    let refused = try server.run(["import", remote, "new", "--create", paths[0], paths[1], broken, paths[2]])
    #expect(refused.status == 1 && refused.text.isEmpty, "\(refused.errors)")
    #expect(
      refused.errors.contains("quarry: \(broken): line 2: ") && refused.errors.contains("; nothing was imported"), "\(refused.errors)")
    #expect(try BuiltProgram.run("tables", self.file).text.contains("new") == false)
    let missing = try server.run(["import", remote, "new", "--create", paths[0], server.folder.path("missing.csv")])
    #expect(missing.status == 3 && missing.errors.contains("missing.csv” cannot be read"), "\(missing.errors)")
    let done = try server.run(["import", remote, "new", "--create", paths[0], paths[1], "-", paths[2]], input: "a,b\n-2,q\n")
    let lines = zip(["1 row", "40,000 rows", "1 row", "1 row"], [paths[0], paths[1], "standard input", paths[2]])
    #expect(done.text == lines.map { "imported \($0) of \($1) into new\n" }.joined(), "\(done.errors)")
    #expect(try BuiltProgram.run("query", self.file, "SELECT count(*) AS n, sum(a) AS s FROM new").text == "n,s\n40003,799979994\n")
    #expect(try server.run("undo", remote).errors.contains("new (dropped)"))
  }

  @Test func `a saved statement and the settings are those here`() throws {
    let folder = server.folder
    try FileManager.default.createDirectory(
      atPath: folder.path("here/.local/share/quarry/statements"), withIntermediateDirectories: true)
    _ = try folder.write(Data("SELECT 'mine'".utf8), to: "here/.local/share/quarry/statements/mine.sql")
    #expect(try server.run("query", remote, "--statement", "mine").text.hasSuffix("mine\n"))
    try FileManager.default.createDirectory(atPath: folder.path("here/.config/quarry"), withIntermediateDirectories: true)
    _ = try folder.write(Data("[changes]\nrecord = false\n".utf8), to: "here/.config/quarry/config.toml")
    #expect(try server.run("query", remote, "INSERT INTO blank VALUES (1, 2)").status == 0)
    #expect(try server.run("changes", remote).text.split(separator: "\n").count == 1)
  }

  @Test(
    arguments: [
      (["rows", "F", "things", "--attach", "here.db"], "“here.db” is not on box"),
      (["rows", "here.db", "things", "--attach", "F"], "“here.db” is not on box"),
      (["rows", "F", "things", "--attach", "other:/x.db"], "is not on box"),
      (["import", "F", "things", "x.csv", "--rejects", "y.csv"], "--rejects writes a file where the program runs, on box"),
      (["backup", "F", "other:/copy.db"], "the copy is written on this machine"),
      (["backup", "here.db", "box:/copy.db"], "“box:/copy.db” is an address"),
      (["rows", "F", "things", "-o", "box:x.csv"], "“box:x.csv” is an address"),
      (["query", "F", "-f", "/no/such.sql"], "/no/such.sql"), (["F"], "terminal"),
      (["rows", "ssh://me:secret@box/x.db", "t"], "an address cannot contain a password"),
      (["rows", "ftp://box/x.db", "t"], "unknown scheme “ftp”"),
    ])
  func `what cannot be is refused before anything is sent`(arguments: [String], sentence: String) throws {
    try server.writeScript("echo started >> \(server.folder.path("started"))", to: "here/bin/ssh")
    let outcome = try server.run(arguments.map { $0 == "F" ? remote : $0 })
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: server.folder.path("started")))
  }

  @Test func `an interrupt stops what runs there, which is rolled back before the program ends`() throws {
    let sql = """
      BEGIN IMMEDIATE; INSERT INTO blank VALUES (1, 2) RETURNING a;
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) INSERT INTO blank SELECT x, x FROM n WHERE x < 0; COMMIT
      """
    let process = try BuiltProgram.start(
      ["query", remote, sql], home: server.folder.path, environment: server.environment, output: .pipe)
    var text = ""
    while !text.contains("1\n"), let bytes = process.output?.availableData, !bytes.isEmpty {
      text += String(decoding: bytes, as: UTF8.self)
    }
    process.send(SIGINT)
    #expect(process.wait() == .exit(130))
    #expect(try BuiltProgram.run("query", file, "INSERT INTO blank VALUES (3, 4); SELECT count(*) FROM blank").text.hasSuffix("\n1\n"))
  }

  @Test func `a wrong password is told while ssh asks for it again`() throws {
    try server.writeScript("echo 'Permission denied, please try again.' >&2; exec sleep 60", to: "here/bin/ssh")
    let process = try BuiltProgram.start(
      ["rows", remote, "things"], home: server.folder.path, environment: server.environment, errors: .pipe)
    let said = try #require(process.errors).availableData
    #expect(String(decoding: said, as: UTF8.self) == "Permission denied, please try again.\n")
    process.send(SIGTERM)
    process.wait()
  }

  @Test func `what ssh asks a person to do is shown while it waits, and what it ends with is told once`() throws {
    let banner = "To log in, visit https://login.example/device"
    let script = "echo '\(banner)' >&2; head -c 1 > /dev/null; echo 'ssh: connect to host box port 22: Connection timed out' >&2; exit 255"
    try server.writeScript(script, to: "here/bin/ssh")
    let process = try BuiltProgram.start(
      ["rows", remote, "things"], home: server.folder.path, environment: server.environment, errors: .pipe)
    let errors = try #require(process.errors)
    #expect(String(decoding: errors.availableData, as: UTF8.self) == banner + "\n")
    process.send(SIGTERM)
    process.wait()
    try server.writeScript(script.replacing("head -c 1 > /dev/null; ", with: ""), to: "here/bin/ssh")
    let outcome = try server.run("rows", remote, "things")
    #expect(outcome.errors.hasPrefix("\(banner)\nquarry: box does not answer"), "\(outcome.errors)")
    #expect(outcome.errors.ranges(of: "timed out").count == 1, "\(outcome.errors)")
  }

  @Test func `a file to be imported is called as it is here, and what cannot be done from here is not advised`() throws {
    let folder = server.folder.path("here")
    let sent = try server.run("import", remote, "new", folder, "--create")
    #expect(sent.status == 3 && sent.errors.contains("“\(folder)” is a folder"), "\(sent.errors)")
    let empty = try server.folder.write(Data(), to: "here/empty.csv").path
    let nothing = try server.run("import", remote, "new", empty, "--create")
    #expect(nothing.errors.contains("“\(empty)” is empty"), "\(nothing.errors)")
    let broken = try server.folder.write(Data("a,b\n1,x\n2,\"y\n".utf8), to: "here/broken.csv").path
    let cut = try server.run("import", remote, "new", broken, "--create")
    #expect(cut.errors.contains("line 3") && !cut.errors.contains("--rejects PATH"), "\(cut.errors)")
  }

  @Test func `data that is cut is not taken for whole`() throws {
    let input = server.folder.path("rows")
    mkfifo(input, 0o600)
    let process = try BuiltProgram.start(
      ["import", remote, "blank", input], home: server.folder.path, environment: server.environment)
    let writer = open(input, O_WRONLY)
    let rows = "a,b\n" + String(repeating: "1,2\n", count: 10_000)
    #expect(rows.withCString { write(writer, $0, strlen($0)) } == rows.utf8.count)
    process.send(SIGKILL)
    process.wait()
    close(writer)
    try server.waitForNobody()
    #expect(try BuiltProgram.run("query", file, "BEGIN IMMEDIATE; SELECT count(*) FROM blank; COMMIT").text.hasSuffix("\n0\n"))
  }

  @Test func `a connection that breaks under a verb is told, with what has become of it`() throws {
    let sql = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
    let errors = server.folder.path("errors")
    let process = try BuiltProgram.start(
      ["query", remote, sql], home: server.folder.path, environment: server.environment, output: .pipe, errors: .file(errors))
    _ = process.output?.availableData
    try server.cutConnections()
    _ = try process.output?.readToEnd()
    #expect(process.wait() == .exit(1))
    #expect(try String(contentsOfFile: errors, encoding: .utf8).contains("quarry: the connection to box was lost. A statement"))
  }
}
