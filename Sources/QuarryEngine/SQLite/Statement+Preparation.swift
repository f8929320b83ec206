internal import CSQLite

extension Statement {
  /// Compiles the only statement of `sql`.
  convenience init(sql: String, options: Options, database: Database) throws {
    var sql = sql
    let compiled = try sql.withUTF8 { text in
      try Self.compile(text, options: options, database: database)
    }
    self.init(compiled: compiled, sql: Self.trimmed(sql), database: database)
  }

  private static func compile(_ text: UnsafeBufferPointer<UInt8>, options: Options, database: Database) throws -> OpaquePointer {
    let first = try compileNext(text, from: 0, options: options, database: database)
    guard let statement = first.statement else {
      throw DatabaseError.misuse("the SQL contains no statement", sql: String(decoding: text, as: UTF8.self))
    }
    do {
      try checkNothingFollows(text, from: first.end, options: options, database: database)
      return statement
    } catch {
      sqlite3_finalize(statement)
      throw error
    }
  }

  /// Compiles the first statement at or after a byte of `text`, and returns it with its end.
  ///
  /// There is no statement if only white space, comments and semicolons follow.
  ///
  /// - Parameter isTerminated: Whether a NUL follows the text; without one, SQLite copies the rest of the text for each statement.
  static func compileNext(
    _ text: UnsafeBufferPointer<UInt8>, isTerminated: Bool = false, from start: Int, options: Options, database: Database
  ) throws -> (statement: OpaquePointer?, end: Int) {
    var position = start
    while position < text.count {
      let part = try compileOne(text, isTerminated: isTerminated, from: position, options: options, database: database)
      if part.statement != nil { return part }
      // SQLite reads NUL as the end of the text.
      if part.end < text.count, text[part.end] == 0 {
        throw DatabaseError.misuse("the SQL continues after a NUL", sql: String(decoding: text, as: UTF8.self))
      }
      position = max(part.end, position + 1)
    }
    return (nil, text.count)
  }

  private static func compileOne(
    _ text: UnsafeBufferPointer<UInt8>, isTerminated: Bool, from start: Int, options: Options, database: Database
  ) throws -> (statement: OpaquePointer?, end: Int) {
    guard let base = text.baseAddress, let length = Int32(exactly: text.count - start + (isTerminated ? 1 : 0)) else {
      throw DatabaseError(DatabaseError.SQLITE_TOOBIG)
    }
    return try (base + start).withMemoryRebound(to: CChar.self, capacity: Int(length)) { sql in
      var statement: OpaquePointer?
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v3(database.connection, sql, length, options.rawValue, &statement, &tail)
      guard code == SQLITE_OK else {
        var error = database.error(code, sql: String(decoding: text, as: UTF8.self))
        error.offset = error.offset.map { $0 + start }
        throw error
      }
      return (statement, tail.map { start + ($0 - sql) } ?? text.count)
    }
  }

  private static func checkNothingFollows(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, options: Options, database: Database
  ) throws {
    if start < text.count, text[start] == 0 {
      throw DatabaseError.misuse("the SQL continues after a NUL", sql: String(decoding: text, as: UTF8.self))
    }
    guard hasStatement(text, from: start, options: options, database: database) else { return }
    throw DatabaseError.misuse(
      "the SQL contains more than one statement: use allStatements to run them all", sql: String(decoding: text, as: UTF8.self))
  }

  /// Returns whether a statement, which may not compile, is at or after a byte of `text`.
  static func hasStatement(
    _ text: UnsafeBufferPointer<UInt8>, isTerminated: Bool = false, from start: Int, options: Options, database: Database
  ) -> Bool {
    guard text[start...].contains(where: { !isSeparator($0) }) else { return false }
    do {
      let next = try compileNext(text, isTerminated: isTerminated, from: start, options: options, database: database)
      guard let statement = next.statement else { return false }
      sqlite3_finalize(statement)
    } catch {
      // A text that does not compile is also a statement; a comment would compile.
    }
    return true
  }

  static func trimmed(_ sql: String) -> String {
    let bytes = sql.utf8
    guard let first = bytes.firstIndex(where: { !isSeparator($0) }), let last = bytes.lastIndex(where: { !isSeparator($0) }) else {
      return ""
    }
    return String(sql[first...last])
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09...0x0D, 0x20, UInt8(ascii: ";"): true
    default: false
    }
  }
}
