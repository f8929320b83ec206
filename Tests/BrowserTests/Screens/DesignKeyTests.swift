import Browser
import Foundation
import QuarryChanges
import QuarryEngine
import Terminal
import TestSupport
import Testing

/// Keys, foreign keys and indexes of several columns, chosen in the form.
@Suite("The keys and indexes of a design", .gated)
struct DesignKeyTests {
  /// Plays keys in the form of the table `t`, and returns the statements that the file then has.
  private func write(_ keys: [String], _ lines: [String] = [], in setup: [String]) async throws -> [String] {
    try await withTemporaryFolder { folder in
      let path = folder.appending(path: "a.db").path
      let other = try DatabaseQueue(path: path)
      try await other.withoutTransaction { db in for sql in setup { try db.execute(sql: sql) } }
      return try await onOwnThread {
        let driver = try SessionDriver(path: path, changes: ChangeLogFolder(path: folder.appending(path: "changes").path))
        driver.open(TableReference(name: "t"))
        driver.play([":", "'design'", "enter"])
        driver.play(keys)
        for line in lines { driver.screen.expectLine(beginning: line) }
        driver.play(["f5", "down", "enter"])
        driver.screen.expectLine(beginning: "changed t")
        return try other.read { db in try String.fetchAll(db, sql: "SELECT sql FROM sqlite_schema WHERE tbl_name = 't' AND sql <> ''") }
      }
    }
  }

  private static let table = "CREATE TABLE t(a INTEGER, b INTEGER, c TEXT)"
  /// Keys that go to the line that adds a constraint, and to the one that adds an index.
  private static let (toConstraints, toIndexes) = (["G", "k", "enter"], ["G", "enter"])

  @Test("a unique key of several columns is chosen in order, and a column is removed again") func unique() async throws {
    let keys = Self.toConstraints + ["'unique'", "enter", "'b'", "enter", "'c'", "enter", "'a'", "enter", "'c'", "enter", "escape"]
    let statements = try await write(keys, in: [Self.table, "INSERT INTO t VALUES (1, 1, 'x'), (1, 2, 'x')"])
    #expect(statements == ["CREATE TABLE \"t\" (\n  a INTEGER,\n  b INTEGER,\n  c TEXT,\n  UNIQUE (b, a)\n)"])
  }

  @Test("a primary key of several columns replaces that of a column") func primary() async throws {
    let keys = Self.toConstraints + ["'primary'", "enter", "'a'", "enter", "'b'", "enter", "'done'", "enter"]
    let statements = try await write(keys, in: ["CREATE TABLE t(a INTEGER PRIMARY KEY, b INTEGER)", "INSERT INTO t VALUES (1, 2)"])
    #expect(statements == ["CREATE TABLE \"t\" (\n  a INTEGER,\n  b INTEGER,\n  PRIMARY KEY (a, b)\n)"])
  }

  @Test("a foreign key of several columns is chosen from the keys of the tables") func references() async throws {
    let setup = [Self.table, "CREATE TABLE place(x, y, z UNIQUE, PRIMARY KEY (x, y))", "INSERT INTO place VALUES (1, 2, 3)"]
    let keys =
      Self.toConstraints + ["'foreign'", "enter", "'place (x, y)'", "enter", "'b'", "enter", "'a'", "enter", "'CASCADE'", "enter"]
      + ["enter", "'key changes'", "enter", "'SET NULL'", "enter", "enter", "'checked'", "enter"]
    let statements = try await write(keys, in: setup + ["INSERT INTO t VALUES (2, 1, 'x')"])
    #expect(
      statements == [
        "CREATE TABLE \"t\" (\n  a INTEGER,\n  b INTEGER,\n  c TEXT,\n"
          + "  FOREIGN KEY (b, a) REFERENCES place (x, y) ON DELETE CASCADE ON UPDATE SET NULL DEFERRABLE INITIALLY DEFERRED\n)"
      ])
  }

  @Test("a column can refer to a unique column, and its foreign key of the table is changed in place") func column() async throws {
    let setup = [
      "CREATE TABLE place(id INTEGER PRIMARY KEY, z TEXT UNIQUE)", "CREATE TABLE t(a TEXT, FOREIGN KEY (a) REFERENCES place(id))",
    ]
    let statements = try await write(["j j j", "f", "'place z'", "enter", "enter"], in: setup)
    #expect(statements == ["CREATE TABLE \"t\" (\n  a TEXT,\n  FOREIGN KEY (a) REFERENCES place (z)\n)"])
  }

  @Test("an index is unique, partial, descending, and on an expression") func index() async throws {
    let keys =
      Self.toIndexes + ["'b'", "enter", "'b'", "enter", "'expression…'", "enter", "'lower(c)'", "enter", "'done'", "enter"]
      + ["enter", "'unique'", "enter", "enter", "'rows'", "enter", "'a > 0'", "enter"]
    let statements = try await write(keys, in: [Self.table])
    #expect(statements == [Self.table, "CREATE UNIQUE INDEX t_on_b ON t (b DESC, lower(c)) WHERE a > 0"])
  }

  @Test("changes of the form are taken back one by one") func steps() async throws {
    let keys = ["j j j", "-", "n", "u", "n", "u", "u", "j", "n"]
    let statements = try await write(keys, in: [Self.table, "INSERT INTO t VALUES (1, 1, 'x')"])
    #expect(statements == ["CREATE TABLE \"t\" (\n  a INTEGER,\n  b INTEGER NOT NULL,\n  c TEXT\n)"])
  }

  @Test("SQLite's own types are offered first, the most used one before the others, and each type once") func types() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(a real, b Real, c TEXT, d varchar(9), e VARCHAR(9), f point)")
      try await onOwnThread {
        let driver = try SessionDriver(path: path)
        driver.open(TableReference(name: "t"))
        driver.play([":", "'design'", "enter", "g g", "j j j j j j j", "t"])
        let types = ["REAL", "TEXT", "INTEGER", "BLOB", "VARCHAR(9)", "POINT", "NUMERIC", "DATE", "DATETIME", "BOOLEAN", "ANY"]
        let offered = driver.browser.top(Picker.self)?.matches.map(\.item.label) ?? []
        #expect(Array(offered.prefix(types.count)) == types, "\(offered)")
      }
    }
  }
}
