import Foundation
import QuarryChanges
import QuarryEngine
import QuarryFiles
import TestSupport
import Testing

/// The merge of two databases that have changed since a common ancestor.
@Suite(.gated) struct MergedFileTests {
  private func merge(
    _ base: String, _ mine: String, _ theirs: String, to result: String, preferred: MergeSide? = nil
  ) async throws -> [MergeConflict] {
    var configuration = Configuration()
    configuration.isReadonly = true
    let sides = try [base, mine, theirs].map { path in
      try FileDiffSide(DatabaseQueue(path: path, configuration: configuration), name: path, holdsState: true)
    }
    var merge = DatabaseMerge(base: sides[0], mine: sides[1], theirs: sides[2])
    (merge.preferred, merge.step) = (preferred, 3)
    return try await MergedFile(merge, to: result, mine: sides[1], others: [base, theirs]).write().conflicts
  }

  private func differences(_ first: String, _ second: String) async throws -> [String] {
    let diff = try DatabaseDiff(
      FileDiffSide(DatabaseQueue(path: first), name: "first"), FileDiffSide(DatabaseQueue(path: second), name: "second"))
    return try await diff.schema().map { "\($0)" } + diff.lines()
  }

  private func change(_ path: String, _ random: inout SplitMix, changesSchema: Bool = true) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.withoutTransaction { try RandomChanges.make(10, in: $0, changesSchema: changesSchema, &random) }
    try queue.close()
  }

  private func execute(_ sql: String, in path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.withoutTransaction { try $0.execute(sql: "PRAGMA foreign_keys = OFF; " + sql) }
    try queue.close()
  }

  /// Makes three databases with the same rows, and changes two of them.
  private func withTriple(
    _ sql: String, mine: String, theirs: String,
    _ body: (_ base: String, _ mine: String, _ theirs: String, _ folder: URL) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let paths = try ["base", "mine", "theirs"].map { try makeDatabaseFile(in: folder, named: $0, sql) }
      try execute(mine, in: paths[1])
      try execute(theirs, in: paths[2])
      try await body(paths[0], paths[1], paths[2], folder)
    }
  }

  private func conflicts(_ sql: String, mine: String, theirs: String) async throws -> [String] {
    var found: [String] = []
    try await withTriple(sql, mine: mine, theirs: theirs) { base, mine, theirs, folder in
      let result = folder.appendingPathComponent("result").path
      found = try await merge(base, mine, theirs, to: result).map { conflict in
        "\(conflict.kind.rawValue) \(conflict.object) \(conflict.key.map { $0.value.databaseValue.sqlLiteral }.joined()) \(conflict.column ?? "")"
      }
      #expect(FileManager.default.fileExists(atPath: result) == found.isEmpty)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(".") }
      #expect(names == [], "nothing is left behind")
    }
    return found
  }

  @Test(arguments: 0..<testRounds(8)) func `a side without changes takes those of the other one`(_ seed: Int) async throws {
    try await withTemporaryFolder { folder in
      var random = SplitMix(seed: UInt64(seed))
      let sql = RandomSchema.database(&random)
      let (first, second) = (try makeDatabaseFile(in: folder, named: "a", sql), try makeDatabaseFile(in: folder, named: "b", sql))
      try change(first, &random)
      for (name, sides) in [("r1", (second, first, second)), ("r2", (second, second, first)), ("r3", (second, first, first))] {
        let result = folder.appendingPathComponent(name).path
        #expect(try await merge(sides.0, sides.1, sides.2, to: result).map { "\($0)" } == [], "seed \(seed) \(name)")
        if FileManager.default.fileExists(atPath: result) { #expect(try await differences(first, result) == [], "seed \(seed) \(name)") }
      }
    }
  }

  /// The cells of a table, of which each side changes some at random.
  @Test(arguments: 0..<testRounds(12)) func `conflicts are exactly the cells that both sides changed differently`(_ seed: Int) async throws
  {
    var random = SplitMix(seed: UInt64(seed))
    let columns = ["a", "b", "c"]
    let key = ["id INTEGER PRIMARY KEY", "id TEXT PRIMARY KEY COLLATE NOCASE", "id TEXT PRIMARY KEY"].randomElement(using: &random) ?? ""
    let sql = """
      CREATE TABLE t(\(key), a, b, c)\(key == "id TEXT PRIMARY KEY" ? " WITHOUT ROWID" : "");
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) INSERT INTO t SELECT i, 0, 0, 0 FROM n;
      """
    var changes: [[String: Int]] = [[:], [:]]
    for side in changes.indices {
      for _ in 0..<15 {
        let cell = "\(Int.random(in: 1...20, using: &random)) \(columns.randomElement(using: &random) ?? "")"
        changes[side][cell] = Int.random(in: 1...2, using: &random)
      }
    }
    let statements = changes.map { cells in
      cells.sorted { $0.key < $1.key }.map { cell, value in
        let parts = cell.split(separator: " ")
        return "UPDATE t SET \(parts[1]) = \(value) WHERE id = '\(parts[0])';"
      }.joined()
    }
    let expected = Set(changes[0].filter { cell, value in changes[1][cell].map { $0 != value } ?? false }.keys)
    try await withTriple(sql, mine: statements[0], theirs: statements[1]) { base, mine, theirs, folder in
      let results = ["r1", "r2", "r3", "r4"].map { folder.appendingPathComponent($0).path }
      let found = try await merge(base, mine, theirs, to: results[0])
      #expect(found.allSatisfy { $0.kind == .cell })
      let cells = found.map { conflict in
        "\(conflict.key.first.map { "\($0.value.databaseValue.sqlLiteral)" } ?? "") \(conflict.column ?? "")".replacing("'", with: "")
      }
      #expect(Set(cells) == expected && cells.count == expected.count, "seed \(seed)")
      #expect(try await merge(base, mine, theirs, to: results[1], preferred: .mine).isEmpty)
      #expect(try await merge(base, theirs, mine, to: results[2], preferred: .theirs).isEmpty)
      #expect(try await differences(results[1], results[2]) == [], "seed \(seed)")
      if expected.isEmpty {
        #expect(try await merge(base, theirs, mine, to: results[3]).isEmpty)
        #expect(try await differences(results[0], results[3]) == [], "seed \(seed)")
      }
      let row = try await DatabaseQueue(path: results[1]).read { try Row.fetchAll($0, sql: "SELECT CAST(id AS TEXT), a, b, c FROM t") }
      for row in row {
        for (index, column) in columns.enumerated() {
          let cell = "\(try row[0] as String) \(column)"
          #expect(try row[index + 1] as Int == changes[0][cell] ?? changes[1][cell] ?? 0, "seed \(seed) \(cell)")
        }
      }
    }
  }

  @Test func `rows, keys and objects of the schema conflict where both sides changed them`() async throws {
    let sql =
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a, u UNIQUE); INSERT INTO t VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3); CREATE TABLE gone(x);"
    #expect(try await conflicts(sql, mine: "DELETE FROM t WHERE id = 1", theirs: "UPDATE t SET a = 9 WHERE id = 1") == ["deleted t 1 "])
    #expect(try await conflicts(sql, mine: "UPDATE t SET a = 9 WHERE id = 1", theirs: "DELETE FROM t WHERE id = 1") == ["deleted t 1 "])
    #expect(try await conflicts(sql, mine: "DELETE FROM t WHERE id = 1", theirs: "DELETE FROM t WHERE id = 1") == [])
    #expect(try await conflicts(sql, mine: "INSERT INTO t VALUES (4, 1, 7)", theirs: "INSERT INTO t VALUES (4, 2, 7)") == ["key t 4 "])
    #expect(try await conflicts(sql, mine: "INSERT INTO t VALUES (4, 1, 7)", theirs: "INSERT INTO t VALUES (4, 1, 7)") == [])
    let unique = try await conflicts(sql, mine: "INSERT INTO t VALUES (4, 1, 7)", theirs: "INSERT INTO t VALUES (5, 1, 7)")
    #expect(unique == ["constraint t 5 u"])
    #expect(try await conflicts(sql, mine: "ALTER TABLE t ADD b", theirs: "ALTER TABLE t ADD c") == ["schema table t  "])
    #expect(try await conflicts(sql, mine: "ALTER TABLE t ADD b", theirs: "ALTER TABLE t ADD b; UPDATE t SET b = 1") == [])
    #expect(
      try await conflicts(sql, mine: "ALTER TABLE t ADD b; UPDATE t SET a = 5", theirs: "CREATE INDEX i ON t(a); DELETE FROM gone") == [])
    #expect(try await conflicts(sql, mine: "INSERT INTO gone VALUES (1)", theirs: "DROP TABLE gone") == ["schema table gone  "])
    #expect(try await conflicts(sql, mine: "DROP TABLE gone", theirs: "INSERT INTO gone VALUES (1)") == ["schema table gone  "])
    #expect(
      try await conflicts(sql, mine: "PRAGMA user_version = 2", theirs: "PRAGMA user_version = 3") == ["schema pragma user_version  "])
    let tables =
      "CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p); INSERT INTO p VALUES (1), (2);"
    #expect(try await conflicts(tables, mine: "DELETE FROM p WHERE id = 2", theirs: "INSERT INTO c VALUES (7, 2)") == ["reference c 7 p"])
  }

  @Test func `new rows without a key of their own are both kept, and triggers do not run`() async throws {
    let sql = """
      CREATE TABLE log(x); CREATE TABLE twice(rowid, _rowid_, oid); INSERT INTO twice VALUES (1, 1, 1), (1, 1, 1);
      CREATE TRIGGER g AFTER INSERT ON log BEGIN DELETE FROM log; END;
      """
    let mine = "DROP TRIGGER g; INSERT INTO log VALUES ('m'); INSERT INTO twice VALUES (2, 2, 2), (1, 1, 1)"
    let theirs = "DROP TRIGGER g; INSERT INTO log VALUES ('t'); INSERT INTO twice VALUES (1, 1, 1); DELETE FROM twice WHERE oid = 5"
    try await withTriple(sql, mine: mine, theirs: theirs) { base, mine, theirs, folder in
      let result = folder.appendingPathComponent("result").path
      #expect(try await merge(base, mine, theirs, to: result).isEmpty)
      let queue = try DatabaseQueue(path: result)
      #expect(try await queue.read { try String.fetchAll($0, sql: "SELECT x FROM log ORDER BY x") } == ["m", "t"])
      #expect(try await queue.read { try Int.fetchAll($0, sql: "SELECT oid FROM twice ORDER BY oid") } == [1, 1, 1, 2])
    }
  }

  @Test func `a table that one side redefines keeps the rows that the other one changes`() async throws {
    let sql = "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b); INSERT INTO t VALUES (1, 1, 1), (2, 2, 2);"
    let changes = [
      "ALTER TABLE t RENAME a TO c; ALTER TABLE t ADD d DEFAULT 5", "UPDATE t SET a = 9 WHERE id = 1; INSERT INTO t VALUES (3, 3, 3)",
    ]
    for (mine, theirs) in [(changes[0], changes[1]), (changes[1], changes[0])] {
      try await withTriple(sql, mine: mine, theirs: theirs) { base, mine, theirs, folder in
        let result = folder.appendingPathComponent("result").path
        #expect(try await merge(base, mine, theirs, to: result).map { "\($0)" } == [])
        let rows = try await DatabaseQueue(path: result).read { try String.fetchAll($0, sql: "SELECT id || ' ' || c || ' ' || b FROM t") }
        #expect(rows == ["1 9 1", "2 2 2", "3 3 3"])
      }
    }
  }

  @Test func `the result may replace a side, and stays whole where that is in use`() async throws {
    let sql = "PRAGMA journal_mode = WAL; CREATE TABLE t(id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 1), (2, 2);"
    try await withTriple(sql, mine: "UPDATE t SET a = 5 WHERE id = 1", theirs: "DELETE FROM t WHERE id = 2") { base, mine, theirs, folder in
      let other = try DatabaseQueue(path: mine)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: mine))
      _ = try await other.read { try Int.fetchOne($0, sql: "SELECT a FROM t") }
      await #expect(throws: OutputFileError.self) { try await merge(base, mine, theirs, to: mine) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: mine)) == bytes)
      try other.close()
      #expect(try await merge(base, mine, theirs, to: mine).isEmpty)
      #expect(try await DatabaseQueue(path: mine).read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [5])
      await #expect(throws: OutputFileError.self) { try await merge(base, mine, theirs, to: theirs) }
    }
  }
}
