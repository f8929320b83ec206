/// Writing all of a table or view of the catalog.
extension CatalogPane {
  static let exporting = CommandBinding<Self>(
    .export, "Write all rows of the table or view to a file", brief: "Export table", keys: [.catalog: ["X"]],
    unless: { pane, environment in
      if pane.currentTable == nil { return "there is no table here" }
      return environment.obstacleToWriting
    }
  ) { pane, context, _ in
    guard let table = pane.currentTable else { return }
    context.ask(LoadExportColumns(table: table)) { _, context, result in
      switch result {
      case .success(let columns):
        let rows = ExportedRows(allOf: table, columns: columns, count: context.workspace.count(of: table))
        context.send(ExportIntent.open(all: rows, selected: nil))
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }
}
