internal import QuarryEngine
public import QuarryFiles

extension SQLiteDataSource {
  /// Returns the preview of an import.
  ///
  /// See ``Importer/preview``.
  public func preview(of plan: ImportPlan) async throws -> ImportPreview {
    try await background.withoutTransaction { db in try Importer(plan, in: db) { try db.cancellation?.check() }.preview }
  }

  /// Imports a file on the connection of statements, and records the commit.
  ///
  /// Waits for a lock until the task is cancelled.
  ///
  /// - Throws: The errors of ``Importer/run(in:progress:)``, or ``DataSourceError`` if the files are read-only or a transaction of
  ///   statements is open.
  public func importRows(_ plan: ImportPlan, progress: @escaping @Sendable (ImportProgress) -> Void) async throws -> ImportResult {
    try await writingAlone { script, db in
      let importer = try Importer(plan, in: db) { try db.cancellation?.check() }
      return try script.noting(in: db) {
        try importer.run(in: db, recorder: script.recorder) {
          try db.cancellation?.check()
          progress($0)
        }
      }
    }
  }
}
