internal import Libc
internal import QuarryEngine

/// The target of an output file: the existing file, and whether it may be replaced.
struct OutputTarget {
  enum Kind {
    case nothing
    case file
    /// A pipe, a terminal or a device, which is written rather than replaced.
    case device
  }

  /// The path as given, for messages.
  let givenPath: String
  /// The path of the file itself, after resolving links.
  let path: String
  let kind: Kind

  /// Examines a path.
  ///
  /// - Parameters:
  ///   - databases: The paths of databases, which must not be overwritten, nor their journal files.
  ///   - mayBeDatabase: Whether an existing database other than these may be replaced.
  ///   - replaceable: The path of a database that may be overwritten, but not its journal files.
  /// - Throws: ``OutputFileError``
  init(
    path given: String, databases: [String], mayBeDatabase: Bool = false, replaceable: String? = nil
  ) throws(OutputFileError) {
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
    let suffixes = [""] + Self.logSuffixes
    if isFile(of: databases, suffixes) || isFile(of: [replaceable].compactMap(\.self), Self.logSuffixes) {
      throw OutputFileError(given, .isOpenDatabase)
    }
    // A database that may be replaced is checked by locking it through SQLite instead.
    if !mayBeDatabase, let identity = FileIdentity(path: path), SQLiteFiles.contains(identity) {
      throw OutputFileError(given, .isOpenDatabase)
    }
    if kind == .file {
      if !mayBeDatabase, isDatabase { throw OutputFileError(given, .isDatabase) }
      if PathText.withPath(path, { access($0, W_OK) }) != 0 { throw OutputFileError(given, .isProtected) }
    }
  }

  /// The folder of the file.
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

  /// Returns the path without links, or nil if it does not exist.
  ///
  /// The corresponding C function is `realpath`.
  private static func resolved(_ path: String) -> String? {
    guard let real = PathText.withPath(path, { realpath($0, nil) }) else { return nil }
    defer { free(real) }
    return PathText.text(UnsafeBufferPointer(start: real, count: strlen(real)).map { UInt8(bitPattern: $0) })
  }

  /// Returns whether the path is that of a database followed by one of some suffixes.
  private func isFile(of databases: [String], _ suffixes: [String]) -> Bool {
    let identity = FileIdentity(path: path)
    return databases.contains { database in
      let resolved = Self.resolved(database) ?? database
      return suffixes.contains { suffix in
        resolved + suffix == path || identity != nil && identity == FileIdentity(path: resolved + suffix)
      }
    }
  }

  private static let logSuffixes = ["-journal", "-wal", "-shm"]

  /// The paths of the journal files if the file is a database.
  var logs: [String] { Self.logSuffixes.map { path + $0 } }

  /// Returns whether the file is the one at another path.
  func isSame(as other: String) -> Bool {
    FileIdentity(path: path).map { $0 == FileIdentity(path: other) } ?? false
  }

  /// The sizes and the times of the last changes of the file and of its journals, which change when the database is written.
  var fileTimes: [Int64] {
    ([path] + logs.dropLast()).flatMap { file -> [Int64] in
      var status = stat()
      guard PathText.withPath(file, { stat($0, &status) }) == 0 else { return [] }
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      return [Int64(status.st_size), Int64(time.tv_sec), Int64(time.tv_nsec)]
    }
  }

  /// Whether one of ``logs`` exists.
  var hasLog: Bool { logs.contains { PathText.exists(PathText.bytes($0)) } }

  /// Whether the file begins with SQLite's database header.
  var isDatabase: Bool { head == DatabaseFile.beginning }

  /// Whether SQLite would open the file as a database, which it also does if the file is empty.
  var mayBeOpenedAsDatabase: Bool { isDatabase || head?.isEmpty == true || hasLog }

  private var head: [UInt8]? { try? OpenFile.contents(of: path, limit: DatabaseFile.beginning.count) }
}
