import QuarryEngine
import TestSupport
import Testing

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
