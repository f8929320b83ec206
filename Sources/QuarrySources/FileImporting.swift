public import QuarryFiles

/// Imports files into the tables of a source, or loads them beside it.
public protocol FileImporting: Sendable {
  /// The files from which the tables of the first database were loaded, or are still being loaded.
  ///
  /// Nil if the first database is itself a file.
  var fileTables: FileTables? { get }
  /// Returns the preview of an import.
  ///
  /// Writes nothing.
  func preview(of plan: ImportPlan) async throws -> ImportPreview
  /// Imports a file into a table in one transaction, completely or not at all.
  ///
  /// - Parameter progress: Called several times a second, on any thread.
  /// - Throws: ``ImportFailure`` if the plan cannot be carried out or a row fails. ``FileReadError``, `DatabaseError`.
  func importRows(_ plan: ImportPlan, progress: @escaping @Sendable (ImportProgress) -> Void) async throws -> ImportResult
}
