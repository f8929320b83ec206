/// The statements of one text, each compiled when it is requested, so that it may use objects created by earlier statements.
///
/// ```swift
/// let statements = try db.allStatements(sql: "CREATE TABLE a (x); INSERT INTO a VALUES (1)")
/// while let statement = try statements.next() {
///   try statement.execute()
/// }
/// ```
///
/// ``Database/allStatements(sql:arguments:)`` returns one.
public final class SQLStatementCursor: Cursor {
  private let database: Database
  /// The text, terminated by NUL.
  private let text: [UInt8]
  /// The values interpolated in the text for the remaining statements.
  private var values: ArraySlice<SQLText.PlacedValue>
  private var position = 0
  /// The arguments not yet assigned; nil if none were given.
  private var arguments: StatementArguments?
  private let positionalCount: Int
  private var unusedNames: [String]

  init(_ literal: SQLText, arguments: StatementArguments?, database: Database) {
    self.database = database
    values = literal.placedValues[...]
    text = Array(literal.sql.utf8) + [0]
    self.arguments = arguments
    positionalCount = arguments?.positional.count ?? 0
    unusedNames = arguments?.named.map(\.0) ?? []
  }

  /// Returns the next statement, with its arguments set.
  ///
  /// - Throws: ``DatabaseError``: an error of SQLite if the statement does not compile, `SQLITE_MISUSE` if its arguments are missing, or if
  ///   arguments are left over after the last statement.
  public func next() throws -> Statement? {
    try database.checkAccess()
    let start = position
    let compiled = try text.withUnsafeBufferPointer {
      try Statement.compileNext(
        UnsafeBufferPointer(rebasing: $0.dropLast()), isTerminated: true, from: start, options: [], database: database)
    }
    position = compiled.end
    guard let statement = compiled.statement else {
      try checkNothingIsLeft()
      return nil
    }
    let sql = String(decoding: text[start..<compiled.end], as: UTF8.self)
    let made = Statement(compiled: statement, sql: Statement.trimmed(sql), database: database)
    let own = values.prefix { $0.offset < compiled.end }
    values = values.dropFirst(own.count)
    try made.setValues(own, in: sql, from: start)
    return try deal(to: made)
  }

  private func deal(to statement: Statement) throws -> Statement {
    guard var rest = arguments else { return statement }
    // All its values are interpolated in the text.
    if !statement.arguments.isEmpty { return statement }
    let given = statement.binding.givenValues
    let share = try ArgumentMatch(share: rest, parameters: statement.parameterNames, given: given, sql: statement.sql)
    unusedNames.removeAll(where: share.usedNames.contains)
    rest.positional.removeFirst(share.usedCount)
    arguments = rest
    let values = share.values.enumerated().filter { given[$0.offset + 1] == nil }.map(\.element)
    statement.setUncheckedArguments(StatementArguments(values))
    return statement
  }

  private func checkNothingIsLeft() throws {
    guard let rest = arguments else { return }
    let sql = String(decoding: text.dropLast(), as: UTF8.self)
    if !rest.positional.isEmpty { throw DatabaseError.misuse("wrong number of statement arguments: \(positionalCount)", sql: sql) }
    if let name = unusedNames.first { throw DatabaseError.misuse("unknown statement argument: \(name)", sql: sql) }
  }
}
