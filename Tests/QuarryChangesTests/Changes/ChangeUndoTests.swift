import Foundation
import QuarryChanges
import QuarryEngine
import TestSupport
import Testing

/// A table of one kind, and statements that change it in every way.
struct ChangedTable: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let setup: [String]
  let changes: [String]

  init(_ description: String, _ setup: String..., changing changes: [String]) {
    (testDescription, self.setup, self.changes) = (description, setup, changes)
  }

  static let all = [
    ChangedTable(
      "no key", "CREATE TABLE t(a, b)", "INSERT INTO t VALUES (1, 'x'), (1, 'x'), (NULL, x'00ff')",
      changing: ["UPDATE t SET a = 2", "DELETE FROM t", "INSERT INTO t VALUES (7, 8)", "UPDATE t SET rowid = rowid + 10"]),
    ChangedTable(
      "an INTEGER PRIMARY KEY", "CREATE TABLE t(id INTEGER PRIMARY KEY, a REAL)", "INSERT INTO t VALUES (1, 1), (2, 2.5), (3, NULL)",
      changing: [
        "UPDATE t SET id = id + 1 WHERE id = 3", "UPDATE t SET a = -0.0", "INSERT OR REPLACE INTO t VALUES (1, 9)", "DELETE FROM t",
      ]),
    ChangedTable(
      "a key of several columns, WITHOUT ROWID", "CREATE TABLE t(v, k REAL, l TEXT COLLATE NOCASE, PRIMARY KEY (l, k)) WITHOUT ROWID",
      "INSERT INTO t VALUES (1, 1, 'a'), (2.0, 2.5, 'b'), ('3', 1, 'c')",
      changing: [
        "UPDATE t SET v = v || 'x'", "UPDATE t SET l = upper(l)", "UPDATE t SET k = k + 1", "INSERT INTO t VALUES (0, 7, 'q')",
        "INSERT OR REPLACE INTO t VALUES (8, 2, 'a')", "DELETE FROM t",
      ]),
    ChangedTable(
      "WITHOUT ROWID with a virtual column", "CREATE TABLE t(g AS (k || v), k INTEGER, v, PRIMARY KEY (k)) WITHOUT ROWID",
      "INSERT INTO t(k, v) VALUES (1, 'a'), (2, 'b')",
      changing: ["UPDATE t SET v = 'x'", "UPDATE t SET k = k + 10", "DELETE FROM t", "INSERT INTO t(k, v) VALUES (5, 6)"]),
    ChangedTable(
      "generated columns", "CREATE TABLE t(v AS (a * 2), a REAL, s AS (b || 'x') STORED, w AS (b), b, id INTEGER PRIMARY KEY)",
      "INSERT INTO t(a, b) VALUES (1, 'p'), (2.5, x'01'), (NULL, 3)",
      changing: ["UPDATE t SET a = 7, b = 1", "UPDATE t SET id = id + 5", "DELETE FROM t WHERE b = 1", "INSERT INTO t(a, b) VALUES (1, 1)"]),
    ChangedTable(
      "AUTOINCREMENT", "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, a)", "INSERT INTO t(a) VALUES (1), (2)",
      changing: ["INSERT INTO t(a) VALUES (3)", "DELETE FROM t", "INSERT INTO t(id, a) VALUES (100, 0)", "DELETE FROM t"]),
    ChangedTable(
      "STRICT", "CREATE TABLE t(a INT, b TEXT, c ANY, d REAL) STRICT", "INSERT INTO t VALUES (1, '2', '3', 4), (5, '6', 7, 8)",
      changing: ["UPDATE t SET c = 1.0, d = 1", "DELETE FROM t WHERE a = 1"]),
    ChangedTable(
      "a primary key of several NULLs", "CREATE TABLE t(k TEXT PRIMARY KEY, v)", "INSERT INTO t VALUES (NULL, 1), (NULL, 2), ('a', 3)",
      changing: ["UPDATE t SET v = v * 10", "DELETE FROM t WHERE k IS NULL", "INSERT INTO t VALUES (NULL, 9)"]),
    ChangedTable(
      "unique values that are swapped", "CREATE TABLE t(id INTEGER PRIMARY KEY, u UNIQUE, v)",
      "INSERT INTO t VALUES (1, 'a', 0), (2, 'b', 0), (3, 'c', 0)",
      changing: ["BEGIN; UPDATE t SET u = u || 'x'; UPDATE t SET u = char(97 + 3 - id); COMMIT", "UPDATE t SET u = 'z' WHERE id = 1"]),
    ChangedTable(
      "columns named as the rowid", "CREATE TABLE t(rowid TEXT, oid, a)", "INSERT INTO t VALUES ('x', 'y', 1)",
      changing: ["UPDATE t SET rowid = 'z'", "INSERT INTO t VALUES ('p', 'q', 2)", "DELETE FROM t WHERE a = 1"]),
    ChangedTable(
      "triggers and foreign keys", "CREATE TABLE p(id INTEGER PRIMARY KEY, n)",
      "CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE CASCADE ON UPDATE SET NULL)", "CREATE TABLE log(line)",
      "CREATE TRIGGER gone AFTER DELETE ON c BEGIN INSERT INTO log VALUES (old.id); UPDATE p SET n = n || '!'; END",
      "INSERT INTO p VALUES (1, 'a'), (2, 'b'), (3, 'c'); INSERT INTO c VALUES (1, 1), (2, 1), (3, 2)",
      changing: ["DELETE FROM p WHERE id = 1", "UPDATE p SET id = 20 WHERE id = 2", "DELETE FROM p", "DELETE FROM log"]),
    ChangedTable(
      "texts in UTF-16, with NUL", "PRAGMA encoding = 'UTF-16le'", "CREATE TABLE t(a)",
      "INSERT INTO t VALUES ('a' || char(0) || 'b'), ('東京'), ('')", changing: ["UPDATE t SET a = 'é' || a", "DELETE FROM t"]),
    ChangedTable(
      "texts that are not UTF-8", "CREATE TABLE t(a TEXT)", "INSERT INTO t VALUES (CAST(x'ff00fe' AS TEXT)), ('x')",
      changing: ["UPDATE t SET a = 'y'", "DELETE FROM t"]),
    ChangedTable(
      "FTS5 with its own texts", "CREATE VIRTUAL TABLE f USING fts5(body)", "INSERT INTO f VALUES ('one two'), ('three')",
      changing: ["UPDATE f SET body = 'four' WHERE rowid = 1", "INSERT INTO f VALUES ('five')", "DELETE FROM f"]),
    ChangedTable(
      "FTS4", "CREATE VIRTUAL TABLE f USING fts4(body)", "INSERT INTO f VALUES ('one two'), ('three')",
      changing: ["UPDATE f SET body = 'four' WHERE rowid = 1", "INSERT INTO f VALUES ('five')", "DELETE FROM f"]),
    ChangedTable(
      "an R-tree", "CREATE VIRTUAL TABLE r USING rtree(id, low, high)", "INSERT INTO r VALUES (1, 0, 1), (2, 3, 4)",
      changing: ["UPDATE r SET low = -5 WHERE id = 1", "INSERT INTO r VALUES (9, 1, 2)", "DELETE FROM r"]),
    ChangedTable(
      "columns that are younger than the rows", "CREATE TABLE t(id INTEGER PRIMARY KEY, a)", "INSERT INTO t VALUES (1, 'x'), (2, 'y')",
      "ALTER TABLE t ADD COLUMN n TEXT NOT NULL DEFAULT 'none'", "ALTER TABLE t ADD COLUMN d DEFAULT 7",
      "INSERT INTO t VALUES (3, 'z', 'n', NULL)", "UPDATE t SET d = NULL WHERE id = 2",
      changing: ["UPDATE t SET a = 0", "UPDATE t SET d = 1", "DELETE FROM t", "INSERT INTO t(a) VALUES (1)"]),
    ChangedTable(
      "columns that are younger than the rows, WITHOUT ROWID", "CREATE TABLE t(k TEXT PRIMARY KEY, a) WITHOUT ROWID",
      "INSERT INTO t VALUES ('p', 1), ('q', 2)", "ALTER TABLE t ADD COLUMN d DEFAULT 7", "UPDATE t SET d = NULL WHERE k = 'q'",
      changing: ["UPDATE t SET a = 0", "UPDATE t SET k = k || '2'", "DELETE FROM t"]),
  ]
}

@Suite(.gated) struct ChangeUndoTests {
  @Test(arguments: ChangedTable.all)
  func `every commit can be undone, from the last to the first, and each undo too`(_ table: ChangedTable) throws {
    let file = try RecordedFile()
    for sql in table.setup { try file.runElsewhere(sql) }
    var states = [try file.contents()]
    for sql in table.changes {
      let errors = try file.run(sql)
      #expect(errors.isEmpty, "\(errors)")
      states.append(try file.contents())
    }
    #expect(try file.commits().count == table.changes.count)
    for (number, state) in zip(1..., states).dropLast().reversed() {
      #expect(try file.undo().summary == "done")
      #expect(try file.contents() == state, "\(table.changes[number - 1])")
    }
    let undos = try file.commits().prefix(table.changes.count)
    for (commit, state) in zip(undos, states.dropFirst()) {
      #expect(try file.undo(commit.id.number).summary == "done")
      #expect(try file.contents() == state)
    }
  }

  @Test(arguments: ChangedTable.all)
  func `a transaction of all changes is undone at once`(_ table: ChangedTable) throws {
    let file = try RecordedFile()
    for sql in table.setup { try file.runElsewhere(sql) }
    let before = try file.contents()
    let statements = table.changes.filter { !$0.hasPrefix("BEGIN") }
    try file.run((["BEGIN"] + statements + ["COMMIT"]).joined(separator: ";"))
    if try file.commits().isEmpty {
      #expect(try file.contents() == before)
    } else {
      #expect(try file.undo().summary == "done")
      #expect(try file.contents() == before)
    }
  }

  @Test func `full text finds after an undo what it found before`() throws {
    let file = try RecordedFile(
      "CREATE TABLE notes(id INTEGER PRIMARY KEY, body)",
      "CREATE VIRTUAL TABLE texts USING fts5(body, content='notes', content_rowid='id')",
      "CREATE TRIGGER i AFTER INSERT ON notes BEGIN INSERT INTO texts(rowid, body) VALUES (new.id, new.body); END",
      """
      CREATE TRIGGER d AFTER DELETE ON notes BEGIN INSERT INTO texts(texts, rowid, body) VALUES ('delete', old.id, old.body); END
      """, "INSERT INTO notes(body) VALUES ('red'), ('green')")
    try file.run("DELETE FROM notes WHERE body = 'red'")
    try file.runElsewhere("INSERT INTO notes VALUES (9, 'blue')")
    #expect(try file.undo().summary == "done")
    func found(_ word: String) throws -> [Int] {
      try file.read { try Int.fetchAll($0, sql: "SELECT rowid FROM texts WHERE texts MATCH ?", arguments: [word]) }
    }
    #expect(try found("red") == [1] && found("green") == [2] && found("blue") == [9])
  }

  @Test(arguments: ["fts5(body, content='')", "fts4(content=\"\", body)"])
  func `an undo says that the index of a table without texts is not put back, and can leave it as it is`(_ module: String) throws {
    let file = try RecordedFile(
      "CREATE VIRTUAL TABLE f USING \(module)", "CREATE TABLE t(a)", "INSERT INTO f(rowid, body) VALUES (1, 'red')")
    try file.run("BEGIN; INSERT INTO f(rowid, body) VALUES (2, 'green'); INSERT INTO t VALUES (1); COMMIT")
    let conflicts = ["f: changes to its index are not recorded, because it stores no text (a contentless table)"]
    #expect(try file.undo().conflicts == conflicts)
    #expect(try file.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1])
    #expect(try file.undo(choosing: UndoChoices(standard: .keep)).summary == "done")
    #expect(try file.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [])
    #expect(try file.read { try Int.fetchAll($0, sql: "SELECT rowid FROM f WHERE f MATCH 'green'") } == [2])
    #expect(try file.read { try Int.fetchAll($0, sql: "SELECT count(*) FROM f_docsize") } == [2])
  }

  @Test func `a full-text table without texts that was dropped comes back with its index`() throws {
    let file = try RecordedFile("CREATE VIRTUAL TABLE f USING fts5(body, content='')", "INSERT INTO f(rowid, body) VALUES (1, 'red')")
    try file.run("DROP TABLE f")
    #expect(try file.undo().summary == "done")
    #expect(try file.read { try Int.fetchAll($0, sql: "SELECT rowid FROM f WHERE f MATCH 'red'") } == [1])
  }

  @Test func `a row that has changed since is a conflict, and nothing is written`() throws {
    let file = try RecordedFile(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b)", "INSERT INTO t VALUES (1, 'x', 1), (2, 'y', 2), (3, 'z', 3)")
    try file.run("UPDATE t SET a = 'all'")
    try file.runElsewhere("UPDATE t SET a = 'ALL' WHERE id = 2; UPDATE t SET b = 9 WHERE id = 1; DELETE FROM t WHERE id = 3")
    let now = try file.contents()
    let result = try file.undo()
    #expect(
      result.conflicts == ["t 2, a: expected 'all', found 'ALL'", "t 3: the row is gone"])
    #expect(try file.contents() == now)
    #expect(try file.undo(choosing: UndoChoices(standard: .keep)).summary == "done")
    #expect(try file.lastRows() == ["t 1 update a: 'all' → 'x'"])
  }

  @Test func `an undo that keeps every row restores nothing, and leaves the commit to be undone`() throws {
    let file = try RecordedFile("CREATE TABLE t(id INTEGER PRIMARY KEY, a)", "INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'z')")
    try file.run("UPDATE t SET a = a || '!'")
    try file.runElsewhere("UPDATE t SET a = 'other' WHERE id < 3; DELETE FROM t WHERE id = 3")
    let now = try file.contents()
    #expect(try file.undo(choosing: UndoChoices(standard: .keep)).kept == 3)
    #expect(try file.contents() == now)
    #expect(try file.commits().map(\.state) == [.settled])
    // One row has its former value by now, and still nothing is written.
    try file.runElsewhere("UPDATE t SET a = 'x' WHERE id = 1")
    #expect(try file.undo(choosing: UndoChoices(standard: .keep)).kept == 2)
    try file.runElsewhere("UPDATE t SET a = 'x!' WHERE id = 1; UPDATE t SET a = 'y!' WHERE id = 2; INSERT INTO t VALUES (3, 'z!')")
    #expect(try file.undo().summary == "done")
    #expect(try file.read { try String.fetchAll($0, sql: "SELECT a FROM t ORDER BY id") } == ["x", "y", "z"])
  }

  @Test(arguments: ["CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, a)", "CREATE VIRTUAL TABLE t USING fts5(a)"])
  func `a counter or an index alone is not an undo where every row is kept`(_ table: String) throws {
    let file = try RecordedFile(table, "INSERT INTO t(a) VALUES ('one')")
    try file.run("INSERT INTO t(a) VALUES ('two')")
    try file.runElsewhere("UPDATE t SET a = 'other' WHERE rowid = 2")
    let now = try file.contents()
    #expect(try file.undo(choosing: UndoChoices(standard: .keep)).kept == 1)
    #expect(try file.contents() == now)
    #expect(try file.commits().map(\.state) == [.settled])
  }

  @Test func `an undo that can only leave an index without texts as it is undoes nothing`() throws {
    let file = try RecordedFile("CREATE VIRTUAL TABLE f USING fts5(body, content='')")
    try file.run("INSERT INTO f(rowid, body) VALUES (1, 'red')")
    #expect(try file.undo(choosing: UndoChoices(standard: .keep)).kept == 1)
    #expect(try file.commits().map(\.state) == [.settled])
  }

  @Test func `a deleted row that another row prevents can remain deleted`() throws {
    let file = try RecordedFile("CREATE TABLE t(id INTEGER PRIMARY KEY, b UNIQUE)", "INSERT INTO t VALUES (1, 'x'), (2, 'y')")
    try file.run("DELETE FROM t WHERE id = 1", "DELETE FROM t")
    try file.runElsewhere("INSERT INTO t VALUES (7, 'x'), (8, 'z')")
    let now = try file.contents()
    #expect(try file.undo(1, choosing: UndoChoices(standard: .keep)).kept == 1)
    #expect(try file.contents() == now)
    try file.runElsewhere("DELETE FROM t WHERE id = 7")
    #expect(try file.undo(1).summary == "done")
    #expect(try file.lastRows() == ["t 1 insert id:  → 1", "t 1 insert b:  → 'x'"])
  }

  @Test(arguments: [
    ("UPDATE t SET b = 'z' WHERE a = 1", "UPDATE t SET b = 'w' WHERE a = 1", [UndoChoices.Choice.keep, .overwrite]),
    ("UPDATE t SET b = 'z' WHERE a = 1", "DELETE FROM t WHERE a = 1", [.keep]),
    ("UPDATE t SET b = 'z' WHERE a = 1", "INSERT INTO t VALUES (7, 'x')", []),
    ("UPDATE t SET b = 'z' WHERE a = 1", "DROP TABLE t", []),
    ("DELETE FROM t WHERE a = 1", "INSERT INTO t VALUES (1, 'w')", [.keep, .overwrite]),
    ("DELETE FROM t WHERE a = 1", "INSERT INTO t VALUES (7, 'x')", [.keep]),
    ("CREATE TABLE u(a)", "INSERT INTO u VALUES (1)", [.overwrite]),
    ("CREATE TABLE u(a)", "DROP TABLE u; CREATE TABLE u(b)", [.overwrite]),
    ("ALTER TABLE t ADD COLUMN c", "DROP TABLE t", []),
    ("DROP TABLE t", "CREATE TABLE t(c)", []),
  ])
  func `a conflict names the choices that resolve it, and no other one does`(
    _ change: String, _ later: String, _ choices: [UndoChoices.Choice]
  ) throws {
    for choice in [UndoChoices.Choice.keep, .overwrite] {
      let file = try RecordedFile("CREATE TABLE t(a INTEGER PRIMARY KEY, b UNIQUE)", "INSERT INTO t VALUES (1, 'x'), (2, 'y')")
      try file.run(change)
      try file.runElsewhere(later)
      guard case .conflicts(let conflicts) = try file.undo() else { return #expect(Bool(false)) }
      #expect(conflicts.allSatisfy { $0.choices == Set(choices) }, "\(conflicts)")
      let result = try file.undo(choosing: UndoChoices(standard: choice))
      let isResolved = result.conflicts.isEmpty || choice == .keep && result.kept != nil
      #expect(isResolved == choices.contains(choice), "\(choice)")
    }
  }

  @Test func `a counter or an index alone that was dropped is not overwritten, one of another name with the same values is`() throws {
    let file = try RecordedFile("CREATE TABLE t(id INTEGER PRIMARY KEY, a)", "INSERT INTO t VALUES (1, 'x'), (2, 'y')")
    try file.run("UPDATE t SET a = a || '!'")
    try file.runElsewhere("ALTER TABLE t DROP COLUMN a; ALTER TABLE t ADD COLUMN b; UPDATE t SET b = 'y!' WHERE id = 2")
    #expect(try file.undo().conflicts == ["t 1, b: expected 'x!', found NULL"])
    let overwriting = UndoChoices(standard: .overwrite)
    #expect(
      try file.undo(choosing: overwriting).conflicts == [
        "t 1: b and a have different values and may be different columns, so b is not overwritten"
      ])
    #expect(try file.undo(choosing: UndoChoices(standard: .keep)).summary == "done")
    #expect(try file.lastRows() == ["t 2 update b: 'y!' → 'y'"])
  }

  @Test func `a choice goes for a single row`() throws {
    let file = try RecordedFile("CREATE TABLE t(id INTEGER PRIMARY KEY, a)", "INSERT INTO t VALUES (1, 1), (2, 1)")
    try file.run("UPDATE t SET a = 2")
    try file.runElsewhere("UPDATE t SET a = 2.0")
    #expect(try file.undo().conflicts == ["t 1, a: expected 2, found 2.0", "t 2, a: expected 2, found 2.0"])
    let choices = UndoChoices(standard: .keep, rows: [UndoChoices.Row(table: "t", key: .rowID(2)): .overwrite])
    #expect(try file.undo(choosing: choices).summary == "done")
    #expect(try file.lastRows() == ["t 2 update a: 2.0 → 1"])
  }

  @Test func `an undo that would leave a row without the one it refers to is refused, and what was so before is not its fault`() throws {
    let file = try RecordedFile(
      "CREATE TABLE p(id INTEGER PRIMARY KEY)", "CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p)",
      "PRAGMA foreign_keys = OFF; INSERT INTO c VALUES (1, 77); PRAGMA foreign_keys = ON", "INSERT INTO p VALUES (1)")
    try file.run("INSERT INTO p VALUES (2)")
    try file.runElsewhere("INSERT INTO c VALUES (2, 2)")
    #expect(try file.undo().conflicts == ["c 2: it would refer to a row of p that does not exist"])
    try file.runElsewhere("DELETE FROM c WHERE id = 2")
    #expect(try file.undo().summary == "done")
  }

  // MARK: Tables without a key

  @Test(arguments: [
    "CREATE TABLE t(a, b)", "CREATE TABLE t(a, b, k TEXT PRIMARY KEY)", "CREATE TABLE t(a, b, k TEXT PRIMARY KEY, UNIQUE (b))",
  ])
  func `another row that has got the rowid is not taken for the one that was changed`(_ table: String) throws {
    let hasKey = table.contains("KEY")
    let file = try RecordedFile(table)
    for (index, letter) in ["x", "y", "z"].enumerated() {
      try file.runElsewhere("INSERT INTO t VALUES (1, '\(letter)'\(hasKey ? ", '\(index)'" : ""))")
    }
    try file.run("UPDATE t SET a = 2 WHERE b = 'y'")
    #expect(try file.lastRows() == ["t 2 update a: 1 → 2"])
    // The third row becomes the second.
    try file.runElsewhere("DELETE FROM t WHERE b = 'y'; UPDATE t SET a = 2, rowid = 2 WHERE b = 'z'")
    let now = try file.contents()
    guard case .conflicts(let conflicts) = try file.undo() else { return #expect(Bool(false)) }
    #expect(conflicts.count == 1 && "\(conflicts)".contains(hasKey ? "k: expected '1', found '2'" : "b: expected 'y', found 'z'"))
    #expect(try file.contents() == now)
  }

  @Test func `a row that a VACUUM may have given another rowid is a conflict for every choice but to keep it`() throws {
    let file = try RecordedFile("CREATE TABLE t(a, b)", "INSERT INTO t VALUES ('p', 1), ('q', 2), ('r', 3)", "DELETE FROM t WHERE a = 'p'")
    try file.run("INSERT INTO t VALUES ('s', 9)")
    try file.runElsewhere("VACUUM")
    let now = try file.contents()
    let lost = ["t 4: the row is gone, or has another rowid since a VACUUM"]
    #expect(try file.undo().conflicts == lost)
    #expect(try file.undo(choosing: UndoChoices(standard: .overwrite)).conflicts == lost)
    #expect(try file.undo(choosing: UndoChoices(standard: .keep)).kept == 1)
    #expect(try file.contents() == now)
    #expect(try file.commits().map(\.state) == [.settled])
  }

  @Test func `a row of the same values in the place of a deleted one is in the way`() throws {
    let file = try RecordedFile("CREATE TABLE t(a)", "INSERT INTO t VALUES (1), (1), (2)")
    try file.run("DELETE FROM t WHERE rowid = 1")
    try file.runElsewhere("UPDATE t SET rowid = rowid - 1")
    #expect(try file.undo().conflicts == ["t 1: a row with this key has been added since"])
  }

  @Test func `a row whose key is NULL is known by all of its columns`() throws {
    let file = try RecordedFile("CREATE TABLE t(k TEXT PRIMARY KEY, a, b)", "INSERT INTO t VALUES (NULL, 1, 'x')")
    try file.run("UPDATE t SET a = 2")
    try file.runElsewhere("UPDATE t SET b = 'other'")
    #expect(try file.undo().conflicts == ["t 1, b: expected 'x', found 'other'"])
  }

  // MARK: Collations and texts

  /// Makes a table with a column of a collation that no other connection has.
  private func fileWithUnknownCollation() throws -> RecordedFile {
    let file = try RecordedFile(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE UNIQUE, land TEXT, kind TEXT COLLATE NOCASE);
      CREATE INDEX i ON t(land);
      INSERT INTO t VALUES (1, 'Zeta', 'x', 'b'), (2, 'alpha', 'y', 'a')
      """)
    var configuration = Configuration()
    configuration.isDefensive = false
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    try queue.withoutTransaction { db in
      try db.execute(
        sql: "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'THEIRS'); PRAGMA writable_schema = RESET")
    }
    try queue.close()
    return file
  }

  @Test func `a change beside a column whose collation is unknown is undone`() throws {
    let file = try fileWithUnknownCollation()
    let errors = try file.run("UPDATE t SET kind = 'q' WHERE id = 1", "UPDATE t SET kind = 'r', land = 'z' WHERE id = 2")
    #expect(errors.isEmpty, "\(errors)")
    #expect(try file.undo().summary == "done")
    #expect(try file.undo().summary == "done")
    let kinds = try file.read { db in try String.fetchAll(db, sql: "SELECT kind FROM t ORDER BY id") }
    #expect(kinds == ["b", "a"])
  }

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func `texts with U+FFFE come back as they were`(_ encoding: String) throws {
    let texts = ["\u{FFFE}a", "a\u{FFFF}", "\u{FEFF}b", "\u{FFFE}", "x\u{FFFE}\0y"]
    let file = try RecordedFile("PRAGMA encoding = '\(encoding)'", "CREATE TABLE t(id INTEGER PRIMARY KEY, a)")
    let queue = try DatabaseQueue(path: file.path)
    try queue.withoutTransaction { db in
      for text in texts { try db.execute(sql: "INSERT INTO t(a) VALUES (?)", arguments: [text]) }
    }
    try queue.close()
    func stored() throws -> [String] { try file.read { db in try String.fetchAll(db, sql: "SELECT a FROM t ORDER BY id") } }
    let scalars = { (texts: [String]) in texts.map { $0.unicodeScalars.map(\.value) } }
    #expect(try scalars(stored()) == scalars(texts))
    try file.run("UPDATE t SET a = 'gone' WHERE id < 3", "DELETE FROM t")
    try file.undoAll()
    #expect(try scalars(stored()) == scalars(texts))
  }

  @Test func `changes of a table with as many columns as SQLite takes are undone`() throws {
    let file = try RecordedFile()
    try file.runElsewhere("CREATE TABLE t(\((1...2000).map { "c\($0)" }.joined(separator: ", ")))")
    try file.runElsewhere("INSERT INTO t(c1, c2000) VALUES (1, 2), (3, 4)")
    let shown = {
      try file.read { db in
        try String.fetchAll(
          db, sql: "SELECT rowid || quote(c1) || quote(c2) || quote(c7) || quote(c1999) || quote(c2000) FROM t ORDER BY rowid")
      }
    }
    let before = try shown()
    try file.run("UPDATE t SET c2 = 'x', c1999 = 5; INSERT INTO t(c7) VALUES (8); DELETE FROM t WHERE c1 = 3")
    #expect(try shown() != before)
    #expect(try file.commits().count == 3)
    try file.undoAll()
    #expect(try shown() == before)
  }
}
