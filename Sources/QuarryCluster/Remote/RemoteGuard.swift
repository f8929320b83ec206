internal import QuarryEngine
internal import QuarryRows

/// Rejects statements that must never be sent to a server, because they would crash it, or break the connection or its protections.
///
/// SQLite executes some PRAGMAs while it compiles them. Statements are therefore checked by what would be compiled, regardless of a
/// preceding EXPLAIN, comment or other statement. ``RemoteStatement`` checks each text before it is sent. Code that compiles a text against
/// the schema in memory checks it first, because a PRAGMA also takes effect locally.
enum RemoteGuard {
  /// Checks that a text may be compiled.
  ///
  /// - Throws: ``DataSourceError`` with the reason for the rejection.
  static func check(_ sql: String) throws(DataSourceError) {
    if let reason = refusal(of: sql) { throw DataSourceError(reason) }
  }

  /// Returns the reason why a text may not be compiled, regardless of the schema, or nil if it may be.
  static func refusal(of sql: String) -> String? {
    let script = SQLScript(sql)
    guard script.parts.count > 1 else { return refusal(of: StatementTokens(sql)) }
    return script.parts.lazy.compactMap { refusal(of: StatementTokens(script.sql(of: $0))) }.first
  }

  private static func refusal(of tokens: StatementTokens) -> String? {
    let first = tokens.firstOfCompiled
    return statement(tokens, first) ?? (0..<tokens.count).lazy.compactMap { function(tokens, $0) }.first
  }

  private static func statement(_ tokens: StatementTokens, _ first: Int) -> String? {
    switch tokens.keyword(first) {
    case .attach, .detach: "ATTACH is refused: the server allows one database per connection, and drops a connection that attaches another"
    case .vacuum where (first..<tokens.count).contains(where: { tokens.keyword($0) == .into }):
      "VACUUM INTO is refused: it would write a file on the server's machine"
    case .pragma: pragma(tokens, first)
    case .create where (first + 1..<first + 3).contains(where: { [.temp, .temporary].contains(tokens.keyword($0)) }):
      "temporary tables are refused: they would be lost with the connection, which may change at any time"
    default: nil
    }
  }

  /// The reason for rejecting a statement that writes and returns rows, if the server does not support it.
  static let returning =
    "RETURNING is refused: this version of the server crashes on it and loses the changes. Leave it out and read the rows afterwards."

  /// The PRAGMAs that may be given a value: settings of a connection or of the database on which no node depends.
  private static let settings: Set<String> = [
    "analysis_limit", "application_id", "automatic_index", "cache_size", "case_sensitive_like", "cell_size_check", "defer_foreign_keys",
    "foreign_keys", "ignore_check_constraints", "incremental_vacuum", "legacy_alter_table", "optimize", "recursive_triggers",
    "reverse_unordered_selects", "trusted_schema", "user_version",
  ]
  /// The PRAGMAs whose argument is a table or index to report on.
  private static let questions: Set<String> = [
    "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo", "integrity_check", "quick_check", "table_info",
    "table_list", "table_xinfo",
  ]
  /// The PRAGMAs that have an effect even without a value.
  private static let acts: Set<String> = ["delete_database", "incremental_vacuum", "optimize", "shrink_memory", "wal_checkpoint"]

  private static func pragma(_ tokens: StatementTokens, _ first: Int) -> String? {
    guard let name = tokens.qualifiedName(first + 1)?.name.lowercased() else { return nil }
    if name == "delete_database" { return "PRAGMA delete_database is refused: it drops the whole database" }
    guard setsValue(tokens, first) || acts.contains(name), !questions.contains(name) else { return nil }
    guard settings.contains(name) || name == "shrink_memory" else {
      return "PRAGMA \(name) is refused: it changes a setting of the server, which may crash. You can read it without a value"
    }
    guard tokens.isExplained else { return nil }
    return "EXPLAIN of PRAGMA \(name) is refused: SQLite sets a PRAGMA when it compiles the statement. Leave out EXPLAIN or the value"
  }

  /// Returns the reason why a PRAGMA function may not be read, or nil if the token at the index is no such function or it has no effect.
  private static func function(_ tokens: StatementTokens, _ index: Int) -> String? {
    let prefix = "pragma_"
    guard let name = tokens.name(index)?.lowercased(), name.hasPrefix(prefix) else { return nil }
    let pragma = String(name.dropFirst(prefix.count))
    guard !questions.contains(pragma) else { return nil }
    let isRead = [.from, .join].contains(tokens.keyword(index - 1)) || [",", "."].contains { tokens.isSymbol(index - 1, $0) }
    let hasValue = isRead && tokens.isSymbol(index + 1, "(") && !tokens.isSymbol(index + 2, ")")
    guard acts.contains(pragma) || hasValue else { return nil }
    return "\(name) is refused: it has the effect of PRAGMA \(pragma), and not only in this query. Leave it out"
  }

  /// The PRAGMAs that scan every row of the tables.
  private static let checks: Set<String> = ["foreign_key_check", "integrity_check", "optimize", "quick_check"]

  /// Returns whether a function of this name is a PRAGMA with few rows.
  static func isShortPragma(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasPrefix("pragma_") && !checks.contains(String(name.dropFirst("pragma_".count)))
  }

  /// Returns whether a statement is a PRAGMA that scans every row of the tables.
  static func isCheck(_ sql: String) -> Bool {
    let tokens = StatementTokens(sql)
    return tokens.qualifiedName(tokens.firstOfCompiled + 1).map { checks.contains($0.name.lowercased()) } ?? false
  }

  /// Returns whether a PRAGMA is given a value.
  private static func setsValue(_ tokens: StatementTokens, _ first: Int) -> Bool {
    (first + 1..<tokens.count).contains { tokens.isSymbol($0, "=") || tokens.isSymbol($0, "(") }
  }

  /// Returns an equivalent query for a PRAGMA that SQLite always considers to write.
  ///
  /// Returns any other statement unchanged.
  ///
  ///     SELECT journal_mode FROM pragma_journal_mode
  static func asQuestion(_ sql: String) -> String {
    let tokens = StatementTokens(sql)
    let isPragma = StatementKind(of: sql).isPragma && !setsValue(tokens, 0)
    guard isPragma, tokens.qualifiedName(tokens.firstOfCompiled + 1)?.name.lowercased() == "journal_mode" else { return sql }
    return "SELECT journal_mode FROM pragma_journal_mode"
  }
}

extension StatementTokens {
  /// The index of the first word that SQLite compiles, after semicolons, EXPLAIN and EXPLAIN QUERY PLAN.
  fileprivate var firstOfCompiled: Int {
    var index = 0
    while index < count, isSymbol(index, ";") || [.explain, .query, .plan].contains(keyword(index)) { index += 1 }
    return index
  }

  fileprivate var isExplained: Bool { (0..<firstOfCompiled).contains { keyword($0) == .explain } }
}
