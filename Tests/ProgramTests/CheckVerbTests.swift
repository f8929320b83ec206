import Foundation
import QuarryEngine
import TestSupport
import Testing

/// `quarry check`; the checks themselves have tests of their own.
@Suite(.gated) struct CheckVerbTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func sound(_ name: String = "test.db") throws -> String {
    try Fixtures.database(
      name, in: folder, "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)", "CREATE INDEX i ON t(b)",
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 300) INSERT INTO t SELECT x, hex(zeroblob(20)) FROM n")
  }

  @Test(arguments: [[], ["--quick"]])
  func `a sound database is status 0, with lines of four columns`(options: [String]) throws {
    let outcome = try BuiltProgram.run(BuiltProgram.url, ["check", try sound()] + options)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.first == "check,object,status,detail")
    #expect(lines.dropFirst().first == "\(options.isEmpty ? "integrity" : "quick")_check,,ok,ok")
    #expect(lines.contains("file,page_size,info,\"4,096 bytes\""))
  }

  @Test func `an attached database is reported as not checked`() throws {
    let outcome = try BuiltProgram.run("check", try sound(), "--attach", try sound("other.db"))
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let line = "file,other,note,\"this attached database was not checked. Fix: run `quarry check` with its file alone\""
    #expect(outcome.text.split(separator: "\n").contains { $0 == line }, "\(outcome.text)")
  }

  @Test func `findings are status 1, in every format`() throws {
    let path = try Fixtures.database(
      in: folder, "CREATE TABLE \"a b\"(a INTEGER PRIMARY KEY, b INT)", "INSERT INTO \"a b\" VALUES (1, 'x')")
    for format in ["table", "csv", "tsv", "json", "ndjson", "markdown", "html", "sql"] {
      let outcome = try BuiltProgram.run("check", path, "--format", format)
      #expect(outcome.status == 1 && outcome.errors.isEmpty, "\(format)")
      #expect(outcome.text.contains("a b.b") && outcome.text.contains("1 text in a column of type INT"), "\(format)")
    }
    let json = try JSONSerialization.jsonObject(with: BuiltProgram.run("check", path, "--format", "json").output) as? [[String: Any]]
    let findings = (json ?? []).filter { $0["status"] as? String == "finding" }
    #expect(findings.map { $0["object"] as? String } == ["a b.b"])
    #expect(findings.map { $0["check"] as? String } == ["types"])
  }

  @Test func `damaged pages, a truncated file and noise are status 3`() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: try sound()))
    var damaged = bytes
    damaged.replaceSubrange(bytes.count / 2..<bytes.count / 2 + 4096, with: Data(repeating: 0xff, count: 4096))
    let file = try folder.write(damaged, to: "damaged.db").path
    let outcome = try BuiltProgram.run("check", file)
    #expect(outcome.status == 3 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.text.contains(",damaged,") && outcome.text.contains("sqlite3 FILE .recover"))
    #expect(try BuiltProgram.run("check", folder.write(bytes.prefix(bytes.count / 2), to: "half.db").path).status == 3)
    #expect(try BuiltProgram.run("check", folder.write(Data(repeating: 7, count: 4096), to: "noise").path).status == 3)
    #expect(try BuiltProgram.run("check", folder.path("none.db")).status == 3)
  }

  @Test func `a file of rows is no database`() throws {
    let outcome = try BuiltProgram.run("check", folder.write(Data("a,b\n1,2\n".utf8), to: "rows.csv").path)
    #expect(outcome.status == 2 && outcome.errors.contains("is not a database"), "\(outcome.errors)")
  }

  @Test func `no mutant ends the program or is changed`() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: try sound()))
    var random = SplitMix(seed: 11)
    for round in 0..<60 {
      var mutant = bytes
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        // The first bytes of pages contain their structure.
        let page = Int.random(in: 0..<bytes.count / 4096, using: &random) * 4096
        mutant[page + Int.random(in: 0..<(round.isMultiple(of: 2) ? 4096 : 110), using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      let path = try folder.write(mutant, to: "mutant.db").path
      let outcome = try BuiltProgram.run("check", path)
      #expect([0, 1, 3].contains(outcome.status), "round \(round): \(outcome.status) \(outcome.errors)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == mutant, "round \(round)")
    }
  }

  @Test(arguments: ["delete", "wal"])
  func `a check changes no byte`(mode: String) throws {
    let path = try Fixtures.database(in: folder, "PRAGMA journal_mode = \(mode)", "CREATE TABLE t(a INTEGER PRIMARY KEY)")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let outcome = try BuiltProgram.run("check", path)
    #expect(outcome.status == 0 && outcome.text.contains("file,journal_mode,info,\(mode)"), "\(outcome.text)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  private struct Line: Decodable {
    var check: String
    var object: String?
    var status: String
    var detail: String
  }

  private func lines(_ arguments: [String], environment: [String: String] = [:]) throws -> [Line] {
    let outcome = try BuiltProgram.run(BuiltProgram.url, ["check", "--format", "json"] + arguments, environment: environment)
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    return try JSONDecoder().decode([Line].self, from: outcome.output)
  }

  @Test func `a large write-ahead log and its oldest reader are findings`() throws {
    let path = try Fixtures.database(in: folder, "PRAGMA journal_mode = wal", "CREATE TABLE t(a INTEGER PRIMARY KEY, b)")
    let (reader, writer) = try (DatabaseQueue(path: path), DatabaseQueue(path: path))
    try writer.withoutTransaction { try $0.execute(sql: "INSERT INTO t VALUES (0, 1)") }
    try reader.read { database in
      _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM t")
      try writer.withoutTransaction { try $0.execute(sql: "INSERT INTO t VALUES (1, zeroblob(17000000))") }
      let found = try lines([path, "--quick"]).filter { $0.check == "wal" }
      #expect(found.map(\.status) == ["finding", "finding"], "\(found)")
      #expect(found.first?.detail.contains(" frames, ") == true)
      #expect(found.first?.detail.hasSuffix("Fix: PRAGMA main.wal_checkpoint(TRUNCATE)") == true, "\(found)")
      #expect(found.last?.object == "oldest reader" && found.last?.detail.hasPrefix("process \(getpid()) reads") == true, "\(found)")
    }
  }

  @Test func `an index that no statement of the history uses is noted`() throws {
    let path = try Fixtures.database(
      in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b)", "CREATE INDEX used ON t(a)", "CREATE INDEX unused ON t(b)")
    let entry: [String: Any] = [
      "time": "2026-01-01T00:00:00Z", "database": path, "sql": "SELECT * FROM t WHERE a = ?", "arguments": [], "milliseconds": 1,
    ]
    try FileManager.default.createDirectory(atPath: folder.path("state/quarry"), withIntermediateDirectories: true)
    try JSONSerialization.data(withJSONObject: entry).write(to: URL(fileURLWithPath: folder.path("state/quarry/history")))
    let found = try lines([path], environment: ["XDG_STATE_HOME": folder.path("state")]).filter { $0.check == "unused_indexes" }
    #expect(found.map(\.object) == ["unused"] && found.map(\.status) == ["note"], "\(found)")
    #expect(try lines([path]).filter { $0.check == "unused_indexes" }.map(\.status) == ["ok"])
  }
}
