import Foundation
import QuarryEngine
import TestSupport
import Testing

/// Files that the sqlite3 shell reads and writes, read and written by the verbs.
@Suite struct SoundSchemaTests {
  /// The first column of the rows that `rows` prints.
  private func firstColumn(_ path: String, _ table: String) throws -> [String] {
    let outcome = try BuiltProgram.run("rows", path, table, "--format", "tsv")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.text.split(separator: "\n").dropFirst().map { line in
      let field = line.split(separator: "\t", omittingEmptySubsequences: false)[0]
      return String(field)
    }
  }

  @Test(arguments: SoundSchema.all)
  func `what the shell made is listed, read and written, and the shell finds it whole`(schema: SoundSchema) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("test.db")
    if let shell = Fixtures.shell {
      #expect(try BuiltProgram.run(shell, [path, schema.setup]).status == 0)
    } else {
      _ = try Fixtures.database(in: folder, schema.setup)
    }
    let listed = try BuiltProgram.run("tables", path)
    #expect(listed.status == 0 && listed.text.contains("\n\(schema.table),"), "\(listed.errors)")
    #expect(try firstColumn(path, schema.table) == schema.before)
    let inserted = try BuiltProgram.run("query", path, schema.insertion)
    #expect(inserted.status == 0, "\(inserted.errors)")
    #expect(try firstColumn(path, schema.table) == schema.after)
    #expect(try BuiltProgram.run("schema", path).status == 0)
    if let shell = Fixtures.shell {
      #expect(try BuiltProgram.run(shell, [path, "PRAGMA integrity_check"]).text == "ok\n")
    }
  }

  @Test func `what would reach outside of the database is refused with the reason`() throws {
    let folder = try TemporaryFolder()
    let path = try Fixtures.database(in: folder, "CREATE TABLE t(a)")
    for sql in ["SELECT load_extension('x')", "SELECT fts3_tokenizer('simple')"] {
      let outcome = try BuiltProgram.run("query", path, sql)
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("() is switched off: "), "\(outcome.errors)")
    }
  }
}
