import QuarryChanges
import QuarryEngine
import QuarryFiles

/// Changes of tables that are read from files: they affect a private database, which is deleted when the program ends.
extension ScreenEnvironment {
  /// Returns the remark about changes of tables; nil if none of them is read from a file.
  ///
  ///     sales.csv itself stays as it is: X writes a file
  func copyRemark(for tables: [TableReference]) -> String? {
    let files = tables.compactMap(workspace.files.file)
    guard let first = files.first else { return nil }
    let name = Set(files.map(\.path)).count == 1 ? "\(first.fileName) itself stays as it is" : "the files themselves stay as they are"
    return "\(name): \(keyHint("export", in: .grid)) writes a file"
  }

  /// The remark about the changes of a transaction; nil if no table is read from a file.
  var copyRemark: String? {
    workspace.files.tables.isEmpty ? nil : copyRemark(for: workspace.files.tables.map { TableReference(name: $0.name) })
  }
}

extension ScreenContext {
  /// Adds a sentence to the current notice.
  mutating func addToNotice(_ sentence: String) {
    let before = notice.map { $0.text.withoutFullStop + "; " } ?? ""
    notify(before + sentence, notice?.role ?? .muted)
  }
}
