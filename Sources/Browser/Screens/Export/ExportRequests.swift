import QuarryEngine
import QuarryFiles
import QuarryRows
import QuarrySources

/// An action that writes rows to a file, which appears only when it is complete.
package struct ExportRows: Action {
  let rows: ExportedRows
  let format: ExportFormat
  /// The path of the file as entered.
  let path: String
  /// Whether an existing file may be replaced.
  var isReplacing = false

  enum Answer: Sendable {
    case written(ExportSummary)
    /// The file was not written; another path may help.
    case refused(OutputFileError)
  }

  /// The file's name without its folder.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  var queue: ActionQueue { ActionQueue("export") }
  /// The export continues while the person uses other screens.
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
  /// Returns a reader of the rows.
  fileprivate func reader(in services: Services) throws -> RowReader {
    switch source {
    case .grid(let grid): try services.reader(grid)
    case .table(let table): try services.source.reader(of: RowSet(.table(table)))
    }
  }
}

/// A request that reads the columns of a table or view to export.
struct LoadExportColumns: Request {
  let table: TableReference

  var slot: RequestSlot? { RequestSlot("columns to be written") }
  var activity: Activity? { Activity(name: "", urgency: .asked) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [RowSetColumn] {
    try await services.source.reader(of: RowSet(.table(table))).columns()
  }
}
