import QuarryEngine
import QuarryFiles
import QuarryRows
import QuarrySources

/// Writes rows to a file, which appears once it is whole.
package struct ExportRows: Action {
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
  /// It goes on, whatever is looked at meanwhile.
  var activity: Activity? { Activity(name: "writing \(name)", urgency: .asked, outlastsEscape: true) }

  func run(in services: Services, report: @escaping @Sendable (RowProgress) -> Void) async throws -> Answer {
    var export = RowSetExport(
      columns: rows.columnIndexes, range: rows.range, format: format, table: rows.table?.name ?? "result", path: Storage.path(of: path),
      isReplacing: isReplacing)
    export.isPlain = true
    let total = rows.count?.exactValue
    do {
      let summary = try await services.source.export(export, of: rows.reader(in: services)) { progress in
        report(RowProgress(rows: progress.rows, total: total, elapsed: progress.elapsed))
      }
      return .written(summary)
    } catch let error as OutputFileError where error.isOfPath {
      return .refused(error)
    }
  }
}

extension ExportedRows {
  /// Returns what reads the rows.
  fileprivate func reader(in services: Services) throws -> RowReader {
    switch source {
    case .grid(let grid): try services.reader(grid)
    case .table(let table): try services.source.reader(of: RowSet(.table(table)))
    }
  }
}

/// Reads which columns a table or view has that is to be written.
struct LoadExportColumns: Request {
  let table: TableReference

  var slot: RequestSlot? { RequestSlot("columns to be written") }
  var activity: Activity? { Activity(name: "", urgency: .asked) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [RowSetColumn] {
    try await services.source.reader(of: RowSet(.table(table))).columns()
  }
}
