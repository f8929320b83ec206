import Foundation
import QuarryChanges
import TestSupport
import Testing

@Suite(.gated) struct ChangeSchemaTests {
  private static let setup = [
    "CREATE TABLE p(id INTEGER PRIMARY KEY, n TEXT COLLATE NOCASE UNIQUE)",
    "CREATE TABLE c(id INTEGER PRIMARY KEY AUTOINCREMENT, p REFERENCES p ON DELETE CASCADE, x DEFAULT 7, g AS (x + 1))",
    "CREATE TABLE w(a, b, PRIMARY KEY (b, a)) WITHOUT ROWID", "CREATE INDEX ci ON c(x)", "CREATE VIEW v AS SELECT * FROM c",
    "CREATE TRIGGER ct AFTER INSERT ON c BEGIN UPDATE p SET n = n || '!' WHERE id = new.p; END",
    "CREATE VIRTUAL TABLE f USING fts5(body)", "INSERT INTO f VALUES ('one'), ('two')",
    "CREATE VIRTUAL TABLE f4 USING fts4(body)", "INSERT INTO f4 VALUES ('three')",
    "CREATE VIRTUAL TABLE r USING rtree(id, low, high)", "INSERT INTO r VALUES (1, 0, 1), (2, 3, 4)",
    "INSERT INTO p VALUES (1, 'a'), (2, 'b')", "INSERT INTO c(p) VALUES (1), (1), (2)", "INSERT INTO w VALUES (1, 2), (3, 4)",
  ]

  @Test(arguments: [
    "DROP TABLE c", "DROP TABLE w", "DROP VIEW v; DROP TRIGGER ct; DROP INDEX ci", "DROP TABLE f", "CREATE TABLE z AS SELECT * FROM c",
    "ALTER TABLE c ADD COLUMN y TEXT DEFAULT 'q'", "ALTER TABLE w RENAME TO ww", "ALTER TABLE p RENAME TO pp",
    "ALTER TABLE f RENAME TO g", "ALTER TABLE f4 RENAME TO g4", "ALTER TABLE r RENAME TO r2",
    "BEGIN; INSERT INTO f VALUES ('new'); ALTER TABLE f RENAME TO g; UPDATE g SET body = 'other' WHERE rowid = 1; COMMIT",
    "BEGIN; UPDATE r SET low = -1 WHERE id = 1; ALTER TABLE r RENAME TO r2; DELETE FROM r2 WHERE id = 2; COMMIT",
    "BEGIN; ALTER TABLE f RENAME TO tmp; ALTER TABLE r RENAME TO f; ALTER TABLE tmp RENAME TO r; COMMIT",
    "BEGIN; ALTER TABLE f RENAME TO g; DROP TABLE g; CREATE VIRTUAL TABLE f USING fts5(other); INSERT INTO f VALUES ('x'); COMMIT",
    "ALTER TABLE c RENAME COLUMN x TO xx", "DROP VIEW v; DROP INDEX ci; ALTER TABLE c DROP COLUMN g; ALTER TABLE c DROP COLUMN x",
    "CREATE VIRTUAL TABLE g USING fts5(t); INSERT INTO g VALUES ('x')", "CREATE UNIQUE INDEX wi ON w(a); DELETE FROM w",
    "BEGIN; ALTER TABLE p RENAME TO q; UPDATE q SET n = 'z' || id; ALTER TABLE q ADD COLUMN m DEFAULT 1; UPDATE q SET m = 2; COMMIT",
    "BEGIN; DELETE FROM w WHERE a = 1; DROP TABLE w; CREATE TABLE w(q); INSERT INTO w VALUES (1); COMMIT",
    """
    BEGIN; DROP VIEW v; CREATE TABLE n(id INTEGER PRIMARY KEY AUTOINCREMENT, p, x); INSERT INTO n SELECT id, p, x FROM c; DROP TABLE c;
    ALTER TABLE n RENAME TO c; CREATE VIEW v AS SELECT id FROM c; COMMIT
    """,
    """
    BEGIN; SAVEPOINT s; DROP TABLE c; CREATE TABLE c(q); ROLLBACK TO s; INSERT INTO c(p) VALUES (2); ALTER TABLE c RENAME TO d;
    DELETE FROM d; COMMIT
    """,
    "BEGIN; INSERT INTO p VALUES (3, 'c'); DROP VIEW v; SAVEPOINT s; CREATE TABLE k(a); ROLLBACK TO s; CREATE TABLE k(b); COMMIT",
    "CREATE TABLE k(a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO k VALUES (7); DELETE FROM k",
  ])
  func `what is done to the schema is undone with its rows, and can be done again`(_ sql: String) throws {
    let file = try RecordedFile()
    for sql in Self.setup { try file.runElsewhere(sql) }
    let before = try file.contents()
    let errors = try file.run(sql)
    #expect(errors.isEmpty, "\(errors)")
    let after = try file.contents()
    #expect(after != before)
    let commits = try file.commits().count
    try file.undoAll()
    let undone = try difference(before, file.contents())
    #expect(undone == [], "\(undone)")
    for number in (commits + 1...2 * commits).reversed() {
      let result = try file.undo(number)
      #expect(result.summary == "done", "\(result)")
    }
    let redone = try difference(after, file.contents())
    #expect(redone == [], "\(redone)")
  }

  @Test(arguments: [
    "ALTER TABLE t RENAME COLUMN a TO b", "ALTER TABLE t RENAME TO u", "DROP VIEW v",
    "BEGIN; DROP VIEW v; CREATE VIEW v AS SELECT 1 AS a; CREATE TRIGGER fresh INSTEAD OF UPDATE ON v BEGIN SELECT 1; END; COMMIT",
  ])
  func `the triggers of a view come back with it`(_ sql: String) throws {
    let file = try RecordedFile(
      "CREATE TABLE t(a)", "CREATE TABLE log(line)", "CREATE VIEW v AS SELECT a AS a FROM t", "CREATE VIEW w AS SELECT a FROM v",
      "CREATE TRIGGER i INSTEAD OF INSERT ON V BEGIN INSERT INTO log VALUES (1); END",
      "CREATE TRIGGER d INSTEAD OF DELETE ON v BEGIN DELETE FROM t WHERE a = old.a; END",
      "CREATE TRIGGER wi INSTEAD OF INSERT ON w BEGIN INSERT INTO log VALUES (2); END")
    let before = try file.contents()
    #expect(try file.run(sql).isEmpty)
    let after = try file.contents()
    try file.undoAll()
    #expect(try file.contents() == before)
    #expect(try file.undo(#require(try file.commits().first).id.number).summary == "done")
    #expect(try file.contents() == after)
  }

  @Test func `a table that has other rows than the commit left is not dropped`() throws {
    let file = try RecordedFile()
    try file.run("CREATE TABLE t(a)")
    try file.runElsewhere("INSERT INTO t VALUES (1)")
    #expect(try file.undo().conflicts == ["t: the rows of the table have changed since, and would be dropped"])
    try file.runElsewhere("DROP TABLE t; CREATE TABLE t(a, b)")
    #expect(try file.undo().conflicts.contains("t: the table has been altered since"))
    #expect(try file.undo(choosing: UndoChoices(standard: .overwrite)).summary == "done")
    #expect(try file.contents() == [])
  }

  @Test(arguments: ["fts5(a)", "fts5(a, content='')", "fts4(a)", "rtree(id, low, high)"])
  func `a virtual table that has got rows since is not dropped`(_ module: String) throws {
    let file = try RecordedFile()
    try file.run("CREATE VIRTUAL TABLE v USING \(module)")
    #expect(try file.undo().summary == "done")
    try file.undo(2)
    let values = module.hasPrefix("rtree") ? "v VALUES (1, 2, 3)" : "v(rowid, a) VALUES (1, 'x')"
    try file.runElsewhere("INSERT INTO \(values)")
    #expect(try file.undo(3).conflicts == ["v: the rows of the table have changed since, and would be dropped"])
  }

  @Test func `what a full-text index changed is listed by the rows of its table`() throws {
    let file = try RecordedFile("CREATE VIRTUAL TABLE f USING fts5(body)", "CREATE VIRTUAL TABLE r USING rtree(id, low, high)")
    try file.run("INSERT INTO f VALUES ('one'), ('two')")
    try file.run("UPDATE f SET body = 'three' WHERE rowid = 1")
    try file.run("INSERT INTO r VALUES (1, 2, 3)")
    try file.run("UPDATE r SET low = 0")
    let tables = try file.commits().map(\.tables)
    #expect(
      tables == [
        [RecordedTable(name: "r", alteration: "index changed")], [RecordedTable(name: "r", inserted: 1)],
        [RecordedTable(name: "f", updated: 1)], [RecordedTable(name: "f", inserted: 2)],
      ])
  }

  @Test func `a column that has got values since is not dropped`() throws {
    let file = try RecordedFile("CREATE TABLE t(a)", "INSERT INTO t VALUES (1), (2)")
    try file.run("ALTER TABLE t ADD COLUMN b DEFAULT 5")
    try file.runElsewhere("UPDATE t SET b = 6 WHERE a = 1")
    #expect(try file.undo().conflicts == ["t: the column b would be dropped and has new values: 1 row"])
  }

  @Test func `a virtual table that has no rows of its own comes back, one whose module keeps them cannot`() throws {
    let file = try RecordedFile("CREATE TABLE t(a)", "CREATE VIRTUAL TABLE s USING dbstat")
    #expect(try file.run("DROP TABLE s").isEmpty)
    #expect(try file.undo().summary == "done")
    try file.read { db in
      let schema = try RecordedSchema(of: "main", in: db)
      #expect(schema.isVirtual("s") && !schema.keepsDataElsewhere("s") && !schema.keepsDataElsewhere("t"))
    }
  }

  @Test func `a table of the name of one that was dropped is in the way`() throws {
    let file = try RecordedFile("CREATE TABLE t(a)", "INSERT INTO t VALUES (1), (2)")
    try file.run("DROP TABLE t")
    try file.runElsewhere("CREATE TABLE t(b)")
    #expect(try file.undo().conflicts == ["t: another object has this name"])
    try file.runElsewhere("DROP TABLE t")
    #expect(try file.undo().summary == "done")
    #expect(try file.lastRows().count == 0)
    #expect(try file.commits().first?.tables == [RecordedTable(name: "t", inserted: 2, alteration: "new")])
  }
}
