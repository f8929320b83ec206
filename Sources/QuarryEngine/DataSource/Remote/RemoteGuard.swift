/// What is never sent to a server, since it would end it, or break the connection or its guards.
enum RemoteGuard {
  /// Returns why a statement is not sent; nil where it is.
  ///
  /// - Parameters:
  ///   - returnsRows: Whether it writes and yields rows.
  ///   - returning: Whether the server can do that.
  static func refusal(of sql: String, returnsRows: Bool, returning: Bool) -> String? {
    let kind = StatementKind(of: sql)
    let tokens = StatementTokens(sql)
    if kind.isExplanation { return nil }
    switch kind.verb {
    case .attach, .detach: return "ATTACH is refused: the server has one database a connection, and loses the connection over another"
    case .vacuum where (0..<tokens.count).contains(where: { tokens.keyword($0) == .into }):
      return "VACUUM INTO is refused: it would write a file on the server's machine"
    case .pragma: return pragma(tokens)
    case .create where (1..<min(tokens.count, 3)).contains(where: { [.temp, .temporary].contains(tokens.keyword($0)) }):
      return "temporary tables are refused: they would go with the connection, which may be another one at any time"
    default: break
    }
    guard returnsRows, !returning else { return nil }
    return "RETURNING is refused: this version of the server loses what is written so, and ends. Leave it out and read the rows afterwards."
  }

  private static let settings: Set<String> = [
    "journal_mode", "page_size", "locking_mode", "query_only", "wal_checkpoint", "wal_autocheckpoint",
    // These hold for all that the node's process serves, whoever asks.
    "hard_heap_limit", "soft_heap_limit", "temp_store_directory", "data_store_directory",
  ]

  private static func pragma(_ tokens: StatementTokens) -> String? {
    guard let name = tokens.qualifiedName(1)?.name.lowercased() else { return nil }
    if name == "delete_database" { return "PRAGMA delete_database is refused: it drops the whole database" }
    let isSet = (1..<tokens.count).contains { tokens.isSymbol($0, "=") || tokens.isSymbol($0, "(") }
    guard settings.contains(name), isSet || name == "wal_checkpoint" else { return nil }
    return "PRAGMA \(name) is refused: the server sets it itself, and may end where it is changed"
  }
}
