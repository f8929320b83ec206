/// Files as the tables of a private database, which goes with this object.
///
/// ```swift
/// let tables = try FileTables(["sales.csv", "-"])
/// try tables.start()            // the first rows of each file are there when it returns
/// let queue = try DatabaseQueue(path: tables.path)
/// try tables.wait()             // until all rows are
/// ```
///
/// The files are read one after the other in the background, and what was read can be queried meanwhile. Types are found in the first megabyte
/// of each, and a table is made anew where a later value does not fit. What is no record goes to a table of its own, `sales_rejects`.
public final class FileTables: Sendable {
  /// The path of the private database.
  public let path: String

  /// Makes the private database, and opens the files.
  ///
  /// - Parameters:
  ///   - paths: The files; `-` for standard input.
  ///   - reading: What is known of how they are written.
  ///   - types: The types of columns, by their names; those of others are found by their values.
  /// - Throws: ``FileReadError``, ``DatabaseOpenError``
  public init(_ paths: [String], reading: RecordReadingOptions = RecordReadingOptions(), types: [String: ImportType] = [:]) throws {
    throw FileReadError(kind: .empty, path: paths.first ?? "")
  }

  /// Reads the first rows of each file, and begins to read the others in the background.
  ///
  /// - Throws: ``FileReadError``, ``DatabaseError``
  public func start() throws {}

  /// Waits until everything is read, or the reading has ended otherwise.
  ///
  /// - Throws: What has ended the reading: ``FileReadError``, ``DatabaseError``, `CancellationError` after ``cancel()``.
  public func wait() throws {}

  /// Ends the reading; the rows that were read stay.
  public func cancel() {}

  /// How far the reading of all files has come.
  public var progress: ImportProgress { ImportProgress() }

  /// The tables, in the order of the files.
  public var tables: [FileTable] { [] }

  /// Whether files are still being read.
  public var isReading: Bool { false }

  /// Calls `body`, on any thread, each time that rows have been added or the reading has ended; nil for nobody.
  public func onChange(_ body: (@Sendable () -> Void)?) {}
}

/// A table that was made of a file.
public struct FileTable: Hashable, Sendable {
  /// Its name in the private database.
  public var name: String
  /// The path of the file, as it was given.
  public var path: String
  /// The key under which a JSON file has it, where it has several.
  public var nameInFile: String?
  /// How the fields of a delimited text are told apart; nil for JSON.
  public var dialect: DelimitedDialect?
  /// How the text is encoded.
  public var encoding: TextEncoding
  /// The columns with their types.
  public var columns: [ImportColumn]
  /// The rows that are there.
  public var rows = 0
  /// The number of pieces of the file that are no row.
  public var rejected = 0
  /// The first of them, a hundred at most.
  public var rejects: [ImportReject] = []
  /// The name of the table that has all of them; nil where there are none.
  public var rejectsTable: String?
  /// What a person should know, each a sentence.
  public var notes: [String] = []
  /// Whether all its rows are there.
  public var isComplete = false
}
