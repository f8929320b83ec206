import Foundation
import QuarryEngine
import TestSupport
import Testing

/// What may write, and what may not.
@Suite(.gated) struct AccessTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Fixtures.database(in: folder, "CREATE TABLE t(a)", "INSERT INTO t VALUES (1)")
  }

  @Test(arguments: ["--read-only", "--immutable"])
  func `nothing is written where the command line forbids it`(_ option: String) throws {
    let copy = folder.path("copy.db")
    let before = try folder.contents()
    for sql in [
      "VACUUM INTO '\(copy)'", "/* a copy */ vacuum main into '\(copy)'", "VACUUM INTO 'file:\(copy)'", "ATTACH '\(copy)' AS n",
      "ATTACH '\(copy)' AS n; CREATE TABLE n.z(a)", "ATTACH 'file:\(copy)?mode=rwc' AS n", "INSERT INTO t VALUES (2)",
    ] {
      let outcome = try BuiltProgram.run("query", path, option, sql)
      #expect(outcome.status == 1, "\(sql)")
      #expect(!outcome.errors.isEmpty && !outcome.errors.contains("attempt to write a readonly"), "\(outcome.errors)")
      #expect(try folder.contents() == before, "\(sql)")
    }
    let refused = try BuiltProgram.run("query", path, option, "INSERT INTO t VALUES (2)")
    #expect(refused.errors.contains("so nothing can be written: leave out \(option)"), "\(refused.errors)")
  }

  @Test func `an immutable file with a write-ahead log is reported once, because rows may be stale`() throws {
    let path = try Fixtures.database("wal.db", in: folder, "PRAGMA journal_mode = wal", "CREATE TABLE t(a)", "INSERT INTO t VALUES (1)")
    let link = folder.path("link.db")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    func errors(_ verb: String, _ path: String, _ words: String...) throws -> String {
      let outcome = try BuiltProgram.run(BuiltProgram.url, [verb, path] + words)
      #expect(outcome.status == 0 && !outcome.text.isEmpty, "\(outcome.errors)")
      return outcome.errors
    }
    #expect(try errors("rows", path, "t", "--immutable").isEmpty)
    let queue = try DatabaseQueue(path: path)
    try queue.withoutTransaction { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
    for name in [path, link] {
      let stale = "quarry: --immutable reads “\(name)” as it is without its write-ahead log, so rows may be stale\n"
      #expect(try errors("rows", name, "t", "--immutable") == stale)
      #expect(try errors("query", name, "SELECT a FROM t", "--immutable") == stale)
      #expect(try errors("profile", name, "t", "--immutable") == stale)
      #expect(try errors("rows", "file:\(name)?immutable=1", "t") == stale)
      #expect(try errors("rows", name, "t", "--read-only").isEmpty)
    }
    let attached = try errors("query", self.path, "SELECT a FROM wal.t", "--attach", path, "--immutable")
    #expect(attached.contains("--immutable reads “\(path)” as it is without"))
    try queue.close()
  }

  @Test func `the log is never written into a database`() throws {
    let link = folder.path("link.log")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let other = try Fixtures.database("other.db", in: folder, "CREATE TABLE t(a)")
    let before = try folder.contents()
    for log in [path, link, other] {
      let outcome = try BuiltProgram.run("--log", log, path)
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("is a database, which the log would damage"), "\(outcome.errors)")
    }
    #expect(try folder.contents() == before)
  }

  @Test(arguments: ["file:", "file://", "file://localhost"])
  func `a URI names its path, and whether it is only read`(_ prefix: String) throws {
    let path = try Fixtures.database("my app.db", in: folder, "CREATE TABLE t(a)", "INSERT INTO t VALUES (1)")
    let uri = prefix + path.replacing(" ", with: "%20")
    #expect(try BuiltProgram.run("rows", uri, "t").text == "a\n1\n")
    #expect(try BuiltProgram.run("rows", uri + "?mode=rw", "t").text == "a\n1\n")
    for option in ["mode=ro", "immutable=1"] {
      #expect(try BuiltProgram.run("rows", "\(uri)?\(option)", "t").text == "a\n1\n")
      let refused = try BuiltProgram.run("query", "\(uri)?\(option)", "DELETE FROM t")
      #expect(refused.status == 1 && refused.errors.contains("nothing can be written"), "\(refused.errors)")
    }
    let unknown = try BuiltProgram.run("rows", uri + "?cache=shared", "t")
    #expect(unknown.status == 2 && unknown.errors.contains("“cache=shared” is not supported in a URI"), "\(unknown.errors)")
    let elsewhere = try BuiltProgram.run("rows", "file://web1/app.db", "t")
    #expect(elsewhere.status == 2 && elsewhere.errors.contains("web1:/app.db"), "\(elsewhere.errors)")
  }

  @Test func `a file whose name is not UTF-8 is opened by its bytes`() throws {
    let shell = URL(fileURLWithPath: "/bin/sh")
    let script = """
      cp "$1" "$2/$(printf 'caf\\351.db')" && exec "$0" query "$2/$(printf 'caf\\351.db')" 'INSERT INTO t VALUES (8); SELECT sum(a) FROM t'
      """
    let outcome = try BuiltProgram.run(shell, ["-c", script, BuiltProgram.url.path, path, folder.path])
    #expect(outcome.status == 0 && outcome.text == "sum(a)\n9\n", "\(outcome.errors)")
    // Verbs that read the schema read the path, too.
    for words in ["tables --format csv", "schema", "rows t", "search 9"] {
      let verb = words.split(separator: " ").map(String.init)
      let listing = "file=\"$1/$(printf 'caf\\351.db')\"; shift; verb=$1; shift; exec \"$0\" \"$verb\" \"$file\" \"$@\""
      let listed = try BuiltProgram.run(shell, ["-c", listing, BuiltProgram.url.path, folder.path] + verb)
      #expect(listed.status == 0, "\(words): \(listed.errors)")
    }
  }

  @Test func `a database that a statement attaches is written like the first, and made where it is new`() throws {
    let other = try Fixtures.database("other.db", in: folder, "CREATE TABLE old(a)")
    let written = try BuiltProgram.run("query", path, "ATTACH '\(other)' AS n; CREATE TABLE n.zz(a); INSERT INTO n.zz VALUES (7)")
    #expect(written.status == 0, "\(written.errors)")
    #expect(try BuiltProgram.run("query", other, "SELECT a FROM zz").text == "a\n7\n")
    let made = try BuiltProgram.run(
      "query", path, "-- a new one\nattach '\(folder.path("new.db"))' AS n; CREATE TABLE n.zz AS SELECT a FROM t")
    #expect(made.status == 0, "\(made.errors)")
    #expect(try BuiltProgram.run("query", folder.path("new.db"), "SELECT a FROM zz").text == "a\n1\n")
    #expect(try BuiltProgram.run("query", path, "VACUUM INTO '\(folder.path("copy.db"))'").status == 0)
    #expect(try BuiltProgram.run("rows", folder.path("copy.db"), "t").text == "a\n1\n")
  }
}
