internal import QuarryEngine
internal import QuarryFiles
internal import Terminal

/// A log file of the full screen, with one line per message, intent and effect.
final class SessionLog {
  private let file: OpenFile

  /// Opens the file, and creates it if it does not exist.
  ///
  /// - Parameter databases: The paths of the open databases, which must not be overwritten by the log.
  init(path: String, databases: [String]) throws {
    let isDatabase = databases.contains { database in
      ["", "-journal", "-wal", "-shm"].contains { FileIdentity(path: database + $0).map { $0 == FileIdentity(path: path) } ?? false }
    }
    if isDatabase || Self.isDatabase(path) {
      throw Failure.usage("--log: “\(path)” is a database, which the log would damage: name another file")
    }
    do throws(SystemError) {
      file = try OpenFile(path, .appending)
    } catch {
      throw Failure.usage("the log “\(path)” cannot be written: \(error)")
    }
  }

  /// Returns whether a file is an SQLite database.
  private static func isDatabase(_ path: String) -> Bool {
    (try? FileKind(path: path)) == .database
  }

  func write(_ line: String) {
    // A log that cannot be written must not stop the program.
    _ = Array((line.pictured + "\n").utf8).withUnsafeBytes { Descriptor.write($0, to: file.descriptor) }
  }
}

/// The advice printed after a crash.
enum CrashAdvice {
  /// Returns the location of the log of the crash, or how to get one, and a sentence about the data.
  static func text(log path: String?) -> String {
    let log =
      path.map { "The log “\($0.pictured)” shows what Quarry did last." }
      ?? "To report it, run `quarry <file> --log crash.log`, repeat the last steps and attach the log."
    return "\(log) Committed changes are in the database; SQLite rolls back all others when it is opened next"
  }

  /// Returns a sentence about the staged changes on the disk, or an empty text for none.
  static func saved(_ count: Int, of database: String) -> String {
    if count == 0 { return "" }
    let saved = count == 1 ? "1 staged change is saved" : "\(Plural.grouped(count)) staged changes are saved"
    return "\(saved): open “\(database)” again to restore \(count == 1 ? "it" : "them")."
  }
}
