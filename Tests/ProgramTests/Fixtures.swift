import Foundation
import QuarryEngine

/// Databases for the tests, made by the engine.
enum Fixtures {
  /// Makes a database in `folder` from statements, each run by itself, and closes it.
  @discardableResult
  static func database(_ name: String = "test.db", in folder: TemporaryFolder, isDefensive: Bool = true, _ statements: String...) throws
    -> String
  {
    var configuration = Configuration()
    configuration.isDefensive = isDefensive
    let path = folder.path(name)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.withoutTransaction { db in
      for sql in statements { try db.execute(sql: sql) }
    }
    try queue.close()
    return path
  }

  /// Makes a small database with a value of each storage class.
  static func values(in folder: TemporaryFolder) throws -> String {
    try database(
      in: folder,
      "CREATE TABLE things(id INTEGER PRIMARY KEY, name TEXT, size REAL, data BLOB)",
      "INSERT INTO things VALUES (1, 'it''s', 1.5, x'00ff'), (2, NULL, 9e999, NULL), (3, '', -0.1, x'')",
      "CREATE VIEW names AS SELECT name FROM things",
      "CREATE TABLE blank(a, b)")
  }

  /// The folder of databases that nobody here wrote; nil where it is not there.
  static let sharedData: URL? = {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let folder = package.deletingLastPathComponent().appendingPathComponent("shared/data")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  /// The sqlite3 shell; nil where it is not installed.
  static let shell: URL? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { URL(fileURLWithPath: "\($0)/sqlite3") }.first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()
}
