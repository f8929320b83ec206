/// What a statement would do that is worth a question first.
///
/// ```swift
/// SQLScript.hazard(of: "DELETE FROM Track")   // .deletesAll(table: "Track")
/// ```
public enum SQLHazard: Hashable, Sendable {
  /// It drops a `table`, `view`, `index` or `trigger`, by its name as SQL spells it.
  case drops(kind: String, name: String)
  /// It drops a column of a table, by their names as SQL spells them.
  case dropsColumn(table: String, name: String)
  /// It deletes every row of a table, by its name as SQL spells it.
  case deletesAll(table: String)
  /// It changes every row of a table, by its name as SQL spells it.
  case updatesAll(table: String)
}

extension SQLScript {
  /// Returns what a statement would do that is worth a question first; nil where it is nothing of the kind.
  ///
  /// ```swift
  /// SQLScript.hazard(of: "drop table if exists 'Order Details'")         // .drops(kind: "table", name: "\"Order Details\"")
  /// SQLScript.hazard(of: "UPDATE Track SET Name = ''")                   // .updatesAll(table: "Track")
  /// SQLScript.hazard(of: "UPDATE Track SET Name = '' WHERE TrackId = 1") // nil
  /// ```
  ///
  /// A WHERE counts where it is the statement's own, outside of all parentheses, and a LIMIT too. EXPLAIN does nothing.
  ///
  /// - Parameter sql: one statement; what follows its `;` is not looked at.
  public static func hazard(of sql: String) -> SQLHazard? {
    var reader = StatementReader(sql)
    while reader.take(symbol: ";") {}
    if reader.take("drop") { return dropping(&reader) }
    if reader.take("alter") { return altering(&reader) }
    reader.takeCommonTables()
    if reader.take("delete") { return deleting(&reader) }
    if reader.take("update") { return updating(&reader) }
    return nil
  }

  private static func dropping(_ reader: inout StatementReader) -> SQLHazard? {
    let kinds: [(keyword: StaticString, word: String)] = [
      ("table", "table"), ("view", "view"), ("index", "index"), ("trigger", "trigger"),
    ]
    guard let kind = kinds.first(where: { reader.take($0.keyword) }) else { return nil }
    if reader.take("if") { _ = reader.take("exists") }
    return reader.takeQualifiedName().map { .drops(kind: kind.word, name: $0) }
  }

  private static func altering(_ reader: inout StatementReader) -> SQLHazard? {
    guard reader.take("table"), let table = reader.takeQualifiedName(), reader.take("drop") else { return nil }
    _ = reader.take("column")
    return reader.takeName().map { .dropsColumn(table: table, name: $0) }
  }

  private static func deleting(_ reader: inout StatementReader) -> SQLHazard? {
    guard reader.take("from"), let table = reader.takeQualifiedName() else { return nil }
    return reader.find("where", "limit") ? nil : .deletesAll(table: table)
  }

  private static func updating(_ reader: inout StatementReader) -> SQLHazard? {
    if reader.take("or") { reader.advance() }
    guard let table = reader.takeQualifiedName(), reader.find("set") else { return nil }
    return reader.find("where", "limit") ? nil : .updatesAll(table: table)
  }
}

extension SQLScript {
  /// The place of a statement's first word, in bytes of UTF-8: behind the comments before it. Nil where there is none.
  package static func firstWord(of sql: String) -> Range<Int>? {
    var tokenizer = SQLTokenizer(Array(sql.utf8))
    while let token = tokenizer.next() {
      if !token.isSymbol(";") { return token.range }
    }
    return nil
  }
}

extension Database {
  /// Whether there is an object of a kind, `table`, `view`, `index` or `trigger`, by its name as SQL spells it.
  ///
  ///     SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = 'Track' COLLATE NOCASE
  ///
  /// - Throws: ``DatabaseError`` where a schema cannot be read.
  package func hasObject(_ kind: String, named name: String) throws -> Bool {
    let bytes = Array(name.utf8)
    var tokenizer = SQLTokenizer(bytes)
    var names: [String] = []
    while let token = tokenizer.next() {
      if !token.isSymbol(".") { names.append(SQLToken.name(bytes[token.range])) }
    }
    guard let object = names.last else { return false }
    let databases = try names.count > 1 ? [names[0]] : String.fetchAll(self, sql: "SELECT name FROM pragma_database_list")
    return try databases.contains { database in
      let sql = "SELECT count(*) FROM \(SQLIdentifier.quoted(database)).sqlite_schema WHERE type = ? AND name = ? COLLATE NOCASE"
      return try Int.fetchOne(self, sql: sql, arguments: [kind, object]) != 0
    }
  }
}
