import QuarryChanges
import QuarryEngine
import QuarryFiles

/// Changes of tables that are made of files: they go to a private database, which goes with the program.
extension ScreenEnvironment {
  /// What is said of changes of some tables; nil where none of them is made of a file.
  ///
  ///     sales.csv itself stays as it is: X writes a file
  func copyRemark(for tables: [TableReference]) -> String? {
    let files = tables.compactMap(workspace.files.file)
    guard let first = files.first else { return nil }
    let name = Set(files.map(\.path)).count == 1 ? "\(first.fileName) itself stays as it is" : "the files themselves stay as they are"
    return "\(name): \(keyHint("export", in: .grid)) writes a file"
  }

  /// What is said of a transaction; nil where no table is made of a file.
  var copyRemark: String? {
    workspace.files.tables.isEmpty ? nil : copyRemark(for: workspace.files.tables.map { TableReference(name: $0.name) })
  }
}

extension RowsScreen {
  /// Says what becomes of changes of tables that are made of files, when the first one is staged.
  mutating func warnAboutCopies(_ context: inout ScreenContext<Self>) {
    guard !didWarnAboutCopies, !context.workspace.staged.isEmpty,
      let remark = context.environment.copyRemark(for: context.workspace.staged.tables)
    else { return }
    didWarnAboutCopies = true
    context.addToNotice(remark)
  }

  /// Asks before the program ends, and the private copies go that were changed; returns whether it may end.
  func askAboutCopies(_ context: inout ScreenContext<Self>) -> Bool {
    guard context.workspace.files.haveChangedCopies else { return true }
    let quit = context.handler { _, context in
      context.workspace.files.haveChangedCopies = false
      context.quit()
    }
    let items = [
      PickerItem(label: "Stay"),
      PickerItem(label: "Quit", detail: "the files stay as they are", perform: quit),
    ]
    let remark = context.environment.copyRemark ?? ""
    context.present(Picker(title: "What was committed is in a private copy, which goes now; \(remark)", placeholder: "quit?", items: items))
    return false
  }
}

extension ScreenContext {
  /// Adds a sentence to the notice that is shown.
  mutating func addToNotice(_ sentence: String) {
    let before = notice.map { $0.text.withoutFullStop + "; " } ?? ""
    notify(before + sentence, notice?.role ?? .muted)
  }
}
