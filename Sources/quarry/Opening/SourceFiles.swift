internal import Libc
internal import QuarryEngine
internal import QuarryFiles

/// The files of a command line, some of which may not be databases.
///
/// Each CSV or JSON file becomes a table of one private database, which is then `main`. The databases are attached.
struct SourceFiles {
  /// The paths as written.
  let paths: [String]
  /// The options for reading the data files, or nil to detect all of them.
  let options: DataFileOptions?
  /// The paths of the files that become tables.
  let dataPaths: [String]
  let databasePaths: [String]

  /// Examines the files.
  init(_ paths: [String], options: DataFileOptions?) throws {
    (self.paths, self.options) = (paths, options)
    dataPaths = try paths.filter { try Self.isData($0, encoding: options?.encoding) }
    databasePaths = paths.filter { [dataPaths] in !dataPaths.contains($0) }
    if dataPaths.isEmpty, let options, !options.isPlain {
      throw Failure.usage(
        "--types, --header, --separator, --skip, --comment and --encoding apply only to CSV and JSON files, and none was named")
    }
    try DatabaseFiles.checkCount(databasePaths.count + (dataPaths.isEmpty ? 0 : 1))
  }

  /// Whether some files are not databases.
  var hasData: Bool { !dataPaths.isEmpty }

  /// The names of the databases that contain the tables of each path.
  var databaseNames: [String] {
    let attached = AttachedNames.names(for: hasData ? databasePaths : Array(databasePaths.dropFirst()))
    var names = (hasData ? attached : ["main"] + attached)[...]
    return paths.map { dataPaths.contains($0) ? "main" : names.popFirst() ?? "main" }
  }

  /// Returns whether the file at a path becomes a table, by its content.
  ///
  /// - Parameter encoding: The encoding of a text, or nil to detect it.
  /// - Throws: `Failure` if the file is known to be neither data nor a database.
  static func isData(_ path: String, encoding: TextEncoding? = nil) throws -> Bool {
    if path == StandardInput.name { return true }
    switch kind(of: path) {
    case nil: return false
    case S_IFREG: break
    // The content of a pipe can be read only once.
    case S_IFIFO, S_IFCHR, S_IFSOCK: return true
    default: return false
    }
    do {
      switch try FileKind(path: path, encoding: encoding) {
      case .database: return false
      // SQLite opens an empty file as a database, but its name may indicate data.
      case .empty:
        guard isNamedAsData(path) else { return false }
        throw Failure.refused("“\(PathText.shown(path))” is empty: it has no row to make a table from")
      case .json, .delimited, nil: return true
      }
    } catch let error as FileReadError {
      switch error.kind {
      // SQLite's own error is reported for a file of unknown format, or one that cannot be opened.
      case .binary(nil), .noSuchFile, .isFolder, .system: return false
      case .binary(.some): throw error
      // The file is text. Errors in its rows are reported when they are read.
      case .empty, .database, .encoding, .noRecordAfter, .tooManyColumns, .tooManyKeys, .tooLong, .noColumn, .unreadable, .changed:
        return true
      }
    }
  }

  /// Returns the type of the file at a path, or nil if the file does not exist or the path is invalid.
  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    let bytes = PathText.bytes(path).map { CChar(bitPattern: $0) } + [0]
    return stat(bytes, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Returns whether a path has the extension of a text file with rows.
  static func isNamedAsData(_ path: String) -> Bool {
    [".csv", ".tsv", ".tab", ".json", ".ndjson", ".jsonl", ".txt"].contains { path.lowercased().hasSuffix($0) }
  }
}
