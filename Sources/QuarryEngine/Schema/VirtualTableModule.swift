/// Reads the module's name out of the text that made a virtual table.
///
///     CREATE VIRTUAL TABLE "my notes" USING fts5(title, body)   -- fts5
enum VirtualTableModule {
  /// Returns the name between USING and the arguments; nil where the text is something else.
  static func name(in sql: String) -> String? {
    let bytes = Array(sql.utf8)
    var tokenizer = SQLTokenizer(bytes)
    while let token = tokenizer.next() {
      if token.keyword(in: bytes) == .using { return tokenizer.next().map { SQLToken.name(bytes[$0.range]) } }
    }
    return nil
  }
}
