import Foundation
import QuarryChanges
import QuarryCluster
import QuarryEngine
import TestSupport
import Testing

/// Two databases are compared the same way whether they are files or what servers have.
@Suite(.gated) struct RemoteDiffTests {
  private static let schema = """
    CREATE TABLE artist(name TEXT COLLATE NOCASE PRIMARY KEY, born INTEGER, note);
    CREATE TABLE tag(kind, number INTEGER, note TEXT, PRIMARY KEY(kind, number)) WITHOUT ROWID;
    CREATE TABLE loose(a, b);
    CREATE TABLE numbered(id INTEGER PRIMARY KEY, value, size INTEGER GENERATED ALWAYS AS (length(value)) VIRTUAL);
    CREATE VIEW seen AS SELECT name FROM artist;
    """

  /// Fills a database, the same for the same numbers.
  private static func fill(_ db: Database, _ random: inout SplitMix) throws {
    try db.execute(sql: schema)
    for number in 1...60 {
      try db.execute(
        sql: "INSERT INTO artist VALUES (?, ?, ?)", arguments: ["Name \(number)\(number % 3 == 0 ? " ü" : "")", number, value(&random)])
      try db.execute(sql: "INSERT OR IGNORE INTO tag VALUES (?, ?, 'x')", arguments: [value(&random, isNull: false), number / 4])
      try db.execute(sql: "INSERT INTO loose VALUES (?, ?)", arguments: [value(&random), value(&random)])
      try db.execute(sql: "INSERT INTO numbered(id, value) VALUES (?, ?)", arguments: [number * 3 - 90, value(&random)])
    }
  }

  private static func make(_ path: String, seed: UInt64, isChanged: Bool) throws {
    try DatabaseQueue(path: path).write { db in
      var random = SplitMix(seed: seed)
      try fill(db, &random)
      if isChanged { try change(db, &random) }
    }
  }

  private static func value(_ random: inout SplitMix, isNull: Bool = true) -> DatabaseValue {
    switch Int.random(in: isNull ? 0..<6 : 1..<6, using: &random) {
    case 0: .null
    case 1: .integer(Int64.random(in: -3...3, using: &random))
    case 2: .real(Double(Int.random(in: -6...6, using: &random)) / 2)
    case 3: .blob([UInt8](repeating: 7, count: Int.random(in: 0...3, using: &random)))
    case 4: .text("a\0b\(Int.random(in: 0..<3, using: &random))")
    default: .text(["", "x", "X", "ß", "\u{1F600}", "1"].randomElement(using: &random) ?? "")
    }
  }

  /// Changes some rows of each table.
  private static func change(_ db: Database, _ random: inout SplitMix) throws {
    for _ in 0..<8 {
      let number = Int.random(in: 1...60, using: &random)
      try db.execute(sql: "UPDATE artist SET note = ? WHERE born = ?", arguments: [value(&random), number])
      try db.execute(sql: "DELETE FROM tag WHERE number = ? AND kind = (SELECT max(kind) FROM tag)", arguments: [number / 4])
      try db.execute(sql: "INSERT OR REPLACE INTO tag VALUES (?, ?, 'new')", arguments: [value(&random, isNull: false), number / 4])
      try db.execute(sql: "DELETE FROM loose WHERE rowid = ?", arguments: [number])
      try db.execute(sql: "INSERT OR REPLACE INTO numbered(id, value) VALUES (?, ?)", arguments: [number - 40, value(&random)])
    }
  }

  /// What SQLite itself finds out: the rows of a table that are not in the other one.
  private func oracle(_ table: String, _ columns: String, _ first: String, _ second: String) throws -> Int {
    let queue = try DatabaseQueue(path: first)
    return try queue.withoutTransaction { db in
      try db.attach(path: second, as: "other")
      let cells = columns.split(separator: " ").map { "typeof(\($0)), hex(\($0)), \($0)" }.joined(separator: ", ")
      return try Int.fetchOne(
        db, sql: "SELECT count(*) FROM (SELECT \(cells) FROM main.\(table) EXCEPT SELECT \(cells) FROM other.\(table))") ?? 0
    }
  }

  private func withPair(
    seed: UInt64, _ body: (_ paths: [String], _ files: [any DiffSide], _ servers: [any DiffSide]) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let paths = ["a", "b"].map { folder.appendingPathComponent("\($0).db").path }
      for (index, path) in paths.enumerated() { try Self.make(path, seed: seed, isChanged: index == 1) }
      let files = try paths.map { try FileDiffSide(DatabaseQueue(path: $0), name: $0) }
      let servers = paths.map { RemoteDataSource(ServedDatabase(path: $0), refusal: "read-only").diffSide }
      try await body(paths, files, servers)
    }
  }

  @Test(arguments: 0..<testRounds(6)) func `random changes are found, alike in files and on servers`(_ seed: Int) async throws {
    try await withPair(seed: UInt64(seed)) { paths, files, servers in
      let found = try await DatabaseDiff(files[0], files[1]).lines()
      #expect(!found.isEmpty)
      #expect(try await DatabaseDiff(servers[0], servers[1]).lines() == found)
      #expect(try await DatabaseDiff(files[0], servers[1]).lines() == found)
      #expect(try await DatabaseDiff(servers[0], files[0]).lines().isEmpty)
      for (table, columns) in [("artist", "name born note"), ("tag", "kind number note"), ("loose", "rowid a b"), ("numbered", "id value")]
      {
        let own = found.filter { $0.hasPrefix("\(table) ") }
        let (gone, new) = (own.count { !$0.contains(" added ") }, own.count { !$0.contains(" removed ") })
        #expect(try oracle(table, columns, paths[0], paths[1]) == gone, "\(table)")
        #expect(try oracle(table, columns, paths[1], paths[0]) == new, "\(table)")
      }
    }
  }

  @Test func `a leader that is lost in the midst leaves out no difference, and the moment is said to be unknown`() async throws {
    try await withTemporaryFolder { folder in
      let paths = ["a.db", "b.db"].map { folder.appendingPathComponent($0).path }
      try Self.make(paths[0], seed: 3, isChanged: false)
      try Self.make(paths[1], seed: 3, isChanged: true)
      let file = try FileDiffSide(DatabaseQueue(path: paths[1]), name: "b.db")
      var found: [[String]] = []
      for isLost in [false, true] {
        let server = ServedDatabase(path: paths[0])
        var diff = DatabaseDiff(RemoteDataSource(server, refusal: "read-only").diffSide, file)
        (diff.tables, diff.step) = (["numbered"], 20)
        if isLost { server.loseConnection(afterRows: 12) { try server.reconnect() } }
        var lines: [String] = []
        let result = try await diff.rows { lines.append("\($0)") }
        found.append(lines)
        #expect(!result.isTorn && result.isOfUnknownMoment == isLost && result.notCompared.isEmpty)
      }
      #expect(found[0] == found[1] && !found[0].isEmpty)
    }
  }
}
