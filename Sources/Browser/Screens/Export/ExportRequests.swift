import QuarryEngine

/// Writes rows to a file, which appears once it is whole.
struct ExportRows: Action {
  let rows: ExportedRows
  let format: ExportFormat
  /// The path of the file, as it was written.
  let path: String
  /// Whether a file that is there may be replaced.
  var isReplacing = false

  enum Answer: Sendable {
    case written(ExportSummary)
    /// Another path would help.
    case refused(OutputFileError)
  }

  /// The file's name without its folder.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  var queue: ActionQueue { ActionQueue("export") }
  var activity: Activity? { Activity(name: "writing \(name)", urgency: .asked) }

  func run(in services: Services, report: @escaping @Sendable (RowProgress) -> Void) async throws -> Answer {
    let export = RowSetExport(
      columns: rows.columnIndexes, range: rows.range, format: format, table: rows.table?.name ?? "result", path: Storage.path(of: path),
      isReplacing: isReplacing)
    let total = rows.count?.exactValue
    do {
      let summary = try await services.source.export(export, of: services.reader(rows.grid)) { progress in
        report(RowProgress(rows: progress.rows, total: total, elapsed: progress.elapsed))
      }
      return .written(summary)
    } catch let error as OutputFileError where error.isOfPath {
      return .refused(error)
    }
  }
}
