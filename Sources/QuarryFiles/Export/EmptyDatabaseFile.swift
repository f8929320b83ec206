internal import Libc
internal import QuarryEngine

/// A new file with an empty database.
///
/// Unlike the empty file that SQLite itself would create, it has SQLite's header, so that other programs recognize it.
package enum EmptyDatabaseFile {
  /// Creates the file: complete, or not at all.
  ///
  /// - Throws: ``OutputFileError`` if the path exists, if a journal of another database lies beside it, or if the file cannot be written.
  package static func create(at path: String) throws {
    let bytes = try content()
    let target = try target(path)
    // SQLite would use a remaining journal at the path as the journal of the new database.
    if target.hasLog { throw OutputFileError(path, .hasJournal) }
    if DatabaseFile.isTooLong(byteCount: PathText.bytes(target.path).count) { throw OutputFileError(path, .failed(ENAMETOOLONG)) }
    let file = try OutputFile(path: path, isReplacing: false, isPlain: true)
    try bytes.withUnsafeBytes { try file.write($0) }
    try file.finish()
  }

  /// Returns the target, which must not exist.
  private static func target(_ path: String) throws -> OutputTarget {
    do {
      let target = try OutputTarget(path: path, databases: [], mayBeDatabase: true)
      if target.kind == .file { throw OutputFileError(path, .isThere) }
      return target
    } catch let error as OutputFileError where error.kind == .isProtected {
      throw OutputFileError(path, .isThere)
    }
  }

  /// Returns the bytes of a database without tables.
  ///
  /// Its header names an encoding, which SQLite sets with the first table.
  private static func content() throws -> [UInt8] {
    try DatabaseQueue().withoutTransaction { db in
      try db.execute(sql: "CREATE TABLE first(a); DROP TABLE first; VACUUM")
      return try db.serialized()
    }
  }
}
