extension Database {
  /// Compiles one statement.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT * FROM player WHERE name = ?")
  /// ```
  ///
  /// The corresponding C function is `sqlite3_prepare_v3`.
  ///
  /// - Throws: ``DatabaseError``: an error of SQLite with its ``DatabaseError/offset``, `SQLITE_MISUSE` if the text contains more than one
  ///   statement, or none.
  public func makeStatement(sql: String, options: Statement.Options = []) throws -> Statement {
    try checkAccess()
    return try Statement(sql: sql, options: options, database: self)
  }

  /// Returns the cached statement of this SQL, or compiles and caches a new one.
  ///
  /// ```swift
  /// let statement = try db.cachedStatement(sql: "INSERT INTO player (name) VALUES (?)")
  /// ```
  ///
  /// A connection caches at most 64 statements and evicts the least recently used. If the cached statement is being stepped, for example by
  /// a live cursor, the caller gets a new one. A statement that throws is removed from the cache; request it again.
  ///
  /// - Throws: The same errors as ``makeStatement(sql:options:)``.
  public func cachedStatement(sql: String) throws -> Statement {
    try checkAccess()
    if let statement = statementCache.statement(sql) {
      try statement.giveValues([:])
      return statement
    }
    let statement = try Statement(sql: sql, options: .persistent, database: self)
    statementCache.insert(statement, for: sql)
    return statement
  }

  /// Compiles the statements of a text one at a time.
  ///
  /// ```swift
  /// let statements = try db.allStatements(
  ///   sql: """
  ///     INSERT INTO player (name, score) VALUES (?, ?);
  ///     INSERT INTO player (name, score) VALUES (?, ?);
  ///     """, arguments: ["Arthur", 100, "O'Brien", 1000])
  /// while let statement = try statements.next() {
  ///   try statement.execute()
  /// }
  /// ```
  ///
  /// Positional arguments are assigned in order. Named arguments are shared by all statements.
  ///
  /// - Throws: `SQLITE_MISUSE` outside an access.
  public func allStatements(sql: String, arguments: StatementArguments? = nil) throws -> SQLStatementCursor {
    try checkAccess()
    var text = SQLText()
    text.raw(sql)
    return SQLStatementCursor(text, arguments: arguments, database: self)
  }

  /// Compiles and runs each statement of a text to its end, and discards the rows.
  ///
  /// ```swift
  /// try db.execute(sql: "INSERT INTO player (name, score) VALUES (?, ?)", arguments: ["Arthur", 41])
  /// // INSERT INTO player (name, score) VALUES ('Arthur', 41)
  /// ```
  ///
  /// Arguments are assigned to several statements as in ``allStatements(sql:arguments:)``; the last statement is not executed if arguments
  /// are left over. If a statement fails, the earlier ones remain executed, unless their transaction is rolled back.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISUSE` if the text contains no statement or the arguments do not match.
  public func execute(sql: String, arguments: StatementArguments = StatementArguments()) throws {
    var text = SQLText()
    text.raw(sql)
    try execute(literal: text, arguments: arguments)
  }
}

extension Database {
  /// Compiles one statement, with the values of the SQL as its arguments.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(literal: "SELECT * FROM player WHERE id IN \([1, 2])")
  /// // SELECT * FROM player WHERE id IN (?, ?)
  /// ```
  ///
  /// The SQL may also contain placeholders. The interpolated values stay bound; arguments are assigned to the placeholders:
  ///
  /// ```swift
  /// let statement = try db.makeStatement(literal: "SELECT * FROM player WHERE team = \(team) AND score > ?")
  /// let players = try Row.fetchAll(statement, arguments: [100])
  /// ```
  ///
  /// - Throws: The same errors as ``makeStatement(sql:options:)``, and an error if SQLite cannot store one of the values.
  public func makeStatement(literal: SQLText, options: Statement.Options = []) throws -> Statement {
    try literal.checkStorable()
    let statement = try makeStatement(sql: literal.sql, options: options)
    try statement.setValues(literal.placedValues, in: literal.sql)
    return statement
  }

  /// Returns the cached statement of this SQL, or a new one, with the values of the SQL as its arguments.
  ///
  /// ```swift
  /// let statement = try db.cachedStatement(literal: "UPDATE player SET score = \(score) WHERE id = \(id)")
  /// // UPDATE player SET score = ? WHERE id = ?
  /// ```
  ///
  /// The SQL may also contain placeholders, as in ``makeStatement(literal:options:)``.
  ///
  /// - Throws: The same errors as ``makeStatement(literal:options:)``.
  public func cachedStatement(literal: SQLText) throws -> Statement {
    try literal.checkStorable()
    let statement = try cachedStatement(sql: literal.sql)
    try statement.setValues(literal.placedValues, in: literal.sql)
    return statement
  }

  /// Compiles the statements of a text with values, one at a time.
  ///
  /// ```swift
  /// let statements = try db.allStatements(
  ///   literal: """
  ///     INSERT INTO player (name, score) VALUES (\("Arthur"), \(100));
  ///     INSERT INTO player (name, score) VALUES (\("O'Brien"), \(1000));
  ///     """)
  /// try statements.forEach { try $0.execute() }
  /// // INSERT INTO player (name, score) VALUES ('Arthur', 100)
  /// // INSERT INTO player (name, score) VALUES ('O''Brien', 1000)
  /// ```
  ///
  /// The SQL may also contain placeholders. Arguments are assigned to them as in ``allStatements(sql:arguments:)``. Without arguments, set
  /// those of each statement before running it.
  ///
  /// - Throws: `SQLITE_MISUSE` outside an access, or the error of a value that SQLite cannot store.
  public func allStatements(literal: SQLText, arguments: StatementArguments? = nil) throws -> SQLStatementCursor {
    try checkAccess()
    try literal.checkStorable()
    return SQLStatementCursor(literal, arguments: arguments, database: self)
  }

  /// Compiles and runs statements with values.
  ///
  /// ```swift
  /// try db.execute(literal: "INSERT INTO player (name) VALUES (\(name))")
  /// // INSERT INTO player (name) VALUES (?)
  /// ```
  ///
  /// Arguments are assigned to placeholders as in ``allStatements(literal:arguments:)``.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISUSE` if the text contains no statement or the arguments do not match.
  public func execute(literal: SQLText, arguments: StatementArguments = StatementArguments()) throws {
    let statements = try allStatements(literal: literal, arguments: arguments)
    guard let first = try statements.next() else { throw DatabaseError.misuse("the SQL contains no statement", sql: literal.sql) }
    try first.execute()
    while let statement = try statements.next() { try statement.execute() }
  }
}

extension Database {
  /// Runs a statement and calls `body` with it on each row, until it returns false.
  ///
  /// - Throws: `DatabaseError`, and any error of `body`.
  package func scan(_ sql: SQLText, _ body: (Statement) throws -> Bool) throws {
    try sql.checkStorable()
    let statement = try cachedStatement(sql: sql.sql)
    try statement.reset()
    // A statement left on a row could not be reused.
    defer { statement.rewind() }
    for (index, value) in sql.values.enumerated() {
      try statement.bind(value, at: index + 1)
    }
    while try statement.step() {
      guard try body(statement) else { return }
    }
  }
}

/// Cursors that stay on their row between accesses; every other statement is reset when its access ends.
///
/// Such a cursor holds its lock on the file, and holds the connection at the state of the file that it reads.
package struct LastingCursors {
  /// The identifier of a cursor between two accesses.
  package struct Token: Hashable, Sendable {
    fileprivate let number: Int
  }

  private var cursors: [Token: Statement] = [:]
  private var count = 0

  fileprivate mutating func add(_ cursor: Statement) -> Token {
    count += 1
    cursors[Token(number: count)] = cursor
    return Token(number: count)
  }

  fileprivate mutating func remove(_ token: Token) -> Statement? {
    cursors.removeValue(forKey: token)
  }

  fileprivate var all: some Sequence<Statement> { cursors.values }

  mutating func removeAll() {
    cursors.removeAll()
  }

  /// Returns whether a C statement stays on its row when an access ends.
  func contains(_ statement: SQLiteStatement) -> Bool {
    cursors.values.contains { $0.sqliteStatement == statement }
  }
}

extension Database {
  /// Lets a statement stay on its row after the end of the access.
  package func keepRunning(_ cursor: Statement) -> LastingCursors.Token {
    lastingCursors.add(cursor)
  }

  /// Removes a cursor from the list, so that the current access can step it; nil if it has been ended.
  package func resume(_ token: LastingCursors.Token) -> Statement? {
    let cursor = lastingCursors.remove(token)
    cursor?.accessNumber = currentAccess
    return cursor
  }

  /// Ends all reads that outlast their access, which releases their locks on the file; a read that continues starts again.
  ///
  /// ```swift
  /// try reader.withoutTransaction { db in db.endLastingReads() }
  /// try writer.withoutTransaction { db in try db.execute(sql: "COMMIT") }
  /// ```
  package func endLastingReads() {
    for cursor in lastingCursors.all { cursor.rewind() }
    lastingCursors.removeAll()
  }

  /// Ends a cursor at its current row.
  package func endCursor(_ token: LastingCursors.Token) {
    resume(token)?.rewind()
  }
}
