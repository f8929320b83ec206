/// Reads a file into a table of a database, in one transaction.
///
/// ```swift
/// let importer = try Importer(plan, in: db)
/// for problem in importer.preview.problems { print(problem) }
/// let result = try importer.run(in: db) { progress in print(progress.rows) }
/// print(result.inserted)
/// ```
///
/// Rows are parsed on one thread and written on another, in blocks, so that memory stays bounded. What fails undoes all, unless the plan names
/// a file for rejects. One thread uses it at a time, but for ``cancel()``.
public final class Importer: Sendable {
  /// What is going to be done.
  public let preview: ImportPreview

  /// Opens the file, reads its first megabyte, and finds out what goes where; nothing is written.
  ///
  /// - Throws: ``FileReadError``; ``DatabaseError`` where the table cannot be read.
  public init(_ plan: ImportPlan, in db: Database) throws {
    throw FileReadError(kind: .empty, path: plan.path)
  }

  /// Imports the rows.
  ///
  ///     BEGIN IMMEDIATE; INSERT INTO main.Track(Name, AlbumId) VALUES (?, ?); …; COMMIT
  ///
  /// - Parameter progress: Is called several times a second; what it throws ends the import, of which nothing remains.
  /// - Throws: ``ImportFailure``, ``FileReadError``, ``DatabaseError``, `CancellationError` after ``cancel()``; then nothing is written.
  public func run(in db: Database, progress: (ImportProgress) throws -> Void = { _ in }) throws -> ImportResult {
    try run(in: db, recorder: nil, progress: progress)
  }

  /// Imports the rows, and records them so that they can be taken back.
  package func run(
    in db: Database, recorder: ChangeRecorder?, progress: (ImportProgress) throws -> Void
  ) throws -> ImportResult {
    throw CancellationError()
  }

  /// Ends the import from any thread, even while it waits for a pipe.
  public func cancel() {}
}
