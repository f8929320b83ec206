import QuarryChanges
import QuarryEngine
import QuarryFiles
import Terminal

extension RowsCommands {
  static let exportCommands: [Binding] = [
    Binding(
      .export, "Write the rows, or the selected rows, to a file", brief: "Export rows", keys: [.grid: ["X"]],
      unless: obstacleToExport
    ) { rows, context, _ in
      rows.showExport(&context)
    }
  ]

  private static let obstacleToExport: Obstacle = { rows, environment in
    if let obstacle = needsGrid(rows, environment) ?? environment.obstacleToWriting { return obstacle }
    return rows.opening.isReplacing(environment.grid?.id) ? "the rows are still being read" : nil
  }
}

/// Exporting rows to a file: the pane of rows does it, because it stays open until everything is written.
extension RowsScreen {
  fileprivate func showExport(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    context.send(ExportIntent.open(all: ExportedRows(allOf: grid), selected: ExportedRows(selectedIn: grid)))
  }

  /// Writes the file and reports the result; if the path is refused, the form asks for another one.
  mutating func write(_ request: ExportRows, from form: ExportForm, _ context: inout ScreenContext<Self>) {
    context.workspace.writtenFile = request.name
    let without = context.environment.unwritten(of: request.rows)
    context.ask(request) { rows, context, result in
      context.workspace.writtenFile = nil
      switch result {
      case .success(.written(let summary)):
        let torn = summary.sawChanges ? "; another program wrote during the export: rows may be inconsistent" : ""
        let wrote = "wrote \(Plural.of(summary.rows, "row")) to \(Storage.path(of: request.path)): \(BlobKind.size(summary.bytes))"
        let isWhole = without == nil && !summary.sawChanges
        context.notify(wrote + (without.map { ", without \($0)" } ?? "") + torn, isWhole ? .success : .warning)
      case .success(.refused(let error)) where error.kind == .isThere: request.askWhetherToReplace(from: form, &context)
      case .success(.refused(let error)): context.send(ExportIntent.again(form, problem: error.description))
      case .failure(.stopped): context.notify("stopped: \(request.name) was not written", .warning)
      case .failure(let problem): context.notify(problem.text, .error)
      }
      if rows.quitsOnceWritten { context.quit() }
    }
  }

  /// Returns whether no export is running; if one is, asks whether to stop it.
  func askAboutWrittenFile(_ context: inout ScreenContext<Self>) -> Bool {
    guard let writtenFile = context.workspace.writtenFile else { return true }
    let stop = context.handler { rows, context in
      rows.quitsOnceWritten = context.workspace.writtenFile != nil
      context.send(BrowserIntent.stop(byEscape: false))
    }
    let items = [
      PickerItem(label: "Stay", detail: "until the file is complete"),
      PickerItem(label: "Stop it and quit", detail: "the partial file is deleted", perform: stop),
    ]
    context.present(Picker(title: "\(writtenFile) is being written", placeholder: "quit?", items: items))
    return false
  }
}

extension ExportRows {
  fileprivate func askWhetherToReplace(from form: ExportForm, _ context: inout RowsContext) {
    let write = context.handler { rows, context in
      var request = self
      request.isReplacing = true
      rows.write(request, from: form, &context)
    }
    let again = FollowUp.send(ExportIntent.again(form, problem: nil))
    let items = [
      PickerItem(label: "Write another file", detail: "and keep this one", perform: again),
      PickerItem(label: "Replace it", detail: "once the new one is complete", perform: write),
    ]
    var picker = Picker(title: "\(name) already exists", placeholder: "replace it?", items: items)
    picker.cancel = again
    context.present(picker)
  }
}

extension ScreenEnvironment {
  /// Returns the visible or pending data that is not exported with the rows; nil for none.
  func unwritten(of rows: ExportedRows) -> String? {
    let staged = rows.table.map { workspace.staged.counts(of: $0).changes } ?? 0
    if staged > 0 { return Plural.of(staged, "staged change") }
    let isReading = workspace.files.areReading && rows.table.flatMap(workspace.files.file)?.isComplete == false
    return isReading ? "rows still being read" : nil
  }
}

extension ScreenEnvironment {
  /// The reason why no file can be exported; nil if an export is possible.
  var obstacleToWriting: String? {
    workspace.writtenFile.map { "\($0) is still being written: \(keyHint(.stop)) stops it" }
  }
}
