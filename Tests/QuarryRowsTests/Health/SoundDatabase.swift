import Testing

/// A database without defects.
struct SoundDatabase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let sql: [String]

  init(_ description: String, _ sql: String...) {
    (testDescription, self.sql) = (description, sql)
  }

  /// Returns a statement that inserts the columns for the numbers `x` from 1.
  private static func fill(_ table: String, _ count: Int, _ columns: String) -> String {
    "INSERT INTO \(table) WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(count)) SELECT \(columns) FROM n"
  }

  static let all = [
    SoundDatabase("an empty file"),
    SoundDatabase(
      "texts in UTF-16", "PRAGMA encoding = 'UTF-16le'", "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT)",
      "INSERT INTO t VALUES (1, 'ä'), (2, NULL)"),
    SoundDatabase(
      "a table without rowid", "CREATE TABLE t(a TEXT, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID", fill("t", 20_000, "'x', x")),
    SoundDatabase(
      "a STRICT table", "CREATE TABLE t(id INTEGER PRIMARY KEY, a ANY, b REAL) STRICT", "INSERT INTO t VALUES (1, 'x', 2), (2, x'00', 3.5)"),
    SoundDatabase(
      "auto_vacuum", "PRAGMA auto_vacuum = full", "CREATE TABLE t(id INTEGER PRIMARY KEY, a)", fill("t", 20_000, "x, randomblob(40)"),
      "DELETE FROM t WHERE id % 2"),
    SoundDatabase(
      "a write-ahead log", "PRAGMA journal_mode = wal", "CREATE TABLE t(id INTEGER PRIMARY KEY, at DATETIME)",
      "INSERT INTO t VALUES (1, '2026-01-01')"),
    SoundDatabase(
      "foreign keys with an index, and ANALYZE", "CREATE TABLE p(id INTEGER PRIMARY KEY, code TEXT UNIQUE COLLATE NOCASE)",
      "CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p, code TEXT COLLATE NOCASE REFERENCES p(code))", "CREATE INDEX cp ON c(p)",
      "CREATE INDEX cc ON c(code)", "INSERT INTO p VALUES (1, 'a')", fill("c", 20_000, "x, 1, 'A'"), "ANALYZE"),
    SoundDatabase(
      "virtual tables, views, triggers and generated columns", "CREATE VIRTUAL TABLE f USING fts5(a)", "INSERT INTO f VALUES ('one two')",
      "CREATE VIEW v AS SELECT a FROM f", "CREATE TABLE g(id INTEGER PRIMARY KEY, a INT, b INT AS (a + 1), c TEXT AS (a || 'x') STORED)",
      "INSERT INTO g(a) VALUES (1)", "CREATE TRIGGER r AFTER INSERT ON g BEGIN INSERT INTO f VALUES (new.a); END"),
    SoundDatabase(
      "CHECK constraints, which NULL satisfies", "CREATE TABLE t(a INTEGER PRIMARY KEY, b CHECK (b > 0), CHECK (b < a -- less\n))",
      "INSERT INTO t VALUES (5, 1), (6, NULL)"),
    SoundDatabase(
      "small pages and large values", "PRAGMA page_size = 512", "CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB)",
      "INSERT INTO t VALUES (1, zeroblob(100000)), (2, randomblob(3000))"),
    SoundDatabase(
      "names that must be quoted", "CREATE TABLE \"a.b 'c'\"(\"x \"\"y\" INTEGER PRIMARY KEY, \"index i\" TEXT)",
      "CREATE INDEX \"an index\" ON \"a.b 'c'\"(\"index i\")", "INSERT INTO \"a.b 'c'\" VALUES (1, 'x')"),
    SoundDatabase(
      "many kinds of types and indexes",
      "CREATE TABLE a(id INTEGER PRIMARY KEY, day DATE, at DATETIME, price NUMERIC, span INTERVAL, name TEXT UNIQUE, data BLOB, any)",
      "INSERT INTO a VALUES (1, '2024-01-01', 1700000000, 2.5, '1 day', 'x', 'text', x'00'), (2, 20240101, 1.5, 3, 4, NULL, x'', 1)",
      "CREATE TABLE b(a REFERENCES a, c TEXT REFERENCES a(name), PRIMARY KEY (a, c)) WITHOUT ROWID", "INSERT INTO b VALUES (1, 'x')",
      "CREATE UNIQUE INDEX one ON a(day)", "CREATE INDEX longer ON a(day, at)", "CREATE INDEX part ON a(at) WHERE at > 5",
      "CREATE INDEX whole ON a(at)", "CREATE INDEX upper ON a(upper(name))", "CREATE INDEX nocase ON a(name COLLATE NOCASE)",
      "CREATE TABLE s(a INT, b TEXT, PRIMARY KEY (a)) STRICT", "CREATE VIEW v AS SELECT * FROM a", "ANALYZE"),
  ]
}
