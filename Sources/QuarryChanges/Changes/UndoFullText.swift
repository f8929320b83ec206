internal import QuarryEngine

/// The full-text tables of a database, whose indexes cannot be restored row by row.
///
/// Every later write changes the tables of an index, some of them only at the end of the transaction. SQLite can rebuild the index from the
/// texts.
struct FullTextTables {
  private let contents: [(name: String, content: FullTextContent)]

  /// Reads the full-text tables.
  init(in db: Database) throws {
    let sql = "SELECT name, sql FROM main.sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE %'"
    contents = try Row.fetchAll(db, sql: sql).compactMap { row in
      guard let name = try row.schemaText(at: 0), let content = try row.schemaText(at: 1).flatMap(FullTextContent.init) else { return nil }
      return (name, content)
    }
  }

  private func content(of name: String) -> FullTextContent? {
    contents.first { $0.name.isSameIdentifier(as: name) }?.content
  }

  /// Returns whether a table contains index rows that a commit has changed.
  ///
  /// A table dropped by the commit was recorded completely.
  ///
  /// - Parameter name: The current name of the virtual table of the index, or nil for its name at the commit.
  func isIndexData(_ table: LoggedTable, of name: String? = nil) -> Bool {
    guard let owner = table.layout.owner, let content = content(of: name ?? owner) else { return false }
    if case .nowhere = content { return table.alteration == nil }
    return !table.layout.name.isSameIdentifier(as: owner + "_content")
  }

  /// Finds the changed tables whose indexes can be neither restored nor rebuilt.
  func conflicts(of tables: [LoggedTable]) -> [UndoConflict] {
    let owners = Set(tables.filter { isIndexData($0) }.compactMap(\.layout.owner))
    return owners.sorted().compactMap { owner in
      guard case .nowhere? = content(of: owner) else { return nil }
      let sentence = "changes to its index are not recorded, because it stores no text (a contentless table)"
      return UndoConflict(table: owner, key: nil, reason: .schema(sentence), resolvedBy: [.keep, .overwrite])
    }
  }

  /// Rebuilds the indexes of some tables.
  ///
  ///     INSERT INTO main.notes(notes) VALUES ('rebuild')
  func rebuild(_ owners: [String], in db: Database) throws {
    for (name, content) in contents where owners.contains(where: { $0.isSameIdentifier(as: name) }) {
      if case .nowhere = content { continue }
      try db.execute(literal: "INSERT INTO main.\(identifier: name)(\(identifier: name)) VALUES ('rebuild')")
    }
  }
}
