import QuarryEngine

/// Rows or a value that are read for the clipboard.
struct Copying: Hashable, Sendable {
  var request: CopyRequest
  /// The number of rows; nil where that is not known.
  var rows: Int?
  var progress: RowProgress?
}

extension Browser {
  /// Copies the value under the cursor, whole and as it is.
  mutating func copyValue() -> [Effect] {
    guard let grid, let key = grid.currentRow?.key else { return [] }
    return copyValue(of: key, column: grid.column)
  }

  mutating func copyValue(of key: RowKey, column: Int) -> [Effect] {
    guard let grid, grid.columns.indices.contains(column) else { return [] }
    return prepareCopy(.value(key, column: column), title: grid.columns[column].name)
  }

  mutating func copyRow(as format: ExportFormat) -> [Effect] {
    guard let grid, let key = grid.currentRow?.key else { return [] }
    let content = CopyRequest.Content.rows(from: key, through: key, columns: grid.layout.shown, format: format)
    return prepareCopy(content, title: "1 row as \(format.title)")
  }

  /// Copies what is selected, else the row under the cursor.
  mutating func copySelection(as format: ExportFormat) -> [Effect] {
    guard let grid, let keys = grid.selectedKeys else { return copyRow(as: format) }
    let columns = grid.selectedColumns
    let rows = grid.selectedCount
    let title = "\(grid.selectionTitle) as \(format.title)"
    self.grid?.selection = nil
    return prepareCopy(.rows(from: keys.from, through: keys.through, columns: columns, format: format), title: title, rows: rows)
  }

  mutating func takeProgress(_ progress: RowProgress, of request: CopyRequest) {
    guard var copying, copying.request == request else { return }
    copying.progress = RowProgress(rows: progress.rows, total: copying.rows, elapsed: progress.elapsed)
    self.copying = copying
  }

  /// Hands over a text that has been read, unless it is not wanted any more.
  mutating func takeCopy(_ request: CopyRequest, _ result: Result<CopyText, Problem>) -> [Effect] {
    guard copying?.request == request else { return [] }
    copying = nil
    switch result {
    case .success(let text): return [.copyToClipboard(text)]
    case .failure(let problem):
      notice = Notice(problem.text, .error)
      return []
    }
  }

  private mutating func prepareCopy(_ content: CopyRequest.Content, title: String, rows: Int? = nil) -> [Effect] {
    guard let grid else { return [] }
    let tableName = if case .table(let table) = grid.rowSet.source { table.name } else { "result" }
    let request = CopyRequest(title: title, tableName: tableName, content: content)
    copying = Copying(request: request, rows: rows)
    return [.prepareCopy(grid.id, request)]
  }
}

extension ExportFormat {
  /// The format's name for people.
  var title: String {
    switch self {
    case .csv: "CSV"
    case .tsv: "TSV"
    case .json: "JSON"
    case .ndjson: "JSON lines"
    case .markdown: "Markdown"
    case .sql: "INSERT"
    }
  }
}
