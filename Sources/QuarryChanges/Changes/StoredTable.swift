internal import QuarryEngine

/// A table of a commit as a record keeps it: the rows of a virtual table are those of the tables in which its module keeps them.
struct StoredTable: Hashable, Sendable {
  var table: RecordedTable
  /// The virtual table whose data the table keeps; nil for any other table.
  var owner: String?
}

extension [StoredTable] {
  /// The tables as a person knows them: a virtual table with its own rows in place of those that keep its data.
  ///
  /// Of an R-tree, and of an index without texts, an UPDATE changes the index alone, which tells nothing of the number of rows.
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

  /// What the names of the tables end with that have a row for each row of their virtual table, the most telling first.
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
  /// Makes the entry of an object of the schema that a commit has made, dropped or altered.
  init(_ type: String, named name: String, isNew: Bool, isGone: Bool) {
    let what = isNew ? "new" : isGone ? "dropped" : "altered"
    self.init(name: name, alteration: type == "table" ? what : "\(type) \(what)")
  }
}

extension [RecordedTable] {
  /// Returns the tables and the objects of the schema that are not among them.
  func adding(_ objects: [RecordedTable]) -> [RecordedTable] {
    objects.reduce(self) { all, object in all.contains { $0.name == object.name } ? all : all + [object] }
  }
}
