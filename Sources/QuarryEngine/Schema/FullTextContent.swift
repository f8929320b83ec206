/// Where a full-text table has its texts, as the arguments that made it tell.
///
///     CREATE VIRTUAL TABLE notes USING fts5(title, body)                  -- own
///     CREATE VIRTUAL TABLE notes USING fts5(title, body, content='docs')  -- table("docs")
///     CREATE VIRTUAL TABLE notes USING fts5(title, body, content='')      -- nowhere
package enum FullTextContent: Hashable {
  /// In a table of its own.
  case own
  /// In another table or view, whose changes it has to be told of.
  case table(String)
  /// Nowhere: it has an index only.
  ///
  /// `canDelete` tells whether its rows can be deleted and replaced all the same.
  case nowhere(canDelete: Bool)

  /// Reads the text that made a table; nil for one that is no full-text table.
  package init?(_ sql: String) {
    guard let table = VirtualTableSyntax(sql), ["fts3", "fts4", "fts5"].contains(table.module.asciiLowercased) else { return nil }
    self = .own
    // FTS3 knows no options: there it is a column of this name.
    if table.module.isSameIdentifier(as: "fts3") { return }
    // FTS5 takes the beginning of an option's name for the whole.
    let isShort = table.module.isSameIdentifier(as: "fts5")
    let content = table.options.first { name, _ in
      name.isSameIdentifier(as: "content") || isShort && "content".hasPrefix(name.asciiLowercased)
    }
    guard let content else { return }
    let canDelete = table.options.contains { $0.name.isSameIdentifier(as: "contentless_delete") && $0.value != "0" }
    self = content.value.isEmpty ? .nowhere(canDelete: canDelete) : .table(content.value)
  }
}
