import QuarryEngine

/// Why a foreign key cannot be followed from a cell.
enum ForeignKeyObstacle {
  /// Returns the reason as a sentence; nil where the key can be followed.
  ///
  /// - Parameter mark: What columns that are foreign keys have in the header.
  static func sentence(column: Int, cells: [CellValue], columns: [RowSetColumn], schema: TableSchema?, mark: String) -> String? {
    guard columns.indices.contains(column), cells.indices.contains(column) else { return nil }
    let name = columns[column].name
    let isReference = schema?.foreignKeys.contains { key in key.columns.contains { $0.isSameName(as: name) } } ?? false
    guard isReference else { return "\(name) is no foreign key; those that are have a \(mark) in the header" }
    return cells[column] == .null ? "\(name) is NULL here, so it refers to nothing" : nil
  }
}
