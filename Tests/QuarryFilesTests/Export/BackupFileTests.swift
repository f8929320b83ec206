import Foundation
import QuarryEngine
import QuarryFiles
import Synchronization
import TestSupport
import Testing

@Suite(.gated) struct BackupFileTests {
  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func values(_ path: String) throws -> [Int] {
    try DatabaseQueue(path: path).read { try Int.fetchAll($0, sql: "SELECT a FROM t") }
  }

  private func refusal(_ path: String, of queue: DatabaseQueue, isReplacing: Bool = false) -> OutputFileError.Kind? {
    #expect(throws: OutputFileError.self) { try BackupFile(path: path, of: queue, isReplacing: isReplacing) }?.kind
  }

  @Test func `a copy is made while the database is open, with its permissions, and nothing beside it`() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, named: "a.db", "PRAGMA journal_mode = WAL; CREATE TABLE t(a)")
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
      let queue = try DatabaseQueue(path: path)
      // In the log, not in the file.
      try await queue.write { try $0.execute(sql: "INSERT INTO t VALUES (1), (2)") }
      let copy = folder.appendingPathComponent("copy.db").path
      let steps = Mutex<[BackupFile.Progress]>([])
      let size = try await BackupFile(path: copy, of: queue).write { step in steps.withLock { $0.append(step) } }
      #expect(try FileManager.default.attributesOfItem(atPath: copy)[.size] as? Int == size)
      #expect(try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int == 0o640)
      #expect(steps.withLock { $0.last } == .checking)
      #expect(steps.withLock { $0.dropLast().last } == .copying(size, of: size))
      #expect(try names(in: folder).filter { $0.hasPrefix(".") || $0.hasPrefix("copy") } == ["copy.db"])
      #expect(try values(copy) == [1, 2])
    }
  }

  @Test func `a file that is there is replaced only where that is asked for`() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, named: "a.db", "CREATE TABLE t(a); INSERT INTO t VALUES (1)")
      let copy = try makeDatabaseFile(in: folder, named: "copy.db", "CREATE TABLE t(a); INSERT INTO t VALUES (9)")
      let queue = try DatabaseQueue(path: path)
      #expect(refusal(copy, of: queue) == .isThere)
      #expect(try values(copy) == [9])
      _ = try await BackupFile(path: copy, of: queue, isReplacing: true).write()
      #expect(try values(copy) == [1])
    }
  }

  @Test func `a copy that is made meanwhile does not take the draft of another for abandoned`() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, named: "a.db", "CREATE TABLE t(a); INSERT INTO t VALUES (1)")
      let (queue, other) = (try DatabaseQueue(path: path), try DatabaseQueue(path: path))
      let isFirst = Mutex(true)
      _ = try await BackupFile(path: folder.appendingPathComponent("first.db").path, of: queue).write { _ in
        let isNow = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        guard isNow else { return }
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
          _ = try? await BackupFile(path: folder.appendingPathComponent("second.db").path, of: other).write()
          isDone.signal()
        }
        isDone.wait()
      }
      #expect(try names(in: folder) == ["a.db", "first.db", "second.db"])
    }
  }

  @Test func `the log of the file that is replaced does not get into the copy`() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, named: "a.db", "CREATE TABLE t(a); INSERT INTO t VALUES (1)")
      let other = try makeDatabaseFile(in: folder, named: "other.db", "PRAGMA journal_mode = WAL; CREATE TABLE t(a)")
      let copy = folder.appendingPathComponent("copy.db").path
      let open = try DatabaseQueue(path: other)
      try await open.write { try $0.execute(sql: "INSERT INTO t VALUES (9)") }
      // As a program leaves them that is killed.
      for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: other + suffix, toPath: copy + suffix) }
      _ = try await BackupFile(path: copy, of: DatabaseQueue(path: path), isReplacing: true).write()
      #expect(try names(in: folder).filter { $0.hasPrefix("copy") } == ["copy.db"])
      #expect(try values(copy) == [1])
    }
  }

  @Test func `a file that another program has open is not replaced`() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, named: "a.db", "CREATE TABLE t(a)")
      let copy = try makeDatabaseFile(in: folder, named: "copy.db", "PRAGMA journal_mode = WAL; CREATE TABLE t(a)")
      let user = try DatabaseQueue(path: copy)
      try await user.write { try $0.execute(sql: "INSERT INTO t VALUES (9)") }
      let backup = try BackupFile(path: copy, of: DatabaseQueue(path: path), isReplacing: true)
      let error = await #expect(throws: OutputFileError.self) { try await backup.write() }
      #expect(error?.kind == .isInUse)
      #expect(try values(copy) == [9])
      try user.close()
      _ = try await backup.write()
      #expect(try values(copy) == [])
    }
  }

  @Test func `no database is copied over itself, nor over what lies beside it`() throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, named: "a.db", "CREATE TABLE t(a)")
      let queue = try DatabaseQueue(path: path)
      for suffix in ["", "-wal", "-journal"] {
        #expect(refusal(path + suffix, of: queue, isReplacing: true) == .isOpenDatabase)
      }
      #expect(refusal(folder.path, of: queue, isReplacing: true) == .isFolder)
      #expect(refusal("/dev/null", of: queue, isReplacing: true) == .isNoFile)
    }
  }

  @Test func `a copy that is given up leaves nothing, and what a killed program left is removed`() async throws {
    struct Enough: Error {}
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, named: "a.db", "CREATE TABLE t(a)", "INSERT INTO t VALUES (zeroblob(3000000))")
      let abandoned = folder.appendingPathComponent(".quarry-backup-1-2").path
      for suffix in ["", "-journal"] { try "half".write(toFile: abandoned + suffix, atomically: false, encoding: .utf8) }
      let copy = folder.appendingPathComponent("copy.db").path
      let backup = try BackupFile(path: copy, of: DatabaseQueue(path: path))
      let task = Task { try await backup.write { _ in withUnsafeCurrentTask { $0?.cancel() } } }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try names(in: folder) == ["a.db"])
    }
  }

  @Test func `a copy of a damaged database is not kept`() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, named: "a.db", "CREATE TABLE t(a)",
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000) INSERT INTO t SELECT hex(zeroblob(40)) FROM n")
      let handle = try #require(FileHandle(forUpdatingAtPath: path))
      try handle.seek(toOffset: 4096 * 5)
      try handle.write(contentsOf: Data(repeating: 0xff, count: 4096))
      try handle.close()
      let copy = folder.appendingPathComponent("copy.db").path
      let backup = try BackupFile(path: copy, of: DatabaseQueue(path: path))
      let error = await #expect(throws: DatabaseError.self) { try await backup.write() }
      #expect(error?.resultCode == DatabaseError.SQLITE_CORRUPT)
      #expect(try names(in: folder) == ["a.db"])
    }
  }
}
