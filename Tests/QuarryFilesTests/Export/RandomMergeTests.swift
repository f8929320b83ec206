import Foundation
import QuarryChanges
import QuarryEngine
import QuarryFiles
import TestSupport
import Testing

/// Random triples with unique values, foreign keys, triggers and a table without rowids, compared with a merge of dictionaries.
@Suite(.gated) struct RandomMergeTests {
  private typealias Rows = [String: [String: String]]

  private static let schema = """
    PRAGMA foreign_keys = ON;
    CREATE TABLE p(id INTEGER PRIMARY KEY, a, b, u UNIQUE);
    CREATE TABLE c(k TEXT, n INT, p INT REFERENCES p(id) ON DELETE SET NULL, a, v, PRIMARY KEY (n, k)) WITHOUT ROWID;
    CREATE UNIQUE INDEX cv ON c(v) WHERE v > 0;
    CREATE TABLE log(x);
    CREATE TRIGGER pi AFTER INSERT ON p BEGIN INSERT INTO log VALUES ('p' || new.id); END;
    CREATE TRIGGER cu AFTER UPDATE ON c BEGIN UPDATE p SET b = coalesce(b, 0) + 1 WHERE id = new.p; END;
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8) INSERT INTO p SELECT i, 0, 0, i FROM n;
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8) INSERT INTO c SELECT 'k' || i, i % 3, i, 0, i FROM n;

    """

  /// Returns random statements, which SQLite may refuse.
  ///
  /// - Parameter isEven: Whether only rows with even or odd keys are written; nil for all.
  private func changes(_ random: inout SplitMix, isEven: Bool? = nil) -> [String] {
    func number(_ range: ClosedRange<Int>) -> Int {
      let number = Int.random(in: range, using: &random)
      guard let isEven else { return number }
      return number * 2 + (isEven ? 0 : 1)
    }
    let span = isEven == nil ? 1...12 : 0...6
    return (0..<Int.random(in: 1...8, using: &random)).map { _ in
      let (id, value) = (number(span), number(span))
      return switch Int.random(in: 0..<8, using: &random) {
      case 0: "INSERT INTO p VALUES (\(id), \(value), 0, \(value + 10))"
      case 1: "INSERT INTO c VALUES ('k\(id)', \(id % 3), \(isEven == nil ? number(span) : id), 0, \(value + 10))"
      case 2: "DELETE FROM p WHERE id = \(id)"
      case 3: "DELETE FROM c WHERE k = 'k\(id)'"
      case 4: "UPDATE p SET u = \(value + 10) WHERE id = \(id)"
      case 5: "UPDATE p SET a = \(value) WHERE id = \(id)"
      case 6: "UPDATE c SET \(isEven == nil ? "p" : "a") = \(value) WHERE k = 'k\(id)'"
      default: "UPDATE c SET a = \(value), v = \(value + 10) WHERE k = 'k\(id)'"
      }
    }
  }

  private func make(_ name: String, _ statements: [String], in folder: URL) throws -> String {
    let path = try makeDatabaseFile(in: folder, named: name, Self.schema)
    let queue = try DatabaseQueue(path: path)
    try queue.withoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = ON")
      for statement in statements { try? db.execute(sql: statement) }
    }
    try queue.close()
    return path
  }

  /// Reads the rows of the tables with keys: their cells by the table and key.
  private func rows(of path: String) async throws -> Rows {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try await queue.read { db in
      var rows: Rows = [:]
      for (table, key, columns) in [("p", "id", ["a", "b", "u"]), ("c", "n || ',' || quote(k)", ["p", "a", "v"])] {
        let list = columns.map { "quote(\($0))" }.joined(separator: ", ")
        for row in try Row.fetchAll(db, sql: "SELECT \(key), \(list) FROM \(table)") {
          var cells: [String: String] = [:]
          for (index, column) in columns.enumerated() { cells[column] = try row[index + 1] as String }
          rows["\(table) \(try String.fromDatabaseValue(row.databaseValues[0]) ?? "\(try row[0] as Int)")"] = cells
        }
      }
      return rows
    }
  }

  /// Merges rows, and returns them with the conflicts.
  private func merged(_ base: Rows, _ mine: Rows, _ theirs: Rows) -> (rows: Rows, conflicts: Set<String>) {
    var (result, conflicts): (Rows, Set<String>) = (mine, [])
    for key in Set(base.keys).union(theirs.keys).union(mine.keys) where base[key] != theirs[key] && mine[key] != theirs[key] {
      switch (base[key], mine[key], theirs[key]) {
      case (let base?, let mine?, let theirs?):
        for (column, value) in theirs where base[column] != value && mine[column] != value {
          if mine[column] == base[column] { result[key]?[column] = value } else { conflicts.insert("cell \(key) \(column)") }
        }
      case (let base?, let mine?, nil): if base == mine { result[key] = nil } else { conflicts.insert("deleted \(key) ") }
      case (.some, nil, .some): conflicts.insert("deleted \(key) ")
      case (nil, .some, .some): conflicts.insert("key \(key) ")
      case (nil, nil, let theirs): result[key] = theirs
      case (.some, nil, nil): break
      case (nil, .some, nil): break
      }
    }
    return (result, conflicts)
  }

  /// Returns the kinds of rules that rows violate.
  private func violations(_ rows: Rows) -> Set<String> {
    var found: Set<String> = []
    for (table, column) in [("p", "u"), ("c", "v")] {
      let values = rows.filter { $0.key.hasPrefix(table) }.compactMap { $0.value[column] }.filter { $0 != "NULL" && $0 != "0" }
      if Set(values).count < values.count { found.insert("constraint") }
    }
    let isDangling = rows.contains { key, cells in key.hasPrefix("c") && cells["p"].map { $0 != "NULL" && rows["p \($0)"] == nil } ?? false
    }
    // References are checked once no constraint is violated.
    if isDangling && found.isEmpty { found.insert("reference") }
    return found
  }

  @Test(arguments: 0..<testRounds(25)) func `conflicts are those of the rows, and a preferred side settles all`(_ seed: Int) async throws {
    try await withTemporaryFolder { folder in
      var random = SplitMix(seed: UInt64(seed))
      let paths = try [
        make("base", [], in: folder), make("mine", changes(&random), in: folder), make("theirs", changes(&random), in: folder),
      ]
      var sides: [Rows] = []
      for path in paths { sides.append(try await rows(of: path)) }
      let (expected, conflicts) = merged(sides[0], sides[1], sides[2])
      var triple = MergedTriple(paths, in: folder)
      let (outcome, path) = try await triple.merge()
      if conflicts.isEmpty {
        #expect(Set(outcome.conflicts.map(\.kind.rawValue)) == violations(expected), "seed \(seed)")
        if outcome.conflicts.isEmpty { #expect(try await rows(of: path) == expected, "seed \(seed)") }
      } else {
        #expect(Set(outcome.conflicts.map(\.words)) == conflicts && outcome.conflicts.count == conflicts.count, "seed \(seed)")
      }
      for side in MergeSide.allCases {
        let (outcome, path) = try await triple.merge(prefer: side)
        #expect(outcome.conflicts.map { $0.reason ?? $0.words } == [], "seed \(seed) \(side)")
        guard outcome.conflicts.isEmpty else { continue }
        let result = try await rows(of: path)
        #expect(violations(result) == [], "seed \(seed) \(side)")
        let (preferred, other) = side == .mine ? (sides[1], sides[2]) : (sides[2], sides[1])
        for (key, cells) in result {
          for (column, value) in cells {
            let origins = [preferred[key]?[column], other[key]?[column]]
            #expect(origins.contains(value), "seed \(seed) \(side): \(key) \(column)")
            // A cell that the preferred side changed is never the other side's, unless the whole row is, to meet a rule.
            let isOwn = preferred[key]?[column] != sides[0][key]?[column] && preferred[key] != nil
            if isOwn && value != preferred[key]?[column] { #expect(cells == other[key], "seed \(seed) \(side): \(key) \(column)") }
          }
        }
        try await check(path)
      }
    }
  }

  @Test(arguments: 0..<testRounds(12)) func `changes of different rows commute`(_ seed: Int) async throws {
    try await withTemporaryFolder { folder in
      var random = SplitMix(seed: UInt64(seed))
      let paths = try [
        make("base", [], in: folder), make("mine", changes(&random, isEven: true), in: folder),
        make("theirs", changes(&random, isEven: false), in: folder),
      ]
      var (first, second) = (MergedTriple(paths, in: folder), MergedTriple([paths[0], paths[2], paths[1]], in: folder, name: "other"))
      let outcomes = (try await first.merge(), try await second.merge())
      #expect(outcomes.0.outcome.conflicts.map(\.words) == [] && outcomes.1.outcome.conflicts.map(\.words) == [], "seed \(seed)")
      #expect(try await rows(of: outcomes.0.path) == rows(of: outcomes.1.path), "seed \(seed)")
      try await check(outcomes.0.path)
    }
  }

  private func check(_ path: String) async throws {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    let faults = try await queue.read { db in
      try String.fetchAll(db, sql: "PRAGMA integrity_check") + String.fetchAll(db, sql: "SELECT \"table\" FROM pragma_foreign_key_check")
    }
    #expect(faults == ["ok"])
    let triggers = try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") }
    #expect(triggers == 2)
  }
}
