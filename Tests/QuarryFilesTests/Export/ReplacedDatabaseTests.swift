import Foundation
import QuarryEngine
import QuarryFiles
import Synchronization
import TestSupport
import Testing

/// Backups over a database that other programs use or have used.
@Suite(.gated) struct ReplacedDatabaseTests {
  private static let shell: String? = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Runs the sqlite3 shell to its end; returns whether it succeeded.
  private static func run(_ path: String, _ sql: String) throws -> Bool {
    try ChildProcess([#require(shell), "-bail", path, sql]).wait() == .exit(0)
  }

  private func withDatabases(_ mode: String, _ body: (DatabaseQueue, String) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, named: "a.db", "CREATE TABLE t(a)", "INSERT INTO t VALUES (1)", "CREATE TABLE filler(b)",
        "INSERT INTO filler VALUES (zeroblob(4000000))")
      let copy = try makeDatabaseFile(
        in: folder, named: "copy.db", "PRAGMA journal_mode = \(mode)", "CREATE TABLE t(a)", "INSERT INTO t VALUES (9)")
      try await body(try DatabaseQueue(path: path), copy)
    }
  }

  private func values(_ path: String) throws -> [Int] {
    let queue = try DatabaseQueue(path: path)
    return try queue.read { db in
      #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
      return try Int.fetchAll(db, sql: "SELECT a FROM t")
    }
  }

  private func logs(of path: String) -> [String] {
    ["-wal", "-shm", "-journal"].filter { FileManager.default.fileExists(atPath: path + $0) }
  }

  @Test(.enabled(if: shell != nil), arguments: ["DELETE", "PERSIST", "WAL"])
  func `no program reads or writes the file from the beginning of the copy to its end`(_ mode: String) async throws {
    try await withDatabases(mode) { source, copy in
      let tries = Mutex<[Bool]>([])
      _ = try await BackupFile(path: copy, of: source, isReplacing: true).write { step in
        guard case .copying = step, tries.withLock(\.isEmpty) else { return }
        let results = ["INSERT INTO t VALUES (2)", "SELECT * FROM t"].map { (try? Self.run(copy, $0)) ?? true }
        tries.withLock { $0 = results }
      }
      #expect(tries.withLock(\.self) == [false, false])
      #expect(logs(of: copy) == [])
      #expect(try values(copy) == [1])
      #expect(try Self.run(copy, "INSERT INTO t VALUES (2)"))
      #expect(try values(copy) == [1, 2])
    }
  }

  @Test(.enabled(if: shell != nil), arguments: ["DELETE", "WAL"])
  func `a program that had the file open without a lock cannot write to the copy's log`(_ mode: String) async throws {
    try await withDatabases(mode) { source, copy in
      let user = try ChildProcess([#require(Self.shell), copy], input: .pipe, output: .pipe, errors: .output)
      let (input, output) = (try #require(user.input), try #require(user.output))
      // The shell opens the file, and reads nothing of it yet.
      try input.write(contentsOf: Data("SELECT 'open';\n".utf8))
      #expect(String(decoding: output.availableData, as: UTF8.self) == "open\n")
      _ = try await BackupFile(path: copy, of: source, isReplacing: true).write()
      try input.write(contentsOf: Data("INSERT INTO t VALUES (3);\nSELECT 'tried';\n".utf8))
      var answer = ""
      while !answer.contains("tried") { answer += String(decoding: output.availableData, as: UTF8.self) }
      #expect(logs(of: copy) == [])
      try input.close()
      user.wait()
      #expect(try values(copy) == [1])
    }
  }

  @Test func `a copy that fails leaves the file that it was to replace as it was, also its mode`() async throws {
    struct Enough: Error {}
    try await withDatabases("WAL") { source, copy in
      let before = try Data(contentsOf: URL(fileURLWithPath: copy))
      let backup = try BackupFile(path: copy, of: source, isReplacing: true)
      let task = Task { try await backup.write { _ in withUnsafeCurrentTask { $0?.cancel() } } }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == before)
      #expect(try values(copy) == [9])
      #expect(try await DatabaseQueue(path: copy).withoutTransaction { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    }
  }

  @Test func `a log that is left where no file is does not become the copy's`() async throws {
    try await withDatabases("WAL") { source, copy in
      let user = try DatabaseQueue(path: copy)
      try await user.write { try $0.execute(sql: "INSERT INTO t VALUES (5)") }
      try FileManager.default.copyItem(atPath: copy + "-wal", toPath: copy + "2-wal")
      let error = await #expect(throws: OutputFileError.self) { try await BackupFile(path: copy + "2", of: source).write() }
      #expect(error?.kind == .isInUse)
      #expect(!FileManager.default.fileExists(atPath: copy + "2"))
    }
  }

  @Test func `a file that appears meanwhile is not replaced`() async throws {
    try await withDatabases("DELETE") { source, copy in
      let place = copy + "2"
      let backup = try BackupFile(path: place, of: source, isReplacing: true)
      let error = await #expect(throws: OutputFileError.self) {
        try await backup.write { _ in try? FileManager.default.copyItem(atPath: copy, toPath: place) }
      }
      #expect(error?.kind == .isThere)
      #expect(try values(place) == [9])
    }
  }
}
