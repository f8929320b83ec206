import Foundation
import TestSupport
import Testing

/// Two files that `quarry diff` compares.
@Suite(.gated) struct DiffVerbTests {
  private let folder: TemporaryFolder
  private let file: String
  private let other: String

  init() throws {
    folder = try TemporaryFolder()
    file = try Fixtures.values(in: folder)
    other = folder.path("other.db")
    try FileManager.default.copyItem(atPath: file, toPath: other)
  }

  @Test func `files that are the same are the same`() throws {
    let outcome = try BuiltProgram.run("diff", file, other)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
  }

  @Test func `differences are lines of CSV unless another format is named`() throws {
    _ = try BuiltProgram.run("query", other, "UPDATE things SET name = 'changed' WHERE id = 1")
    let shown = try BuiltProgram.run("diff", file, other, "--format", "table")
    #expect(shown.status == 1 && shown.text.contains("│ changed │ name"), "\(shown.text)")
    let lines = try BuiltProgram.run("diff", file, other)
    #expect(lines.status == 1)
    #expect(lines.text == "object,key,change,column,from,to\nthings,1,changed,name,\"it's\",changed\n")
    #expect(lines.errors == "quarry: things: +0 -0 ~1\n")
  }

  @Test(arguments: ["json", "sql"])
  func `a form that differences do not have is refused before anything is read`(format: String) throws {
    let outcome = try BuiltProgram.run("diff", file, other, "--format", format)
    #expect(outcome.status == 2 && outcome.errors.contains("or html, not \(format)"), "\(outcome.errors)")
    #expect(outcome.text.isEmpty)
  }

  @Test func `a table that cannot be compared is reported, and the databases are not called the same`() throws {
    for path in [file, other] { _ = try BuiltProgram.run("query", path, "CREATE TABLE loose(k); INSERT INTO loose VALUES (1), (1)") }
    let outcome = try BuiltProgram.run("diff", file, other, "--table", "loose", "--key", "k")
    #expect(outcome.status == 1 && outcome.errors.contains("the rows of loose were not compared: several rows"), "\(outcome.errors)")
    let unknown = try BuiltProgram.run("diff", file, other, "--key", "nosuch")
    #expect(unknown.status == 2 && unknown.errors.contains("nosuch"), "\(unknown.errors)")
  }
}
