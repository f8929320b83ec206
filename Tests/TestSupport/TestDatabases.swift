public import Foundation
public import QuarryEngine
public import Testing

/// Runs `body` with a temporary folder, which is removed afterwards.
public func withTemporaryFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
  let folder = try makeTemporaryFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

/// Runs `body` with a temporary folder, which is removed afterwards.
public func withTemporaryFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
  let folder = try makeTemporaryFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder)
}

private func makeTemporaryFolder() throws -> URL {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("quarry-" + UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder
}

/// Creates a database in memory and runs the SQL.
public func makeDatabase(_ sql: String...) throws -> DatabaseQueue {
  let queue = try DatabaseQueue()
  try queue.withoutTransaction { db in
    for statement in sql { try db.execute(sql: statement) }
  }
  return queue
}

/// Creates a database file in `folder`, runs the SQL and closes it.
@discardableResult
public func makeDatabaseFile(in folder: URL, named name: String = "test.db", _ sql: String...) throws -> String {
  let path = folder.appendingPathComponent(name).path
  let queue = try DatabaseQueue(path: path)
  try queue.withoutTransaction { db in
    for statement in sql { try db.execute(sql: statement) }
  }
  try queue.close()
  return path
}

/// Creates a database as if a program was killed during a transaction: the file contains a part of the changes, and the journal the old
/// pages.
///
/// The table `t` has 2,000 rows with 0 in `a`, which the transaction sets to 1.
public func makeDatabaseWithHotJournal(in folder: URL, named name: String = "hot.db") throws -> String {
  let running = try makeDatabaseFile(
    in: folder, named: "running-" + name, "CREATE TABLE t(id INTEGER PRIMARY KEY, a, filler)",
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000) INSERT INTO t SELECT x, 0, hex(zeroblob(100)) FROM n")
  let path = folder.appendingPathComponent(name).path
  let queue = try DatabaseQueue(path: running)
  try queue.withoutTransaction { db in
    // With a cache of few pages, SQLite writes changes to the file before the commit.
    try db.execute(sql: "PRAGMA cache_size = 2; BEGIN; UPDATE t SET a = 1")
    for suffix in ["", "-journal"] { try FileManager.default.copyItem(atPath: running + suffix, toPath: path + suffix) }
    try db.execute(sql: "ROLLBACK")
  }
  try queue.close()
  try FileManager.default.removeItem(atPath: running)
  return path
}

/// Expects a ``DatabaseError`` with a primary or extended code, and returns it.
@discardableResult
public func expectError<Value>(
  _ code: ResultCode, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
) -> DatabaseError? {
  let error = #expect(throws: DatabaseError.self, sourceLocation: sourceLocation) { try body() }
  if let error {
    #expect(code ~= error, "\(error)", sourceLocation: sourceLocation)
  }
  return error
}

/// The folder of databases from other sources, beside the package, or nil if it does not exist.
public let sharedData: URL? = {
  let package = (0..<3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
  let folder = package.deletingLastPathComponent().appending(path: "shared/data")
  return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
}()

/// The paths of the databases in ``sharedData``.
public let sharedDatabases: [String] = {
  let files = sharedData.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0.path) } ?? []
  return files.filter { $0.hasSuffix(".db") }.sorted().compactMap { sharedData?.appending(path: $0).path }
}()
