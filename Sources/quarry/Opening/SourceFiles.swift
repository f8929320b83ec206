internal import Libc
internal import QuarryEngine
internal import QuarryFiles

/// The files of a command line, some of which may be no databases: each CSV or JSON file becomes a table of one private database, which is
/// `main` then, and the databases are attached beside it.
struct SourceFiles {
  /// The paths as they were written.
  let paths: [String]
  /// How those that become tables are to be read; nil where all of that is found.
  let options: DataFileOptions?
  /// Those that become tables.
  let dataPaths: [String]
  let databasePaths: [String]

  /// Looks at the files.
  init(_ paths: [String], options: DataFileOptions?) throws {
    (self.paths, self.options) = (paths, options)
    dataPaths = try paths.filter { try Self.isData($0, encoding: options?.encoding) }
    databasePaths = paths.filter { [dataPaths] in !dataPaths.contains($0) }
    if dataPaths.isEmpty, let options, !options.isPlain {
      throw Failure.usage(
        "--types, --header, --separator, --skip, --comment and --encoding are about CSV and JSON files, and no file here is one")
    }
    try DatabaseFiles.checkCount(databasePaths.count + (dataPaths.isEmpty ? 0 : 1))
  }

  /// Whether some are no databases.
  var hasData: Bool { !dataPaths.isEmpty }

  /// The names of the databases to which the tables of each path belong.
  var databaseNames: [String] {
    let attached = AttachedNames.names(for: hasData ? databasePaths : Array(databasePaths.dropFirst()))
    var names = (hasData ? attached : ["main"] + attached)[...]
    return paths.map { dataPaths.contains($0) ? "main" : names.popFirst() ?? "main" }
  }

  /// Returns whether a path leads to what becomes a table, by its content.
  ///
  /// - Parameter encoding: How a text is encoded; nil to find that out.
  /// - Throws: `Failure` for what is known to be neither.
  static func isData(_ path: String, encoding: TextEncoding? = nil) throws -> Bool {
    if path == StandardInput.name { return true }
    switch kind(of: path) {
    case nil: return false
    case S_IFREG: break
    // Its content can be read only once.
    case S_IFIFO, S_IFCHR, S_IFSOCK: return true
    default: return false
    }
    do {
      switch try FileKind(path: path, encoding: encoding) {
      case .database: return false
      // SQLite takes an empty file for a database; by its name it may be meant to hold rows.
      case .empty:
        guard isNamedAsData(path) else { return false }
        throw Failure.refused("“\(PathText.shown(path))” is empty: it has no row to make a table of")
      case .json, .delimited, nil: return true
      }
    } catch let error as FileReadError {
      switch error.kind {
      // What SQLite says of a file that is of no known kind, or cannot be opened, is told.
      case .binary(nil), .noSuchFile, .isFolder, .system: return false
      case .binary(.some): throw error
      // It is a text; whether its rows can be read is told when they are.
      case .empty, .database, .encoding, .noRecordAfter, .tooManyColumns, .tooManyKeys, .tooLong, .noColumn, .unreadable, .changed:
        return true
      }
    }
  }

  /// Returns what the system says that lies at a path; nil for nothing, and for what is no path.
  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    let bytes = PathText.bytes(path).map { CChar(bitPattern: $0) } + [0]
    return stat(bytes, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  private static func isNamedAsData(_ path: String) -> Bool {
    [".csv", ".tsv", ".tab", ".json", ".ndjson", ".jsonl", ".txt"].contains { path.lowercased().hasSuffix($0) }
  }
}
