/// What is never sent to a server, since it would end it, or break the connection or its guards.
enum RemoteGuard {
  /// Returns why a statement is not sent, whatever the schema makes of it; nil where it is.
  static func refusal(of sql: String) -> String? {
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
    default: return nil
    }
  }

  /// Why a statement that writes and yields rows is not sent to a server that cannot do that.
  static let returning =
    "RETURNING is refused: this version of the server loses what is written so, and ends. Leave it out and read the rows afterwards."

  /// What a PRAGMA may be given a value for: settings of a connection or of the database that no node depends on.
  private static let settings: Set<String> = [
    "analysis_limit", "application_id", "automatic_index", "cache_size", "case_sensitive_like", "cell_size_check", "defer_foreign_keys",
    "foreign_keys", "ignore_check_constraints", "incremental_vacuum", "legacy_alter_table", "optimize", "recursive_triggers",
    "reverse_unordered_selects", "trusted_schema", "user_version",
  ]
  /// What asks about the table or index that it is given.
  private static let questions: Set<String> = [
    "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo", "integrity_check", "quick_check", "table_info",
    "table_list", "table_xinfo",
  ]
  /// What does something also without a value.
  private static let acts: Set<String> = ["delete_database", "wal_checkpoint"]

  private static func pragma(_ tokens: StatementTokens) -> String? {
    guard let name = tokens.qualifiedName(1)?.name.lowercased() else { return nil }
    if name == "delete_database" { return "PRAGMA delete_database is refused: it drops the whole database" }
    guard setsValue(tokens) || acts.contains(name), !settings.contains(name), !questions.contains(name) else { return nil }
    return "PRAGMA \(name) is refused: what it sets is the server's own, which may end over it. It can be read, without a value"
  }

  /// Whether a PRAGMA is given a value.
  private static func setsValue(_ tokens: StatementTokens) -> Bool {
    (1..<tokens.count).contains { tokens.isSymbol($0, "=") || tokens.isSymbol($0, "(") }
  }

  /// Returns a statement that asks what a PRAGMA tells, where SQLite takes the PRAGMA for one that writes whatever it does; else the same
  /// statement.
  ///
  ///     SELECT journal_mode FROM pragma_journal_mode
  static func asQuestion(_ sql: String) -> String {
    let tokens = StatementTokens(sql)
    let isPragma = StatementKind(of: sql).isPragma && !setsValue(tokens)
    guard isPragma, tokens.qualifiedName(1)?.name.lowercased() == "journal_mode" else { return sql }
    return "SELECT journal_mode FROM pragma_journal_mode"
  }
}
