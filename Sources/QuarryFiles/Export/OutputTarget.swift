internal import Libc
internal import QuarryEngine

/// The place where a file is to be: what lies there, and whether it may be replaced.
struct OutputTarget {
  enum Kind {
    case nothing
    case file
    /// A pipe, a terminal or a device, which is written rather than replaced.
    case device
  }

  /// The path as it was given, for messages.
  let givenPath: String
  /// The path of the file itself, where the given one leads through links.
  let path: String
  let kind: Kind

  /// Looks at a path.
  ///
  /// - Parameters:
  ///   - databases: The paths of databases, none of which may be written over, nor what SQLite keeps beside them.
  ///   - mayBeDatabase: Whether another database that is there may be replaced.
  /// - Throws: ``OutputFileError``
  init(path given: String, databases: [String], mayBeDatabase: Bool = false) throws(OutputFileError) {
    guard !given.isEmpty else { throw OutputFileError(given, .noName) }
    givenPath = given
    var status = stat()
    if PathText.withPath(given, { stat($0, &status) }) == 0 {
      path = Self.resolved(given) ?? given
      kind = try Self.kind(of: status, given)
    } else {
      let code = errno
      guard code == ENOENT || code == ENOTDIR else { throw OutputFileError(given, .failed(code)) }
      if given.hasSuffix("/") { throw OutputFileError(given, .isFolder) }
      guard PathText.withPath(given, { lstat($0, &status) }) != 0 else { throw OutputFileError(given, .isDeadLink) }
      guard code == ENOENT, let folder = Self.resolved(Self.folder(of: given)) else { throw OutputFileError(given, .noFolder) }
      path = (folder == "/" ? "" : folder) + "/" + Self.name(of: given)
      kind = .nothing
    }
    if try isPartOfDatabase(among: databases) { throw OutputFileError(given, .isOpenDatabase) }
    // A database that may be replaced is locked first, as SQLite's own connections have it.
    if !mayBeDatabase, let identity = FileIdentity(path: path), SQLiteFiles.contains(identity) {
      throw OutputFileError(given, .isOpenDatabase)
    }
    if kind == .file {
      if !mayBeDatabase, isDatabase { throw OutputFileError(given, .isDatabase) }
      if PathText.withPath(path, { access($0, W_OK) }) != 0 { throw OutputFileError(given, .isProtected) }
    }
  }

  /// The folder in which the file is or is to be.
  var folder: String { Self.folder(of: path) }

  private static func kind(of status: stat, _ path: String) throws(OutputFileError) -> Kind {
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw OutputFileError(path, .isFolder)
    case S_IFREG: .file
    default: .device
    }
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// Returns the path without links; nil where it leads to nothing.
  ///
  /// The corresponding C function is `realpath`.
  private static func resolved(_ path: String) -> String? {
    guard let real = PathText.withPath(path, { realpath($0, nil) }) else { return nil }
    defer { free(real) }
    return PathText.text(UnsafeBufferPointer(start: real, count: strlen(real)).map { UInt8(bitPattern: $0) })
  }

  /// Returns whether the file is a database or lies where SQLite keeps, or will keep, something beside one.
  private func isPartOfDatabase(among databases: [String]) throws(OutputFileError) -> Bool {
    let identity = FileIdentity(path: path)
    return databases.contains { database in
      let resolved = Self.resolved(database) ?? database
      return ([""] + Self.logSuffixes).contains { suffix in
        resolved + suffix == path || identity != nil && identity == FileIdentity(path: resolved + suffix)
      }
    }
  }

  private static let logSuffixes = ["-journal", "-wal", "-shm"]

  /// Where SQLite keeps something beside the file, if that is a database.
  var logs: [String] { Self.logSuffixes.map { path + $0 } }

  /// Whether one of ``logs`` is there.
  var hasLog: Bool { logs.contains { PathText.exists(PathText.bytes($0)) } }

  /// Whether the file begins as SQLite's databases do.
  var isDatabase: Bool { head == DatabaseFile.beginning }

  /// Whether SQLite takes the file for a database, which it does also without a byte in it.
  var mayBeOpenedAsDatabase: Bool { isDatabase || head?.isEmpty == true || hasLog }

  private var head: [UInt8]? { try? OpenFile.contents(of: path, limit: DatabaseFile.beginning.count) }
}
