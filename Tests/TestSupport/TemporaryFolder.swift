public import Foundation
public import QuarryEngine

/// Runs `body` with a folder of its own, which goes when it returns.
public func withTemporaryFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
  let folder = try makeTemporaryFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

/// Runs `body` with a folder of its own, which goes when it returns.
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

/// A database in memory that has run the SQL.
public func makeDatabase(_ sql: String...) throws -> DatabaseQueue {
  let queue = try DatabaseQueue()
  try queue.withoutTransaction { db in
    for statement in sql { try db.execute(sql: statement) }
  }
  return queue
}

/// A database file in `folder` that has run the SQL, closed again.
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
