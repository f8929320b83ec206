/// The content of a full-text table, according to the arguments with which it was created.
///
///     CREATE VIRTUAL TABLE notes USING fts5(title, body)                  -- own
///     CREATE VIRTUAL TABLE notes USING fts5(title, body, content='docs')  -- table("docs")
///     CREATE VIRTUAL TABLE notes USING fts5(title, body, content='')      -- nowhere
package enum FullTextContent: Hashable {
  /// Content in the table itself.
  case own
  /// Content in another table or view, whose changes must be passed to the index.
  case table(String)
  /// No content, only an index.
  ///
  /// `canDelete` shows whether its rows can be deleted and replaced nevertheless.
  case nowhere(canDelete: Bool)

  /// Parses the SQL that created a table; nil for a table that is not a full-text table.
  package init?(_ sql: String) {
    guard let table = VirtualTableSyntax(sql), ["fts3", "fts4", "fts5"].contains(table.module.asciiLowercased) else { return nil }
    self = .own
    // FTS3 has no options: there it is a column with this name.
    if table.module.isSameIdentifier(as: "fts3") { return }
    // FTS5 accepts a prefix of an option's name.
    let isShort = table.module.isSameIdentifier(as: "fts5")
    let content = table.options.first { name, _ in
      name.isSameIdentifier(as: "content") || isShort && "content".hasPrefix(name.asciiLowercased)
    }
    guard let content else { return }
    let canDelete = table.options.contains { $0.name.isSameIdentifier(as: "contentless_delete") && $0.value != "0" }
    self = content.value.isEmpty ? .nowhere(canDelete: canDelete) : .table(content.value)
  }
}
