/// Why a file could not be opened as a database.
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
/// Its ``description`` is a sentence or two for a person, with the path and the way out.
public struct DatabaseOpenError: Error, Hashable, Sendable {
  /// What is the matter with the file.
  public enum Kind: Hashable, Sendable {
    /// The path leads to nothing, and nothing is made there: the connection is read-only, or the folder is missing.
    case noSuchFile
    /// The path is a folder's.
    case isFolder
    /// A device, a pipe or a socket.
    case isNotPlainFile
    /// The file may not be read, or the folders on the way may not be entered.
    case permissionDenied
    /// Symbolic links on the way lead back to themselves.
    case linksInCircle
    /// The path is longer than SQLite or the operating system takes.
    case pathIsTooLong
    /// The file is no database, or an encrypted one, which nothing tells from noise.
    case isNoDatabase
    /// The file ends before its own account of its size.
    case isTruncated(missingBytes: Int)
    /// The file contradicts itself.
    case isCorrupt
    /// The schema has a definition that SQLite does not understand, such as one that a newer version wrote.
    case schemaNotUnderstood
    /// Another connection held its lock longer than the busy timeout.
    case isLocked
    /// The database is in WAL mode, and the files beside it that SQLite needs to read it cannot be made.
    case walNeedsWriting
    /// A program stopped in the midst of a change, and its journal has to undo that before anything can be read; a connection that only
    /// reads may not do so. One that writes does it by itself when it opens the file.
    case needsRecovery
    /// A program is in the midst of a change, or stopped in it, and an immutable connection would read half of it.
    case immutableHasJournal
    /// SQLite cannot open the file, and nothing more is known.
    case cannotOpen
    /// Anything else, which ``underlying`` tells.
    case other
  }

  /// What is the matter with the file.
  public var kind: Kind
  /// The path as it was given.
  public var path: String
  /// What SQLite said; nil where it was not asked.
  public var underlying: DatabaseError?

  /// Creates an error.
  public init(kind: Kind, path: String, underlying: DatabaseError? = nil) {
    self.kind = kind
    self.path = path
    self.underlying = underlying
  }
}

extension DatabaseOpenError: CustomStringConvertible {
  /// What is the matter, and what can be done.
  public var description: String {
    let path = PathText.shown(path)
    return switch kind {
    case .noSuchFile: "There is no file “\(path)”. Check the path."
    case .isFolder: "“\(path)” is a folder. Name a database file in it."
    case .isNotPlainFile: "“\(path)” is not a plain file but a device, a pipe or a socket. Copy what it yields to a file, and open that."
    case .permissionDenied: "You may not read “\(path)”. Ask its owner, or open a copy that you may read."
    case .linksInCircle: "“\(path)” is a symbolic link that leads back to itself. Check where the links on the way lead."
    case .pathIsTooLong:
      """
      “\(path)” is longer than the \(DatabaseFile.longestPath) bytes that SQLite takes for a path. \
      Move the file to a folder nearer to the root.
      """
    case .isNoDatabase: "“\(path)” is not an SQLite database, or it is encrypted, which cannot be told apart. Decrypt it first if it is."
    case .isTruncated(let missing):
      "“\(path)” is cut off: \(missing) bytes are missing at its end. Copy it anew, or save what is left with `sqlite3 FILE .recover`."
    case .isCorrupt: "“\(path)” is damaged (\(reason)). Save what is left with `sqlite3 FILE .recover`."
    case .schemaNotUnderstood: SchemaFault(reason)?.sentence(of: "“\(path)”") ?? "The schema of “\(path)” is not understood: \(reason)."
    case .isLocked: "“\(path)” is locked by another program. Try again when that has finished."
    case .walNeedsWriting:
      """
      “\(path)” is in WAL mode: to read it, SQLite must make files beside it, and may not. \
      Open it as immutable (--immutable) if nobody is writing it, or copy it to a folder in which you may write.
      """
    case .needsRecovery:
      """
      “\(path)” was left in the midst of a change by a program that stopped. “\(path)-journal” undoes that when the file is opened where \
      it may be written: leave out --read-only. A copy without its journal would keep half of the change.
      """
    case .immutableHasJournal:
      "“\(path)” is in the midst of a change, as “\(path)-journal” says, and --immutable would show half of it. Leave out --immutable."
    case .cannotOpen:
      "“\(path)” cannot be opened (\(reason)). \(system?.advice ?? "Check that you may read it, and enter the folders on the way.")"
    case .other: "“\(path)” cannot be opened: \(reason)."
    }
  }

  private var reason: String { system?.description ?? underlying?.message ?? "no reason given" }

  /// The system's error behind SQLite's.
  private var system: SystemError? {
    underlying.flatMap { $0.systemError == 0 ? nil : SystemError(code: $0.systemError) }
  }
}
