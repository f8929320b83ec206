import QuarryEngine
import Terminal

/// Writing the rows to a file: the pane of rows does it, since it is there until all is written.
extension RowsScreen {
  static let exportCommands: [Binding] = [
    Binding(
      .export, "Write the rows to a file, as they are shown or as they are selected", brief: "Export rows", keys: [.grid: ["X"]],
      unless: { $0.obstacleToExport($1) }
    ) { rows, context, _ in
      rows.showExport(&context)
    }
  ]

  private func obstacleToExport(_ environment: ScreenEnvironment) -> String? {
    if let obstacle = Self.needsGrid(self, environment) { return obstacle }
    if let writtenFile { return "\(writtenFile) is still being written: \(environment.keyHint(.stop)) stops it" }
    return opening != nil && opening?.replaced == environment.grid?.id ? "the rows are still being read" : nil
  }

  private func showExport(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    context.present(ExportScreen(all: ExportedRows(allOf: grid), selected: ExportedRows(selectedIn: grid)))
  }

  /// Writes the file, and says what has become of it; where it may not be written there, the form asks for another path.
  mutating func write(_ request: ExportRows, from form: ExportScreen, _ context: inout ScreenContext<Self>) {
    writtenFile = request.name
    context.ask(request) { rows, context, result in
      rows.writtenFile = nil
      switch result {
      case .success(.written(let summary)):
        context.notify(
          "wrote \(Plural.of(summary.rows, "row")) to \(Storage.path(of: request.path)): \(BlobKind.size(summary.bytes))", .success)
      case .success(.refused(let error)) where error.kind == .isThere: rows.askWhetherToReplace(request, from: form, &context)
      case .success(.refused(let error)): context.present(form.refused(error.description))
      case .failure(.stopped): context.notify("stopped: \(request.name) was not written", .warning)
      case .failure(let problem): context.notify(problem.text, .error)
      }
      if rows.quitsOnceWritten { context.quit() }
    }
  }

  private func askWhetherToReplace(_ request: ExportRows, from form: ExportScreen, _ context: inout ScreenContext<Self>) {
    let write = context.handler { (rows: inout RowsScreen, context: inout ScreenContext<Self>) in
      var request = request
      request.isReplacing = true
      rows.write(request, from: form, &context)
    }
    let items = [
      PickerItem(label: "Write another file", detail: "and leave this one as it is") { $0.present(form) },
      PickerItem(label: "Replace it", detail: "once the new one is whole", perform: write),
    ]
    var picker = Picker(title: "\(request.name) is already there", placeholder: "replace it?", items: items)
    picker.cancel = { $0.present(form) }
    context.present(picker)
  }

  /// Returns whether no file is being written; asks what is to become of it where one is.
  func askAboutWrittenFile(_ context: inout ScreenContext<Self>) -> Bool {
    guard let writtenFile else { return true }
    let stop = context.handler { (rows: inout RowsScreen, context: inout ScreenContext<Self>) in
      rows.quitsOnceWritten = rows.writtenFile != nil
      context.afterwards { $0.stop() }
    }
    let items = [
      PickerItem(label: "Stay", detail: "until it is whole") { _ in },
      PickerItem(label: "Stop it and quit", detail: "no part of the file is kept", perform: stop),
    ]
    context.present(Picker(title: "\(writtenFile) is being written", placeholder: "quit?", items: items))
    return false
  }
}

/// Rows of a grid that can be written to a file.
struct ExportedRows: Hashable, Sendable {
  let grid: GridID
  /// The title of the grid: the table's name.
  let title: String
  /// The table that they come from; nil for those of a query.
  let table: TableReference?
  /// The shown columns, from left to right, and by their indexes in the set.
  let columns: [RowSetColumn]
  let columnIndexes: [Int]
  let hiddenColumns: Int
  /// The first and the last row; nil for all.
  let range: RowSetExport.Range?
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
    let range = RowSetExport.Range(from: keys.from, through: keys.through)
    self.init(grid, columns: grid.selectedColumns, range: range, count: grid.selectedCount.map { .exact($0) })
  }

  private init(_ grid: GridPane, columns indexes: [Int], range: RowSetExport.Range?, count: RowNumber?) {
    (self.grid, title, table) = (grid.id, grid.title, grid.rowSet.sourceTable)
    (columnIndexes, columns) = (indexes, indexes.map { grid.columns[$0] })
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
      hiddenColumns > 0 ? "\(hiddenColumns) not shown" : nil, computed > 0 ? "\(computed) computed, which a table does not take" : nil,
    ]
    let without = left.compactMap(\.self)
    return without.isEmpty ? names : "\(names) (without \(without.joined(separator: " and ")))"
  }
}
