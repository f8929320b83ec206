import QuarryEngine
import QuarryFiles
import QuarryRows

/// The choices in the form of an export.
struct ExportForm: Hashable, Sendable {
  var all: ExportedRows
  var selected: ExportedRows?
  /// The path as entered.
  var path: String
  var format: ExportFormat
  var takesSelection: Bool
  /// The line under the cursor.
  var line: ExportScreen.Line

  /// The request that writes the file.
  var request: ExportRows { ExportRows(rows: takesSelection ? selected ?? all : all, format: format, path: path) }
}

/// Rows that can be exported to a file: the rows of a grid, a part of them, or all rows of a table.
struct ExportedRows: Hashable, Sendable {
  /// The source of the rows.
  enum Source: Hashable, Sendable {
    case grid(GridID)
    case table(TableReference)
  }

  let source: Source
  /// The title of the grid, or the table's name.
  let title: String
  /// The table of the rows; nil for the rows of a query.
  let table: TableReference?
  /// The visible columns, from left to right, and their indexes in the set.
  let columns: [RowSetColumn]
  let columnIndexes: [Int]
  let hiddenColumns: Int
  /// The first and the last row; nil for all rows.
  let range: RowRange?
  /// The number of rows; nil if unknown.
  let count: RowNumber?
  /// Whether a filter excludes rows.
  let isFiltered: Bool

  init(allOf grid: GridPane) {
    self.init(grid, columns: grid.layout.shown, range: nil, count: grid.total)
  }

  /// Creates the selected rows of a grid; nil without a selection.
  init?(selectedIn grid: GridPane) {
    guard let keys = grid.selectedKeys else { return nil }
    let range = RowRange(from: keys.from, through: keys.through)
    self.init(grid, columns: grid.selectedColumns, range: range, count: grid.selectedCount.map { .exact($0) })
  }

  /// Creates all rows of a table or view, whether it is visible or not.
  init(allOf table: TableReference, columns: [RowSetColumn], count: RowNumber?) {
    (source, title, self.table) = (.table(table), table.name, table)
    (self.columns, columnIndexes, hiddenColumns) = (columns, Array(columns.indices), 0)
    (range, self.count, isFiltered) = (nil, count, false)
  }

  private init(_ grid: GridPane, columns indexes: [Int], range: RowRange?, count: RowNumber?) {
    (source, title, table) = (.grid(grid.id), grid.title, grid.rowSet.sourceTable)
    (columnIndexes, columns) = (indexes, indexes.compactMap(grid.column(at:)))
    hiddenColumns = grid.columns.count - indexes.count
    (self.range, self.count) = (range, count)
    isFiltered = !grid.view.filter.isBlank
  }

  /// The name of a file for the rows, without an extension; invalid characters are replaced.
  var fileName: String {
    let name = (table?.name ?? "result").map { $0 == "/" || $0.isNewline || $0 == "\0" ? "_" : $0 }
    return name.first == "." || name.first == "~" ? "_" + String(name) : String(name)
  }

  /// The number of rows in words: `12 rows that match the filter`, `3 rows × 2 columns`.
  var words: String {
    let rows =
      switch count {
      case .exact(let number)?: Plural.of(number, "row")
      case .atLeast(let number)?: "at least \(Plural.grouped(number)) rows"
      case .estimated(let number)?: "about \(Plural.grouped(number)) rows"
      case nil: "rows"
      }
    return range == nil && isFiltered ? "\(rows) that match the filter" : rows
  }

  /// Returns the names of the columns written in a format, and the numbers of omitted columns.
  func columnWords(as format: ExportFormat) -> String {
    let computed = format == .sql ? columns.count { $0.computed != nil } : 0
    let names = columns.filter { format != .sql || $0.computed == nil }.map(\.name).joined(separator: ", ")
    let left = [
      hiddenColumns > 0 ? "\(hiddenColumns) not \(range == nil ? "shown" : "selected")" : nil,
      computed > 0 ? "\(computed) computed, which the table does not have" : nil,
    ]
    let without = left.compactMap(\.self)
    return without.isEmpty ? names : "\(names) (without \(without.joined(separator: " and ")))"
  }
}
