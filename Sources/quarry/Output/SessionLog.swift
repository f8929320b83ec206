internal import QuarryEngine
internal import Terminal

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A log file of the full screen: a line for every message and every effect.
final class SessionLog {
  private let descriptor: Int32

  /// Opens the file, which is made where it is not there.
  ///
  /// - Parameter databases: the files that are being browsed, none of which may be the log.
  init(path: String, databases: [String]) throws {
    let isDatabase = databases.contains { database in
      ["", "-journal", "-wal", "-shm"].contains { FileIdentity(path: database + $0).map { $0 == FileIdentity(path: path) } ?? false }
    }
    if isDatabase || Self.isDatabase(path) {
      throw Failure.usage("--log: “\(path)” is a database, which the log would be written into: name another file")
    }
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure.usage("the log “\(path)” cannot be written: \(String(cString: strerror(errno)))") }
  }

  /// Returns whether a file begins as SQLite's databases do.
  private static func isDatabase(_ path: String) -> Bool {
    guard let file = fopen(path, "rb") else { return false }
    defer { fclose(file) }
    let beginning = Array("SQLite format 3\0".utf8)
    var bytes = [UInt8](repeating: 0, count: beginning.count)
    return fread(&bytes, 1, bytes.count, file) == bytes.count && bytes == beginning
  }

  deinit {
    close(descriptor)
  }

  func write(_ line: String) {
    // A log that cannot be written must not stop the program.
    _ = Array((line.pictured + "\n").utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}

/// The advice that is printed after a crash.
enum CrashAdvice {
  /// Returns where there is a log of what led to the crash, or how there will be one, and what has become of the data.
  static func text(log path: String?) -> String {
    let log =
      path.map { "The log “\($0.pictured)” has what it did last." }
      ?? "To report it, do the same in `quarry <file> --log crash.log`, which has what was done last."
    return "\(log) What was committed is in the database; what was not is rolled back when it is opened next."
  }
}
