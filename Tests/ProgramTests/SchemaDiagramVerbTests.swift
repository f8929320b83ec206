import Foundation
import TestSupport
import Testing

/// `quarry schema` with a diagram as its format.
@Suite(.gated) struct SchemaDiagramVerbTests {
  private func run(_ arguments: String...) throws -> BuiltProgram.Outcome {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE p(id INTEGER PRIMARY KEY)", "CREATE TABLE c(p REFERENCES p)", "CREATE TABLE g(c REFERENCES c)",
        "CREATE VIEW v AS SELECT * FROM c")
      return try BuiltProgram.run(BuiltProgram.url, ["schema", path] + arguments)
    }
  }

  @Test func `prints a diagram of all tables, or of one with its neighbors`() throws {
    let all = try run("--format", "mermaid")
    #expect(all.status == 0 && all.errors.isEmpty)
    #expect(all.text.hasPrefix("erDiagram\n") && all.text.hasSuffix("  \"c\" |o--o{ \"g\" : \"c\"\n"), "\(all.text)")
    let one = try run("P", "--format", "mermaid")
    #expect(one.text == "erDiagram\n  \"c\" {\n    any p FK\n  }\n  \"p\" {\n    INTEGER id PK\n  }\n  \"p\" |o--o{ \"c\" : \"p\"\n")
    let dot = try run("--format", "dot")
    #expect(dot.text.hasPrefix("digraph schema {\n") && dot.text.contains("  \"c\":c0 -> \"p\":c0 "), "\(dot.text)")
    #expect(try run("--format", "sql").text == run().text)
  }

  @Test func `names the way out of wrong input`() throws {
    let view = try run("v", "--format", "dot")
    #expect(view.status == 1 && view.errors.contains("v is a view: a diagram shows tables"), "\(view.status) \(view.errors)")
    let unknown = try run("cc", "--format", "dot")
    #expect(unknown.errors.contains("no such table: cc"), "\(unknown.errors)")
    #expect(try run("--format", "csv").status == 2)
  }
}
