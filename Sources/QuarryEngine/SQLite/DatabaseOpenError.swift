/// The error of a file that could not be opened as a database.
///
/// ```swift
/// do {
///   let queue = try DatabaseQueue(path: "playres.db", configuration: configuration)  // which is read-only
/// } catch let error as DatabaseOpenError {
///   error.kind         // .noSuchFile
///   error.description  // There is no file “playres.db”. Check the path.
/// }
/// ```
///
/// Its ``description`` is a sentence or two for people, with the path and a remedy.
public struct DatabaseOpenError: Error, Hashable, Sendable {
  /// The kinds of problems with a file.
  public enum Kind: Hashable, Sendable {
    /// The file does not exist and is not created: the connection is read-only, or the folder is missing.
    case noSuchFile
    /// The path is that of a folder.
    case isFolder
    /// The file is a device, a pipe or a socket.
    case isNotPlainFile
    /// The file may not be read, or a folder in its path may not be entered.
    case permissionDenied
    /// Symbolic links in the path form a cycle.
    case linksInCircle
    /// The path is too long for SQLite or the operating system.
    case pathIsTooLong
    /// The file is not a database, or an encrypted one, which cannot be distinguished from random bytes.
    case isNoDatabase
    /// The file is shorter than the size in its header.
    case isTruncated(missingBytes: Int)
    /// The file is damaged.
    case isCorrupt
    /// The schema contains a definition that SQLite cannot parse, such as one written by a newer version.
    case schemaNotUnderstood
    /// Another connection held its lock longer than the busy timeout.
    case isLocked
    /// The database is in WAL mode, and the additional files that SQLite needs to read it cannot be created.
    case walNeedsWriting
    /// A program stopped during a change, and its journal must be rolled back before the database can be read.
    ///
    /// A read-only connection may not do so. A writable connection rolls it back when it opens the file.
    case needsRecovery
    /// A program is writing a change, or stopped during one, and an immutable connection would read half of it.
    case immutableHasJournal
    /// SQLite cannot open the file for an unknown reason.
    case cannotOpen
    /// Any other error: see ``underlying``.
    case other
  }

  /// The kind of the problem.
  public var kind: Kind
  /// The path as passed by the caller.
  public var path: String
  /// The error of SQLite; nil if SQLite was not called.
  public var underlying: DatabaseError?

  /// Creates an error.
  public init(kind: Kind, path: String, underlying: DatabaseError? = nil) {
    self.kind = kind
    self.path = path
    self.underlying = underlying
  }
}

extension DatabaseOpenError: CustomStringConvertible {
  /// The problem and a remedy.
  public var description: String {
    let path = PathText.shown(path)
    return switch kind {
    case .noSuchFile: "There is no file “\(path)”. Check the path."
    case .isFolder: "“\(path)” is a folder. Name a database file in it."
    case .isNotPlainFile: "“\(path)” is not a plain file but a device, a pipe or a socket. Copy its data to a file and open that file."
    case .permissionDenied: "You do not have permission to read “\(path)”. Ask its owner, or open a copy that you can read."
    case .linksInCircle: "“\(path)” is a symbolic link that leads back to itself. Check the links in its path."
    case .pathIsTooLong:
      """
      “\(path)” is longer than the \(DatabaseFile.longestPath) bytes that SQLite allows for a path. \
      Move the file to a folder with a shorter path.
      """
    case .isNoDatabase: "“\(path)” is not an SQLite database, or it is encrypted. If it is encrypted, decrypt it first."
    case .isTruncated(let missing):
      "“\(path)” is truncated: \(missing) bytes are missing at its end. Copy it again, or save the rest with `sqlite3 FILE .recover`."
    case .isCorrupt: "“\(path)” is damaged (\(reason)). Save the readable data with `sqlite3 FILE .recover`."
    case .schemaNotUnderstood: SchemaFault(reason)?.sentence(of: "“\(path)”") ?? "The schema of “\(path)” is not understood: \(reason)."
    case .isLocked: "“\(path)” is locked by another program. Try again when it has finished."
    case .walNeedsWriting:
      """
      “\(path)” is in WAL mode: to read it, SQLite must create files next to it, but has no permission. \
      Open it as immutable (--immutable) if no program is writing it, or copy it to a writable folder.
      """
    case .needsRecovery:
      """
      “\(path)” has an unfinished transaction from a program that crashed. SQLite rolls it back using “\(path)-journal” when it may write \
      the file: leave out --read-only. A copy without its journal would contain half of the transaction.
      """
    case .immutableHasJournal:
      "“\(path)” has an unfinished transaction in “\(path)-journal”, and --immutable would show half of it. Leave out --immutable."
    case .cannotOpen:
      "“\(path)” cannot be opened (\(reason)). \(system?.advice ?? "Check its permissions and those of the folders in its path.")"
    case .other: "“\(path)” cannot be opened: \(reason)."
    }
  }

  private var reason: String { system?.description ?? underlying?.message ?? "no reason given" }

  /// The system error that caused SQLite's error.
  private var system: SystemError? {
    underlying.flatMap { $0.systemError == 0 ? nil : SystemError(code: $0.systemError) }
  }
}
