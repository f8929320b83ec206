internal import QuarryEngine

/// A table of a commit as recorded.
///
/// The rows of a virtual table are those of its shadow tables.
struct StoredTable: Hashable, Sendable {
  var table: RecordedTable
  /// The virtual table whose data the table stores, or nil for any other table.
  var owner: String?
}

extension [StoredTable] {
  /// The tables for the user: a virtual table with its own rows instead of its shadow tables.
  ///
  /// For an R-tree or a contentless index, an UPDATE changes only the index, which does not show the number of rows.
  var asListed: [RecordedTable] {
    var listed: [RecordedTable] = []
    var owners: Set<String> = []
    for stored in self {
      guard let owner = stored.owner else {
        listed.append(stored.table)
        continue
      }
      guard owners.insert(owner).inserted else { continue }
      listed.append(rows(of: owner))
    }
    return listed
  }

  /// The suffixes of shadow tables with one row per row of the virtual table, the most reliable first.
  private static let rowSuffixes = ["_content", "_docsize", "_rowid"]

  private func rows(of owner: String) -> RecordedTable {
    let shadows = filter { $0.owner == owner }.map(\.table)
    let rows = Self.rowSuffixes.lazy.compactMap { suffix in shadows.first { $0.name.isSameIdentifier(as: owner + suffix) } }.first
    var table = rows ?? RecordedTable(name: owner)
    table.name = owner
    let hasRows = table.inserted + table.updated + table.deleted > 0
    if table.alteration == nil, !hasRows { table.alteration = "index changed" }
    return table
  }
}

extension RecordedTable {
  /// Creates the entry of a schema object that a commit has created, dropped or altered.
  init(_ type: String, named name: String, isNew: Bool, isGone: Bool) {
    let what = isNew ? "new" : isGone ? "dropped" : "altered"
    self.init(name: name, alteration: type == "table" ? what : "\(type) \(what)")
  }
}

extension [RecordedTable] {
  /// Returns the tables together with schema objects that are not among them.
  func adding(_ objects: [RecordedTable]) -> [RecordedTable] {
    objects.reduce(self) { all, object in all.contains { $0.name == object.name } ? all : all + [object] }
  }
}
