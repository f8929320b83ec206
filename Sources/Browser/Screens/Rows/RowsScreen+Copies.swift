import QuarryChanges
import QuarryEngine
import QuarryFiles

/// Information about changes of tables that are read from files.
extension RowsScreen {
  /// Explains, when the first change is staged, that changes of tables that are read from files do not change the files.
  mutating func warnAboutCopies(_ context: inout ScreenContext<Self>) {
    guard !didWarnAboutCopies, !context.workspace.staged.isEmpty,
      let remark = context.environment.copyRemark(for: context.workspace.staged.tables)
    else { return }
    didWarnAboutCopies = true
    context.addToNotice(remark)
  }
}

extension RowsContext {
  /// Asks before the program ends, if changed private copies would be lost; returns whether it may end.
  mutating func askAboutCopies() -> Bool {
    guard workspace.files.haveChangedCopies else { return true }
    let quit = handler { _, context in
      context.workspace.files.haveChangedCopies = false
      context.quit()
    }
    let items = [
      PickerItem(label: "Stay"),
      PickerItem(label: "Quit", detail: "the files are not changed", perform: quit),
    ]
    let remark = environment.copyRemark ?? ""
    present(Picker(title: "Quitting deletes the private copy with your commits; \(remark)", placeholder: "quit?", items: items))
    return false
  }
}
