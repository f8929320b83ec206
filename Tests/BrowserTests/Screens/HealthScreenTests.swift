import Browser
import Foundation
import QuarryEngine
import QuarryRows
import QuarrySources
import TestSupport
import Testing

@Suite("The health of a database", .gated)
struct HealthScreenTests {
  private func play(
    _ sql: [String], refusal: String? = nil, _ body: @escaping @Sendable (SessionDriver, String) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending(path: "test.db").path
      var configuration = Configuration()
      configuration.isDefensive = false
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try await queue.withoutTransaction { db in for sql in sql { try db.execute(sql: sql) } }
      try queue.close()
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: 120, rows: 36, refusal: refusal)
        driver.play([":", "'health'", "enter"])
        try body(driver, path)
      }
    }
  }

  private static func fill(_ table: String, from first: Int = 1, to last: Int, _ columns: String) -> String {
    "INSERT INTO \(table) WITH RECURSIVE n(x) AS (SELECT \(first) UNION ALL SELECT x + 1 FROM n WHERE x < \(last)) SELECT \(columns) FROM n"
  }

  private static let grown = [
    "CREATE TABLE t(id INTEGER PRIMARY KEY, a)", "CREATE INDEX i ON t(a)", "INSERT INTO t VALUES (1, 2)", "ANALYZE",
    fill("t", from: 2, to: 3_000, "x, x"),
  ]

  /// Damage, a stale index of a foreign key, repeated and missing indexes, old statistics, free pages, and a wrong value.
  private static let neglected = [
    "PRAGMA foreign_keys = off", "CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT)",
    "CREATE TABLE album(id INTEGER PRIMARY KEY, artist REFERENCES artist, title TEXT, year INTEGER)",
    "CREATE INDEX album_title ON album(title) WHERE title < 'a'", "CREATE INDEX album_year ON album(year)",
    "CREATE INDEX album_year_2 ON album(year)", fill("artist", to: 5, "x, 'name ' || x"), fill("album", to: 4, "x, 1, 'title ' || x, 1999"),
    "ANALYZE", fill("album", from: 5, to: 12_000, "x, 1 + x % 5, 'title ' || x, 1999"), "CREATE TABLE old(a INTEGER PRIMARY KEY, b)",
    "INSERT INTO old VALUES (1, zeroblob(4000000))", "DROP TABLE old", "PRAGMA writable_schema = on",
    "UPDATE sqlite_schema SET sql = 'CREATE INDEX album_title ON album(title)' WHERE name = 'album_title'",
  ]

  @Test("a neglected database names what to do first, and the keys make it sound")
  func neglected() async throws {
    try await play(Self.neglected) { driver, path in
      #expect(driver.screen.contains("Health · 1 damaged, 4 findings"), "\(driver.screen)")
      let statements = [
        "REINDEX main.album_title", "CREATE INDEX album_artist ON album(artist)", "DROP INDEX main.album_year_2", "ANALYZE main.album",
        "VACUUM main",
      ]
      let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
      for statement in statements {
        driver.screen.expectLine("⏎ runs it after a question: \(statement)")
        driver.play(["enter"])
        driver.screen.expectLine("No, change nothing")
        driver.play(["down enter"])
      }
      #expect(driver.screen.contains("Health · sound"), "\(driver.screen)")
      driver.screen.expectLine("Nothing to mend: the database is sound")
      #expect(driver.screen.contains("VACUUM gave back 3."), "\(driver.screen)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count < size - 3_000_000)
      let lines = try DatabaseQueue(path: path).read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
      #expect(lines == ["ok"])
      driver.play(["escape", "R"])
      driver.screen.expectLine("album · 12,000 rows")
    }
  }

  @Test("a sound database has no findings, and its facts")
  func sound() async throws {
    try await play(["CREATE TABLE t(id INTEGER PRIMARY KEY, a)"]) { driver, _ in
      #expect(driver.screen.contains("Health · sound"), "\(driver.screen)")
      #expect(driver.screen.contains("page_size") && driver.screen.contains("4,096 bytes"), "\(driver.screen)")
      driver.play(["enter"])
      driver.screen.expectLine("there is nothing to mend here")
      driver.play(["escape"])
      #expect(!driver.screen.contains("Health ·"))
    }
  }

  @Test("Enter on the first answer changes nothing")
  func asking() async throws {
    try await play(Self.grown) { driver, path in
      #expect(driver.screen.contains("Health · 1 finding"), "\(driver.screen)")
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      driver.play(["enter", "enter"])
      #expect(driver.screen.contains("Health · 1 finding"), "\(driver.screen)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
      driver.play(["enter", "down enter"])
      driver.screen.expectLine("ANALYZE t has run")
      #expect(driver.screen.contains("Health · sound"), "\(driver.screen)")
    }
  }

  @Test("the statement can be written into the editor instead")
  func editing() async throws {
    try await play(Self.grown) { driver, _ in
      driver.play(["e"])
      driver.screen.expectLine("1 ANALYZE main.t")
      #expect(!driver.screen.contains("Health ·"), "\(driver.screen)")
    }
  }

  @Test("Enter shows the rows to correct, which are edited in place")
  func rows() async throws {
    try await play(["CREATE TABLE t(id INTEGER PRIMARY KEY, n INTEGER)", "INSERT INTO t VALUES (1, 1), (2, 'two'), (3, 3)"]) { driver, _ in
      driver.screen.expectLine("⏎ shows the rows to correct: SELECT * FROM main.t WHERE typeof(n) IN ('text')")
      driver.play(["enter"])
      #expect(!driver.screen.contains("Health ·") && driver.screen.contains("two"), "\(driver.screen)")
      #expect(!driver.screen.contains("three"))
    }
  }

  @Test("a session that only reads checks, and says why it mends nothing")
  func readOnly() async throws {
    try await play(Self.grown, refusal: "this session is read-only") { driver, path in
      #expect(driver.screen.contains("Health · 1 finding"), "\(driver.screen)")
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      driver.play(["enter"])
      driver.screen.expectLine("this session is read-only")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
  }

  @Test("staged changes are not lost to VACUUM, which may change rowids")
  func staged() async throws {
    let sql = ["CREATE TABLE t(a)", "CREATE TABLE old(a PRIMARY KEY NOT NULL, b)", "INSERT INTO old VALUES (1, zeroblob(2000000))"]
    try await play(sql + ["DROP TABLE old", "INSERT INTO t VALUES (1)"]) { driver, _ in
      driver.play(["escape"])
      driver.open("t")
      driver.play(["e", "'2'", "enter", ":", "'health'", "enter", "enter"])
      driver.screen.expectLine("commit or discard the staged changes before VACUUM")
    }
  }

  @Test("the page follows what others write")
  func following() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending(path: "test.db").path
      let other = try DatabaseQueue(path: path)
      try await other.withoutTransaction { db in for sql in Self.grown { try db.execute(sql: sql) } }
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: 80, rows: 24, watchInterval: .milliseconds(1))
        driver.play([":", "'health'", "enter"])
        #expect(driver.screen.contains("Health · 1 finding"), "\(driver.screen)")
        try other.withoutTransaction { try $0.execute(sql: "ANALYZE") }
        driver.waitAtOnce { driver.screen.contains("Health · sound") }
        #expect(!driver.screen.contains("has changed since"))
      }
    }
  }

  @Test("a source without a file says so")
  func withoutFile() async throws {
    try await onOwnThread {
      let driver = SessionDriver(
        source: MemorySource(tables: [MemorySource.Table(name: "t", columns: ["id"], rows: [])]))
      driver.play([":", "'health'", "enter"])
      driver.screen.expectLine(beginning: "the files of this database are on other machines")
    }
  }
}
