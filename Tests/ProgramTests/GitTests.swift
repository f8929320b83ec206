import Foundation
import TestSupport
import Testing

/// A database under git: its text for `git diff`, and the merge of two branches.
@Suite(.gated, .enabled(if: Fixtures.program("git") != nil, "the tests need git"))
struct GitTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = folder.path("app.db")
    try git("init", "--quiet", "--initial-branch=main")
    for (name, value) in [
      ("user.name", "Ada"), ("user.email", "ada@example.org"), ("diff.quarry.textconv", "\(BuiltProgram.url.path) textconv"),
      ("merge.quarry.driver", "\(BuiltProgram.url.path) merge %O %A %B -o %A --git-path %P"), ("core.pager", "cat"),
    ] { try git("config", name, value) }
    try Data("*.db diff=quarry merge=quarry\n".utf8).write(to: folder.url.appending(path: ".gitattributes"))
    try Fixtures.database(
      "app.db", in: folder, "CREATE TABLE tag(id INTEGER PRIMARY KEY, name TEXT, note)",
      "INSERT INTO tag VALUES (1, 'it''s', NULL), (2, 'two' || char(10) || 'lines', 1.5), (3, 'three', x'00ff')",
      "CREATE INDEX names ON tag(name)")
    try git("add", ".")
    try git("commit", "--quiet", "-m", "first")
  }

  @discardableResult
  private func git(_ words: String..., status: Int32 = 0, location: SourceLocation = #_sourceLocation) throws -> String {
    let program = try #require(Fixtures.program("git"))
    let outcome = try BuiltProgram.run(
      program, ["-C", folder.path] + words, environment: ["GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"])
    #expect(outcome.status == status, "git \(words): \(outcome.text)\(outcome.errors)", sourceLocation: location)
    return outcome.text + outcome.errors
  }

  private func change(_ sql: String) throws {
    let outcome = try BuiltProgram.run("query", file, sql, "--no-changes")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func rows() throws -> String { try BuiltProgram.run("query", file, "SELECT id, name, note FROM tag ORDER BY id").text }

  @Test func `the text is the schema, then a line for each row`() throws {
    let outcome = try BuiltProgram.run("textconv", file)
    #expect(
      outcome.text == """
        CREATE TABLE tag(id INTEGER PRIMARY KEY, name TEXT, note);
        CREATE INDEX names ON tag(name);

        tag: id=1, name='it''s', note=NULL
        tag: id=2, name='two\\nlines', note=1.5
        tag: id=3, name='three', note=X'00FF'

        """, "\(outcome.errors)")
    #expect(try BuiltProgram.run("textconv", folder.path("missing.db")).status == 3)
    try Data().write(to: folder.url.appending(path: "empty.db"))
    let empty = try BuiltProgram.run("textconv", folder.path("empty.db"))
    #expect(empty.status == 0 && empty.text.isEmpty, "\(empty.errors)")
  }

  @Test(arguments: ["DELETE", "WAL"]) func `a changed cell is one line of git diff`(mode: String) throws {
    try change("PRAGMA journal_mode = \(mode)")
    try git("commit", "--quiet", "--allow-empty", "-a", "-m", "mode")
    try change("UPDATE tag SET note = 'new' WHERE id = 1")
    try change("PRAGMA wal_checkpoint(TRUNCATE)")
    let text = try git("diff")
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("+") || $0.hasPrefix("-") }.dropFirst(2)
    #expect(Array(lines) == ["-tag: id=1, name='it''s', note=NULL", "+tag: id=1, name='it''s', note='new'"], "\(text)")
  }

  @Test func `two branches that changed different rows are merged without a hand`() throws {
    try git("checkout", "--quiet", "-b", "other")
    try change("UPDATE tag SET name = 'theirs' WHERE id = 3")
    try git("commit", "--quiet", "-a", "-m", "theirs")
    try git("checkout", "--quiet", "main")
    try change("UPDATE tag SET name = 'mine' WHERE id = 1; DELETE FROM tag WHERE id = 2")
    try git("commit", "--quiet", "-a", "-m", "mine")
    try git("merge", "--quiet", "--no-edit", "other")
    #expect(try rows() == "id,name,note\n1,mine,\n3,theirs,x'00ff'\n")
    #expect(try git("status", "--porcelain") == "")
  }

  @Test func `a conflict is listed, and the file stays as it is on this branch`() throws {
    try git("checkout", "--quiet", "-b", "other")
    try change("UPDATE tag SET name = 'theirs' WHERE id = 1")
    try git("commit", "--quiet", "-a", "-m", "theirs")
    try git("checkout", "--quiet", "main")
    try change("UPDATE tag SET name = 'mine' WHERE id = 1")
    try git("commit", "--quiet", "-a", "-m", "mine")
    let text = try git("merge", "--no-edit", "other", status: 1)
    #expect(text.contains("cell,tag,1,name,\"it's\",mine,theirs") && text.contains("1 conflict"), "\(text)")
    #expect(text.contains("“app.db” was not written. It is still the version of HEAD.") && !text.contains(".merge_file"), "\(text)")
    #expect(try rows().contains("1,mine,"))
    #expect(try git("status", "--porcelain").hasPrefix("UU app.db"))
    // As the advice says, which opens the screen on a terminal.
    let command = "\(BuiltProgram.url.path) merge \"$BASE\" \"$LOCAL\" \"$REMOTE\" -o \"$MERGED\" --git-path \"$MERGED\""
    try git("config", "mergetool.quarry.trustExitCode", "true")
    try git("config", "mergetool.quarry.cmd", command)
    try git("mergetool", "--no-prompt", "--tool", "quarry", "app.db", status: 1)
    #expect(try rows().contains("1,mine,"))
    try git("config", "mergetool.quarry.cmd", "\(command) --prefer theirs")
    try git("mergetool", "--no-prompt", "--tool", "quarry", "app.db")
    #expect(try rows().contains("1,theirs,"))
    #expect(try git("status", "--porcelain", "--untracked-files=no").hasPrefix("M  app.db"))
  }

  @Test func `git difftool prints the rows that two commits differ in`() throws {
    try git("config", "diff.tool", "quarry")
    try git("config", "difftool.quarry.cmd", "\(BuiltProgram.url.path) diff \"$LOCAL\" \"$REMOTE\"")
    try change("UPDATE tag SET note = 'new' WHERE id = 1; DELETE FROM tag WHERE id = 3")
    #expect(try git("difftool", "--no-prompt").contains("tag,1,changed,note,,new\n"))
    try git("commit", "--quiet", "-a", "-m", "second")
    let text = try git("difftool", "--no-prompt", "HEAD~", "HEAD")
    #expect(text.contains("tag,1,changed,note,,new\n") && text.contains("tag,3,removed,name,three,\n"), "\(text)")
    // A file that only one commit has is compared with an empty database.
    try git("rm", "--quiet", "app.db")
    let removed = try git("difftool", "--no-prompt", "HEAD")
    #expect(removed.contains("\"table tag\",,removed"), "\(removed)")
  }
}
