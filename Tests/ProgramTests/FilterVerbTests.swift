import Foundation
import QuarryEngine
import TestSupport
import Testing

/// Filters and orders on the command line.
@Suite(.gated) struct FilterVerbTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Fixtures.database(
      in: folder, "CREATE TABLE songs(id INTEGER PRIMARY KEY, title TEXT, length INTEGER, zip TEXT)",
      "INSERT INTO songs VALUES (1, 'Love', 300, '007'), (2, 'Loveless', 200, '7'), (3, NULL, 200, NULL), (4, 'Day', 100, '8')",
      "CREATE INDEX songs_length ON songs(length)", "CREATE VIEW long AS SELECT title, length FROM songs WHERE length > 150")
  }

  private func rows(_ arguments: String...) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(BuiltProgram.url, ["rows", path] + arguments)
  }

  @Test(arguments: [
    (["songs", "--where", "length > 150 and title ~ love"], "1,2"),
    (["songs", "--where", "title != 'Love'"], "2,3,4"),
    (["songs", "--where", "love"], "1,2"),
    (["songs", "--sort", "-length, title"], "1,3,2,4"),
    (["songs", "--sort", "length"], "4,2,3,1"),
    (["songs", "--sort", "-length", "--limit", "2", "--offset", "1"], "2,3"),
    (["songs", "--where", "length = :wanted", "-p", "wanted=200"], "2,3"),
    (["songs", "--where", "zip = :zip", "-p", "zip=007"], "1"),
    (["songs", "--where", "zip = :zip", "-p", "zip:null="], "3"),
    (["songs", "--where", "id in (?, ?)", "-p", "2=4", "-p", "1=1"], "1,4"),
    (["songs", "--where", "-length < -150", "--sort", "-id"], "3,2,1"),
  ])
  func `filter, order and parameters choose the rows`(_ arguments: [String], _ ids: String) throws {
    let outcome = try BuiltProgram.run(BuiltProgram.url, ["rows", path] + arguments + ["--columns", "id"])
    #expect(outcome.text.split(separator: "\n").dropFirst().joined(separator: ",") == ids)
    #expect(outcome.status == 0)
  }

  @Test func `columns through foreign keys are printed and counted, under a name if one is given`() throws {
    let path = try Fixtures.database(
      "keys.db", in: folder, "CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT)",
      "CREATE TABLE album(id INTEGER PRIMARY KEY, title TEXT, artist INTEGER REFERENCES artist)",
      "INSERT INTO artist VALUES (1, 'Accept'), (2, 'Nobody')",
      "INSERT INTO album VALUES (1, 'Balls', 1), (2, 'Rest', 1), (3, 'Lost', NULL)")
    let columns = "title, artist.name, Who = upper(artist.name)"
    #expect(
      try BuiltProgram.run("rows", path, "album", "--columns", columns, "--sort", "-artist.name, id").text
        == "title,artist.name,Who\nBalls,Accept,ACCEPT\nRest,Accept,ACCEPT\nLost,,\n")
    #expect(try BuiltProgram.run("counts", path, "album", "artist.name").text == "value,count\nAccept,2\n,1\n")
    #expect(try BuiltProgram.run("counts", path, "artist", "count(album)").text == "value,count\n0,1\n2,1\n")
    #expect(try BuiltProgram.run("rows", path, "artist", "--where", "not exists(album)", "--columns", "id").text == "id\n2\n")
    let wrong = try BuiltProgram.run(BuiltProgram.url, ["counts", path, "album", "artist.nam"])
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("artist has no column nam.") && wrong.errors.contains("try: artist.name"))
  }

  @Test func `a view is filtered and sorted too`() throws {
    #expect(try rows("long", "--where", "title is not null", "--sort", "-title").text == "title,length\nLoveless,200\nLove,300\n")
  }

  @Test(arguments: [
    (["--sort", "-length"], "1,3,2,4"), (["--sort", "-length", "--limit", "2", "--offset", "1"], "3,2"),
    (["--sort", "length", "--where", "length > 100"], "3,2,1"),
  ])
  func `rows of a view that the keys do not tell apart stand as in the view`(_ arguments: [String], _ ids: String) throws {
    let path = try Fixtures.database(
      "ties.db", in: folder, "CREATE TABLE songs(id INTEGER PRIMARY KEY, title TEXT, length INTEGER)",
      "INSERT INTO songs VALUES (1, 'Love', 300), (2, 'Loveless', 200), (3, NULL, 200), (4, 'Day', 100)",
      "CREATE VIEW titles AS SELECT * FROM songs ORDER BY title")
    for columns in [[], ["--columns", "id"]] {
      let outcome = try BuiltProgram.run(BuiltProgram.url, ["rows", path, "titles"] + arguments + columns)
      #expect(outcome.text.split(separator: "\n").dropFirst().map { $0.prefix { $0 != "," } }.joined(separator: ",") == ids)
    }
  }

  @Test func `show-sql prints the statement with its arguments and runs nothing`() throws {
    let outcome = try rows("songs", "--where", "title ~ love and length > 150", "--sort", "-length", "--limit", "5", "--show-sql")
    #expect(outcome.status == 0)
    #expect(outcome.text.hasPrefix("SELECT * FROM main.songs WHERE "))
    #expect(outcome.text.contains(" ORDER BY length DESC, id LIMIT ?;\n-- ?1 = '%love%'\n"))
    #expect(outcome.text.hasSuffix("-- ?3 = 5\n"))
  }

  @Test(arguments: [
    (["--where", "lenght > 3"], "lenght", "length > 3"),
    (["--where", "title = 3"], "title = 3", "title = '3'"),
    (["--sort", "titel"], "titel", "title"),
  ])
  func `a mistake is told with its place and its cure`(_ arguments: [String], _ line: String, _ cure: String) throws {
    let outcome = try BuiltProgram.run(BuiltProgram.url, ["rows", path, "songs"] + arguments)
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("line 1: \(line)"))
    #expect(outcome.errors.contains("try: \(cure)"))
  }

  @Test(arguments: [
    (["--where", "length = :a"], "-p a="), (["--where", "length = :a", "-p", "a=x"], "integer"),
    (["--where", "length = 1", "-p", "a=1"], "no such parameter"), (["--where", "length = :a", "-p", "a=1", "-p", "a=2"], "twice"),
    (["--where", "length = :a", "-p", "a"], "name[:type]=value"),
  ])
  func `a parameter that does not fit is told`(_ arguments: [String], _ message: String) throws {
    let outcome = try BuiltProgram.run(BuiltProgram.url, ["rows", path, "songs"] + arguments)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  private struct Answer: Decodable {
    struct Fault: Decodable {
      var start: Int
      var end: Int
      var message: String
      var replacements: [Replacement]
    }

    struct Replacement: Decodable, Equatable {
      var start: Int
      var end: Int
      var text: String
    }

    var ok: Bool
    var sql: String?
    var arguments: [String]
    var type: String?
    var plan: [String]
    var errors: [Fault]
  }

  private func check(_ filter: String) throws -> (Answer, Int32) {
    let outcome = try BuiltProgram.run("filter-check", path, "songs", filter, "--format", "json")
    return (try JSONDecoder().decode(Answer.self, from: outcome.output), outcome.status)
  }

  @Test func `filter-check tells editors the SQL and the plan`() throws {
    let (answer, status) = try check("length = 200 and title ~ 'é'")
    #expect(status == 0)
    #expect(answer.ok && answer.errors.isEmpty && answer.type == "boolean")
    #expect(answer.sql?.contains("length = ?") == true)
    #expect(answer.arguments == ["200", "'%é%'"])
    #expect(answer.plan.contains { $0.contains("songs_length") })
  }

  @Test func `filter-check tells editors the faults, their places in bytes and their cures`() throws {
    let (answer, status) = try check("title = 'é' and lenght > 3")
    #expect(status == 2)
    #expect(!answer.ok && answer.sql == nil)
    let fault = try #require(answer.errors.first)
    #expect((fault.start, fault.end) == (17, 23))
    #expect(fault.replacements.first == Answer.Replacement(start: 17, end: 23, text: "length"))
  }

  @Test func `filter-check tells a person in words`() throws {
    #expect(try BuiltProgram.run("filter-check", path, "songs", "length = 200").text.hasPrefix("ok: (length = 200)\n"))
    let wrong = try BuiltProgram.run("filter-check", path, "songs", "lenght = 200")
    #expect(wrong.status == 2)
    #expect(wrong.text.contains("try: length = 200"))
  }
}
