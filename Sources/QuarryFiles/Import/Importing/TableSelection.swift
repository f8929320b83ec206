internal import QuarryEngine

/// Which of the tables of a file is imported.
struct TableSelection {
  private let index: Int
  private let name: String?
  private let isByName: Bool

  /// Chooses the table of the key that the plan names, else the one that is named as the target, else the first.
  ///
  /// - Parameter known: The tables that were found so far.
  init(_ plan: ImportPlan, among known: [RecordTable]) {
    if let name = plan.tableInFile {
      (index, self.name, isByName) = (-1, name, true)
    } else {
      let chosen = known.first { $0.name?.isSameIdentifier(as: plan.target.table.name) == true } ?? known.first
      (index, name, isByName) = (chosen?.index ?? 0, chosen?.name, false)
    }
  }

  /// Returns whether a table is the one.
  func contains(_ table: RecordTable) -> Bool {
    isByName ? table.name == name : table.index == index
  }
}
