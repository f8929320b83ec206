import QuarryEngine
import QuarryFiles
import QuarryRows
import Terminal

extension RowsScreen {
  /// Imports a file and reports the result.
  func importFile(_ request: ImportFile, _ context: inout ScreenContext<Self>) { request.begin(&context) }

  /// Returns whether no import is running; reports a running import.
  func waitForImport(_ context: inout ScreenContext<Self>) -> Bool {
    guard context.workspace.isImporting else { return true }
    context.notify("a file is being imported: \(context.environment.keyHint(.stop)) stops it", .warning)
    return false
  }
}

/// Importing files: the pane of rows does it, because it stays open until everything is written.
extension ImportFile {
  /// Imports the file and reports the result.
  fileprivate func begin(_ context: inout RowsContext) {
    context.workspace.isImporting = true
    // Counts hold locks that would block the import.
    context.supersede(CountTables.slot)
    context.ask(self) { _, context, result in
      context.workspace.isImporting = false
      switch result {
      case .success(.imported(let imported, let rejectsPath)): show(imported, rejectsPath, &context)
      case .success(.refused(let sentence)): refuse(sentence, &context)
      case .success(.unrecorded(let reason)): askAboutRecord(because: reason, &context)
      case .failure(.stopped): refuse("stopped: nothing was imported", &context)
      case .failure(let problem): refuse(problem.text, &context)
      }
    }
  }

  /// Shows the rows and reports the imported and the rejected ones.
  private func show(_ result: ImportResult, _ rejectsPath: String?, _ context: inout RowsContext) {
    context.noteWriting()
    let table = result.table
    // A user who has left the form is on another screen now.
    context.send(ImportIntent.finish(table))
    if !result.rejects.isEmpty {
      context.send(DetailsIntent.lines(title: "Rejected rows", result.rejectLines(of: self, rejectsPath), isOverList: false))
    }
    let keys = [context.environment.keyHint(.commits, in: .grid), context.environment.keyHint(.undoCommit, in: .commits)]
    let undo = result.commits.isEmpty ? "it was not recorded" : "\(keys.joined(separator: " ")) undoes it"
    let notes = result.notes.filter { !toldNotes.contains($0) }
    let isPrivate = context.workspace.files.isPrivate(table.database)
    if isPrivate { context.workspace.files.haveChangedCopies = true }
    let place = isPrivate ? ["it is in a private database, which is deleted on exit"] : []
    let sentence = (["\(result.sentence): \(undo)"] + place + notes).joined(separator: "; ")
    context.notify(sentence, result.rejected == 0 ? .success : .warning)
  }

  /// Reports the reason why nothing was imported, on the import's screen if it is still open.
  private func refuse(_ sentence: String, _ context: inout RowsContext) {
    context.send(ImportIntent.fail(sentence), orNotify: Notice(sentence, .error))
  }

  /// Asks whether to import a file without a record.
  private func askAboutRecord(because reason: String, _ context: inout RowsContext) {
    let write = context.handler { _, context in
      ImportFile(plan: plan, toldNotes: toldNotes, isRecorded: false).begin(&context)
    }
    let items = [
      PickerItem(label: "Import nothing", preview: reason),
      PickerItem(label: "Import without a record", detail: "it cannot be undone afterwards", preview: reason, perform: write),
    ]
    context.present(Picker(title: "This import cannot be recorded", placeholder: "import?", items: items))
  }
}

extension ImportResult {
  /// The result in words: `imported 1,000 rows into Track (3 rejected, 2 updated)`.
  fileprivate var sentence: String {
    let parts = [
      (rejected, "rejected"), (updated, "updated"), (unchanged, "unchanged"), (replaced, "replaced"), (ignored, "ignored"),
    ].filter { $0.0 > 0 }.map { "\(Plural.grouped($0.0)) \($0.1)" }
    return "imported \(Plural.of(inserted + updated, "row")) into \(table.name)"
      + (parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))")
  }

  /// Returns the rejected rows, each with its line number and the reason.
  fileprivate func rejectLines(of request: ImportFile, _ path: String?) -> [StyledLine] {
    let all = rejects.map { StyledLine("line \(Plural.grouped($0.line))  ", .muted).adding($0.reason, .error) }
    let more = rejected - rejects.count
    let file = path.map { StyledLine("\(Plural.of(rejected, "row")) of \(request.name) saved to \($0).") }
    return [file, StyledLine()].compactMap(\.self) + all + (more > 0 ? [StyledLine("and \(Plural.grouped(more)) more", .muted)] : [])
  }
}
