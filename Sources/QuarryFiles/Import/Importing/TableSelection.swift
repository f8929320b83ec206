internal import QuarryEngine

/// The selection of the table to import among the tables of a file.
struct TableSelection {
  private let index: Int
  private let name: String?
  private let isByName: Bool

  /// Selects the table with the key in the plan, or else the table named like the target, or else the first one.
  ///
  /// - Parameter known: The tables found so far.
  init(_ plan: ImportPlan, among known: [RecordTable]) {
    if let name = plan.tableInFile {
      (index, self.name, isByName) = (-1, name, true)
    } else {
      let chosen = known.first { $0.name?.isSameIdentifier(as: plan.target.table.name) == true } ?? known.first
      (index, name, isByName) = (chosen?.index ?? 0, chosen?.name, false)
    }
  }

  /// Returns whether a table is selected.
  func contains(_ table: RecordTable) -> Bool {
    isByName ? table.name == name && !table.isNamesake : table.index == index
  }
}
