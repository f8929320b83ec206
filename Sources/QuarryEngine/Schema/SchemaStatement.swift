/// The SQL of a schema object, of which SQLite compiles only the first statement.
///
/// Only the first statement may be printed or run, because an untrusted file may contain any SQL after it.
///
/// ```swift
/// SchemaStatement(Array("CREATE TABLE t(a); DROP TABLE u".utf8)).sql   // CREATE TABLE t(a)
/// ```
package struct SchemaStatement: Hashable, Sendable {
  /// The first statement, without its semicolon; its bytes may not be UTF-8.
  package let bytes: [UInt8]
  /// The number of bytes after the first statement, without the semicolons and white space around them.
  package let ignoredCount: Int

  /// Finds the first statement of a text, which SQLite reads up to a NUL.
  package init(_ text: [UInt8]) {
    let read = text.prefix { $0 != 0 }
    guard read.count < text.count || read.contains(UInt8(ascii: ";")) else {
      (bytes, ignoredCount) = (text, 0)
      return
    }
    let first = StatementSplitter.parts(of: Array(read)).first { $0.isEnded }
    let end = first.map { $0.range.upperBound - 1 } ?? read.count
    bytes = Array(text[..<end])
    ignoredCount = text[end...].drop(while: Self.isPadding).reversed().drop(while: Self.isPadding).count
  }

  private static func isPadding(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ";") || byte == 0x20 || (0x09...0x0D).contains(byte) }

  /// The first statement, with U+FFFD for bytes that are not UTF-8.
  package var sql: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether the statement creates an object, as all statements in a schema must.
  package var isCreation: Bool { bytes.prefix(6).map { $0 & ~0x20 } == Array("CREATE".utf8) }

  /// The statement for a script of the sqlite3 shell, with a semicolon and a line break.
  ///
  /// The shell ends a statement at a line with only `go` or `/`, and then runs a line that begins with a period as a shell command. An
  /// empty comment prevents this.
  package var script: [UInt8] {
    var script: [UInt8] = []
    var end = 0
    for place in Self.shellTerminators(in: bytes) {
      script += bytes[end..<place] + Array("/**/".utf8)
      end = place
    }
    return script + bytes[end...] + Array((SQLScript.terminator(of: sql) + "\n").utf8)
  }

  /// Returns the beginnings of lines that the shell would read as the end of a statement.
  private static func shellTerminators(in bytes: [UInt8]) -> [Int] {
    var tokenizer = SQLTokenizer(bytes, yieldsComments: true)
    var places: [Int] = []
    var candidate: Int?
    var end = 0
    while let token = tokenizer.next() {
      let beginsLine = bytes[end..<token.range.lowerBound].contains(0x0A) || (end > 0 && bytes[end - 1] == 0x0A)
      end = token.range.upperBound
      // A comment leaves the rest of its line blank for the shell.
      if token.kind == .comment { continue }
      if let place = candidate, bytes[place..<token.range.lowerBound].contains(0x0A) { places.append(place) }
      candidate = beginsLine && isShellTerminator(bytes[token.range]) ? token.range.lowerBound : nil
    }
    return places + (candidate.map { [$0] } ?? [])
  }

  private static func isShellTerminator(_ token: ArraySlice<UInt8>) -> Bool {
    token.elementsEqual("/".utf8) || token.map { $0 | 0x20 }.elementsEqual("go".utf8)
  }
}

/// A schema object whose SQL continues after its statement.
package struct IgnoredSchemaSQL: Hashable, Sendable, CustomStringConvertible {
  /// `table`, `index`, `view` or `trigger`.
  package let type: String
  package let name: String
  /// The number of bytes that SQLite ignores.
  package let count: Int

  /// A description without a period: `omitted 24 bytes after the SQL of the table “t”: SQLite ignores them`.
  package var description: String {
    "omitted \(Plural.of(count, "byte")) after the SQL of the \(type) “\(name)”: SQLite ignores \(count == 1 ? "it" : "them")"
  }
}

extension Database {
  /// Returns the objects of a database whose SQL continues after the statement.
  ///
  ///     SELECT type, name, sql, tbl_name FROM main.sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid
  ///
  /// - Parameter names: The names of the objects, or of their tables; nil for all.
  package func ignoredSchemaSQL(of names: [String]? = nil, in database: String = "main") throws -> [IgnoredSchemaSQL] {
    let schema = SQLIdentifier.quoted(database) + ".sqlite_schema"
    let sql = "SELECT type, name, sql, tbl_name FROM \(schema) WHERE sql IS NOT NULL ORDER BY rowid"
    return try Row.fetchAll(self, sql: sql).compactMap { row in
      let statement = SchemaStatement(try row.bytes(at: 2) ?? [])
      guard statement.ignoredCount > 0 else { return nil }
      let (name, table) = try (row.schemaText(at: 1) ?? "", row.schemaText(at: 3) ?? "")
      if let names, !names.contains(where: { $0.isSameIdentifier(as: name) || $0.isSameIdentifier(as: table) }) { return nil }
      return IgnoredSchemaSQL(type: try row.schemaText(at: 0) ?? "", name: name, count: statement.ignoredCount)
    }
  }
}

extension Row {
  /// Returns the statement of an object of the schema, without the text that SQLite ignores; nil for NULL.
  ///
  /// - Parameter ignored: The number of bytes that SQLite ignores, to which those of this object are added.
  /// - Throws: The same errors as ``bytes(at:)``.
  func schemaSQL(at index: Int, ignored: inout Int) throws -> String? {
    guard let statement = try bytes(at: index).map(SchemaStatement.init) else { return nil }
    ignored += statement.ignoredCount
    return statement.sql
  }

  /// Returns the statement of an object of the schema, without the text that SQLite ignores; nil for NULL.
  ///
  /// - Throws: The same errors as ``bytes(at:)``.
  package func schemaSQL(at index: Int) throws -> String? {
    try bytes(at: index).map { SchemaStatement($0).sql }
  }
}
