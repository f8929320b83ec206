public import QuarryFiles

/// Reads files into the tables of a source, or beside them.
public protocol FileImporting: Sendable {
  /// The files that the tables of the first database are made of, which may still be read; nil where it is a file itself.
  var fileTables: FileTables? { get }
  /// Says what an import would do; nothing is written.
  func preview(of plan: ImportPlan) async throws -> ImportPreview
  /// Reads a file into a table, in one transaction: all of it, or nothing.
  ///
  /// - Parameter progress: Is called several times a second, on any thread.
  /// - Throws: ``ImportFailure`` where the plan cannot be carried out, or a row fails; ``FileReadError``, `DatabaseError`.
  func importRows(_ plan: ImportPlan, progress: @escaping @Sendable (ImportProgress) -> Void) async throws -> ImportResult
}
