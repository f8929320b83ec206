import Foundation
import TestSupport
import Testing

/// `quarry diff` with a file on another host.
@Suite(.gated, .enabled(if: SSHServer.isInstalled, "\(SSHServer.whatIsMissing)")) struct SSHDiffTests {
  private let server: SSHServer
  private let file: String
  private let other: String

  init() throws {
    server = try SSHServer()
    file = try Fixtures.values(in: server.folder)
    other = server.folder.path("other.db")
    try FileManager.default.copyItem(atPath: file, toPath: other)
    let sql = """
      UPDATE things SET size = 2, data = x'01', name = char(13, 10) || '🎂' WHERE id = 1; DELETE FROM things WHERE id = 3;
      CREATE INDEX named ON things(name); INSERT INTO blank VALUES (1, '1'); PRAGMA user_version = 7
      """
    try #require(try BuiltProgram.run("query", other, sql, "--no-changes").status == 0)
  }

  @Test(arguments: [[], ["--format", "json"], ["--format", "sql"], ["--summary"], ["--data", "--table", "things", "--ignore", "size"]])
  func `output and status are those of two files here`(options: [String]) throws {
    func run(_ places: String...) throws -> BuiltProgram.Outcome { try server.run(["diff"] + places + options) }
    let here = try run(file, other)
    #expect(here.status == 1)
    for places in [["box:\(file)", other], [file, "box:\(other)"], ["box:\(file)", "ssh://box:\(try server.port)\(other)"]] {
      let there = try run(places[0], places[1])
      #expect(there.output == here.output, "\(places)")
      #expect(there.status == 1 && there.errors.hasSuffix(here.errors), "\(there.errors)")
    }
    let same = try run("box:\(file)", file)
    #expect(same.status == 0)
    try server.waitForNobody()
  }

  @Test func `a large table is compared in steps, and a lost connection ends the comparison`() throws {
    let rows = """
      CREATE TABLE big(id INTEGER PRIMARY KEY, note);
      INSERT INTO big WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 60000) SELECT i, hex(randomblob(20)) FROM n
      """
    try #require(try BuiltProgram.run("query", file, rows, "--no-changes").status == 0)
    try FileManager.default.removeItem(atPath: other)
    try FileManager.default.copyItem(atPath: file, toPath: other)
    try #require(try BuiltProgram.run("query", other, "DELETE FROM big WHERE id < 4000 OR id % 10000 = 1", "--no-changes").status == 0)
    let outcome = try server.run("diff", "box:\(file)", other, "--summary")
    #expect(outcome.text == "object,change,added,removed,changed\nbig,rows,0,4004,0\n", "\(outcome.errors)")
    try server.slowDown()
    let errors = server.folder.path("errors")
    let process = try BuiltProgram.start(
      ["diff", "box:\(file)", other, "--format", "ndjson"], home: server.folder.path, environment: server.environment, output: .pipe,
      errors: .file(errors))
    // The first removed rows, of a table that takes half a minute.
    _ = process.output?.availableData
    try server.cutConnections()
    _ = try process.output?.readToEnd()
    #expect(process.wait() == .exit(1))
    #expect(try String(contentsOfFile: errors, encoding: .utf8).contains("quarry: the connection to box was lost: compare again"))
  }

  @Test func `what cannot be opened there is no difference`() throws {
    let missing = try server.run("diff", "box:/no/such.db", file)
    #expect(missing.status == 3 && missing.errors.contains("quarry: box: There is no file “/no/such.db”"), "\(missing.errors)")
    let text = try server.folder.write(Data("a,b\n1,2\n".utf8), to: "rows.csv").path
    let data = try server.run("diff", file, "box:\(text)")
    #expect(data.status == 3 && data.errors.contains("quarry: box: “\(text)” is not a database"), "\(data.errors)")
    let host = try server.run("diff", file, "no-such-host.invalid:/app.db")
    #expect(host.status == 3 && host.errors.contains("there is no host “no-such-host.invalid”"), "\(host.errors)")
    try FileManager.default.removeItem(atPath: server.home + "/bin/quarry")
    let absent = try server.run("diff", file, "box:\(file)")
    #expect(absent.status == 3 && absent.errors.contains("box has no quarry: install it there"), "\(absent.errors)")
  }

  @Test func `an interrupt ends it, here and there`() throws {
    let rows = """
      CREATE TABLE big(rowid INTEGER, oid, _rowid_);
      INSERT INTO big WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 60000) SELECT i, hex(randomblob(200)), 1 FROM n
      """
    try #require(try BuiltProgram.run("query", file, rows, "--no-changes").status == 0)
    try server.slowDown()
    let process = try BuiltProgram.start(
      ["diff", "box:\(file)", other, "--format", "ndjson"], home: server.folder.path, environment: server.environment, output: .pipe)
    _ = process.output?.availableData
    process.send(SIGINT)
    #expect(process.wait() == .exit(130))
    try server.waitForNobody()
  }

  @Test func `on a terminal the differences appear on a screen here, which compares again over the same connection`() throws {
    let session = try TerminalSession(["diff", "box:\(file)", other], environment: server.environment)
    try session.wait(for: "things")
    try session.wait(for: "old box:")
    try session.wait(for: "+1")
    // Over another connection, ssh would have to ask.
    try server.writeScript("exit 255", to: "here/bin/ssh")
    try session.press("R")
    try session.wait(for: "+1")
    try session.press("q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 1)
    try server.waitForNobody()
  }

  @Test func `two files of one host are compared there, on a screen too`() throws {
    let session = try TerminalSession(["diff", "box:\(file)", "box:\(other)"], environment: server.environment)
    try session.wait(for: "old box:")
    try session.wait(for: "+1")
    try session.press("C-z")
    try session.wait(for: "quarry runs on box")
    try session.press("q")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 1)
  }
}
