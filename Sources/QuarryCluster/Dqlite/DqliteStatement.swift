internal import QuarryEngine

/// A statement for a node: a single one, without texts that the protocol would truncate.
struct DqliteStatement: Sendable {
  /// The SQL, without its `;` and the following text.
  let sql: String
  let values: [DatabaseValue]
  let kind: StatementKind
  /// Whether the statement returns its written rows.
  let returnsRows: Bool

  /// Checks a statement, and encodes it so that a node runs it like SQLite.
  ///
  /// - Throws: ``RemoteError`` if the statement cannot be sent.
  init(_ request: RemoteStatement) throws {
    let (sql, values) = (request.sql, request.values)
    let script = SQLScript(sql)
    guard let part = script.parts.first else { throw DqliteFaults.refused("There is no statement to run.") }
    // A node runs the first statement and silently ignores the others, or runs all of them without a transaction.
    guard script.parts.count == 1 else { throw DqliteFaults.refused("A cluster runs one statement at a time. Run them one by one.") }
    guard !sql.utf8.contains(0) else {
      throw DqliteFaults.refused("The statement contains a NUL, where a node would truncate it. Remove it.")
    }
    let text = script.sql(of: part)
    let statement = part.isEnded ? String(text.dropLast()) : text
    kind = StatementKind(of: statement)
    let count = StatementTokens(statement).parameters.map(\.number).max() ?? 0
    // A node uses NULL for a missing value, and may ignore a surplus one.
    guard values.count == count || kind.isExplanation && values.count < count else {
      throw DqliteFaults.refused("The statement has \(count) parameters, but \(values.count) values were given.")
    }
    returnsRows = kind.mayReturnRows && StatementSyntax(statement).returnsWrittenRows
    (self.sql, self.values) = Self.keepingNULs(statement, values)
  }

  /// Whether the statement does not change the database, so that it may be run again.
  var isRead: Bool { kind.isRead && !returnsRows }

  /// Converts texts with a NUL to blobs, which the node converts back to texts.
  ///
  /// A node would truncate a text at its NUL.
  ///
  /// ```sql
  /// SELECT id FROM t WHERE name = (+CAST(?1 AS TEXT))
  /// ```
  ///
  /// The `+` removes the affinity of the CAST, because a parameter has no affinity.
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
  /// Whether the statement only reads.
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
