import QuarryEngine
import QuarryFiles
import QuarryRows

/// What was chosen in the form of an export.
struct ExportForm: Hashable, Sendable {
  var all: ExportedRows
  var selected: ExportedRows?
  /// The path, as it was written.
  var path: String
  var format: ExportFormat
  var takesSelection: Bool
  /// The line that the cursor is on.
  var line: ExportScreen.Line

  /// The request that writes the file.
  var request: ExportRows { ExportRows(rows: takesSelection ? selected ?? all : all, format: format, path: path) }
}

/// Rows that can be written to a file: those of a grid, some of them, or all of a table.
struct ExportedRows: Hashable, Sendable {
  /// Where they are read.
  enum Source: Hashable, Sendable {
    case grid(GridID)
    case table(TableReference)
  }

  let source: Source
  /// The title of the grid, or the table's name.
  let title: String
  /// The table that they come from; nil for those of a query.
  let table: TableReference?
  /// The shown columns, from left to right, and by their indexes in the set.
  let columns: [RowSetColumn]
  let columnIndexes: [Int]
  let hiddenColumns: Int
  /// The first and the last row; nil for all.
  let range: RowRange?
  /// How many rows there are; nil where that is not known.
  let count: RowNumber?
  /// Whether a filter leaves others out.
  let isFiltered: Bool

  init(allOf grid: GridPane) {
    self.init(grid, columns: grid.layout.shown, range: nil, count: grid.total)
  }

  /// Makes the selected rows of a grid; nil where none are.
  init?(selectedIn grid: GridPane) {
    guard let keys = grid.selectedKeys else { return nil }
    let range = RowRange(from: keys.from, through: keys.through)
    self.init(grid, columns: grid.selectedColumns, range: range, count: grid.selectedCount.map { .exact($0) })
  }

  /// Makes all rows of a table or view, whether it is on the screen or not.
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

  /// The name of a file for them, without an ending: what a path cannot have is left out.
  var fileName: String {
    let name = (table?.name ?? "result").map { $0 == "/" || $0.isNewline || $0 == "\0" ? "_" : $0 }
    return name.first == "." || name.first == "~" ? "_" + String(name) : String(name)
  }

  /// How many they are: `12 rows that the filter keeps`, `3 rows × 2 columns`.
  var words: String {
    let rows =
      switch count {
      case .exact(let number)?: Plural.of(number, "row")
      case .atLeast(let number)?: "\(Plural.grouped(number)) rows or more"
      case .estimated(let number)?: "about \(Plural.grouped(number)) rows"
      case nil: "rows"
      }
    return range == nil && isFiltered ? "\(rows) that the filter keeps" : rows
  }

  /// Which columns are written in a format, and which are not.
  func columnWords(as format: ExportFormat) -> String {
    let computed = format == .sql ? columns.count { $0.computed != nil } : 0
    let names = columns.filter { format != .sql || $0.computed == nil }.map(\.name).joined(separator: ", ")
    let left = [
      hiddenColumns > 0 ? "\(hiddenColumns) not \(range == nil ? "shown" : "selected")" : nil,
      computed > 0 ? "\(computed) computed, which a table does not take" : nil,
    ]
    let without = left.compactMap(\.self)
    return without.isEmpty ? names : "\(names) (without \(without.joined(separator: " and ")))"
  }
}
