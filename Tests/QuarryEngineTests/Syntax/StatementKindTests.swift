import TestSupport
import Testing

@testable import QuarryEngine
@testable import QuarryRows

@Suite(.gated) struct StatementKindTests {
  @Test(
    "The verb stands after EXPLAIN and after what a WITH names",
    arguments: [
      ("select 1", .select), ("-- a\n; ;INSERT INTO t VALUES (1)", .insert), ("EXPLAIN DELETE FROM t", .delete),
      ("explain query plan WITH a AS (SELECT 1) UPDATE t SET x = 1", .update),
      ("WITH RECURSIVE update_(x) AS NOT MATERIALIZED (SELECT 1), replace AS (VALUES (')')) DELETE FROM t", .delete),
      ("WITH a AS (SELECT 1", nil), ("WITH", nil), ("EXPLAIN", nil), ("", nil), ("nonsense", nil), ("'select'", nil),
    ] as [(String, Keyword?)])
  func verbs(sql: String, expected: Keyword?) {
    #expect(StatementKind(of: sql).verb == expected)
    #expect(StatementSyntax(sql).kind == StatementKind(of: sql))
  }

  @Test(
    "What is about transactions, or refused inside of one, runs alone",
    arguments: [
      ("BEGIN", true), ("end", true), ("SAVEPOINT a", true), ("PRAGMA user_version = 1", true), ("VACUUM", true), ("DETACH a", true),
      ("INSERT INTO t VALUES (1)", false), ("DROP TABLE t", false), ("EXPLAIN VACUUM", false), ("", false),
    ])
  func runningAlone(sql: String, expected: Bool) {
    #expect(StatementKind(of: sql).runsAlone == expected)
  }

  @Test("A PRAGMA is told from what only names one")
  func pragmas() {
    #expect(StatementKind(of: "-- a\npragma user_version").isPragma)
    #expect(!StatementKind(of: "SELECT * FROM pragma_table_info('t') -- PRAGMA").isPragma)
    #expect(!StatementKind(of: "EXPLAIN PRAGMA user_version").isPragma)
  }

  @Test(
    "What writes changes more than rows, unless it is about rows or transactions",
    arguments: [
      ("WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a", false), ("REPLACE INTO t VALUES (1)", false), ("UPDATE t SET a = 1", false),
      ("DELETE FROM t", false), ("COMMIT", false), ("CREATE TABLE t (a)", true), ("ALTER TABLE t RENAME TO u", true),
      ("ATTACH 'a' AS b", true), ("PRAGMA user_version = 1", true),
    ])
  func schemaChanges(sql: String, expected: Bool) {
    #expect(StatementKind(of: sql).changesSchema == expected)
  }
}

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
