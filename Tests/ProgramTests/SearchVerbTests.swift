import Foundation
import TestSupport
import Testing

/// `quarry search`: a text in all tables.
@Suite(.gated) struct SearchVerbTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Fixtures.database(
      in: folder, "CREATE TABLE songs(id INTEGER PRIMARY KEY, title TEXT, length INTEGER)",
      "INSERT INTO songs VALUES (1, 'Love', 300), (2, 'Loveless, again', 200), (3, NULL, 200), (4, 'Day', 100)",
      "CREATE TABLE tags(tag TEXT, song INTEGER, PRIMARY KEY (tag, song)) WITHOUT ROWID", "INSERT INTO tags VALUES ('love', 1), ('day', 4)",
      "CREATE VIEW titles AS SELECT title FROM songs", "CREATE VIRTUAL TABLE words USING fts5(line)",
      "INSERT INTO words VALUES ('all you need is love')")
  }

  private func search(_ arguments: String...) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(BuiltProgram.url, ["search", path] + arguments)
  }

  @Test func `hits are printed table by table, those of full-text tables first`() throws {
    let outcome = try search("LOVE")
    #expect(
      outcome.text == """
        table,key,column,value
        words,1,line,"all you need is love"
        songs,1,title,Love
        songs,2,title,"Loveless, again"
        tags,"'love', 1",tag,love

        """)
    #expect(outcome.status == 0)
  }

  @Test func `a table that is damaged is told, and the others are searched`() throws {
    let damaged = try Fixtures.database(
      "damaged.db", in: folder, "PRAGMA page_size = 4096", "CREATE TABLE a(x)", "CREATE TABLE b(x)", "CREATE TABLE c(x)",
      "INSERT INTO a VALUES ('needle')", "INSERT INTO b VALUES ('needle')", "INSERT INTO c VALUES ('needle')")
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: damaged))
    // The root of b is the third page.
    try file.seek(toOffset: 2 * 4096)
    try file.write(contentsOf: Data(repeating: 0xFF, count: 2000))
    try file.close()
    let outcome = try BuiltProgram.run("search", damaged, "needle")
    #expect(outcome.text == "table,key,column,value\na,1,x,needle\nc,1,x,needle\n")
    #expect(outcome.status == 1 && outcome.errors.contains("“b” was not searched"), "\(outcome.errors)")
  }

  @Test(arguments: [
    (["200"], "songs,2,length,200\nsongs,3,length,200\n"),
    (["love", "--tables", "tags,titles"], "tags,\"'love', 1\",tag,love\ntitles,1,title,Love\ntitles,2,title,\"Loveless, again\"\n"),
    (["love", "--limit", "2"], "words,1,line,\"all you need is love\"\nsongs,1,title,Love\n"), (["love", "--limit", "0"], ""),
  ])
  func `numbers, chosen tables and a limit`(_ arguments: [String], _ lines: String) throws {
    let outcome = try BuiltProgram.run(BuiltProgram.url, ["search", path] + arguments)
    #expect(outcome.text == "table,key,column,value\n" + lines)
    #expect(outcome.status == 0)
  }

  @Test func `what is not found is said beside the output`() throws {
    let outcome = try search("nowhere")
    #expect(outcome.text == "table,key,column,value\n")
    #expect(outcome.errors == "quarry: “nowhere” was not found\n")
    #expect(outcome.status == 0)
    #expect(try search("nowhere", "--format", "json").text == "[]\n")
  }

  @Test func `a table that is not there, no text and a wrong limit are refused`() throws {
    let missing = try search("love", "--tables", "song")
    #expect(missing.status == 1)
    #expect(missing.errors.contains("did you mean songs"))
    #expect(try search(" ").status == 2)
    #expect(try search("love", "--limit", "-1").status == 2)
  }

  @Test func `a table that cannot be read is told, and the others are searched`() throws {
    let path = try Fixtures.database(
      "ghost.db", in: folder, isDefensive: false, "CREATE TABLE tags(tag)", "INSERT INTO tags VALUES ('love')",
      "PRAGMA writable_schema = ON",
      "INSERT INTO sqlite_schema VALUES ('table', 'songs', 'songs', 0, 'CREATE VIRTUAL TABLE songs USING nowhere(v)')")
    let outcome = try BuiltProgram.run(BuiltProgram.url, ["search", path, "love"])
    #expect(outcome.text.contains("tags,"))
    #expect(outcome.errors.contains("“songs” was not searched"))
    #expect(outcome.status == 1)
  }
}
