import QuarryEngine

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
    let title = "\(grid.selectionTitle) as \(format.title)"
    self.grid?.selection = nil
    return prepareCopy(.rows(from: keys.from, through: keys.through, columns: columns, format: format), title: title)
  }

  private func prepareCopy(_ content: CopyRequest.Content, title: String) -> [Effect] {
    guard let grid else { return [] }
    let tableName = if case .table(let table) = grid.rowSet.source { table.name } else { "result" }
    return [.prepareCopy(grid.id, CopyRequest(title: title, tableName: tableName, content: content))]
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
