internal import QuarryEngine
public import QuarryFiles

extension SQLiteDataSource {
  /// Says what an import would do: see ``Importer/preview``.
  public func preview(of plan: ImportPlan) async throws -> ImportPreview {
    try await background.withoutTransaction { db in try Importer(plan, in: db) { try db.cancellation?.check() }.preview }
  }

  /// Imports a file on the connection of statements, which waits for a lock until the task is cancelled, and records what is committed.
  ///
  /// - Throws: As ``Importer/run(in:progress:)``; ``DataSourceError`` where nothing may be written or a transaction of statements is open.
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
