import QuarryRows
import TestSupport
import Testing

@Suite(.gated) struct DestructiveStatementTests {
  @Test(
    "What drops, deletes all or changes all is told",
    arguments: [
      ("DROP TABLE Track", .drops(kind: "table", name: "Track")),
      ("drop table if exists 'Order Details';", .drops(kind: "table", name: "\"Order Details\"")),
      ("/* a */ ; DROP VIEW main.[a b]", .drops(kind: "view", name: "main.\"a b\"")),
      ("DROP INDEX IF EXISTS \"group\"", .drops(kind: "index", name: "\"group\"")),
      ("DROP TRIGGER temp.t", .drops(kind: "trigger", name: "\"temp\".t")),
      ("ALTER TABLE t DROP COLUMN x", .dropsColumn(table: "t", name: "x")),
      ("alter table main.'a b' drop [y z];", .dropsColumn(table: "main.\"a b\"", name: "\"y z\"")),
      ("DELETE FROM Track", .deletesAll(table: "Track")),
      ("DELETE FROM archive.Track AS t NOT INDEXED RETURNING *;", .deletesAll(table: "archive.Track")),
      ("DELETE FROM Track RETURNING (SELECT 1 WHERE 1)", .deletesAll(table: "Track")),
      ("DELETE FROM Track; SELECT 1 WHERE 1", .deletesAll(table: "Track")),
      ("DELETE FROM Track -- WHERE 1", .deletesAll(table: "Track")),
      ("DELETE FROM Track RETURNING 'where', \"where\"", .deletesAll(table: "Track")),
      ("UPDATE Track SET Name = (SELECT Name FROM Album WHERE 1)", .updatesAll(table: "Track")),
      ("UPDATE OR REPLACE `a``b` AS t SET x = 1 FROM u", .updatesAll(table: "\"a`b\"")),
      ("WITH a AS (SELECT 1 WHERE 1) DELETE FROM Track", .deletesAll(table: "Track")),
      (
        "WITH RECURSIVE delete_(x) AS NOT MATERIALIZED (SELECT 1), replace AS MATERIALIZED (VALUES (')')) UPDATE Track SET x = 1",
        .updatesAll(table: "Track")
      ),
    ] as [(String, DestructiveStatement)])
  func destructive(sql: String, expected: DestructiveStatement) {
    #expect(DestructiveStatement(sql: sql) == expected)
  }

  @Test(
    "All else is none",
    arguments: [
      "", ";", "DROP", "DROP TABLE", "DELETE FROM", "UPDATE", "UPDATE Track", "WITH", "WITH a AS (", "SELECT * FROM Track",
      "EXPLAIN DROP TABLE Track", "EXPLAIN QUERY PLAN DELETE FROM Track", "DELETE FROM Track WHERE 1", "DELETE FROM Track LIMIT 5",
      "UPDATE Track SET x = 1 WHERE TrackId = 1", "UPDATE Track SET x = 1 FROM u WHERE 1",
      "WITH a AS (SELECT 1) UPDATE Track SET x = 1 WHERE y IN a", "WITH a AS (SELECT 1) SELECT * FROM a",
      "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END", "INSERT INTO t VALUES (1) ON CONFLICT DO UPDATE SET x = 1",
      "REPLACE INTO t VALUES (1)", "ALTER TABLE t ADD COLUMN x", "ALTER TABLE t RENAME COLUMN x TO drop_", "ALTER TABLE t DROP",
    ])
  func harmless(sql: String) {
    #expect(DestructiveStatement(sql: sql) == nil)
  }
}
