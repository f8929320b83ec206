extension Statement {
  /// Whether the statement attaches a database, which statements after it may write to.
  ///
  /// SQLite itself takes ATTACH for a statement that only reads.
  package var attachesDatabase: Bool { ParameterTokens(sql).text(0) == "ATTACH" }
}
