import QuarryChanges
import QuarryEngine
import TestSupport
import Testing

@Suite("What can be edited", .gated) struct EditabilityTests {
  private static func reason(
    _ table: String, _ operation: RowOperation, _ column: String? = nil, refusal: String? = nil, in sql: String
  ) throws -> String? {
    try makeDatabase(sql).read { db in
      try db.tableSchema(TableReference(name: table)).editability(of: operation, column: column, refusal: refusal).reason
    }
  }

  @Test("A table's columns can, but for generated ones")
  func columns() throws {
    let sql = "CREATE TABLE t(a, b AS (a + 1), c AS (a + 2) STORED)"
    #expect(try Self.reason("t", .update, "a", in: sql) == nil)
    #expect(try Self.reason("t", .update, "b", in: sql) == "b is a generated column")
    #expect(try Self.reason("t", .insert, "c", in: sql) == "c is a generated column")
    #expect(try Self.reason("t", .delete, in: sql) == nil)
    #expect(try Self.reason("t", .update, "d", in: sql) == "there is no column d")
  }

  @Test("A source that is read only says why, whatever is asked for")
  func readOnly() throws {
    #expect(try Self.reason("t", .delete, refusal: "opened with --read-only", in: "CREATE TABLE t(a)") == "opened with --read-only")
  }

  @Test("A view can where it has an INSTEAD OF trigger for what is asked for")
  func views() throws {
    let sql = """
      CREATE TABLE t(a, b); CREATE VIEW v AS SELECT a, b, a + b AS total FROM t; CREATE VIEW w AS SELECT 1;
      CREATE TRIGGER IF NOT EXISTS main."on update" INSTEAD OF UPDATE OF a, "b" ON v BEGIN DELETE FROM t; END;
      CREATE TRIGGER ins INSTEAD OF INSERT ON v BEGIN INSERT INTO t VALUES (1, 2); END;
      """
    #expect(try Self.reason("v", .update, "a", in: sql) == nil)
    #expect(try Self.reason("v", .update, "B", in: sql) == nil)
    #expect(try Self.reason("v", .update, "total", in: sql) == "the view has no INSTEAD OF UPDATE trigger for total")
    #expect(try Self.reason("v", .insert, "total", in: sql) == nil)
    #expect(try Self.reason("v", .delete, in: sql) == "it is a view without an INSTEAD OF DELETE trigger")
    #expect(try Self.reason("w", .update, in: sql) == "it is a view without an INSTEAD OF UPDATE trigger")
  }

  @Test("Rows that nothing tells apart cannot: a table whose columns have all names of the rowid")
  func keyless() throws {
    #expect(try Self.reason("t", .update, "rowid", in: "CREATE TABLE t(rowid, _rowid_, oid)") == "no key identifies its rows")
    #expect(try Self.reason("t", .update, "oid", in: "CREATE TABLE t(rowid, _rowid_ INTEGER PRIMARY KEY, oid)") == nil)
    #expect(try Self.reason("t", .update, "rowid", in: "CREATE TABLE t(rowid, oid)") == nil)
    #expect(try Self.reason("t", .update, "a", in: "CREATE TABLE t(a PRIMARY KEY) WITHOUT ROWID") == nil)
  }

  @Test("A virtual table can but where it keeps its data, and SQLite's table of the schema cannot")
  func virtualTables() throws {
    let sql = "CREATE VIRTUAL TABLE notes USING fts5(title); CREATE VIRTUAL TABLE words USING fts5vocab(notes, 'row')"
    #expect(try Self.reason("notes", .update, "title", in: sql) == nil)
    #expect(try Self.reason("notes", .update, "rank", in: sql) == "rank is a hidden column")
    #expect(try Self.reason("notes_content", .update, "c0", in: sql) == "it is a shadow table, which stores the data of “notes”")
    #expect(try Self.reason("words", .delete, in: sql) == "it is a virtual table of fts5vocab, which is read-only")
    #expect(try Self.reason("sqlite_schema", .delete, in: sql) == "it is SQLite's schema table")
  }

  @Test(
    "A full-text table can but where its texts are in another table, or nowhere",
    arguments: [
      ("fts5(body)", nil), ("fts5(content, body)", nil), ("fts5(body, content='Docs')", "its text is stored in “Docs”: change it there"),
      ("FTS5(content = docs, body)", "its text is stored in “docs”: change it there"),
      ("fts5(c=\"my docs\", body)", "its text is stored in “my docs”: change it there"),
      ("fts5(body, content='', columnsize=1)", "it stores no text (a contentless table)"), ("fts4(body)", nil),
      ("fts4(content=\"docs\", body)", "its text is stored in “docs”: change it there"),
      ("fts4(content=\"\", body)", "it stores no text (a contentless table)"),
    ])
  func fullText(_ module: String, _ reason: String?) throws {
    let sql = "CREATE TABLE docs(body); CREATE TABLE \"my docs\"(body); CREATE VIRTUAL TABLE f USING \(module)"
    for operation in RowOperation.allCases { #expect(try Self.reason("f", operation, in: sql) == reason) }
  }
}
