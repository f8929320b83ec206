/// The full-text tables of a database, whose index SQLite can make anew from the texts.
///
/// The tables of an index are changed by every later write, so that their rows cannot be put back one by one.
struct FullTextTables {
  private let names: [String]

  /// Reads which there are: those that keep their texts, or have them in another table.
  init(in db: Database) throws {
    let sql = "SELECT name, sql FROM main.sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE %'"
    names = try Row.fetchAll(db, sql: sql).compactMap { row in
      guard let name = try row.schemaText(at: 0), let text = try row.schemaText(at: 1), let module = VirtualTableModule.name(in: text),
        ["fts3", "fts4", "fts5"].contains(module.asciiLowercased)
      else { return nil }
      let options = text.filter { !$0.isWhitespace }.lowercased()
      return options.contains("content=''") || options.contains("content=\"\"") ? nil : name
    }
  }

  /// Returns whether a table holds a part of an index, not the texts.
  func isIndexData(_ layout: RecordedLayout) -> Bool {
    guard let owner = layout.owner, names.contains(where: { $0.isSameIdentifier(as: owner) }) else { return false }
    return !layout.name.isSameIdentifier(as: owner + "_content")
  }

  /// Makes the indexes of some tables anew.
  ///
  ///     INSERT INTO main.notes(notes) VALUES ('rebuild')
  func rebuild(_ owners: [String], in db: Database) throws {
    for name in names where owners.contains(where: { $0.isSameIdentifier(as: name) }) {
      try db.execute(literal: "INSERT INTO main.\(identifier: name)(\(identifier: name)) VALUES ('rebuild')")
    }
  }
}
