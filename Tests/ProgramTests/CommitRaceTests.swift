import Foundation
import QuarryEngine
import TestSupport
import Testing

/// Programs that write one database at the same time.
@Suite(.gated) struct CommitRaceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Starts a shell that runs a command so many times, and prints how often that succeeded.
  private func start(_ command: String, times: Int, home: String) throws -> ChildProcess {
    let script = "n=0; i=0; while [ $i -lt \(times) ]; do i=$((i+1)); \(command) >/dev/null 2>&1 && n=$((n+1)); done; echo $n"
    return try ChildProcess(
      ["/bin/sh", "-c", script], environment: BuiltProgram.environment(home: home), output: .pipe)
  }

  private func count(_ process: ChildProcess) throws -> Int {
    let output = try #require(process.output).readDataToEndOfFile()
    #expect(process.wait() == .exit(0))
    return try #require(Int(String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  @Test(.enabled(if: Fixtures.shell != nil), arguments: ["DELETE", "WAL"])
  func `each exit status of 0 is a row, also beside other programs`(_ mode: String) throws {
    let path = try Fixtures.database(
      in: folder, "PRAGMA journal_mode = \(mode)", "CREATE TABLE acc(id INTEGER PRIMARY KEY, b)", "CREATE TABLE other(a)",
      "INSERT INTO acc VALUES (7, 0)")
    let shell = try #require(Fixtures.shell).path
    let update = "'\(BuiltProgram.url.path)' query '\(path)' 'UPDATE acc SET b = b + 1 WHERE id = 7'"
    let insert = "'\(shell)' -cmd '.timeout 60000' '\(path)' 'INSERT INTO other VALUES (1)'"
    let ours = try (0..<3).map { try start(update, times: 12, home: folder.path("home-\($0)")) }
    let others = try (0..<2).map { _ in try start(insert, times: 24, home: folder.path) }
    let (updates, inserts) = (try ours.map(count).reduce(0, +), try others.map(count).reduce(0, +))
    #expect(updates > 0 && inserts > 0)
    let (rows, soundness) = try DatabaseQueue(path: path).read { db in
      let rows = try ["SELECT b FROM acc", "SELECT count(*) FROM other"].map { try Int.fetchOne(db, sql: $0) }
      return (rows, try String.fetchAll(db, sql: "PRAGMA integrity_check"))
    }
    #expect(rows == [updates, inserts] && soundness == ["ok"])
  }
}
