internal import QuarryEngine

/// A statement as it is sent to a node: one alone, without what the wire would cut.
struct DqliteStatement: Sendable {
  /// The text, without its `;` and what follows it.
  let sql: String
  let values: [DatabaseValue]
  let kind: StatementKind
  /// Whether it returns the rows that it writes.
  let returnsRows: Bool

  /// Checks a statement, and writes it so that a node runs it as SQLite would.
  ///
  /// - Throws: ``RemoteError`` for what cannot be sent.
  init(_ request: RemoteStatement) throws {
    let (sql, values) = (request.sql, request.values)
    let script = SQLScript(sql)
    guard let part = script.parts.first else { throw DqliteFaults.refused("There is no statement to run.") }
    // A node runs the first and drops the others without a word, or runs all without a transaction around them.
    guard script.parts.count == 1 else { throw DqliteFaults.refused("A cluster runs one statement at a time. Run them one by one.") }
    guard !sql.utf8.contains(0) else {
      throw DqliteFaults.refused("The statement has a NUL in it, at which a node would cut it. Take it out.")
    }
    let text = script.sql(of: part)
    let statement = part.isEnded ? String(text.dropLast()) : text
    kind = StatementKind(of: statement)
    let count = StatementTokens(statement).parameters.map(\.number).max() ?? 0
    // A node takes NULL for a value that is missing, and may pass over one that is left.
    guard values.count == count || kind.isExplanation && values.count < count else {
      throw DqliteFaults.refused("The statement has \(count) parameters, and \(values.count) values are given for them.")
    }
    returnsRows = kind.mayReturnRows && StatementSyntax(statement).returnsWrittenRows
    (self.sql, self.values) = Self.keepingNULs(statement, values)
  }

  /// Whether it leaves the database as it is, so that it may be run again.
  var isRead: Bool { kind.isRead && !returnsRows }

  /// Lets texts with a NUL be sent as blobs, which are texts again there: a node would cut a text at its NUL.
  ///
  /// ```sql
  /// SELECT id FROM t WHERE name = (+CAST(?1 AS TEXT))
  /// ```
  ///
  /// The `+` takes the affinity of the CAST away again, which a parameter has none of.
  private static func keepingNULs(_ sql: String, _ values: [DatabaseValue]) -> (sql: String, values: [DatabaseValue]) {
    let cut = Set(values.indices.filter { if case .text(let text) = values[$0] { text.utf8.contains(0) } else { false } })
    if cut.isEmpty { return (sql, values) }
    var bytes = Array(sql.utf8)
    for parameter in StatementTokens(sql).parameters.reversed() where cut.contains(parameter.number - 1) {
      bytes.replaceSubrange(parameter.range, with: "(+CAST(\(parameter.text) AS TEXT))".utf8)
    }
    var values = values
    for index in cut { if case .text(let text) = values[index] { values[index] = .blob(Array(text.utf8)) } }
    return (String(decoding: bytes, as: UTF8.self), values)
  }
}

extension StatementKind {
  /// Whether it reads alone.
  package var isRead: Bool {
    switch verb {
    case .select, .values, nil: true
    default: isExplanation
    }
  }

  fileprivate var mayReturnRows: Bool {
    switch verb {
    case .insert, .replace, .update, .delete: !isExplanation
    default: false
    }
  }
}
