import QuarryChanges
import QuarryEngine
import QuarryFiles

/// What becomes of changes of tables that are made of files.
extension RowsScreen {
  /// Says what becomes of changes of tables that are made of files, when the first one is staged.
  mutating func warnAboutCopies(_ context: inout ScreenContext<Self>) {
    guard !didWarnAboutCopies, !context.workspace.staged.isEmpty,
      let remark = context.environment.copyRemark(for: context.workspace.staged.tables)
    else { return }
    didWarnAboutCopies = true
    context.addToNotice(remark)
  }
}

extension RowsContext {
  /// Asks before the program ends, and the private copies go that were changed; returns whether it may end.
  mutating func askAboutCopies() -> Bool {
    guard workspace.files.haveChangedCopies else { return true }
    let quit = handler { _, context in
      context.workspace.files.haveChangedCopies = false
      context.quit()
    }
    let items = [
      PickerItem(label: "Stay"),
      PickerItem(label: "Quit", detail: "the files stay as they are", perform: quit),
    ]
    let remark = environment.copyRemark ?? ""
    present(Picker(title: "What was committed is in a private copy, which goes now; \(remark)", placeholder: "quit?", items: items))
    return false
  }
}
