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

extension ScreenContext {
  /// Adds a sentence to the notice that is shown.
  mutating func addToNotice(_ sentence: String) {
    let before = notice.map { $0.text.withoutFullStop + "; " } ?? ""
    notify(before + sentence, notice?.role ?? .muted)
  }
}
