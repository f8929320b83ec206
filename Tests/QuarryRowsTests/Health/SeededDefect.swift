import Foundation
import QuarryRows
import Testing

/// A database with one defect, and the line that reports it.
struct SeededDefect: Sendable, CustomTestStringConvertible {
  var check: String
  var object: String?
  var status = HealthResult.Status.finding
  /// A part of the detail.
  var text: String
  var sql: [String]

  var testDescription: String { "\(check): \(text)" }

  init(_ check: String, _ object: String?, _ text: String, _ sql: String...) {
    (self.check, self.object, self.text, self.sql) = (check, object, text, sql)
  }

  init(_ check: String, _ object: String?, _ status: HealthResult.Status, _ text: String, _ sql: String...) {
    (self.check, self.object, self.status, self.text, self.sql) = (check, object, status, text, sql)
  }

  /// Returns a statement that inserts numbers from 1.
  private static func fill(_ table: String, _ count: Int) -> String {
    "INSERT INTO \(table) WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(count)) SELECT x FROM n"
  }

  /// Returns statements that change the SQL of an object without its content.
  private static func rewrite(_ name: String, _ sql: String) -> String {
    "PRAGMA writable_schema = on; UPDATE sqlite_schema SET sql = '\(sql)' WHERE name = '\(name)'"
  }

  static let all = [
    SeededDefect(
      "integrity_check", "i", .damaged, "row 1 missing from index i (and", "CREATE TABLE t(a PRIMARY KEY NOT NULL, b)",
      "CREATE INDEX i ON t(b) WHERE b > 5", "INSERT INTO t VALUES (1, 1), (2, 9)", rewrite("i", "CREATE INDEX i ON t(b)")),
    SeededDefect(
      "integrity_check", "i", .damaged, "wrong # of entries in index i", "CREATE TABLE t(a PRIMARY KEY NOT NULL, b)",
      "CREATE INDEX i ON t(b)", "INSERT INTO t VALUES (1, 1), (2, 9)", rewrite("i", "CREATE INDEX i ON t(b) WHERE b > 5")),
    SeededDefect(
      "integrity_check", "i", .damaged, "non-unique entry in index i. Fix: delete the rows with equal keys",
      "CREATE TABLE t(a PRIMARY KEY NOT NULL, b)", "CREATE INDEX i ON t(b)",
      "INSERT INTO t VALUES (1, 1), (2, 1)", rewrite("i", "CREATE UNIQUE INDEX i ON t(b)")),
    SeededDefect(
      "integrity_check", "t.b", "NULL value in t.b", "CREATE TABLE t(a INTEGER PRIMARY KEY, b)", "INSERT INTO t VALUES (1, NULL)",
      rewrite("t", "CREATE TABLE t(a INTEGER PRIMARY KEY, b NOT NULL)")),
    SeededDefect(
      "check_constraints", "t", "1 row with CHECK (b > 0) false", "CREATE TABLE t(a INTEGER PRIMARY KEY, b CHECK (b > 0))",
      "PRAGMA ignore_check_constraints = on", "INSERT INTO t VALUES (1, -1), (2, NULL), (3, 1)"),
    SeededDefect(
      "integrity_check", "t.b", "value in t.b", "CREATE TABLE t(a INTEGER PRIMARY KEY, b)", "INSERT INTO t VALUES (1, 'x')",
      rewrite("t", "CREATE TABLE t(a INTEGER PRIMARY KEY, b INT) STRICT")),
    SeededDefect(
      "schema", "v", "no such table", "CREATE TABLE t(a PRIMARY KEY NOT NULL)", "CREATE VIEW v AS SELECT a FROM gone"),
    SeededDefect(
      "foreign_key_check", "child", "2 rows without its row of parent, first rowid 2", "PRAGMA foreign_keys = off",
      "CREATE TABLE parent(id INTEGER PRIMARY KEY)", "CREATE TABLE child(id INTEGER PRIMARY KEY, p REFERENCES parent)",
      "INSERT INTO parent VALUES (1)", "INSERT INTO child VALUES (1, 1), (2, 7), (3, 8), (4, NULL)"),
    SeededDefect(
      "foreign_key_check", "child", "1 row without its row of parent", "PRAGMA foreign_keys = off",
      "CREATE TABLE parent(a, b, PRIMARY KEY (a, b)) WITHOUT ROWID",
      "CREATE TABLE child(a, b, PRIMARY KEY (b, a), FOREIGN KEY (a, b) REFERENCES parent) WITHOUT ROWID",
      "INSERT INTO parent VALUES (1, 2)", "INSERT INTO child VALUES (1, 2), (2, 1)"),
    SeededDefect(
      "parent_keys", "child(p)", "table gone does not exist", "CREATE TABLE child(id INTEGER PRIMARY KEY, p REFERENCES gone(x))"),
    SeededDefect(
      "parent_keys", "child(p)",
      "parent(name) is neither the primary key nor UNIQUE. Fix: CREATE UNIQUE INDEX parent_name_key ON parent(name)",
      "CREATE TABLE parent(id INTEGER PRIMARY KEY, name)", "CREATE TABLE child(id INTEGER PRIMARY KEY, p REFERENCES parent(name))"),
    SeededDefect(
      "parent_keys", "child(p)", "no such key", "CREATE TABLE parent(id)", "CREATE TABLE child(id INTEGER PRIMARY KEY, p REFERENCES parent)"
    ),
    SeededDefect(
      "foreign_key_indexes", "child(p)", "Fix: CREATE INDEX child_p ON child(p)", "CREATE TABLE parent(id INTEGER PRIMARY KEY)",
      "CREATE TABLE child(p REFERENCES parent, id INTEGER PRIMARY KEY)", "INSERT INTO parent VALUES (1)", "\(fill("child(id)", 10_000))"),
    SeededDefect(
      "repeated_indexes", "j", "same columns as i. Fix: DROP INDEX main.j", "CREATE TABLE t(a INTEGER PRIMARY KEY, b, c)",
      "CREATE INDEX i ON t(b, c DESC)", "CREATE INDEX j ON t(b, c DESC)"),
    SeededDefect(
      "repeated_indexes", "i", "same columns as sqlite_autoindex_t_1", "CREATE TABLE t(a INTEGER PRIMARY KEY, b UNIQUE)",
      "CREATE INDEX i ON t(b)"),
    SeededDefect(
      "repeated_indexes", "the key", "repeats the rowid", "CREATE TABLE t(a INTEGER PRIMARY KEY)", "CREATE INDEX \"the key\" ON t(a)"),
    SeededDefect(
      "repeated_indexes", "i", .note, "j begins with the same columns", "CREATE TABLE t(a INTEGER PRIMARY KEY, b, c)",
      "CREATE INDEX i ON t(b)", "CREATE INDEX j ON t(b, c)"),
    SeededDefect("keys", "log", .note, "neither a PRIMARY KEY nor UNIQUE", "CREATE TABLE log(at, message)"),
    SeededDefect(
      "keys", "t", "1 row with NULL in the primary key (a, b)", "CREATE TABLE t(a, b, PRIMARY KEY (a, b))",
      "INSERT INTO t VALUES (1, NULL), (1, 1)"),
    SeededDefect(
      "types", "t.n", "1 text and 1 blob in a column of type INTEGER, of 4 rows", "CREATE TABLE t(a INTEGER PRIMARY KEY, n INTEGER)",
      "INSERT INTO t(n) VALUES (1), (''), (x'00'), (NULL)"),
    SeededDefect(
      "types", "t.r", "1 text in a column of type REAL", "CREATE TABLE t(a INTEGER PRIMARY KEY, r REAL)", "INSERT INTO t(r) VALUES ('1,5')"),
    SeededDefect(
      "types", "t.a b", "1 blob in a column of type VARCHAR(10)", "CREATE TABLE t(a INTEGER PRIMARY KEY, \"a b\" VARCHAR(10))",
      "INSERT INTO t(\"a b\") VALUES (x'41')"),
    SeededDefect(
      "types", "w.n", "1 real in a column of type INT", "CREATE TABLE w(a PRIMARY KEY, n INT) WITHOUT ROWID",
      "INSERT INTO w VALUES (1, 1.5)"),
    SeededDefect(
      "types", "t.n", "1 text in a column of type INT, of 50,001 rows", "CREATE TABLE t(n INT, rowid UNIQUE)", fill("t(n)", 50_000),
      "INSERT INTO t(n) VALUES ('x')"),
    SeededDefect(
      "statistics", "t", "5,010 rows, and 10 when ANALYZE was run. Fix: ANALYZE main.t", "CREATE TABLE t(a PRIMARY KEY NOT NULL)",
      fill("t", 10), "ANALYZE", fill("t", 5010).replacingOccurrences(of: "SELECT 1 UNION", with: "SELECT 11 UNION") + " LIMIT 5000"),
    SeededDefect(
      "free_pages", nil, "Fix: VACUUM", "CREATE TABLE t(a INTEGER PRIMARY KEY, b)", "INSERT INTO t VALUES (1, zeroblob(2000000))",
      "DELETE FROM t"),
    SeededDefect(
      "free_pages", nil, "Fix: PRAGMA main.incremental_vacuum", "PRAGMA auto_vacuum = incremental",
      "CREATE TABLE t(a INTEGER PRIMARY KEY, b)", "INSERT INTO t VALUES (1, zeroblob(2000000))", "DELETE FROM t"),
  ]
}
