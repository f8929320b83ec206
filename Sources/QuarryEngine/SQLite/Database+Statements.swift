extension Database {
  /// Compiles one statement.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT * FROM player WHERE name = ?")
  /// ```
  ///
  /// The corresponding C function is `sqlite3_prepare_v3`.
  ///
  /// - Throws: ``DatabaseError``: SQLite's own with the ``DatabaseError/offset`` of a mistake, `SQLITE_MISUSE` where the text holds more
  ///   than one statement, or none.
  public func makeStatement(sql: String, options: Statement.Options = []) throws -> Statement {
    try checkAccess()
    return try Statement(sql: sql, options: options, database: self)
  }

  /// Returns the statement of that SQL that was compiled before, or a new one that is kept for the next time.
  ///
  /// ```swift
  /// let statement = try db.cachedStatement(sql: "INSERT INTO player (name) VALUES (?)")
  /// ```
  ///
  /// A connection keeps 64 at most, and drops the one whose last use is the oldest. A statement that is being stepped, as by a
  /// live cursor, is not given out again: the caller gets another one. A statement that threw leaves the cache: ask for it anew.
  ///
  /// - Throws: As ``makeStatement(sql:options:)``.
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

  /// Compiles the statements of a text one after the other.
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
  /// Positional arguments are dealt out in order, named ones are shared by all statements.
  ///
  /// - Throws: `SQLITE_MISUSE` outside of an access.
  public func allStatements(sql: String, arguments: StatementArguments? = nil) throws -> SQLStatementCursor {
    try checkAccess()
    var text = SQLText()
    text.raw(sql)
    return SQLStatementCursor(text, arguments: arguments, database: self)
  }

  /// Compiles and runs each statement of a text to its end; rows that they yield are passed over.
  ///
  /// ```swift
  /// try db.execute(sql: "INSERT INTO player (name, score) VALUES (?, ?)", arguments: ["Arthur", 41])
  /// // INSERT INTO player (name, score) VALUES ('Arthur', 41)
  /// ```
  ///
  /// Arguments go to several statements as ``allStatements(sql:arguments:)`` deals them out. Statements before one that fails stay done,
  /// but for what the transaction that they are in makes of them.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISUSE` where the text holds no statement, or the arguments do not fit.
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
  /// Placeholders may be left open beside the values, which then stay with the statement; arguments are for the open ones:
  ///
  /// ```swift
  /// let statement = try db.makeStatement(literal: "SELECT * FROM player WHERE team = \(team) AND score > ?")
  /// let players = try Row.fetchAll(statement, arguments: [100])
  /// ```
  ///
  /// - Throws: As ``makeStatement(sql:options:)``, also where SQLite cannot store one of the values.
  public func makeStatement(literal: SQLText, options: Statement.Options = []) throws -> Statement {
    try literal.checkStorable()
    let statement = try makeStatement(sql: literal.sql, options: options)
    try statement.setValues(literal.placedValues, in: literal.sql)
    return statement
  }

  /// Returns the cached statement of that text, or a new one, with the values of the SQL as its arguments.
  ///
  /// ```swift
  /// let statement = try db.cachedStatement(literal: "UPDATE player SET score = \(score) WHERE id = \(id)")
  /// // UPDATE player SET score = ? WHERE id = ?
  /// ```
  ///
  /// Placeholders may be left open, as in ``makeStatement(literal:options:)``.
  ///
  /// - Throws: As ``makeStatement(literal:options:)``.
  public func cachedStatement(literal: SQLText) throws -> Statement {
    try literal.checkStorable()
    let statement = try cachedStatement(sql: literal.sql)
    try statement.setValues(literal.placedValues, in: literal.sql)
    return statement
  }

  /// Compiles the statements of a text with values one after the other.
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
  /// Placeholders may be left open. Arguments go to them as ``allStatements(sql:arguments:)`` deals them out; without any, each statement
  /// waits for its own.
  ///
  /// - Throws: `SQLITE_MISUSE` outside of an access, or the error of a value that SQLite cannot store.
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
  /// Arguments go to placeholders that are left open, as ``allStatements(literal:arguments:)`` deals them out.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISUSE` where the text holds no statement, or the arguments do not fit.
  public func execute(literal: SQLText, arguments: StatementArguments = StatementArguments()) throws {
    let statements = try allStatements(literal: literal, arguments: arguments)
    guard let first = try statements.next() else { throw DatabaseError.misuse("the SQL holds no statement", sql: literal.sql) }
    try first.execute()
    while let statement = try statements.next() { try statement.execute() }
  }
}

extension Database {
  /// Runs a statement and calls `body` with it on each row, until it returns false.
  ///
  /// - Throws: `DatabaseError`, and what `body` throws.
  package func scan(_ sql: SQLText, _ body: (Statement) throws -> Bool) throws {
    try sql.checkStorable()
    let statement = try cachedStatement(sql: sql.sql)
    try statement.reset()
    // A statement left on a row could not be used again.
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
/// A cursor that lasts keeps its lock on the file, and the connection on the state of the file that it reads.
package struct LastingCursors {
  /// What a cursor is known by between two accesses.
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

  /// Returns whether the end of an access leaves a C statement as it is.
  func contains(_ statement: SQLiteStatement) -> Bool {
    cursors.values.contains { $0.sqliteStatement == statement }
  }
}

extension Database {
  /// Lets a statement stay on its row past the end of the access.
  package func keepRunning(_ cursor: Statement) -> LastingCursors.Token {
    lastingCursors.add(cursor)
  }

  /// Takes a cursor back, so that the access under way can step it on; nil where it has been ended.
  package func resume(_ token: LastingCursors.Token) -> Statement? {
    let cursor = lastingCursors.remove(token)
    cursor?.accessNumber = currentAccess
    return cursor
  }

  /// Ends every read that lasts past its access, and with them the locks that they keep on the file; what reads on begins anew.
  ///
  /// ```swift
  /// try reader.withoutTransaction { db in db.endLastingReads() }
  /// try writer.withoutTransaction { db in try db.execute(sql: "COMMIT") }
  /// ```
  package func endLastingReads() {
    for cursor in lastingCursors.all { cursor.rewind() }
    lastingCursors.removeAll()
  }

  /// Ends a cursor where it stands.
  package func endCursor(_ token: LastingCursors.Token) {
    resume(token)?.rewind()
  }
}
