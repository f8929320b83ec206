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
  /// - Throws: ``DatabaseError``: an error of SQLite if the statement does not compile, `SQLITE_MISUSE` if its arguments are missing, or,
  ///   instead of the last statement, if arguments are left over.
  public func next() throws -> Statement? {
    try database.checkAccess()
    let start = position
    let compiled = try withText {
      try Statement.compileNext($0, isTerminated: true, from: start, options: [], database: database)
    }
    position = compiled.end
    guard let statement = compiled.statement else {
      if let surplus { throw surplus }
      return nil
    }
    let sql = String(decoding: text[start..<compiled.end], as: UTF8.self)
    let made = Statement(compiled: statement, sql: Statement.trimmed(sql), database: database)
    let own = values.prefix { $0.offset < compiled.end }
    values = values.dropFirst(own.count)
    try made.setValues(own, in: sql, from: start)
    try deal(to: made)
    if let surplus, !hasNext { throw surplus }
    return made
  }

  /// Calls `body` with the text without its NUL.
  private func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    try text.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0.dropLast())) }
  }

  private var hasNext: Bool {
    withText { Statement.hasStatement($0, isTerminated: true, from: position, options: [], database: database) }
  }

  private func deal(to statement: Statement) throws {
    // The second: all its values are interpolated in the text.
    guard var rest = arguments, statement.arguments.isEmpty else { return }
    let given = statement.binding.givenValues
    let share = try ArgumentMatch(share: rest, parameters: statement.parameterNames, given: given, sql: statement.sql)
    unusedNames.removeAll(where: share.usedNames.contains)
    rest.positional.removeFirst(share.usedCount)
    arguments = rest
    let values = share.values.enumerated().filter { given[$0.offset + 1] == nil }.map(\.element)
    statement.setUncheckedArguments(StatementArguments(values))
  }

  /// The error about the arguments that no statement has used so far; nil if there are none.
  private var surplus: DatabaseError? {
    guard let rest = arguments else { return nil }
    let sql = String(decoding: text.dropLast(), as: UTF8.self)
    if !rest.positional.isEmpty { return .misuse("wrong number of statement arguments: \(positionalCount)", sql: sql) }
    return unusedNames.first.map { .misuse("unknown statement argument: \($0)", sql: sql) }
  }
}
