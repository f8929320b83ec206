import Foundation
import QuarryChanges
import QuarryEngine
import QuarryFiles
import TestSupport
import Testing

/// Three databases in a folder, and their merges.
struct MergedTriple {
  let folder: URL
  private let paths: [String]
  private var name = "result"
  private var results = 0

  init(_ sql: String, mine: String, theirs: String, base: String? = nil, in folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    paths = try ["base", "mine", "theirs"].map { try makeDatabaseFile(in: folder, named: $0, $0 == "base" ? base ?? sql : sql) }
    try execute(mine, in: paths[1])
    try execute(theirs, in: paths[2])
  }

  init(_ paths: [String], in folder: URL, name: String = "result") {
    (self.paths, self.folder, self.name) = (paths, folder, name)
  }

  private func execute(_ sql: String, in path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.withoutTransaction { try $0.execute(sql: "PRAGMA foreign_keys = OFF; " + sql) }
    try queue.close()
  }

  /// Merges the databases into a new file.
  mutating func merge(
    prefer side: MergeSide? = nil, _ change: (inout DatabaseMerge) -> Void = { _ in }
  ) async throws -> (outcome: MergedFile.Outcome, path: String) {
    results += 1
    let result = folder.appendingPathComponent("\(name)\(results)").path
    var configuration = Configuration()
    configuration.isReadonly = true
    let sides = try paths.map { path in
      try FileDiffSide(DatabaseQueue(path: path, configuration: configuration), name: path, holdsState: true)
    }
    var merge = DatabaseMerge(base: sides[0], mine: sides[1], theirs: sides[2])
    (merge.preferred, merge.step) = (side, 3)
    change(&merge)
    let outcome = try await MergedFile(merge, to: result, mine: sides[1], others: [paths[0], paths[2]]).write()
    for side in sides { try side.queue.close() }
    #expect(FileManager.default.fileExists(atPath: result) == outcome.conflicts.isEmpty)
    return (outcome, result)
  }

  /// Returns the rows of a query, or the conflicts of the merge.
  mutating func rows(_ query: String, prefer side: MergeSide?) async throws -> [String] {
    let (outcome, path) = try await merge(prefer: side)
    guard outcome.conflicts.isEmpty else { return outcome.conflicts.map { $0.reason ?? $0.words } }
    return try await DatabaseQueue(path: path).read { try String.fetchAll($0, sql: query) }
  }
}

extension MergeConflict {
  /// The kind, the object, the key and the column.
  var words: String {
    "\(kind.rawValue) \(object) \(key.map { $0.value.databaseValue.sqlLiteral }.joined(separator: ",")) \(column ?? "")"
  }
}

/// Conflicts that only the merged rows have: a preferred side settles them.
@Suite(.gated) struct MergeSettlementTests {
  private static let both = [MergeSide?.none, .mine, .theirs]

  private func check(
    _ sql: String, mine: String, theirs: String, _ query: String, _ expected: [[String]], location: SourceLocation = #_sourceLocation
  ) async throws {
    try await withTemporaryFolder { folder in
      var triple = try MergedTriple(sql, mine: mine, theirs: theirs, in: folder)
      for (side, expected) in zip(Self.both, expected) {
        let rows = try await triple.rows(query, prefer: side)
        #expect(rows == expected, "\(side?.rawValue ?? "none")", sourceLocation: location)
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(".") }
      #expect(names == [], "nothing is left behind", sourceLocation: location)
    }
  }

  @Test func `of two new rows with one unique value, that of the preferred side stays`() async throws {
    let sql = "CREATE TABLE t(id INTEGER PRIMARY KEY, a, u UNIQUE); INSERT INTO t VALUES (1, 'b', 1);"
    try await check(
      sql, mine: "INSERT INTO t VALUES (2, 'm', 7)", theirs: "INSERT INTO t VALUES (3, 't', 7), (4, 't', 8)",
      "SELECT id || a || u FROM t ORDER BY id", [["UNIQUE constraint failed: t.u"], ["1b1", "2m7", "4t8"], ["1b1", "3t7", "4t8"]])
    // Any unique index, and a table without rowids.
    try await check(
      """
      CREATE TABLE t(k TEXT COLLATE NOCASE PRIMARY KEY, u) WITHOUT ROWID; CREATE UNIQUE INDEX i ON t(lower(u)) WHERE u IS NOT NULL;
      INSERT INTO t VALUES ('a', NULL)
      """,
      mine: "INSERT INTO t VALUES ('M', 'X')", theirs: "INSERT INTO t VALUES ('t', 'x')", "SELECT k || coalesce(u, '-') FROM t ORDER BY k",
      [["UNIQUE constraint failed: index 'i'"], ["a-", "MX"], ["a-", "tx"]])
  }

  @Test func `a changed row that takes a unique value is settled as a whole`() async throws {
    let sql = "CREATE TABLE t(id INTEGER PRIMARY KEY, a, u UNIQUE); INSERT INTO t VALUES (1, 'b', 1), (2, 'b', 2);"
    try await check(
      sql, mine: "UPDATE t SET u = 7 WHERE id = 1", theirs: "UPDATE t SET u = 7, a = 't' WHERE id = 2",
      "SELECT id || a || u FROM t ORDER BY id",
      [["UNIQUE constraint failed: t.u"], ["1b7", "2b2"], ["1b1", "2t7"]])
  }

  @Test func `cells of both sides that a CHECK forbids together are those of one side`() async throws {
    let sql = "CREATE TABLE t(id INTEGER PRIMARY KEY, low, high, CHECK (low <= high)); INSERT INTO t VALUES (1, 1, 9);"
    try await check(
      sql, mine: "UPDATE t SET low = 8", theirs: "UPDATE t SET high = 2", "SELECT low || '-' || high FROM t",
      [["CHECK constraint failed: low <= high"], ["8-9"], ["1-2"]])
  }

  @Test func `a reference to a deleted row is settled by the preferred side's decision`() async throws {
    let sql = """
      PRAGMA foreign_keys = OFF; CREATE TABLE p(id INTEGER PRIMARY KEY, a); CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p);
      INSERT INTO p VALUES (1, 'one'), (2, 'two'); INSERT INTO c VALUES (1, 1), (2, 99);
      """
    let query = "SELECT 'p' || id FROM p UNION ALL SELECT 'c' || id FROM c"
    let reason = ["row 7 of c refers to p 2, which does not exist in the result"]
    try await check(
      sql, mine: "DELETE FROM p WHERE id = 2", theirs: "INSERT INTO c VALUES (7, 2)", query,
      [reason, ["p1", "c1", "c2"], ["p1", "p2", "c1", "c2", "c7"]])
    try await check(
      sql, mine: "INSERT INTO c VALUES (7, 2)", theirs: "DELETE FROM p WHERE id = 2", query,
      [reason, ["p1", "p2", "c1", "c2", "c7"], ["p1", "c1", "c2"]])
  }

  @Test func `rows without a key of their own are settled too`() async throws {
    let sql = "CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE c(p REFERENCES p, a); INSERT INTO p VALUES (1), (2);"
    let query = "SELECT 'p' || id FROM p UNION ALL SELECT a FROM c"
    let reason = [2, 3].map { "row \($0) of c refers to p 2, which does not exist in the result" }
    try await check(
      sql, mine: "DELETE FROM p WHERE id = 2; INSERT INTO c VALUES (1, 'm')", theirs: "INSERT INTO c VALUES (2, 't'), (2, 'u')",
      query, [reason, ["p1", "m"], ["p1", "p2", "m", "t", "u"]])
  }

  @Test func `an index of one side over rows of the other is settled, or the reason is given`() async throws {
    let sql = "CREATE TABLE t(id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 1), (2, 2);"
    let (index, failed) = ("CREATE UNIQUE INDEX i ON t(a)", "UNIQUE constraint failed: t.a")
    try await check(
      sql, mine: index, theirs: "INSERT INTO t VALUES (3, 2)", "SELECT id || a FROM t ORDER BY id",
      [[failed], ["11", "22"], ["\(failed): the rows of theirs violate this too, so it cannot be settled"]])
    try await check(
      sql, mine: "INSERT INTO t VALUES (3, 2)", theirs: index, "SELECT id || a FROM t ORDER BY id",
      [
        ["\(failed) (index i)"], ["\(failed) (index i): the rows of mine violate this too, so it cannot be settled"], ["11", "22"],
      ])
  }

  @Test func `a table that one side recreates with a rule is settled with its rows`() async throws {
    let sql = "CREATE TABLE t(id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 1), (2, 2);"
    let redefined = """
      CREATE TABLE new(id INTEGER PRIMARY KEY, a UNIQUE); INSERT INTO new SELECT * FROM t; DROP TABLE t; ALTER TABLE new RENAME TO t;
      """
    try await check(
      sql, mine: "INSERT INTO t VALUES (3, 2)", theirs: redefined + "UPDATE t SET a = 5 WHERE id = 1", "SELECT id || a FROM t ORDER BY id",
      [
        ["UNIQUE constraint failed: t.a"],
        ["UNIQUE constraint failed: t.a: the rows of mine violate this too, so it cannot be settled"], ["15", "22"],
      ])
  }

  @Test func `decisions settle single conflicts, also by a value and by another key`() async throws {
    let sql = "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b); INSERT INTO t VALUES (1, 'b', 'b'), (2, 'b', 'b');"
    try await withTemporaryFolder { folder in
      var triple = try MergedTriple(
        sql, mine: "UPDATE t SET a = 'm', b = 'm'; INSERT INTO t VALUES (3, 'm', 'm')",
        theirs: "UPDATE t SET a = 't', b = 't' WHERE id = 1; DELETE FROM t WHERE id = 2; INSERT INTO t VALUES (3, 't', 't')", in: folder)
      let conflicts = try await triple.merge().outcome.conflicts
      #expect(conflicts.map(\.words) == ["cell t 1 a", "cell t 1 b", "deleted t 2 ", "key t 3 "])
      try #require(conflicts.count == 4)
      let decisions: [MergeDecision] = [.side(.theirs), .value(.value(.text("own"))), .side(.mine), .renumber]
      let (outcome, path) = try await triple.merge { merge in
        for (conflict, decision) in zip(conflicts, decisions) { merge.decisions[conflict.id] = decision }
      }
      #expect(outcome.conflicts.map(\.words) == [])
      let rows = try await DatabaseQueue(path: path).read { try String.fetchAll($0, sql: "SELECT id || a || b FROM t ORDER BY id") }
      #expect(rows == ["1town", "2mm", "3mm", "4tt"])
      // A decision is not valid for other values.
      let other = try await triple.merge { merge in
        var conflict = conflicts[0]
        conflict.theirs = .value(.text("else"))
        merge.decisions[conflict.id] = .side(.theirs)
      }
      #expect(other.outcome.conflicts.count == 4)
    }
  }

  @Test func `a base that is no ancestor is reported with counts`() async throws {
    func table(_ ids: ClosedRange<Int>) -> String {
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES \(ids.map { "(\($0), \($0))" }.joined(separator: ", "));"
    }
    try await withTemporaryFolder { folder in
      var triple = try MergedTriple(
        table(101...140), mine: "", theirs: "UPDATE t SET a = 0 WHERE id = 101", base: table(1...20), in: folder)
      let doubts = try await triple.merge().outcome.doubts
      let base = folder.appendingPathComponent("base").path
      #expect(
        doubts == [
          "“\(base)” is probably not the common ancestor: 20 of 20 rows of t are in neither of the others, and 40 keys of t are new in "
            + "both of the others. Check the order of the files: BASE MINE THEIRS"
        ])
      var right = try MergedTriple(
        table(1...40), mine: "DELETE FROM t WHERE id < 15", theirs: "DELETE FROM t WHERE id < 15", in: folder.appending(path: "right"))
      #expect(try await right.merge().outcome.doubts == [])
    }
  }
}
